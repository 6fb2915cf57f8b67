"""What samplers add on average, by going through all their draws."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import GameWalk, Node
from equilibrist.reference.sampling import Addition, Profile
from equilibrist.reference.sampling.average_strategy import average_strategy_sampling
from equilibrist.reference.sampling.chance import chance_sampling
from equilibrist.reference.sampling.escher import escher_sampling
from equilibrist.reference.sampling.external import external_sampling
from equilibrist.reference.sampling.pure import pure_sampling
from equilibrist.reference.sampling.subsets import probing_sampling, robust_sampling
from tests.solvers.sampling.exact_expectation import (
    SPECS,
    Table,
    counterfactual_regrets,
    expected_addition,
    own_reach,
    profile_with_zeros,
    walk_of,
)

Sample = Callable[[Node, int, Profile, Draws], Addition]
MANY_ACTIONS = "random_tree(seed=3,depth=3,branching=3,forced=0)"
TWO_PLAYERS = ("kuhn", "random_tree(seed=5,depth=4,branching=2)", MANY_ACTIONS)


def sums_with_zeros(game: GameWalk, seed: int) -> Table:
    """Random strategy sums, a third of them zero, and some rows zero altogether."""
    generator = random.Random(seed)
    return {
        key: [9.0 * generator.random() * (generator.random() > 0.35) for _ in infoset.actions]
        for key, infoset in game.infosets.items()
    }


def by_average(root: Node, traverser: int, profile: Profile, draws: Draws) -> Addition:
    sums = next(sums_with_zeros(walk_of(spec), 8) for spec in ALL if walk_of(spec).root is root)
    return average_strategy_sampling(
        root, traverser, profile, draws, sums, epsilon=0.1, tau=1.5, beta=0.0
    )


ALL = (*SPECS, MANY_ACTIONS)
SAMPLERS: dict[str, Sample] = {
    "external": external_sampling,
    "chance": chance_sampling,
    "average-strategy": by_average,
    "robust": robust_sampling,
    "robust, k=2": partial(robust_sampling, k=2),
    "probing": probing_sampling,
    "probing, k=2": partial(probing_sampling, k=2),
    "pure": pure_sampling,
    "escher": escher_sampling,
}


def chance_reach(game: GameWalk, profile: Profile, name: str) -> dict[str, float]:
    """By infoset, the expected strategy sum over own reach times strategy: what chance alone does.

    With ESCHER's sampling the traverser's even draws are part of it.
    """
    total = dict.fromkeys(game.infosets, 0.0)

    def visit(node: Node, reach: tuple[float, ...]) -> None:
        if node.player == TERMINAL:
            return
        if node.player != CHANCE:
            total[node.infoset] += reach[1 - node.player] * reach[2]
        for k, child in enumerate(node.children):
            after = list(reach)
            if node.player == CHANCE:
                after[2] *= node.chance[k]
            elif name == "escher":
                after[node.player] /= len(node.children)
            visit(child, tuple(after))

    visit(game.root, (1.0, 1.0, 1.0))
    return total


def even_reach(game: GameWalk, key: str) -> float:
    """The probability that even draws of its player lead to an infoset."""
    reach = 1.0
    for earlier, _ in game.infosets[key].path:
        reach /= len(game.infosets[earlier].actions)
    return reach


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("spec", ALL)
@pytest.mark.parametrize("name", SAMPLERS)
def test_expected_regrets_are_the_full_ones(name: str, spec: str, seed: int) -> None:
    game = walk_of(spec)
    profile = profile_with_zeros(game, seed)
    for player in range(game.num_players):
        regret, _, total = expected_addition(
            lambda draws, player=player: SAMPLERS[name](game.root, player, profile, draws)
        )
        assert total == pytest.approx(1.0, abs=1e-12)
        for key, row in counterfactual_regrets(game, player, profile).items():
            factor = even_reach(game, key) if name == "escher" else 1.0
            found = regret.get(key, [0.0] * len(row))
            assert found == pytest.approx([factor * r for r in row], abs=1e-12)


@pytest.mark.parametrize("spec", TWO_PLAYERS)
@pytest.mark.parametrize("name", SAMPLERS)
def test_with_two_players_the_expected_strategy_sum_is_own_reach_times_strategy(
    name: str, spec: str
) -> None:
    game = walk_of(spec)
    profile = profile_with_zeros(game, 3)
    reach = own_reach(game, profile)
    constant = chance_reach(game, profile, name)
    for traverser in (0, 1):
        _, strategy_sum, _ = expected_addition(
            lambda draws, player=traverser: SAMPLERS[name](game.root, player, profile, draws)
        )
        adds_for = traverser if name == "chance" else 1 - traverser
        assert {game.infosets[key].player for key in strategy_sum} == {adds_for}
        for key, infoset in game.infosets.items():
            if infoset.player == adds_for:
                wanted = [reach[key] * p * constant[key] for p in profile[key]]
                found = strategy_sum.get(key, [0.0] * len(wanted))
                assert found == pytest.approx(wanted, abs=1e-12)


def test_the_average_of_chance_sampling_is_right_for_three_players() -> None:
    game = walk_of("kuhn(players=3)")
    profile = profile_with_zeros(game, 3)
    reach = own_reach(game, profile)
    for traverser in range(3):
        _, strategy_sum, _ = expected_addition(
            lambda draws, player=traverser: chance_sampling(game.root, player, profile, draws)
        )
        for key, infoset in game.infosets.items():
            if infoset.player == traverser:
                wanted = [reach[key] * p / 4 for p in profile[key]]  # one card of four is held
                assert strategy_sum.get(key, [0.0, 0.0]) == pytest.approx(wanted, abs=1e-12)


def test_with_three_players_the_other_averages_depend_on_how_others_play() -> None:
    """Why the solver then takes an average apart: the factor is not a constant of the infoset."""
    game = walk_of("kuhn(players=3)")
    seen = []
    for seed in (3, 4):
        profile = profile_with_zeros(game, seed)
        reach = own_reach(game, profile)
        _, strategy_sum, _ = expected_addition(
            lambda draws, profile=profile: robust_sampling(game.root, 0, profile, draws)
        )
        seen.append(
            {
                key: round(sum(row) / reach[key], 9)
                for key, row in strategy_sum.items()
                if reach[key] > 0.0
            }
        )
    both = seen[0].keys() & seen[1].keys()
    assert any(seen[0][key] != seen[1][key] for key in both)
