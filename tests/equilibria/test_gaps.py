"""Gaps of mixed play: against the enumeration of plans, and against known figures."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

from equilibrist.equilibria import CorrelationDevice, Gap, GapMeter, correlated
from equilibrist.errors import (
    ConfigError,
    MemoryBudgetError,
    MismatchError,
    RecallError,
    UnknownNameError,
)
from equilibrist.evaluation import evaluate, nash_conv
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference import correlation as reference
from equilibrist.reference.game_walk import GameWalk, walk
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray
from tests.equilibria.games import EXTENDED_SHAPLEY, GREENWALD_SARFATI
from tests.refusals import refuses, unchecked
from tests.small_games import Written
from tests.strategy.random_strategies import random_strategy

CONCEPTS = ("efce", "efcce", "nfcce")
MOST_PLANS = 100_000


def device_of(tree: GameTree, seed: int, profiles: int = 3) -> CorrelationDevice:
    """Profiles at random, with zeros, unevenly mixed."""
    rows = [random_strategy(tree, 100 * seed + k) for k in range(profiles)]
    return CorrelationDevice.of(rows, np.arange(1.0, profiles + 1))


def plain(device: CorrelationDevice) -> reference.Device:
    found = []
    for k, weight in enumerate(device.weights.tolist()):
        table = device.profile(k).to_dict()
        found.append((weight, {key: list(row.values()) for key, row in table.items()}))
    return found


def joint_plans(game: GameWalk) -> int:
    def below(player: int, last: tuple[str, int] | None) -> int:
        return prod(
            sum(below(player, (key, a)) for a in range(len(game.infosets[key].actions)))
            for key in reference.after(game, player, last)
        )

    return prod(below(player, None) for player in range(game.num_players))


def check_against_enumeration(game: Game[Any], device: CorrelationDevice, whole: GameWalk) -> None:
    tree = device.tree
    profiles = plain(device)
    scale = max(1.0, float(np.abs([tree.min_payoff, tree.max_payoff]).max()))
    for concept in CONCEPTS:
        found = device.gaps(concept)
        gains = [reference.gains(whole, profiles, p, concept) for p in range(tree.num_players)]
        gaps = [reference.gap(whole, row, p) for p, row in enumerate(gains)]
        assert found.players == pytest.approx(gaps, abs=1e-12 * scale), (game.name, concept)
        assert found.total == pytest.approx(sum(gaps), abs=1e-12 * scale)
        everything = [
            (gain.gain, p, gain.infoset, gain.action) for p, row in enumerate(gains) for gain in row
        ]
        if found.largest is None:
            assert all(gain == pytest.approx(0.0, abs=1e-12 * scale) for gain, *_ in everything)
            continue
        most = max(gain for gain, *_ in everything)
        trigger = found.largest
        assert trigger.gain == pytest.approx(most, abs=1e-12 * scale), (game.name, concept)
        index = None
        if trigger.action is not None:
            assert trigger.infoset is not None
            index = tree.action_labels[tree.index(trigger.infoset)].index(trigger.action)
        own = [
            gain
            for gain, p, infoset, action in everything
            if (p, infoset, action) == (trigger.player, trigger.infoset, index)
        ]
        assert own == [pytest.approx(trigger.gain, abs=1e-12 * scale)]


SMALL = (
    "kuhn",
    "rock_paper_scissors",
    "biased_rock_paper_scissors",
    "matching_pennies",
    "battle_of_the_sexes",
    "shapley",
    "liars_dice(sides=2)",
    "goofspiel(cards=2)",
    "goofspiel(cards=3,points_order=descending,imp_info=true)",
    "goofspiel(cards=2,players=3)",
    "dudo(sides=2)",
    "leduc(ranks=3,suits=1,raise_cap=0)",
    "liar_die(sides=2)",
    "random_tree",
)
"""Shipped games, in sizes that have few enough joint plans."""


@pytest.mark.parametrize("spec", SMALL)
def test_gaps_of_shipped_games_equal_the_enumeration(spec: str) -> None:
    game = load_game(spec)
    whole = walk(game)
    assert joint_plans(whole) <= MOST_PLANS
    check_against_enumeration(game, device_of(compile_game(game), 1), whole)


def random_games(seeds: range) -> list[str]:
    """Games of 1 to 4 players, some with chance and many infosets with one action."""
    return [
        f"random_tree(seed={seed},players={1 + seed % 4},depth={4 + seed % 3},zero_sum=false,"
        f"branching={2 + seed % 2},forced={0.15 if seed % 5 else 0.5},"
        f"chance={0.2 if seed % 3 else 0.5})"
        for seed in seeds
    ]


@pytest.mark.parametrize(
    "seeds", [range(24), pytest.param(range(24, 84), marks=pytest.mark.slow)], ids=str
)
def test_gaps_of_random_games_equal_the_enumeration(seeds: range) -> None:
    tried = 0
    for seed, spec in zip(seeds, random_games(seeds), strict=True):
        game = load_game(spec)
        whole = walk(game)
        if joint_plans(whole) <= MOST_PLANS:
            check_against_enumeration(game, device_of(compile_game(game), seed), whole)
            tried += 1
    assert tried >= 0.8 * len(seeds)


def test_several_triggers_together_equal_the_best_set_of_them() -> None:
    """Kuhn has 12 triggers: try all sets of a player's, where the topmost ones count."""
    game = load_game("kuhn")
    whole, device = walk(game), device_of(compile_game(game), 5)
    for player in range(2):
        found = reference.gains(whole, plain(device), player, "efce")
        best = 0.0
        for chosen in product((False, True), repeat=len(found)):
            stopped = {(g.infoset, g.action) for g, on in zip(found, chosen, strict=True) if on}
            total = sum(
                gain.gain
                for gain in found
                if gain.infoset is not None
                and (gain.infoset, gain.action) in stopped
                and not stopped.intersection(whole.infosets[gain.infoset].path)
            )
            best = max(best, total)
        assert device.gaps("efce").players[player] == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("spec", random_games(range(300, 330)))
