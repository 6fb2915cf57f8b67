"""Spots behind folded ranges: against the textbook, in which the folded hands are dealt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from equilibrist.errors import ConfigError, EquilibristError, RangeSyntaxError, UnsupportedError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.play.solutions.players import SolutionRanges
from equilibrist.play.spots.game import HandState, SpotGame
from equilibrist.poker import PostflopResult, Range, estimate, solve
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD, parse_combo
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES
from equilibrist.poker.decisions.searching import SearchState
from equilibrist.poker.equities.drawn_folds import DrawnBunching
from equilibrist.poker.equities.equity import equity
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.estimate.reductions import smaller_spots
from equilibrist.poker.postflop.files.runout_report import report_row
from equilibrist.poker.postflop.files.storage import load_spot
from equilibrist.poker.postflop.solving.leaf_solver import check_over_values
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.postflop.spot.subgame import subgame_at
from equilibrist.poker.ranges.range_files import write_range_file
from equilibrist.reference.postflop import PublicCFR, exploitability
from equilibrist.search.holdem.spots import resolve_spot
from equilibrist.search.holdem.streets import played_streets
from equilibrist.solvers.variants.registry import VARIANTS
from tests.poker.postflop.engine.engine_games import averages
from tests.poker.postflop.engine.public_games import public_game
from tests.refusals import refuses

RIVER = Spot(
    board="Ks9h5d3c8s",
    oop="AA,KQs,T9s",
    ip="QQ,AKo,98s,T9s:0.5",
    pot=60,
    stack=100,
    bets="50%",
    raises="a",
    folded=["A2s+,KJo,99", "KTs,QJo,A9o:0.5"],
)
TURN = RIVER.replace(
    board="Ks9h5d3c", oop="AA,KQs", ip="QQ,98s", folded=["A2s,AJs,99", "KTs,A9o:0.5"], rake=0.05
)
TURN_ALONE = TURN.replace(folded=["A2s,AJs,99,65s"], bets="a", raises="")
FLOP = Spot(
    board="Ks9h5d",
    oop="AcAd,KcQc",
    ip="QsQh,Th9c",
    pot=60,
    stack=30,
    bets="a",
    folded=["AhAs,JdJs", "7s6s,9s9d"],
)
SYMMETRIC = Spot(
    board="Ts3s2s9h", oop="AA,QQ", ip="KK,JJ", pot=60, stack=90, bets="a", folded=["A9s,77", "AKo"]
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spot", "iterations", "storage", "close"),
    [
        (RIVER, 20, "float32", 1e-4),
        (RIVER, 20, "float64", 1e-9),
        (TURN, 2, "float64", 1e-9),
        (TURN_ALONE, 2, "float64", 1e-9),
        (FLOP, 2, "float64", 1e-9),
        (TURN_ALONE, 5, "float32", 1e-4),
        (TURN_ALONE, 5, "int16", 0.05),
    ],
)
def test_iterates_are_those_of_the_textbook(
    spot: Spot, iterations: int, storage: str, close: float
) -> None:
    solver = SpotSolver(spot, "dcfr", storage=storage, isomorphism=False)  # type: ignore[arg-type]
    game = public_game(spot)
    textbook = PublicCFR(game, VARIANTS["dcfr"])
    solver.run(iterations)
    textbook.run(iterations)
    average = textbook.average()
    gain = exploitability(game, average)
    assert solver.mean_gain() == pytest.approx(gain, abs=close * spot.pot)
    if storage == "float64":
        for place, table in averages(solver.engine).items():
            there = ~np.isnan(table[0])
            assert table[:, there] == pytest.approx(average[place][:, there], abs=1e-9), place


@pytest.mark.slow
def test_suits_are_merged_where_folded_ranges_have_them_alike() -> None:
    merged, apart = (SpotSolver(SYMMETRIC, storage="float64", isomorphism=x) for x in (True, False))
    assert len(SYMMETRIC.symmetries) > 1
    assert len(merged.engine.game.dealt) < len(apart.engine.game.dealt)
    for solver in (merged, apart):
        solver.run(20)
    assert merged.mean_gain() == pytest.approx(apart.mean_gain(), abs=1e-9)
    uneven = SYMMETRIC.replace(folded=["A9s,77", "AhKd"])
    assert len(uneven.symmetries) == 1


@pytest.mark.slow
def test_a_solution_shows_and_keeps_them(tmp_path: Path) -> None:
    solution = solve(RIVER, iterations=300)
    node = solution.at("")
    found = equity(RIVER.oop, RIVER.ip, RIVER.board, folded=RIVER.folded)
    assert node.totals.equity == pytest.approx((found.oop, found.ip), abs=1e-6)
    assert sum(node.totals.ev) == pytest.approx(60, abs=1e-4)
    assert solution.exploitability is not None
    assert solution.exploitability < 0.06
    solution.save(tmp_path / "folded.eq")
    kept = load_spot(tmp_path / "folded.eq")
    assert kept.spot == RIVER
    assert kept.at("X-B30").totals == solution.at("X-B30").totals
    assert solution.at("X").values.matchups[0] == pytest.approx(node.values.matchups[0])
    alone = solve(RIVER.replace(folded=()), iterations=300)
    assert abs(alone.at("").totals.ev[0] - node.totals.ev[0]) > 1


@pytest.mark.slow
@pytest.mark.parametrize("folded", [["6h6d"], [Range.full()], [Range.full()] * 2])
def test_on_the_river_folds_that_say_nothing_change_nothing(folded: list[Range | str]) -> None:
    behind, alone = (Engine(holdem_game(RIVER.replace(folded=f))) for f in (folded, ()))
    for engine in (behind, alone):
        engine.run(VARIANTS["dcfr"].table(1, 50))
    assert behind.expected(0) == pytest.approx(alone.expected(0), abs=1e-3)


@pytest.mark.slow
def test_a_folded_hand_that_nobody_else_can_hold_takes_two_cards_from_the_deck() -> None:
    solver = SpotSolver(TURN_ALONE.replace(folded=["6h6d"]), "dcfr", isomorphism=False)
    game = public_game(TURN_ALONE.replace(folded=()))
    dead = parse_cards("6h6d")
    left = replace(game, deck=tuple(card for card in game.deck if card not in dead))
    textbook = PublicCFR(left, VARIANTS["dcfr"])
    solver.run(3)
    textbook.run(3)
    gain = exploitability(left, textbook.average())
    assert solver.mean_gain() == pytest.approx(gain, abs=1e-4 * TURN_ALONE.pot)


@pytest.mark.slow
def test_exploitability_falls_to_the_floor() -> None:
    for spot in (RIVER, TURN):
        solution = solve(spot, iterations=3000)
        assert solution.mean_gain_percent < 1e-3


def chances(game: SpotGame, state: HandState) -> dict[str, float]:
    return dict(zip(game.actions(state), game.chance(state), strict=True))


@pytest.mark.slow
def test_threads_change_no_bit() -> None:
    solvers = [SpotSolver(TURN, threads=threads) for threads in (1, 2)]
    for solver in solvers:
        solver.run(5)
    one, two = (solver.engine.arena.store for solver in solvers)
    assert np.array_equal(one.regret, two.regret)


@pytest.mark.slow
def test_cards_come_as_often_as_folded_hands_allow() -> None:
    solution = solve(TURN, iterations=20)
    above = solution.at("X-X")
    deals = float(above.values.weight[0] @ above.values.matchups[0])
    rows = [report_row(solution, below.number, below.runout) for below in _rivers(solution)]
    assert sum(row["deals"] for row in rows) == pytest.approx(deals, rel=1e-5)
    means = sum(row["deals"] * row["ev_oop"] for row in rows if row["deals"]) / deals
    assert means == pytest.approx(above.totals.ev[0], abs=1e-3)


def _rivers(solution: PostflopResult) -> list[_River]:
    node = find_node(solution.tree, solution.rules.follow("X-X|2h").state.line)
    return [_River(node, (card,)) for card in range(52) if card not in solution.spot.cards]


class _River(NamedTuple):
    number: int
    runout: tuple[int, ...]


def test_played_spots_deal_as_often_as_folded_hands_allow() -> None:
    game, reference = SpotGame(TURN_ALONE), public_game(TURN_ALONE)
    weights = reference.weights[0][:, None] * reference.meet(0) * reference.weights[1]
    state = game.initial_state()
    assert game.player(state) == CHANCE
    first = np.array(game.chance(state))
    rows = weights.sum(axis=1)
    assert first == pytest.approx(rows[rows > 0] / rows.sum())
    for number in range(2):
        combo = game.next(state, number)
        row = weights[rows > 0][number]
        assert game.chance(combo) == pytest.approx(row[row > 0] / row.sum())
    dealt = game.next(game.next(state, 0), 0)
    own, other = dealt.hands
    line = game.next(game.next(dealt, 0), 0)  # both check
    assert game.player(line) == CHANCE
    found = chances(game, line)
    places = [
        int(np.flatnonzero((cards == [FIRST_CARD[c], SECOND_CARD[c]]).all(axis=1))[0])
        for cards, c in zip(reference.hands, (own, other), strict=True)
    ]
    wanted = {}
    for card in reference.deck:
        taken = any(card in (FIRST_CARD[c], SECOND_CARD[c]) for c in (own, other))
        weight = 0.0 if taken else float(reference.meet(0, (card,))[places[0], places[1]])
        if weight:
            wanted[card] = weight
    total = sum(wanted.values())
    assert sorted(found.values()) == pytest.approx(sorted(w / total for w in wanted.values()))
    assert len(found) == len(wanted)
    assert game.player(game.next(line, 0)) not in (CHANCE, TERMINAL)


def test_a_subgame_has_the_folded_ranges() -> None:
    weight = np.array([held.weights for held in TURN.ranges])
    line = TURN.rules().follow("X-X|2h").state.line
    below = subgame_at(TURN, line, tuple(parse_cards("2h")), weight)
    assert below is not None
    assert below.folded == TURN.folded
    only = TURN.replace(folded=["2h2d"])
    assert subgame_at(only, line, tuple(parse_cards("2h")), weight) is None


def test_the_estimate_counts_pairs_of_hands() -> None:
    for spot in (RIVER, TURN):
        engine = Engine(holdem_game(spot))
        counted = estimate(spot).memory_bytes(threads=1)
        assert engine.memory_bytes <= counted <= 1.05 * engine.memory_bytes
        assert engine.layout.pairs is not None
        assert counted > estimate(spot.replace(folded=())).memory_bytes(threads=1)


def test_the_estimate_says_that_they_take_time_and_that_without_them_a_spot_fits() -> None:
    many = TURN.replace(oop="22+,A2s+,K9s+,QTs+", ip="22+,A2s+,K9s+,QTs+")
    behind, alone = estimate(many), estimate(many.replace(folded=()))
    seconds = [size.estimate_run(threads=1, bandwidth=1e10).seconds for size in (behind, alone)]
    assert seconds[0] > 2 * seconds[1]
    wide = many.replace(bets="", raises="")
    assert wide.bunching is not None
    limit = estimate(wide.replace(folded=())).memory_bytes("int16", threads=1) + 100_000
    assert limit < estimate(wide).memory_bytes("int16", threads=1)
    smaller = {reduction.changes[-1]: reduction for reduction in smaller_spots(wide, limit)}
    reduction = smaller["no folded ranges"]
    assert wide.replace(**reduction.keys) == reduction.spot


@pytest.mark.slow
def test_the_estimate_counts_what_weighing_hands_takes() -> None:
    """The more cards are folded and the more boards come, the longer; draws also at the end."""
    hands, folds = {"oop": "22+,A2s+", "ip": "22+,A2s+"}, ["99,A2s+", "A9o:0.5,KTs", "22-66", "T9s"]
    flop = FLOP.replace(**hands)
    seconds = [
        estimate(flop.replace(folded=folds[:count])).estimate_run(bandwidth=2e10).folded_seconds
        for count in range(5)
    ]
    assert seconds[0] == 0.0
    assert seconds == sorted(seconds)
    assert seconds[3] > 2.0  # 1,226 boards of 96,000 draws
    turn = TURN.replace(folded=folds[:3], **hands)
    assert seconds[3] > 10 * estimate(turn).estimate_run(bandwidth=2e10).folded_seconds > 0.0


def test_files_have_them() -> None:
    text = RIVER.to_toml()
    assert 'folded = ["99,A2s+,KJo", "A9o:0.5,KTs,QJo"]' in text
    assert RIVER.replace(folded="AA") == RIVER.replace(folded=[Range("AA")])
    assert (
        RIVER.replace(folded="none") == RIVER.replace(folded=["none"]) == RIVER.replace(folded=[])
    )


def test_files_name_files_of_them(tmp_path: Path) -> None:
    write_range_file(RIVER.folded[0], tmp_path / "button.txt")
    text = RIVER.to_toml().replace('"99,A2s+,KJo"', '"button.txt"')
    (tmp_path / "spot.toml").write_text(text)
    assert Spot.from_toml(tmp_path / "spot.toml") == RIVER


@pytest.mark.parametrize(
    ("folded", "kind", "fields"),
    [
        (["AA"] * 9, ConfigError, dict(option="folded", given=9)),
        (["AhAd", "AhKh", "7h6h"], ConfigError, dict(option="folded", given="Ks9h5d3c8s")),
        ([""], ConfigError, dict(option="folded")),
        ([7], ConfigError, dict(option="folded", given=7)),
        (7, ConfigError, dict(option="folded", given=7)),
        (["AA", "AK,,"], RangeSyntaxError, dict(option="folded", position=3)),
        (["KsKd,9h9d"], ConfigError, dict(option="folded", place="range 1")),
        (["AhAd", "AhKh"], ConfigError, dict(option="folded", given="Ks9h5d3c8s")),
        (["QsQd"], ConfigError, dict(option="folded", given=0.0)),
    ],
)
def test_what_cannot_be_is_refused(
    folded: object, kind: type[EquilibristError], fields: dict[str, object]
) -> None:
    with refuses(kind, **fields):
        RIVER.replace(oop="QcJc", ip="QsTs,QdTd", folded=folded)


def test_boards_compare_by_how_often_they_come() -> None:
    """The weight of a board is that of all deals in which it comes, whatever it blocks."""
    deals, totals = [], []
    for board in ("KsQs2d3d", "7s6c2d3d"):
        spot = TURN_ALONE.replace(board=board, oop="AcAd,KcQc", ip="QsQh,Th9c", folded=["77,A6s"])
        game = public_game(spot)
        deals.append(game.weights[0] @ game.meet(0) @ game.weights[1])
        totals.append(Engine(holdem_game(spot)).total)
    assert totals[0] / totals[1] == pytest.approx(deals[0] / deals[1])


@pytest.mark.slow
def test_opponents_may_hold_what_folded_hands_leave() -> None:
    solution = solve(RIVER, iterations=20)
    line, combo = "X-B30", parse_combo("AhAs")
    (mixture,) = SolutionRanges(solution).mixtures(f"AhAs:{line}")
    node = solution.at("X")
    held = np.flatnonzero(node.values.weight[1])
    assert RIVER.bunching is not None
    beside = RIVER.bunching.pairs(RIVER.cards, np.array([combo], np.int32), held)[0]
    weight = node.values.weight[1][held] * beside
    shares = np.nan_to_num(node.values.strategy[:, held]) @ weight
    assert mixture.probabilities == pytest.approx(tuple(shares / shares.sum()))


@pytest.mark.slow
def test_searches_know_none() -> None:
    state = SearchState(RIVER, "X", RIVER.cards, 1, (), solve(RIVER, iterations=1), None)
    assert played_streets(state) is None
    with refuses(UnsupportedError, option="folded", given=2):
        resolve_spot(RIVER, 0, "unsafe")


WIDE = RIVER.replace(
    oop="22+,A2s+,KTs+,QTs+,98s", ip="99-22,ATs-A2s,K9s+,T9s", folded=["22+,A2s+,A9o+,KTs+"] * 2
)


def drawn(spot: Spot) -> Spot:
    """The spot with drawn hands of folded ranges of which all could be counted."""
    copied = spot.replace(pot=spot.pot)
    weights = np.array([held.weights for held in spot.folded])
    copied.__dict__["bunching"] = DrawnBunching(weights, spot.cards)
    return copied


@pytest.mark.slow
def test_draws_are_as_far_off_as_they_say() -> None:
    exact, sampled = SpotSolver(WIDE), SpotSolver(drawn(WIDE))
    for solver in (exact, sampled):
        solver.run(100)
    error = sampled.ev_error()
    assert error is not None
    assert exact.ev_error() is None
    assert 0.0 < error < 0.001 * WIDE.pot
    gain = exact.mean_gain() + sampled.mean_gain()
    assert abs(sampled.engine.expected(0) - exact.engine.expected(0)) < 3 * error + gain


@pytest.mark.slow
def test_three_folded_ranges_are_drawn_alike_on_all_boards(tmp_path: Path) -> None:
    three = WIDE.replace(folded=[*WIDE.folded, "KQo,JTs"])
    solution = solve(three, iterations=50)
    assert solution.ev_error is not None
    document = solution.to_dict()
    assert document["folded"] == [str(hands) for hands in three.folded]
    assert 0.0 < document["ev_error_chips"] < 0.002 * three.pot
    assert solution.exploitability is not None
    assert solution.exploitability < 1.0
    kept = load_spot(solution.save(tmp_path / "drawn.spot"))
    assert (kept.spot, kept.ev_error) == (three, solution.ev_error)
    assert kept.at("").totals == solution.at("").totals
    turn = three.replace(board="Ks9h5d3c")
    assert turn.bunching is not None
    assert three.bunching is not None
    hands = [np.flatnonzero(held.weights) for held in three.ranges]
    one, other = (each.pairs(three.cards, *hands) for each in (turn.bunching, three.bunching))
    assert np.array_equal(one, other)


def test_draws_have_the_suits_of_their_ranges_alike() -> None:
    spot = SYMMETRIC.replace(folded=["A9s,77", "AKo", "22+,A2s+"])
    assert len(spot.symmetries) == len(SYMMETRIC.symmetries)
    assert spot.bunching is not None
    oop, ip = (np.flatnonzero(held.weights) for held in spot.ranges)
    weights = np.zeros((1326, 1326))
    weights[np.ix_(oop, ip)] = spot.bunching.pairs(spot.cards, oop, ip)
    for number in spot.symmetries:
        images = COMBO_IMAGES[number]
        assert np.array_equal(weights[images][:, images], weights)


def test_leaf_values_know_none() -> None:
    with refuses(UnsupportedError, option="folded", given=1):
        check_over_values(TURN.replace(rake=0, folded=["AA"]))


@pytest.mark.slow
def test_hands_behind_which_no_folded_hand_is_left_meet_nobody() -> None:
    spot = RIVER.replace(oop="AhAd,KcQc", ip="QdQh", folded=["AhKh,AdKd"])
    node = solve(spot, iterations=10).at("")
    assert node.values.matchups[0][parse_combo("AhAd")] == 0.0
    assert np.isnan(node.values.ev[0][parse_combo("AhAd")])
    assert node.values.matchups[0][parse_combo("KcQc")] > 0.0
