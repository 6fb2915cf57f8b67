"""Spots solved anew: against the programmes of the core, against plain solves, and their safety."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, UnknownNameError, UnsupportedError
from equilibrist.poker import Spot
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import NUM_COMBOS, parse_combo
from equilibrist.poker.postflop.estimate.size import estimate
from equilibrist.poker.postflop.solution.spot_strategy import follow_line
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.ranges.range import Range
from equilibrist.search import resolve
from equilibrist.search.holdem.spots import met_weight, resolve_spot
from equilibrist.strategy import Strategy
from tests.refusals import refuses
from tests.search.holdem.entered_spot import ROOT, pairs, trunk_of

RIVER = Spot(
    board="QsJh2h7c3d",
    oop="AA:0.3,QQ:0.9,T9s:0.6,A5s:0.8,KTs:0.25",
    ip="KK:0.7,JJ:0.5,AQs:0.9,T8s:0.4,76s:1",
    pot=10,
    stack=20,
    bets="50%,a",
    raises="a",
)
TURN = Spot(
    board="QsJh2h7c",
    oop="AA,JJ:0.5,AQs,KTs,T9s,A5s,98s:0.5",
    ip="KK,QQ:0.5,AJs,T8s,KQs,76s,54s:0.5",
    pot=10,
    stack=30,
    bets="75%",
    raises="a",
)


SMALL = RIVER.replace(
    oop="AhAd:0.3,QhQd:0.9,Th9h:0.6,KsTs:0.25,Ah5h:0.8",
    ip="KhKd:0.7,JcJd:0.5,AhQh,Th8h:0.4",
    raises="",
)


@cache
def small_trunk() -> Strategy:
    return trunk_of(SMALL, seed=3)


@cache
def solved(spot: Spot, iterations: int) -> SpotSolver:
    return SpotSolver(spot, threads=1).run(iterations)


def of_hands(values: dict[str, float]) -> np.ndarray:
    """float64[1326] from values by hand; NaN for the others."""
    numbers = np.full(NUM_COMBOS, np.nan)
    for hand, value in values.items():
        numbers[parse_combo(hand)] = value
    return numbers


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "method", ["unsafe", "resolve", "max-margin", "max-margin(scale=raw)", "constrained"]
)
@pytest.mark.by_default(4)
def test_it_finds_what_the_programme_of_the_core_finds(method: str, seat: int) -> None:
    trunk = small_trunk()
    (step,) = resolve(trunk, roots=ROOT, method=method, seats=(seat,), completion=False).steps
    small, count = SMALL, pairs(SMALL)
    alternatives = of_hands({hand.hand.split()[0]: hand.alternative * count for hand in step.hands})
    found = resolve_spot(small, seat, method, alternatives, iterations=2000, threads=1)
    is_margin = method.startswith("max-margin")
    scale = 1.0 if method == "max-margin" else count
    assert step.objective is not None
    unit = small.pot if is_margin else step.total * count * small.pot
    assert found.objective == pytest.approx(step.objective * scale, abs=1e-3 * unit)
    assert found.gap >= -1e-5 * unit
    better = found.objective - step.objective * scale
    assert (-better if is_margin else better) <= found.gap + 1e-5 * unit


SHORT = Spot(
    board="QsJhAhTc",
    oop="AcAd:0.3,QhQd:0.9,Th9h:0.6,KsTs:0.25",
    ip="KhKd:0.7,JcJd:0.5,AsQc,Th9d:0.4",
    pot=10,
    stack=8,
    bets="|a|",
    raises="",
)
NINE = 7


def test_later_cards_of_a_short_deck() -> None:
    """Rivers from the nine up, as likely as they are in such a deck."""
    method, seat = "resolve", 1
    trunk, count = trunk_of(SHORT, seed=3, lowest_rank=NINE), pairs(SHORT)
    (step,) = resolve(trunk, roots=ROOT, method=method, seats=(seat,), completion=False).steps
    alternatives = of_hands({hand.hand.split()[0]: hand.alternative * count for hand in step.hands})
    options: dict[str, Any] = {"iterations": 300, "threads": 1}
    found = resolve_spot(SHORT, seat, method, alternatives, lowest_rank=NINE, **options)
    unit = step.total * count * SHORT.pot
    assert step.objective is not None
    assert found.objective == pytest.approx(step.objective * count, abs=1e-3 * unit)
    whole = resolve_spot(SHORT, seat, method, alternatives, **options)
    assert abs(whole.objective - found.objective) > 0.01 * unit
    assert estimate(SHORT, NINE).streets[1].all_boards == 24 - 4
    for wrong in (8, -1, 1.5):
        with refuses(ConfigError, option="lowest_rank", given=wrong):
            resolve_spot(SHORT, seat, lowest_rank=wrong, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [0, 1])
def test_unsafe_is_the_plain_solve_bit_by_bit(seat: int) -> None:
    plain = solved(RIVER, 300)
    found = resolve_spot(RIVER, seat, "unsafe", iterations=300, threads=1)
    arrays = found.solver.engine.arena.store
    assert np.array_equal(arrays.total, plain.engine.arena.store.total)
    assert np.array_equal(arrays.regret, plain.engine.arena.store.regret)
    both = plain.mean_gain() * 2 / RIVER.pot
    assert found.gap_share == pytest.approx(both, abs=1e-5)
    assert np.isnan(found.margin)


def test_an_alternative_that_nobody_takes_has_every_hand_enter() -> None:
    never = np.full(NUM_COMBOS, -np.inf)
    found = resolve_spot(RIVER, 0, "resolve", never, iterations=50, threads=1)
    met = met_weight(RIVER.ranges[0].weights) > 0.0
    full = RIVER.replace(ip=found.spot.ip)
    assert np.array_equal(full.ranges[1].weights > 0.0, found.spot.ranges[1].weights > 0.0)
    assert not (found.spot.ranges[1].weights > 0.0)[~met].any()
    forced = resolve_spot(full, 0, "unsafe", iterations=50, threads=1)
    assert np.array_equal(
        found.solver.engine.arena.store.total, forced.solver.engine.arena.store.total
    )


def test_a_hand_that_has_more_elsewhere_never_enters() -> None:
    never = np.full(NUM_COMBOS, np.inf)
    with refuses(ConfigError, option="alternatives"):
        resolve_spot(RIVER, 0, "resolve", never, iterations=1)
    alone = never.copy()
    alone[parse_combo("KhKd")] = 0.0
    found = resolve_spot(RIVER, 0, "resolve", alone, iterations=500, threads=1)
    assert np.flatnonzero(found.spot.ranges[1].weights).tolist() == [parse_combo("KhKd")]
    much = np.where(np.isinf(alone), 1e6, alone)
    rich = resolve_spot(RIVER, 0, "resolve", much, iterations=500, threads=1)
    others = ~np.isnan(rich.values) & (much > 0.0)
    assert (rich.values[others] < 1e6).all()
    assert rich.values[parse_combo("KhKd")] == pytest.approx(
        found.values[parse_combo("KhKd")], abs=0.01 * RIVER.pot * found.weight.max()
    )


@pytest.mark.parametrize("method", ["resolve", "max-margin", "constrained"])
@pytest.mark.parametrize("line", ["X-X|4s", "X-B8-C|4s", "B8-C|Ad"])
@pytest.mark.by_default(4)
def test_no_hand_gains_on_a_river_below_a_turn(line: str, method: str) -> None:
    trunk = solved(TURN, 60)
    for seat in (0, 1):
        before, alternatives = below(trunk, line, seat)
        found = resolve_spot(before, seat, method, alternatives, iterations=1500, threads=1)
        excess = found.values - alternatives
        unit = found.weight if method == "max-margin" else 1.0
        slack = found.gap + 1e-5 * before.pot * found.weight.max()
        assert np.nanmax(excess / np.where(found.weight > 0.0, unit, 1.0)) <= slack
        assert found.gap_share < 0.01


def test_unsafe_gives_hands_more_than_they_had() -> None:
    before, alternatives = below(solved(TURN, 60), "X-B8-C|4s", 0)
    unsafe = resolve_spot(before, 0, "unsafe", iterations=1500, threads=1)
    share = (unsafe.values - alternatives) / np.where(unsafe.weight > 0.0, unsafe.weight, 1.0)
    assert np.nanmax(share) > 0.02 * before.pot


def test_the_clock_and_the_gap_end_a_run() -> None:
    soon = resolve_spot(RIVER, 0, "unsafe", seconds=0.0, threads=1)
    assert (soon.stopped_by, soon.iterations) == ("seconds", 1)
    near = resolve_spot(RIVER, 0, "unsafe", target=0.01, threads=1)
    assert near.stopped_by == "target"
    assert near.gap_share <= 0.01
    again = resolve_spot(RIVER, 0, "unsafe", iterations=near.iterations, threads=1)
    assert np.array_equal(near.played(), again.played(), equal_nan=True)


def test_it_refuses_what_it_cannot_solve() -> None:
    values = np.zeros(NUM_COMBOS)
    with refuses(UnsupportedError, option="spot"):
        resolve_spot(RIVER.replace(rake="5%"), 0, "resolve", values, iterations=1)
    with refuses(ConfigError, option="seat"):
        resolve_spot(RIVER, 2, "resolve", values, iterations=1)
    with refuses(ConfigError, option="alternatives"):
        resolve_spot(RIVER, 0, "resolve", values[:7], iterations=1)
    with refuses(ConfigError, option="alternatives"):
        resolve_spot(RIVER, 0, "resolve", iterations=1)
    with refuses(ConfigError, option="alternatives"):
        resolve_spot(RIVER, 0, "max-margin", values - np.inf, iterations=1)
    with refuses(ConfigError, option="seconds"):
        resolve_spot(RIVER, 0, "resolve", values, seconds=-1)
    with refuses(UnknownNameError, option="method"):
        resolve_spot(RIVER, 0, "safest", values, iterations=1)


def below(trunk: SpotSolver, line: str, seat: int) -> tuple[Spot, np.ndarray]:
    """The river below a line of a turn with the ranges that come there, and the values of o."""
    spot = trunk.spot
    state, runout = follow_line(spot, line)
    node = find_node(spot.betting.tree, state.line)
    oop, ip = trunk.values(node, runout).weight
    river = spot.replace(
        board=spot.board + card_names(runout),
        oop=Range.from_weights(np.where(oop >= 1e-9, oop, 0.0)),
        ip=Range.from_weights(np.where(ip >= 1e-9, ip, 0.0)),
        pot=state.pot,
        stack=spot.rules().all_in(state),
    )
    return river, trunk.best_values(node, runout, 1 - seat)