def test_a_finer_concept_has_a_larger_gap(spec: str) -> None:
    tree = compile_game(load_game(spec))
    device = device_of(tree, 3)
    efce, efcce, nfcce = (device.gaps(concept) for concept in CONCEPTS)
    for fine, coarse in ((efce, efcce), (efcce, nfcce)):
        for more, less in zip(fine.players, coarse.players, strict=True):
            assert more >= less - 1e-12
    meter = GapMeter(tree, "efce")
    for k, weight in enumerate(device.weights.tolist()):
        meter.add(weight, device.profile(k))
    for found in (efce, efcce, nfcce):
        check_same(meter.gaps(found.concept), found)


def check_same(found: Gap, other: Gap) -> None:
    assert found.players == pytest.approx(other.players, abs=1e-13)
    assert (found.largest is None) == (other.largest is None)
    if found.largest is not None and other.largest is not None:
        assert found.largest.gain == pytest.approx(other.largest.gain, abs=1e-13)


@pytest.mark.parametrize("spec", ["kuhn(players=3)", "leduc", "shapley"])
@pytest.mark.parametrize("concept", CONCEPTS)
def test_one_profile_gains_what_best_responses_gain(spec: str, concept: str) -> None:
    """Nothing can be learnt from recommendations when there is only one profile, which mixes."""
    tree = compile_game(spec)
    uniform = Strategy.uniform(tree)
    found = CorrelationDevice.of([uniform]).gaps(concept)
    assert found.total == pytest.approx(nash_conv(uniform), abs=1e-12)
    assert found.players == pytest.approx(evaluate(uniform).gains, abs=1e-12)
    if spec == "kuhn(players=3)":
        assert found.total == pytest.approx(33 / 16, abs=1e-12)


