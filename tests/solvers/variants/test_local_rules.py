"""Local rules: the compiled updates against plain Python, iterate by iterate, and what they are."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import CheckpointError, ConfigError, MismatchError, UnknownNameError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.cfr import ReferenceCFR
from equilibrist.reference.game_walk import GameWalk
from equilibrist.reference.local_rules import (
    AdaptivePrediction,
    Hedge,
    Learner,
    MirrorDescent,
    ReferenceBottomUp,
    ReferenceRule,
)
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.registry import LOCAL_RULES, get_rule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray
from tests.altered_games import Repaid
from tests.oracle import HORIZON, Pair, flat
from tests.refusals import refuses
from tests.slow_cases import slow, slow_unless
from tests.solvers.full_traversal.test_cfr import BOTH_ORDERS, GAMES, compiled, same_bits

LEARNERS: dict[str, Any] = {
    "apcfr+": AdaptivePrediction,
    "apcfr+(cap=0.3)": partial(AdaptivePrediction, cap=0.3),
    "hedge": Hedge,
    "hedge(eta=3,gamma=1)": partial(Hedge, eta=3.0),
    "omd": MirrorDescent,
    "omd(eta=0.7)": partial(MirrorDescent, eta=0.7),
}
SEQUENCES = ("previous", "centre")
"""What is kept per action; the rest is one number per infoset, at its first action."""


def random_row(generator: np.random.Generator, name: str, n: int) -> list[float]:
    """What an infoset with n actions might keep; sometimes zero."""
    if name == "centre":
        weights = generator.random(n) * generator.integers(0, 2, n)
        weights[0] += 0.1
        return (weights / weights.sum()).tolist()
    if name in SEQUENCES:
        return generator.normal(size=n).tolist()
    return [float(generator.random() * generator.integers(0, 2)), *[0.0] * (n - 1)]


class RulePair(Pair):
    """One game under a compiled rule and under plain learners."""

    def __init__(
        self, tree: GameTree, walk: GameWalk, name: str, alternating: bool, learner=None
    ) -> None:
        self.tree = tree
        self.rule = get_rule(name)
        average = Variant("average", average=self.rule.average)
        self.engine = CFR(tree, self.rule, alternating=alternating, horizon=HORIZON)
        self.reference: ReferenceRule = ReferenceRule(
            walk, learner or LEARNERS[name], average, alternating
        )

    def randomise_kept(self, generator: np.random.Generator) -> dict[str, FloatArray]:
        kept: dict[str, dict[str, list[float]]] = {name: {} for name in self.rule.keeps}
        for key, learner in self.reference.learners.items():
            n = len(self.reference.game.infosets[key].actions)
            if n == 1:
                continue
            for name, table in kept.items():
                row = random_row(generator, name, n)
                table[key] = row
                setattr(learner, name, list(row) if name in SEQUENCES else row[0])
        form = self.tree.sequence_form
        return {name: form.to_engine(flat(self.tree, table, 0.0)) for name, table in kept.items()}


@pytest.mark.drawn(30)
@pytest.mark.by_default(10)
@BOTH_ORDERS
@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("game", GAMES)
def test_one_iteration_from_one_random_state(game: str, name: str, alternating: bool) -> None:
    for seed in range(1 if game == "leduc" else 3):
        pair = RulePair(*compiled(game), name, alternating)
        pair.randomise(seed, iteration=7 + seed)
        assert pair.distance() == 0.0
        pair.run(1)
        assert pair.distance() < 1e-12


def is_soon_walked(game: str, name: str) -> bool:
    """All of them are compared after one iteration."""
    if game == "leduc":
        return name == "apcfr+"
    return game in ("kuhn(players=3)", "impossible chances") or name == "omd"


@pytest.mark.drawn(24)
@pytest.mark.by_default(8)
@BOTH_ORDERS
@pytest.mark.parametrize(("game", "name"), slow_unless(is_soon_walked, GAMES, LEARNERS))
def test_twenty_iterations(game: str, name: str, alternating: bool) -> None:
    pair = RulePair(*compiled(game), name, alternating)
    if game == "kuhn(players=3)":
        pair.randomise(seed=11, iteration=1)
    pair.run(20)
    assert pair.distance() < 1e-9


class BottomUpPair(Pair):
    """One game under `bu-pcfr+` and under the plain walks of `ReferenceBottomUp`."""

    def __init__(
        self, tree: GameTree, walk: GameWalk, name: str, alternating: bool, reference: Any = None
    ) -> None:
        rule = get_rule(name)
        average = Variant("average", average=rule.average)
        self.tree = tree
        self.engine = CFR(tree, rule, alternating=alternating)
        self.reference = (reference or ReferenceBottomUp)(walk, average, alternating)

    def randomise_kept(self, generator: np.random.Generator) -> dict[str, FloatArray]:
        """What is left of an iteration counts no more, but for the sums, which are used up."""
        size = self.tree.sequence_form.num_sequences
        return {"lift": generator.normal(size=size), "lift_below": np.zeros(size)}


@BOTH_ORDERS
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.by_default(8)
def test_one_iteration_of_bottom_up_prediction(game: str, alternating: bool) -> None:
    for seed in range(1 if game == "leduc" else 3):
        pair = BottomUpPair(*compiled(game), "bu-pcfr+", alternating)
        pair.randomise(seed, iteration=7 + seed)
        assert pair.distance() == 0.0
        pair.run(1)
        assert pair.distance() < 1e-12


@BOTH_ORDERS
@pytest.mark.parametrize("name", ["bu-pcfr+", "bu-pcfr+(gamma=5)"])
@pytest.mark.parametrize("game", [slow(game) if game == "leduc" else game for game in GAMES])
@pytest.mark.by_default(5)
def test_twenty_iterations_of_bottom_up_prediction(game: str, name: str, alternating: bool) -> None:
    pair = BottomUpPair(*compiled(game), name, alternating)
    if game == "kuhn(players=3)":
        pair.randomise(seed=11, iteration=1)
    pair.run(20)
    assert pair.distance() < 1e-9


class Local(ReferenceBottomUp):
    """The mistake of predicting all infosets by the walk with the old strategies."""

    def update(self, player: int, regrets: Any, reach: Any, numbers: Any) -> None:
        ReferenceCFR.update(self, player, regrets, reach, numbers._replace(prediction=1.0))


class Unfrozen(ReferenceBottomUp):
    """The mistake of meeting what other players have just learnt, where all update at once."""

    def update(self, player: int, regrets: Any, reach: Any, numbers: Any) -> None:
        self._met[player] = dict(self.strategy)
        super().update(player, regrets, reach, numbers)


@pytest.mark.parametrize(("mistaken", "alternating"), [(Local, True), (Unfrozen, False)])
def test_mistakes_of_bottom_up_prediction_show(mistaken: Any, alternating: bool) -> None:
    pair = BottomUpPair(*compiled("kuhn"), "bu-pcfr+", alternating, mistaken)
    pair.run(20)
    assert pair.distance() > 1e-3


@BOTH_ORDERS
def test_where_nobody_moves_twice_predictions_are_local(alternating: bool) -> None:
    tree = compile_game("matrix(payoffs=[[3,-1,0.3],[-2,1,0.7]])")
    one, other = (
        CFR(tree, name, alternating=alternating).run(40).state for name in ("bu-pcfr+", "pcfr+")
    )
    assert np.abs(one.behaviour - other.behaviour).max() < 1e-12
    assert np.abs(one.strategy_sum - other.strategy_sum).max() < 1e-9


class Forgetful(AdaptivePrediction):
    """The mistake of taking only the last iteration into the asymmetry."""

    def learn(self, instant: list[float], regret: list[float]) -> list[float]:
        self.surprise = self.movement = 0.0
        return super().learn(instant, regret)


class Careless(MirrorDescent):
    """The mistake of making the second step from what was played instead of from the centre."""

    def learn(self, instant: list[float], regret: list[float]) -> list[float]:
        self.centre = super().learn(instant, regret)
        return self.centre


class Fixed(Hedge):
    """The mistake of a step that looks at the last iteration only."""

    def learn(self, instant: list[float], regret: list[float]) -> list[float]:
        self.spread = 0.0
        return super().learn(instant, regret)


@pytest.mark.parametrize(
    ("name", "mistaken"), [("apcfr+", Forgetful), ("omd", Careless), ("hedge", Fixed)]
)
def test_mistakes_show_in_the_comparison(name: str, mistaken: type[Learner]) -> None:
    pair = RulePair(*compiled("kuhn"), name, True, learner=mistaken)
    pair.run(20)
    assert pair.distance() > 1e-3


def test_without_asymmetry_apcfr_plus_is_pcfr_plus() -> None:
    tree, _ = compiled("two players")
    one, other = (CFR(tree, name).run(30).state for name in ("apcfr+(cap=0)", "pcfr+"))
    assert np.abs(one.behaviour - other.behaviour).max() < 1e-12
    assert np.abs(one.strategy_sum - other.strategy_sum).max() < 1e-12


@pytest.mark.parametrize("name", LOCAL_RULES)
def test_the_unit_of_payoffs_changes_nothing(name: str) -> None:
    """Steps adapt to the payoffs; powers of two change no rounding either."""
    game = load_game("random_tree(seed=2,depth=6,branching=4)")
    one = CFR(compile_game(game), name).run(50).average_strategy()
    again = f"qre(alpha={0.1 * 2.0**20})" if name == "qre" else name  # alpha is in that unit
    other = CFR(compile_game(Repaid(game, 2.0**20)), again).run(50).average_strategy()
    assert one.probabilities.tobytes() == other.probabilities.tobytes()


@pytest.mark.parametrize("name", LOCAL_RULES)
def test_chunks_do_not_change_a_bit(name: str) -> None:
    tree, _ = compiled("leduc")
    whole, parts = CFR(tree, name).run(50).state, CFR(tree, name)
    for count in (1, 0, 2, 17, 30):
        parts.run(count)
    assert same_bits(whole, parts.state)


@BOTH_ORDERS
@pytest.mark.parametrize("name", LOCAL_RULES)
def test_a_resumed_run_ends_with_the_same_bits(
    name: str, alternating: bool, tmp_path: Path
) -> None:
    for game in ("kuhn(players=3)", "leduc"):
        tree, _ = compiled(game)
        straight = CFR(tree, name, alternating=alternating).run(60).state
        broken = CFR(tree, name, alternating=alternating)
        for part in (1, 16, 20):
            broken.run(part).checkpoint(tmp_path / "run")
            broken = CFR(tree, name, alternating=alternating).resume(tmp_path / "run")
        last = broken.run(23).state
        assert same_bits(straight, last)
        assert set(last.kept) == set(get_rule(name).keeps)
        for key, array in last.kept.items():
            assert array.tobytes() == straight.kept[key].tobytes()


def test_a_checkpoint_of_another_rule_is_refused(tmp_path: Path) -> None:
    tree, _ = compiled("kuhn")
    CFR(tree, "omd").run(3).checkpoint(tmp_path / "run")
    with refuses(CheckpointError, option="algorithm", given="omd", expected="hedge"):
        CFR(tree, "hedge").resume(tmp_path / "run")
    state = CFR(tree, "omd").state
    with refuses(MismatchError, option="algorithm", given="omd", expected="hedge"):
        CFR(tree, "hedge").restore(state)
    with refuses(
        MismatchError, option="kept", given="centre, previous, surprise", expected="spread"
    ):
        CFR(tree, "hedge").restore(replace(state, identity=None))


FIGURES = [
    # Recorded from a separate prototype in plain NumPy (100 on Leduc, 1,000 elsewhere).
    ("kuhn", "apcfr+", 1000, 1.068e-8),
    ("leduc", "apcfr+", 100, 1.2645e-2),
    ("kuhn", "hedge", 1000, 7.311e-4),
    ("leduc", "hedge", 100, 5.3044e-2),
    ("kuhn", "omd", 1000, 8.836e-8),
    ("leduc", "omd", 100, 2.790e-2),
]


@pytest.mark.parametrize(("game", "name", "iterations", "recorded"), FIGURES)
def test_recorded_figures(game: str, name: str, iterations: int, recorded: float) -> None:
    result = eq.solve(compiled(game)[0], name, iterations=iterations)
    assert result.evaluation.exploitability == pytest.approx(recorded, rel=2e-3)
    assert result.algorithm == name


@pytest.mark.by_default(1)
@pytest.mark.parametrize(("ranks", "printed"), [(5, 4.80e-6), (9, 4.03e-5), (13, 1.45e-5)])
def test_the_authors_figures_of_apcfr_plus(ranks: int, printed: float) -> None:
    """Meng et al., Table 2: NashConv after 5,000 iterations, in the arrangement that comes nearest.

    The paper names neither suits nor measure, see `benchmarks.papers.figures.RANK_FIGURES`.
    """
    solver = CFR(f"leduc(ranks={ranks},suits=2,suit_isomorphism=true)", "apcfr+").run(5000)
    assert eq.nash_conv(solver.average_strategy()) == pytest.approx(printed, rel=0.03)


@pytest.mark.parametrize("name", LOCAL_RULES)
def test_sampling_is_refused(name: str) -> None:
    for refused in (
        lambda: MCCFR("kuhn", name, sampler="external"),
        lambda: eq.solve("kuhn", name, sampling="external"),
        lambda: eq.solve("rules:leduc", name, explicit_tree=False, iterations=10),
    ):
        with refuses(ConfigError, option="algorithm", given=name):
            refused()


def test_warm_starts_are_refused() -> None:
    start = eq.Strategy.uniform(compiled("kuhn")[0])
    with refuses(ConfigError, option="warm_start"):
        eq.solve("kuhn", "hedge", iterations=300, traversal=eq.Traversal(warm_start=start))


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        ("hedge(eta=0)", dict(option="eta", given=0.0)),
        ("omd(eta=-1)", dict(option="eta", given=-1.0)),
        ("apcfr+(cap=-1)", dict(option="cap", given=-1.0)),
        ("hedge(gamma=-1)", dict(option="gamma", given=-1.0)),
    ],
)
def test_bad_parameters(spec: str, fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        get_rule(spec)


def test_names_are_the_shortest_that_name_the_rule_again() -> None:
    assert get_rule("HEDGE") is LOCAL_RULES["hedge"]
    assert get_rule("hedge(gamma=0,eta=2.0)").name == "hedge(eta=2)"
    assert get_rule("apcfr_plus(4)").name == "apcfr+(cap=4)"
    assert isinstance(get_rule("omd"), LocalRule)
    with refuses(UnknownNameError, option="parameter of hedge", name="step"):
        get_rule("hedge(step=1)")
