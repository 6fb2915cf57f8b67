"""Hold'em solutions against what is known: closed forms, linear programmes, a reference solver."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.poker import solve
from equilibrist.poker.cards.cards import card_name, card_names, parse_card
from equilibrist.poker.cards.combos import NUM_COMBOS, parse_combo
from equilibrist.poker.cards.isomorphism import CARD_IMAGES, COMBO_IMAGES
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solution.stopping import read_stop
from equilibrist.poker.postflop.solving.run import solved
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.fields import STORAGES, Storage
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from equilibrist.solvers.run.stopping import Stop
from tests.poker.postflop.engine.public_games import node, public_game
from tests.poker.postflop.engine.spot_game import equilibrium
from tests.poker.postflop.solution.made_up import result_of
from tests.poker.postflop.solution.solved import (
    assert_as_the_reference,
    assert_node_as_the_reference,
    strategies_of,
)
from tests.poker.postflop.spot.small_spots import small_spots
from tests.poker.postflop.spot.spots import RIVER, TURN
from tests.slow_cases import examples

SMALL_TURN = Spot(
    board="Ts9s2d5h",
    oop="AsAh,8d7d,JJ:0.5,64s",
    ip="KK,QJs:0.25,9c9h:0.75,A5o",
    pot=60,
    stack=90,
    bets="50%",
    raises="a",
    donks="||a",
)
ALIKE = Spot(board="Td9d6h5h", oop="QQ,JTs,87o", ip="99,A9o:0.5,KQs", pot=50, stack=120, bets="70%")
"""Clubs and spades are alike: of most turns and rivers one of two is solved."""


def after(spot: Spot, iterations: int, **options: Any) -> PostflopResult:
    """A spot after so many iterations, none among them."""
    solver = SpotSolver(spot, **options)
    solver.run(iterations)
    found = solver.mean_gain()
    return result_of(spot, solver.values, iterations=iterations, mean_gain=found)


@pytest.mark.slow
def test_full_ranges_without_bets_share_the_pot() -> None:
    spot = Spot(board="Td9d6h", oop="100%", ip="100%", pot=60, stack=100)
    solution = solve(spot, iterations=1)
    assert solution.ev == pytest.approx((30, 30), abs=1e-3)
    assert solution.equity == pytest.approx((0.5, 0.5), abs=1e-5)
    assert solution.exploitability == pytest.approx(0, abs=1e-3)
    for line in ("", "X", "X-X", "X-X|2c", "X-X|Ah|X", "X-X|8d|X-X", "X-X|8h|X-X|8s|X-X"):
        assert solution.at(line).totals.ev == pytest.approx((30, 30), abs=1e-3), line


@pytest.mark.slow
def test_uniform_play() -> None:
    """On the river half of the time 30, else a bet of 30: half of them 60, half 120 / 2 - 30."""
    spot = Spot(board="Td9d6h", oop="100%", ip="100%", pot=60, stack=100, oop_bets="||50%")
    solution = after(spot, 0)
    assert solution.ev == pytest.approx((37.5, 22.5), abs=1e-3)
    assert solution.at("X-X|2c|X-X|3h").totals.ev == pytest.approx((37.5, 22.5), abs=1e-3)


@pytest.mark.by_default(1)
@pytest.mark.parametrize(("rake", "ev"), [({}, (60, 0)), ({"rake": "5%", "rake_cap": 10}, (57, 0))])
def test_the_nuts_win_the_pot(rake: dict[str, Any], ev: tuple[float, float]) -> None:
    ip = "KK-22,K9-K2,Q8-Q2,J8-J2,T8-T2,92+,82+,72+,62+"
    spot = Spot(board="AcAdKh", oop="AA", ip=ip, pot=60, stack=100, **rake)
    solution = solve(spot, iterations=2)
    assert solution.ev == pytest.approx(ev, abs=1e-3)
    assert solution.equity == pytest.approx((1, 0), abs=1e-6)
    for line in ("X", "X-X|7c", "X-X|7c|X-X|2d"):
        assert solution.at(line).totals.ev == pytest.approx(ev, abs=1e-3)


def test_half_of_the_bluffs() -> None:
    spot = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
    solution = solve(spot, target="0.01%")
    assert solution.ev == pytest.approx((75, 25), abs=0.02)
    jams = solution.at("").values.strategy[1]
    aces, queens = (Range(text).weights > 0 for text in ("AA", "QQ"))
    assert jams[aces] == pytest.approx(1, abs=0.002)
    assert jams[queens].mean() == pytest.approx(0.5, abs=0.002)
    assert solution.at("A").frequency["Call"] == pytest.approx(0.5, abs=0.002)


@pytest.mark.slow
def test_headline_spot() -> None:
    solution = solve(Spot(**HEADLINE), target="0.3%")
    assert solution.equity == pytest.approx((0.55347, 0.44653), abs=1e-5)
    assert solution.ev == pytest.approx((105.11, 74.89), abs=0.36)
    root, facing = solution.at(""), solution.at("B94")
    assert [str(action) for action in root.actions] == ["Check", "Bet 94"]
    assert [str(action) for action in facing.actions] == ["Fold", "Call", "Raise 260"]
    assert root.frequency["Bet 94"] == pytest.approx(0.552, abs=0.01)
    ev = root.values.ev[0]
    assert ev[parse_combo("AsKs")] == pytest.approx(90.8, abs=1)
    assert ev[parse_combo("AhQh")] == pytest.approx(302.2, abs=1)


HEADLINE: dict[str, Any] = {
    "board": "QsJh2h",
    "pot": 180,
    "stack": 910,
    "bets": "52%|55%|70%",
    "raises": "45%",
    "oop": "88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,"
    "JTo:0.25,T8s+,T7s:0.45,97s+,96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,"
    "64s:0.5,63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,42s:0.45,32s:0.45",
    "ip": "AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,"
    "86s+,85s:0.5,75s+,74s:0.5,64s+,63s:0.5,54s,53s:0.5,43s",
}


def test_turn_spot_of_the_measurements() -> None:
    solution = solve(Spot(**TURN, donks="||50%"), iterations=1)
    actions = {line: [str(a) for a in solution.at(line).actions] for line in ("", "B120")}
    assert actions[""] == ["Check", "Bet 120", "Bet 216", "All-in 900"]
    assert actions["B120"] == ["Fold", "Call", "Raise 300"]
    assert (solution.at("").values.weight > 0).sum(axis=1).tolist() == [167, 250]


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"bets": "30%, 75%", "raises": "", "stack": 1000},
        {"oop_bets": "", "bets": "100%", "raises": "a"},
        {"board": "AhKhQh5c5d", "oop": "JJ,T9s,AKs,55:0.5", "ip": "JhTh:0.2,AA,QJo:0.3,65s"},
    ],
    ids=["river", "two sizes", "one bets", "flush board"],
)
def test_river_spots_equal_the_linear_programme(changes: dict[str, Any]) -> None:
    spot = RIVER.replace(**changes)
    exact = equilibrium(spot).values
    stop = read_stop(spot.pot, Stop(100_000, target="0.0005%"))
    solution = solved(spot, SpotSolver(spot, storage="float64"), stop)
    assert solution.exploitability <= 5e-6 * spot.pot
    assert solution.ev == pytest.approx(exact, abs=1e-5 * spot.pot)


def test_a_turn_spot_equals_the_linear_programme() -> None:
    spot = Spot(
        board="Ts9s2d5h", oop="AsAh,8d7d", ip="KsKh,9c9h:0.75", pot=60, stack=60, bets="50%, a"
    )
    exact = equilibrium(spot).values
    solution = solve(spot, target="0.01%")
    assert solution.ev == pytest.approx(exact, abs=2e-4 * spot.pot)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("spot", [RIVER, SMALL_TURN, ALIKE], ids=["river", "turn", "alike"])
def test_values_follow_from_the_strategies(spot: Spot) -> None:
    assert_as_the_reference(after(spot, 20, storage="float64"), 1e-9)


@pytest.mark.slow
def test_cards_after_an_all_in_on_the_turn() -> None:
    solution = solve(SMALL_TURN, iterations=20)
    game = public_game(SMALL_TURN)
    strategies = strategies_of(solution, game)
    showdown = node(SMALL_TURN, "B30-A90-C")
    for dealt in ((), (parse_card("Ad"),), (parse_card("2c"),)):
        assert_node_as_the_reference(solution, game, strategies, (showdown, dealt), 1e-4)


def test_rake_is_in_the_values() -> None:
    spot = RIVER.replace(rake=0.05, rake_cap=7)
    solution = after(spot, 20)
    assert_as_the_reference(solution, 1e-4)
    assert spot.pot - 7 <= sum(solution.ev) <= 0.95 * spot.pot


def permuted(spot: Spot, number: int) -> Spot:
    """The spot after one of SUIT_PERMUTATIONS."""
    weights = [np.empty(NUM_COMBOS), np.empty(NUM_COMBOS)]
    for after, before in zip(weights, spot.ranges, strict=True):
        after[COMBO_IMAGES[number]] = before.weights
    keys = spot.model_dump(exclude_defaults=True) | {
        "board": card_names(CARD_IMAGES[number][list(spot.cards)]),
        "oop": Range.from_weights(weights[0]),
        "ip": Range.from_weights(weights[1]),
    }
    return Spot(**keys)


@pytest.mark.parametrize(("number", "storage"), [(5, "float32"), (13, "float32"), (22, "int16")])
def test_suits_are_only_names(number: int, storage: Storage) -> None:
    """Exactly after two iterations; later rounding decides where regrets are zero."""
    images, other = COMBO_IMAGES[number], permuted(ALIKE, number)
    solution, image = (after(spot, 2, storage=storage) for spot in (ALIKE, other))
    assert image.ev == pytest.approx(solution.ev, abs=1e-3)
    for dealt in ("2c", "2s", "Ah", "Qs"):
        there = card_name(CARD_IMAGES[number][parse_card(dealt)])
        before = solution.at(f"B35-C|{dealt}|X").values
        renamed = image.at(f"B35-C|{there}|X").values
        for here, expected in zip(renamed, before, strict=True):
            np.testing.assert_allclose(here[:, images], expected, rtol=1e-4, atol=1e-3)
    solution, image = (solve(spot, target="0.5%", storage=storage) for spot in (ALIKE, other))
    assert image.ev == pytest.approx(solution.ev, abs=0.01 * ALIKE.pot)


def test_storage_makes_no_difference() -> None:
    """EVs without rake differ by no more than what players may gain."""
    solutions = [after(SMALL_TURN, 400, storage=storage) for storage in STORAGES]
    for solution in solutions:
        assert solution.exploitability <= 0.002 * SMALL_TURN.pot
        for other in solutions:
            gains: list[Any] = [solution.exploitability, other.exploitability]
            within = 2 * max(gains)
            assert solution.ev == pytest.approx(other.ev, abs=within)


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_isomorphism_changes_nothing(storage: Storage) -> None:
    """Each card alone, or clubs for spades: two iterations are the same, and equilibria alike."""
    alone, together = (after(ALIKE, 2, storage=storage, isomorphism=on) for on in (False, True))
    for line in ("", "X-X", "B35-C|2c", "B35-C|2s|X", "X-X|As|X-B35"):
        pairs = zip(alone.at(line).values, together.at(line).values, strict=True)
        for apart, alike in pairs:
            np.testing.assert_allclose(alike, apart, rtol=1e-4, atol=1e-3)
    alone = after(ALIKE, 300, isomorphism=False)
    together = after(ALIKE, 300, storage=storage)
    gains: list[Any] = [alone.exploitability, together.exploitability]
    within = 2 * max(gains)
    assert within < 0.02 * ALIKE.pot
    assert together.ev == pytest.approx(alone.ev, abs=within)


def test_threads_change_no_bit() -> None:
    one, two = (solve(SMALL_TURN, iterations=30, threads=threads) for threads in (1, 2))
    assert one.exploitability == two.exploitability
    for line in ("", "B30", "X-X|Ad", "B30-C|Kd|X"):
        for left, right in zip(one.at(line).values, two.at(line).values, strict=True):
            np.testing.assert_array_equal(left, right)


@pytest.mark.slow
@given(small_spots(st.sampled_from([5, 5, 4])), st.integers(0, 12), st.sampled_from(STORAGES))
@settings(max_examples=examples(15, few=6), deadline=None)
def test_small_spots(spot: Spot, iterations: int, storage: Storage) -> None:
    solution = after(spot, iterations, storage=storage)
    assert_as_the_reference(solution, 1e-9 if storage == "float64" else 2e-4)
    assert solution.ev[0] + spot.stack >= 0
    rules: Any = spot.rules()
    least = spot.pot - rules.rake(spot.pot + 2 * spot.stack)
    total = sum(solution.ev)
    assert least - 1e-3 * spot.pot <= total <= spot.pot - rules.rake(spot.pot) + 1e-3 * spot.pot
    ev = solution.at("").values.ev
    known = ~np.isnan(ev)
    assert (ev[known] >= -spot.stack * 1.001).all()
    assert (ev[known] <= (spot.pot + spot.stack) * 1.001).all()
