"""Baselines: right on average whatever they are, without variance if they are exact."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.draws import Draws, RandomDraws, every_run
from equilibrist.reference.game_walk import GameWalk, Node
from equilibrist.reference.sampling import (
    Addition,
    Profile,
    external_sampling,
    outcome_sampling,
)
from equilibrist.reference.sampling.baselines import (
    Baseline,
    LearnedBaseline,
    NoBaseline,
    OracleBaseline,
)
from equilibrist.solvers.sampling.external import External
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.sampling.outcome import Outcome
from tests.refusals import refuses
from tests.solvers.sampling.exact_expectation import (
    SPECS,
    Table,
    counterfactual_regrets,
    expected_addition,
    profile_with_zeros,
    walk_of,
)
from tests.solvers.sampling.stream_draws import reference_run

DRAWN = ("kuhn", "kuhn(players=3)", "random_tree(seed=2,depth=5,branching=2)")
"""Games in which every traversal draws something."""
SAMPLERS: dict[str, Callable[..., Addition]] = {
    "external": external_sampling,
    "outcome": outcome_sampling,
}
KINDS: dict[str, Callable[..., Any]] = {"external": External, "outcome": Outcome}
KUHN = compile_game(load_game("kuhn"))


def nodes_below(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from nodes_below(child)


def any_baseline(game: GameWalk, seed: int) -> LearnedBaseline:
    """One that expects something at random."""
    generator = random.Random(seed)
    baseline = LearnedBaseline()
    for node in nodes_below(game.root):
        for player in range(game.num_players):
            baseline.guesses[player, node] = generator.uniform(-3.0, 3.0)
    return baseline


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", SAMPLERS)
def test_no_baseline_changes_the_expected_regrets(name: str, spec: str, seed: int) -> None:
    game = walk_of(spec)
    profile = profile_with_zeros(game, seed)
    guesses = any_baseline(game, seed).guesses
    for player in range(game.num_players):

        def sample(draws: Draws, player: int = player) -> Addition:
            fresh = LearnedBaseline()
            fresh.guesses.update(guesses)
            return SAMPLERS[name](game.root, player, profile, draws, baseline=fresh)

        regret, _, total = expected_addition(sample)
        assert total == pytest.approx(1.0, abs=1e-12)
        for key, row in counterfactual_regrets(game, player, profile).items():
            assert regret.get(key, [0.0] * len(row)) == pytest.approx(row, abs=1e-12)


class Witness(OracleBaseline):
    """An oracle that compares what a trajectory finds with what it knows."""

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile)
        self.surprises: list[float] = []

    def learn(self, node: Node, k: int, traverser: int, found: float) -> None:
        self.surprises.append(abs(found - self.value(node, k, traverser)))


@pytest.mark.parametrize("spec", DRAWN)
@pytest.mark.parametrize("name", SAMPLERS)
def test_with_the_oracle_every_sampled_value_is_the_exact_one(name: str, spec: str) -> None:
    game = walk_of(spec)
    profile = profile_with_zeros(game, 2)
    for player in range(game.num_players):
        witness = Witness(profile)
        sample = partial(SAMPLERS[name], game.root, player, profile, baseline=witness)
        runs = every_run(sample)
        assert len(list(runs)) > 1
        assert max(witness.surprises) < 1e-12


def regret_variance(name: str, game: GameWalk, profile: Profile, baseline: Baseline) -> float:
    """The variances of all regrets that a traversal adds, in sum over players and actions."""
    total = 0.0
    for player in range(game.num_players):
        mean: Table = counterfactual_regrets(game, player, profile)
        total -= sum(r * r for row in mean.values() for r in row)
        sample = partial(SAMPLERS[name], game.root, player, profile, baseline=baseline)
        for probability, added in every_run(sample):
            total += probability * sum(r * r for row in added.regret.values() for r in row)
    return total


class Frozen(LearnedBaseline):
    """One that has learned enough."""

    def learn(self, node: Node, k: int, traverser: int, found: float) -> None:
        pass


@pytest.mark.by_default(2)
@pytest.mark.parametrize("spec", DRAWN)
@pytest.mark.parametrize("name", SAMPLERS)
def test_what_was_learned_takes_variance_away(name: str, spec: str) -> None:
    """What is left with the oracle is that not every infoset is visited."""
    game = walk_of(spec)
    profile = profile_with_zeros(game, 5)
    learned, draws = LearnedBaseline(), RandomDraws(1)
    for _ in range(2000):
        for player in range(game.num_players):
            SAMPLERS[name](game.root, player, profile, draws, baseline=learned)
    frozen = Frozen()
    frozen.guesses.update(learned.guesses)
    none, some, least = (
        regret_variance(name, game, profile, baseline)
        for baseline in (NoBaseline(), frozen, OracleBaseline(profile))
    )
    assert least < some < none
    assert none - some > 0.5 * (none - least)


def compare(
    sampler: Any, spec: str, sample: Callable[..., Addition], iterations: int, averaging: str
) -> None:
    regret, strategy_sum = reference_run(spec, sample, iterations, seed=4)
    tree = compile_game(load_game(spec))
    state = MCCFR(tree, sampler=sampler, averaging=averaging, seed=4).run(iterations).state
    for i, key in enumerate(tree.infoset_keys):
        actions = tree.actions_of(i)
        assert state.regret[actions].tolist() == pytest.approx(regret[key], abs=1e-9)
        assert state.strategy_sum[actions].tolist() == pytest.approx(strategy_sum[key], abs=1e-9)


@pytest.mark.by_default(2)
@pytest.mark.parametrize("spec", [*SPECS, "leduc"])
@pytest.mark.parametrize("name", SAMPLERS)
def test_the_kernel_computes_the_same_regrets_as_the_recursion(name: str, spec: str) -> None:
    sample = partial(SAMPLERS[name], baseline=LearnedBaseline())
    compare(KINDS[name](baseline="learned"), spec, sample, 100, "stochastic")


def test_the_kernel_averages_what_the_recursion_averages() -> None:
    learned = LearnedBaseline()
    sample = partial(outcome_sampling, epsilon=0.3, averaging="strategy", baseline=learned)
    compare(Outcome(epsilon=0.3, baseline="learned"), "kuhn", sample, 100, "strategy")


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", SAMPLERS)
def test_the_kernel_s_oracle_is_the_recursion_s(name: str, spec: str) -> None:
    def sample(root: Node, player: int, profile: Profile, draws: Draws) -> Addition:
        return SAMPLERS[name](root, player, profile, draws, baseline=OracleBaseline(profile))

    compare(KINDS[name](baseline="oracle"), spec, sample, 30, "stochastic")


@pytest.mark.parametrize("averaging", [None, "walk", "full"])
@pytest.mark.parametrize("baseline", ["learned", "oracle"])
@pytest.mark.parametrize("name", SAMPLERS)
def test_a_resumed_run_remembers_its_baselines(
    name: str, baseline: str, averaging: str | None, tmp_path: Path
) -> None:
    def fresh() -> MCCFR:
        sampler = KINDS[name](baseline=baseline)
        return MCCFR(KUHN, "lcfr", sampler=sampler, averaging=averaging, seed=3, period=9)

    straight = fresh().run(200)
    fresh().run(1).run(36).checkpoint(tmp_path / "run")
    broken = fresh().resume(tmp_path / "run").run(100).run(63)
    for field in ("regret", "strategy_sum"):
        one, other = getattr(straight.state, field), getattr(broken.state, field)
        assert one.tobytes() == other.tobytes()
    assert straight.state.strategy_sum.any()
    assert ("baseline" in straight.state.kept) == (baseline == "learned")


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("baseline", ["learned", "oracle"])
@pytest.mark.parametrize("name", SAMPLERS)
def test_the_average_approaches_equilibrium(name: str, baseline: str, players: int) -> None:
    tree = compile_game(load_game(f"kuhn(players={players})"))
    solver = MCCFR(tree, sampler=KINDS[name](baseline=baseline), seed=1).run(20_000)
    assert evaluate(solver.average_strategy()).nash_conv < 0.06


def test_a_baseline_of_0_is_none() -> None:
    """The kernel with baselines, before it has learned anything, adds what the plain one does."""
    for kind in (External, Outcome):
        plain = MCCFR(KUHN, sampler=kind(), seed=2).run(1).state
        found = MCCFR(KUHN, sampler=kind(baseline="learned"), seed=2).run(1).state
        assert found.regret == pytest.approx(plain.regret, abs=1e-12)
        assert found.nodes_touched == plain.nodes_touched


@pytest.mark.parametrize("kind", [External, Outcome])
@pytest.mark.parametrize("baseline", ["lerned", "", None, 3, True, np.zeros(2)])
def test_bad_input(kind: Any, baseline: Any) -> None:
    with refuses(ConfigError, option="baseline", given=baseline):
        kind(baseline=baseline)


@pytest.mark.parametrize("averaging", ["lazy", "optimistic", "openspiel"])
def test_averages_that_go_without_baselines(averaging: str) -> None:
    with refuses(ConfigError, option="averaging", given=averaging):
        MCCFR(KUHN, sampler=Outcome(baseline="learned"), averaging=averaging)
