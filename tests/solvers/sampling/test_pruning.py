"""Regret-based pruning: what is skipped, what is not, and that nothing is skipped for good."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.evaluation import evaluate
from equilibrist.game import TERMINAL, Game
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import GameWalk, Node, walk
from equilibrist.reference.sampling import (
    Addition,
    Profile,
    chance_sampling,
    external_sampling,
    public_chance_sampling,
)
from equilibrist.reference.sampling.baselines import LearnedBaseline
from equilibrist.reference.sampling.pruning import LOWEST, Pruning, actions_that_go_on
from equilibrist.solvers.sampling.chance import Chance, PublicChance
from equilibrist.solvers.sampling.external import External
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.sampling.registry import get_sampler
from tests.altered_games import Revealed
from tests.refusals import refuses
from tests.solvers.sampling.exact_expectation import (
    Table,
    counterfactual_regrets,
    expected_addition,
)
from tests.solvers.sampling.stream_draws import Matched, reference_run

SAMPLERS: dict[str, Callable[..., Addition]] = {
    "external": external_sampling,
    "chance": chance_sampling,
    "public-chance": public_chance_sampling,
}
KINDS: dict[str, Any] = {"external": External, "chance": Chance, "public-chance": PublicChance}
GAMES: dict[str, Game[Any]] = {
    "kuhn": load_game("kuhn"),
    "kuhn(players=3)": load_game("kuhn(players=3)"),
    "random tree": Revealed(load_game("random_tree(seed=22,depth=6,branching=3,signals=2)"), 3),
}
THRESHOLD = 4.0
COMPILED = compile_game("leduc")


def low_regrets(game: GameWalk, seed: int) -> Table:
    """Random regrets, half of them below the threshold, some rows all negative."""
    draw = random.Random(seed)
    return {
        key: [draw.uniform(*draw.choice([(-9.0, -5.0), (-3.0, 6.0)])) for _ in infoset.actions]
        for key, infoset in game.infosets.items()
    }


def poor_paths(game: GameWalk, pruning: Pruning, profile: Profile) -> dict[str, bool]:
    """By infoset, whether its player gets there by a poor action."""
    poor = {
        (key, k): is_poor
        for key, infoset in game.infosets.items()
        for k, is_poor in enumerate(pruning.poor(key, profile[key]))
    }
    return {key: any(poor[step] for step in found.path) for key, found in game.infosets.items()}


class After:
    """Draws whose first is given, and the others come from another source."""

    def __init__(self, first: int, draws: Draws) -> None:
        self.first: int | None = first
        self.draws = draws

    def action(self, probabilities: Sequence[float]) -> int:
        if self.first is None:
            return self.draws.action(probabilities)
        first, self.first = self.first, None
        return first

    def outcome(self, probabilities: Sequence[float]) -> int:
        return self.draws.outcome(probabilities)


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("name", SAMPLERS)
def test_what_a_traversal_adds_in_terms_of_a_plain_one(name: str, spec: str) -> None:
    """A full one the same, but 20 times from a poor action down; one that skips nothing there."""
    game = walk(GAMES[spec])
    regret = low_regrets(game, 1)
    profile = Matched(regret)
    pruning = Pruning(THRESHOLD, regret, actions_that_go_on(game.root))
    below = poor_paths(game, pruning, profile)
    assert any(below.values())
    for player in range(game.num_players):
        sample = partial(SAMPLERS[name], game.root, player, profile)
        for first, factor in ((0, 20.0), (1, 0.0)):
            found = expected_regrets(after(first, partial(sample, pruning=pruning)))
            for key, row in expected_regrets(sample).items():
                poor = pruning.poor(key, profile[key])
                factors = [factor if below[key] or p else 1.0 for p in poor]
                wanted = [x * r for x, r in zip(factors, row, strict=True)]
                assert found.get(key, [0.0] * len(row)) == pytest.approx(wanted, abs=1e-12)


def after(first: int, sample: Callable[[Draws], Addition]) -> Callable[[Draws], Addition]:
    return lambda draws: sample(After(first, draws))


def expected_regrets(sample: Callable[[Draws], Addition]) -> Table:
    return expected_addition(sample)[0]


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("name", SAMPLERS)
def test_expected_regrets_are_the_full_ones(name: str, spec: str) -> None:
    game = walk(GAMES[spec])
    regret = low_regrets(game, 2)
    pruning = Pruning(THRESHOLD, regret, actions_that_go_on(game.root))
    profile = Matched(regret)
    assert any(any(pruning.poor(key, profile[key])) for key in game.infosets)
    for player in range(game.num_players):
        sample = partial(SAMPLERS[name], game.root, player, profile, pruning=pruning)
        found, _, total = expected_addition(sample)
        assert total == pytest.approx(1.0, abs=1e-12)
        for key, row in counterfactual_regrets(game, player, profile).items():
            assert found.get(key, [0.0] * len(row)) == pytest.approx(row, abs=1e-12)


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("name", SAMPLERS)
def test_expected_strategy_sums_are_those_without_pruning(name: str, spec: str) -> None:
    game = walk(GAMES[spec])
    regret = low_regrets(game, 3)
    for player in range(game.num_players):
        sample = partial(SAMPLERS[name], game.root, player, Matched(regret))
        _, plain, _ = expected_addition(sample)
        _, found, _ = expected_addition(
            partial(sample, pruning=Pruning(THRESHOLD, regret, actions_that_go_on(game.root)))
        )
        for key, row in plain.items():
            assert found.get(key, [0.0] * len(row)) == pytest.approx(row, abs=1e-12)


def pruned(name: str, threshold: float, **more: Any) -> Any:
    """A reference sampler that prunes by the regrets of the run."""

    def sample(root: Node, player: int, profile: Profile, draws: Draws) -> Addition:
        assert isinstance(profile, Matched)
        pruning = Pruning(threshold, profile.regret, actions_that_go_on(root))
        return SAMPLERS[name](root, player, profile, draws, pruning=pruning, **more)

    return sample


def compare(sampler: Any, game: Game[Any], sample: Any, iterations: int, prune: float) -> None:
    floor = -LOWEST * prune
    regret, strategy_sum = reference_run(game, sample, iterations, seed=4, floor=floor)
    tree = compile_game(game)
    own = sampler.averagings[0]
    solver = MCCFR(tree, sampler=sampler, averaging=own, seed=4).run(iterations)
    state = solver.state
    for i, key in enumerate(tree.infoset_keys):
        actions = tree.actions_of(i)
        assert state.regret[actions].tolist() == pytest.approx(regret[key], abs=1e-9)
        assert state.strategy_sum[actions].tolist() == pytest.approx(strategy_sum[key], abs=1e-9)
    assert state.regret.min() == floor
    plain = MCCFR(tree, sampler=type(sampler)(), averaging=own, seed=4).run(iterations)
    assert solver.nodes_touched < plain.nodes_touched


@pytest.mark.by_default(1)
@pytest.mark.parametrize("spec", [*GAMES, "leduc"])
@pytest.mark.parametrize("name", SAMPLERS)
def test_the_kernel_adds_what_the_recursion_adds(name: str, spec: str) -> None:
    game = GAMES.get(spec) or load_game(spec)
    iterations, prune = (12, 0.5) if spec == "leduc" else (150, 0.3)
    compare(KINDS[name](prune=prune), game, pruned(name, prune), iterations, prune)


@pytest.mark.parametrize("spec", GAMES)
def test_baselines_and_pruning_together(spec: str) -> None:
    sample = pruned("external", 0.3, baseline=LearnedBaseline())
    compare(External(baseline="learned", prune=0.3), GAMES[spec], sample, 150, 0.3)


def test_what_is_never_poor() -> None:
    game = walk(load_game("kuhn"))
    goes_on = actions_that_go_on(game.root)
    pruning = Pruning(4.0, {"1": [-5.0, 1.0], "2b": [-5.0, 1.0]}, goes_on)
    assert goes_on["1"] == [True, True]
    assert pruning.poor("1", [0.0, 1.0]) == [True, False]
    assert goes_on["2b"] == [False, False]
    assert pruning.poor("2b", [0.0, 1.0]) == [False, False]
    assert Pruning(5.0, pruning.regret, goes_on).poor("1", [0.0, 1.0]) == [False, False]
    assert pruning.poor("1", [0.5, 0.5]) == [False, False]


class Fork:
    """One player: left or right, then a second step. Right and right pays 1, all else nothing."""

    name = "fork"
    num_players = 1

    def initial_state(self) -> str:
        return ""

    def player(self, state: str) -> int:
        return 0 if len(state) < 2 else TERMINAL

    def actions(self, state: str) -> tuple[str, ...]:
        return ("l", "r")

    def chance(self, state: str) -> tuple[float, ...]:
        raise NotImplementedError

    def next(self, state: str, k: int) -> str:
        return state + "lr"[k]

    def payoffs(self, state: str) -> tuple[float, ...]:
        return (float(state == "rr"),)

    def infoset(self, state: str) -> str:
        return "at" + state

    def public_state(self, state: str) -> str:
        return state


FORK = compile_game(Fork())


def fork_solver(name: str, regrets: Sequence[float], seed: int = 1) -> MCCFR:
    """A solver of `Fork` with these regrets at the root, of left and right, and right below."""
    sampler = KINDS[name](prune=10.0)
    solver = MCCFR(FORK, sampler=sampler, averaging=sampler.averagings[0], seed=seed)
    state = solver.state
    regret = state.regret.copy()
    for key, row in {"at": regrets, "atl": (0.0, 1.0), "atr": (0.0, 1.0)}.items():
        regret[FORK.actions_of(FORK.index(key))] = row
    return solver.restore(replace(state, regret=regret))


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_pruned_action_comes_back(name: str) -> None:
    solver = fork_solver(name, (2.0, -10.3))
    walked = np.diff([solver.run(1).nodes_touched for _ in range(60)])
    full = int(np.argmax(walked == 7))
    assert full > 2
    assert (walked[:full] == 4).all()  # without what is on the right
    assert (walked[full : full + 10] == 7).all()
    assert solver.current_strategy()["at"]["r"] == 1.0
    assert solver.state.regret[0] == pytest.approx(-31 / 3)  # now it is the left that is skipped
    assert 4 in walked[full + 10 :]


@pytest.mark.parametrize("name", SAMPLERS)
def test_where_nothing_is_positive_nothing_is_skipped(name: str) -> None:
    for seed in range(20):
        assert fork_solver(name, (-10.2, -10.3), seed).run(1).nodes_touched == 7


@pytest.mark.parametrize("name", SAMPLERS)
def test_the_average_approaches_equilibrium(name: str) -> None:
    for players in (2, 3):
        tree = compile_game(load_game(f"kuhn(players={players})"))
        solver = MCCFR(tree, sampler=KINDS[name](prune=500.0), seed=1).run(20_000)
        assert evaluate(solver.average_strategy()).nash_conv < 0.06


@pytest.mark.parametrize("name", SAMPLERS)
def test_cuts_change_no_bit(name: str) -> None:
    tree = compile_game(load_game("kuhn"))
    whole = MCCFR(tree, "lcfr", sampler=KINDS[name](prune=0.3), seed=3, period=7).run(100).state
    parts = MCCFR(tree, "lcfr", sampler=KINDS[name](prune=0.3), seed=3, period=7)
    for count in (1, 6, 13, 0, 50, 30):
        parts.run(count)
    assert parts.state.regret.tobytes() == whole.regret.tobytes()
    assert parts.state.strategy_sum.tobytes() == whole.strategy_sum.tobytes()


@pytest.mark.parametrize("kind", KINDS.values())
@pytest.mark.parametrize("prune", [0, -5.0, float("nan"), float("inf"), "300", True, np.zeros(2)])
def test_bad_input(kind: Any, prune: Any) -> None:
    with refuses(ConfigError, option="prune", given=prune):
        kind(prune=prune)


@pytest.mark.parametrize("name", ["outcome", "robust", "probing", "escher", "pure"])
def test_samplers_that_do_not_walk_all_actions_refuse(name: str) -> None:
    with refuses(ConfigError, option="prune"):
        get_sampler(name, {"prune": 300.0})


def test_samplers_without_baselines_refuse() -> None:
    with refuses(ConfigError, option="baseline"):
        get_sampler("chance", {"baseline": "learned"})


@pytest.mark.by_default(1)
@pytest.mark.parametrize("sampler", list(SAMPLERS))
@pytest.mark.parametrize("threads", [2, 5])
def test_the_floor_does_not_depend_on_threads(sampler: str, threads: int) -> None:
    """Merged regrets are means, so they stop at the floor over the number of threads."""
    text = f"{sampler}(prune=3)"
    alone = MCCFR(COMPILED, sampler=text, seed=1).run(20_000)
    merged = MCCFR(COMPILED, sampler=text, seed=1, threads=threads, period=100).run(20_000)
    assert merged.sampler == alone.sampler
    assert alone.state.regret.min() == pytest.approx(-LOWEST * 3)
    assert threads * merged.state.regret.min() == pytest.approx(-LOWEST * 3)


@pytest.mark.slow
def test_threads_skip_about_as_much_as_one_run() -> None:
    """With the threshold of one run for the means, five threads would skip a tenth as much."""

    def touched(sampler: str, **options: Any) -> int:
        return MCCFR(COMPILED, sampler=sampler, seed=1, **options).run(200_000).nodes_touched

    whole, text = touched("external"), "external(prune=1000)"
    alone = whole - touched(text)
    for threads in (2, 5):
        assert whole - touched(text, threads=threads, period=1000) > 0.75 * alone
    assert alone > 0.05 * whole


def test_threads_on_one_table_share_its_threshold() -> None:
    shared = MCCFR(COMPILED, sampler="external(prune=3)", seed=1, threads=2, shared=True)
    assert shared.run(20_000).state.regret.min() == pytest.approx(-LOWEST * 3, rel=0.3)