def test_devices_of_greenwald_and_sarfati() -> None:
    """Example 1: leaving at the root pays 1. Example 2: only who sees the whole plan gains."""
    first, second = (compile_game(game) for game in GREENWALD_SARFATI)
    keys = ("root", "left", "right", "P2")

    def device(tree: GameTree, *plans: tuple[str, str, str, str]) -> CorrelationDevice:
        rows = []
        for plan in plans:
            table = dict(zip(keys, plan, strict=True))
            rows.append(Strategy.from_dict(tree, {key: {a: 1.0} for key, a in table.items()}))
        return CorrelationDevice.of(rows)

    found = device(first, ("L", "l", "l", "A"), ("L", "l", "l", "B"))
    for concept in CONCEPTS:
        gap = found.gaps(concept)
        assert gap.players == pytest.approx((1.0, 0.0), abs=1e-12)
        assert gap.largest is not None
        assert gap.largest.gain == pytest.approx(1.0, abs=1e-12)
    largest = found.gaps("efce").largest
    assert largest is not None
    assert (largest.player, largest.infoset, largest.action) == (0, "root", "L")
    found = device(second, ("L", "l", "l", "A"), ("L", "l", "r", "B"))
    for concept in CONCEPTS:
        assert found.gaps(concept).total == pytest.approx(0.0, abs=1e-12)


def test_shapley_converges_as_a_mixture_and_not_as_a_product() -> None:
    """CFR's play approaches coarse correlated equilibrium; the product of averages does not."""
    tree = compile_game("shapley")
    solver, meter = CFR(tree, "cfr", alternating=False), GapMeter(tree, "cce")
    begin_with(solver, np.linspace(0.0, 0.1, tree.sequence_form.num_sequences))
    for _ in range(4_000):
        meter.add_engine(1.0, solver.current_behaviour())
        solver.run(1)
    mixture = meter.gaps().total
    product_of_averages = CorrelationDevice.of([solver.average_strategy()]).gaps("cce").total
    assert mixture < 0.01
    assert product_of_averages > 0.02


def begin_with(solver: CFR, regret: FloatArray) -> None:
    """Add to the regrets before the first iteration, so that symmetry does not decide."""
    solver.restore(replace(solver.state, regret=solver.state.regret + regret))


def test_the_raw_gain_may_be_negative() -> None:
    """Shapley's six cells that pay somebody, all alike: committing to any action loses 1/6."""
    tree = compile_game("shapley")
    pairs = [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)]
    rows = []
    for pair in pairs:
        row = np.zeros(6)
        row[[pair[0], 3 + pair[1]]] = 1.0
        rows.append(row)
    found = CorrelationDevice(tree, np.full(6, 1 / 6), np.array(rows)).gaps("cce")
    assert found.players == pytest.approx((-1 / 6, -1 / 6), abs=1e-12)
    assert found.total == pytest.approx(-1 / 3, abs=1e-12)


@pytest.mark.parametrize(
    ("trace", "gaps"),
    [(0.0, (0.005490, 0.005656, 0.004721)), (1e-13, (0.005516, 0.005287, 0.004300))],
)
def test_three_player_kuhn_after_a_thousand_iterations(
    trace: float, gaps: tuple[float, ...]
) -> None:
    """The NFCCE gap of CFR's play with simultaneous updates.

    Regrets of exactly 0 occur, and what follows hangs on rounding. Without a trace of it the play
    is that of `ReferenceCFR` and of OpenSpiel's solver in Python; other summation orders have one.
    """
    tree = compile_game("kuhn(players=3)")
    solver, meter = CFR(tree, "cfr", alternating=False), GapMeter(tree, "cce")
    noise = np.random.default_rng(4).standard_normal(tree.sequence_form.num_sequences)
    begin_with(solver, trace * noise)
    for _ in range(1_000):
        meter.add_engine(1.0, solver.current_behaviour())
        solver.run(1)
    assert meter.gaps().players == pytest.approx(gaps, abs=5e-7)


