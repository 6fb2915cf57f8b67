"""Public chance sampling: exact expectations, CFR where nothing is public, what games say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, GameError
from equilibrist.evaluation import evaluate
from equilibrist.game import CHANCE, Game, PublicGame
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.draws import every_run
from equilibrist.reference.game_walk import GameWalk, Node, walk
from equilibrist.reference.sampling import public_chance_sampling
from equilibrist.reference.sampling.chance import event_probabilities
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.sampling.mccfr import MCCFR
from tests.altered_games import Altered, Revealed
from tests.refusals import refuses
from tests.solvers.sampling.exact_expectation import (
    counterfactual_regrets,
    expected_addition,
    own_reach,
    profile_with_zeros,
)
from tests.solvers.sampling.stream_draws import reference_run

RANDOM = "random_tree(seed={},depth=6,branching=3,chance=0.5,signals=2)"
SMALL: dict[str, Game[Any]] = {
    "kuhn": load_game("kuhn"),
    "kuhn(players=3)": load_game("kuhn(players=3)"),
    "goofspiel(cards=3)": load_game("goofspiel(cards=3,imp_info=true)"),
    "leduc(ranks=3,suits=1)": load_game("leduc(ranks=3,suits=1)"),
    "two facts": Revealed(load_game(RANDOM.format(3)), 2),
    "three facts": Revealed(load_game(RANDOM.format(9)), 3),
}


def nodes_below(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from nodes_below(child)


def expected(game: GameWalk, player: int, profile: dict[str, list[float]]) -> Any:
    return expected_addition(partial(public_chance_sampling, game.root, player, profile))


@pytest.mark.by_default(3)
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", SMALL)
def test_expected_regrets_are_the_full_ones(name: str, seed: int) -> None:
    game = walk(SMALL[name])
    profile = profile_with_zeros(game, seed)
    for player in range(game.num_players):
        regret, _, total = expected(game, player, profile)
        assert total == pytest.approx(1.0, abs=1e-12)
        for key, row in counterfactual_regrets(game, player, profile).items():
            assert regret.get(key, [0.0] * len(row)) == pytest.approx(row, abs=1e-12)


@pytest.mark.parametrize("name", SMALL)
def test_the_expected_strategy_sum_is_own_reach_times_strategy_times_a_constant(name: str) -> None:
    """The constant is the same whatever anybody plays: right for any number of players."""
    game = walk(SMALL[name])
    constants: list[dict[str, float]] = []
    for seed in (3, 4):
        profile = profile_with_zeros(game, seed)
        reach = own_reach(game, profile)
        found = {}
        for player in range(game.num_players):
            _, strategy_sum, _ = expected(game, player, profile)
            for key, row in strategy_sum.items():
                if reach[key] > 0.0:
                    found[key] = sum(row) / reach[key]
                    wanted = [found[key] * reach[key] * p for p in profile[key]]
                    assert row == pytest.approx(wanted, abs=1e-12)
        constants.append(found)
    both = constants[0].keys() & constants[1].keys()
    assert both
    for key in both:
        assert constants[0][key] == pytest.approx(constants[1][key], abs=1e-12)


@pytest.mark.parametrize("name", ["kuhn", "kuhn(players=3)", "liars_dice(sides=3)"])
def test_where_all_chance_is_private_it_is_cfr(name: str) -> None:
    tree = compile_game(load_game(name))
    sampled, full = MCCFR(tree, sampler="public-chance", seed=1), CFR(tree, "cfr", alternating=True)
    for _ in range(20):
        found, wanted = sampled.run(1).state, full.run(1).state
        regret = wanted.regret[tree.sequence_form.sequence_of_public]
        choices = np.repeat(np.diff(tree.action_offset), np.diff(tree.action_offset)) > 1
        assert found.regret[choices] == pytest.approx(regret[choices], abs=1e-12)
        average = sampled.average_strategy().probabilities
        assert average == pytest.approx(full.average_strategy().probabilities, abs=1e-12)


@pytest.mark.parametrize("name", [*SMALL, "leduc", "leduc(suit_isomorphism=true)"])
def test_the_kernel_adds_what_the_recursion_adds(name: str) -> None:
    game = SMALL.get(name) or load_game(name)
    iterations = 4 if name.startswith("leduc") else 30
    regret, strategy_sum = reference_run(game, public_chance_sampling, iterations, seed=4)
    assert any(any(row) for row in strategy_sum.values())
    tree = compile_game(game)
    state = MCCFR(tree, sampler="public-chance", seed=4).run(iterations).state
    for i, key in enumerate(tree.infoset_keys):
        actions = tree.actions_of(i)
        assert state.regret[actions].tolist() == pytest.approx(regret[key], abs=1e-9)
        assert state.strategy_sum[actions].tolist() == pytest.approx(strategy_sum[key], abs=1e-9)


def test_leduc_draws_one_board_per_betting_line_for_all_hands() -> None:
    game = walk(load_game("leduc"))
    lines = {key: odds for key, odds in event_probabilities(game.root).items() if len(odds) > 1}
    assert len(lines) == 5  # cc, crc, crrc, rc, rrc
    for odds in lines.values():
        assert [*odds.values()] == pytest.approx([1 / 6] * 6)
    tree = compile_game(load_game("leduc"))
    public = tree.history_tree.public_chance
    assert public is not None
    assert len(public.first) - 1 == 2 + 5
    assert sorted(set(public.ratio.round(12))) == pytest.approx([1 / 6, 1 / 5, 1.5])
    visits = MCCFR(tree, sampler="public-chance").run(1).nodes_touched / 2
    # 1 + 6 nodes deal. Every line of the first round is walked with all 30 deals, each line of the
    # second with the 20 deals that do not hold the board card.
    first_round, second_round = 15, 5 * 15
    assert visits == 7 + 30 * first_round + 20 * second_round


def test_the_average_approaches_equilibrium() -> None:
    tree = compile_game(load_game("leduc"))
    solver = MCCFR(tree, "lcfr", sampler="public-chance", seed=1)
    assert solver.averaging == "own-reach"
    early = evaluate(solver.run(20).average_strategy()).nash_conv
    late = evaluate(solver.run(500).average_strategy()).nash_conv
    assert late < early / 3


@pytest.mark.parametrize("game", ["random_tree(seed=5)", "rps"])
def test_games_that_do_not_say_what_is_public_are_refused(game: str) -> None:
    assert not isinstance(load_game(game), PublicGame)
    with refuses(ConfigError, option="public_state"):
        MCCFR(compile_game(load_game(game)), sampler="public-chance")


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    "spec",
    [
        "kuhn",
        "kuhn(players=3)",
        "leduc",
        "leduc(players=3,ranks=4,suits=1)",
        "liars_dice(sides=3)",
        "liars_dice(dice=[2,1],sides=2)",
        "goofspiel(cards=3)",
        "goofspiel(cards=4,imp_info=true)",
        "goofspiel(cards=3,players=3,imp_info=true)",
        "goofspiel(cards=4,imp_info=true,points_order=descending)",
    ],
)
def test_what_is_public_is_known_to_whoever_moves(spec: str) -> None:
    """All histories of an infoset are in one public state, and chance is public or private."""
    game = walk(load_game(spec))
    for key, infoset in game.infosets.items():
        assert len({node.public for node in infoset.nodes}) == 1, key
    for node in nodes_below(game.root):
        if node.player == CHANCE and len(node.children) > 1:
            shown = len({child.public for child in node.children})
            assert shown in (1, len(node.children))
            board = spec.startswith("leduc") and node.public.count("?") == game.num_players
            assert (shown > 1) == (board or spec.startswith("goofspiel"))


class Talkative(Altered):
    def __init__(self, answer: Any) -> None:
        super().__init__(load_game("kuhn"), "talkative")
        self.answer = answer

    def public_state(self, state: Any, /) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize("answer", [None, 3, ("a",), b"x"])
def test_public_states_that_are_no_texts(answer: Any) -> None:
    with refuses(GameError, kind="key", given=answer):
        compile_game(Talkative(answer))


def test_public_states_that_raise() -> None:
    with refuses(GameError, kind="exception", option="public_state", given="ValueError"):
        compile_game(Talkative(ValueError("no")))


def test_impossible_outcomes_are_never_drawn() -> None:
    game = Sometimes()
    tree = compile_game(game)
    state = MCCFR(tree, sampler="public-chance", seed=1).run(50).state
    assert np.isfinite(state.regret).all()
    runs = list(every_run(partial(public_chance_sampling, walk(game).root, 0, {"0": [0.5, 0.5]})))
    assert len(runs) == 2


class Sometimes:
    """Chance has three outcomes, all public, the second and last of which never comes."""

    name = "sometimes"
    num_players = 1

    def initial_state(self) -> str:
        return ""

    def player(self, state: str) -> int:
        return CHANCE if not state else 0 if len(state) == 1 else -2

    def actions(self, state: str) -> tuple[str, ...]:
        return ("a", "b", "c", "d") if not state else ("x", "y")

    def chance(self, state: str) -> tuple[float, ...]:
        return (0.5, 0.0, 0.5, 0.0)

    def next(self, state: str, k: int) -> str:
        return state + str(k)

    def payoffs(self, state: str) -> tuple[float, ...]:
        return (float(state[1]),)

    def infoset(self, state: str) -> str:
        return "0"

    def public_state(self, state: str) -> str:
        return state[:1]