@pytest.mark.parametrize(
    ("iterations", "gap"),
    [(100, 0.298499), (1_000, 0.223747), pytest.param(10_000, 0.223024, marks=pytest.mark.slow)],
)
def test_cfr_stays_away_from_efce_on_extended_shapley(iterations: int, gap: float) -> None:
    """Morrill et al., Hindsight and sequential rationality of correlated play, 2021."""
    tree = compile_game(EXTENDED_SHAPLEY)
    solver, meter = CFR(tree, "cfr", alternating=False), GapMeter(tree, "efce")
    for _ in range(iterations):
        meter.add_engine(1.0, solver.current_behaviour())
        solver.run(1)
    assert meter.gaps().total == pytest.approx(gap, abs=5e-7)


def test_decay_weighs_as_the_average_does() -> None:
    """Linear weights by decay, far below what floating point can divide by, equal weights t."""
    tree = compile_game("kuhn(players=3)")
    plain, decaying = GapMeter(tree), GapMeter(tree)
    power = 80
    for t in range(1, 200):
        behaviour = tree.sequence_form.to_engine(random_strategy(tree, t).probabilities)
        decaying.add_engine(1.0, behaviour, decay=((t - 1) / t) ** power)
        plain.add_engine((t / 200) ** power, behaviour)
    check_same(decaying.gaps(), plain.gaps())


def test_a_meter_continues_from_its_state() -> None:
    tree = compile_game("kuhn(players=3)")
    whole, second = GapMeter(tree), GapMeter(tree)
    for k in range(5):
        whole.add(1.0 + k, random_strategy(tree, k))
    first = GapMeter(tree)
    for k in range(3):
        first.add(1.0 + k, random_strategy(tree, k))
    second.restore(first.state())
    for k in range(3, 5):
        second.add(1.0 + k, random_strategy(tree, k))
    assert second.gaps() == whole.gaps()
    with refuses(MismatchError, option="sums"):
        GapMeter(tree, "efcce").restore(first.state())


def test_bad_input_is_refused() -> None:
    tree = compile_game("kuhn")
    with refuses(UnknownNameError, option="concept"):
        GapMeter(tree, "efc")
    with refuses(ConfigError, option="concept", given=3):
        GapMeter(tree, unchecked(3))
    with refuses(MemoryBudgetError, option="memory", given=100, expected=1248):
        GapMeter(tree, memory=100)
    meter = GapMeter(tree, "efcce")
    with refuses(ConfigError, option="weight", given=0.0):
        meter.gaps()
    with refuses(ConfigError, option="weight", given=-1.0):
        meter.add(-1.0, Strategy.uniform(tree))
    with refuses(MismatchError, option="behaviour", given="leduc", expected="kuhn"):
        meter.add(1.0, Strategy.uniform(compile_game("leduc")))
    meter.add(1.0, Strategy.uniform(tree))
    with refuses(ConfigError, option="concept", given="efce"):
        meter.gaps("efce")
    with pytest.raises(RecallError):
        GapMeter(compile_game("random_tree(imperfect_recall=true)"))


@pytest.mark.parametrize("actions", [("a",), ("a", "b")], ids=len)
def test_a_single_infoset_below_chance(actions: tuple[str, ...]) -> None:
    """Nothing but chance comes before it: one player has a choice or a forced move, nobody else."""
    ends = {action: (float(k), 0.0) for k, action in enumerate(actions)}
    root = ("chance", {("x", 0.5): (0, "I", ends), ("y", 0.5): (0, "I", ends)})
    tree = compile_game(Written(root, 2, "lonely"))
    device = CorrelationDevice.of([Strategy.uniform(tree)])
    for concept in CONCEPTS:
        assert device.gaps(concept).total == (len(actions) - 1) / 2
    assert correlated(tree, "efce").gap.total == 0.0
