"""Flops with three players: values, iterations, merged suits, memory, decisions and files."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, FileFormatError, MemoryBudgetError
from equilibrist.poker import ThreeSolution, ThreeSpot, solve_three
from equilibrist.poker.cards.cards import card_names, parse_cards
from equilibrist.poker.cards.isomorphism import representative
from equilibrist.poker.equities.multiway import multiway_equity
from equilibrist.poker.hands.betting_tree import DEAL, DECISION
from equilibrist.poker.postflop.solving.spot_runs import solve
from equilibrist.poker.postflop.solving.variants import SPOT_VARIANT
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.three_players.node import ThreeNode
from equilibrist.poker.three_players.profile import HandsAndGames, Measure
from equilibrist.poker.three_players.report import report_row
from equilibrist.poker.three_players.solver import ThreeSolver, Valuer, memory_needed, widened
from equilibrist.poker.three_players.starts import drawn_later, drawn_start
from equilibrist.poker.three_players.turns import led
from equilibrist.solvers.variants.variant import Coefficients, Variant
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.kinds.file_kinds import THREE_SPOT
from tests.poker.three_players.flop_recursion import FlopRecursion, FlopStrategies
from tests.refusals import refuses

FEW: dict[str, Any] = {
    "board": "Qs9h5d",
    "oop": "AhQd,KsTs:0.5",
    "middle": "AcQh:0.25",
    "ip": "AhQh,7s6s:0.75",
    "pot": 60,
}
SPOTS: dict[str, dict[str, Any]] = {
    "bets on the flop": {"stack": 100, "bets": "a||"},
    "unequal stacks, rake": {
        "stacks": [100, 40, 250], "bets": "40c|a|", "rake": "5%", "rake_cap": 4,
    },
    "bets on the river": {"stacks": [0, 90, 50], "bets": "||a"},
}  # fmt: skip


def measured(laid_out: HandsAndGames, strategies: FlopStrategies, threads: int = 1) -> Measure:
    valuer = Valuer(laid_out, threads)
    played = [
        widened(rows, width)
        for rows, width in zip(strategies.first, valuer.tables.widths, strict=True)
    ]
    return valuer.measure(played, strategies.later)


@pytest.mark.slow
@pytest.mark.parametrize("changes", SPOTS.values(), ids=SPOTS)
def test_values_and_best_responses_are_those_of_all_deals_and_boards(
    changes: dict[str, Any],
) -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**(FEW | changes)))
    oracle, strategies = FlopRecursion(laid_out), FlopStrategies.random(laid_out, 4)
    mine, values = measured(laid_out, strategies), oracle.values_of(strategies)
    assert mine.values == pytest.approx(values, abs=1e-12 * 300)
    for seat in range(3):
        gain = oracle.best_value_of(seat, strategies) - values[seat]
        assert mine.gains[seat] == pytest.approx(gain, abs=1e-12 * 300)


SUITS: dict[str, Any] = {
    "board": "QsQh7d", "oop": "AA,AKs,KJo:0.5", "middle": "KK,AJs,T9s", "ip": "99,A8s,AK",
    "pot": 60, "stack": 90, "bets": "|50%|a",
}  # fmt: skip
"""Hearts and spades are alike."""


APART: dict[str, Any] = {
    "board": "Qs9h5d", "oop": "AhQd,KsTs:0.5", "middle": "AcJc,8s8h:0.25", "ip": "KdJd,7s6s:0.75",
    "pot": 60, "stacks": [100, 40, 250], "bets": "|a|a",
}  # fmt: skip
"""No hands block each other: where nothing can come, rounding would decide what is played."""


@pytest.mark.slow
def test_turns_are_learned_as_if_the_spot_began_there() -> None:
    """Where nobody can bet on the flop, every turn is a spot of its own."""
    laid_out = HandsAndGames.of(ThreeSpot(**APART))
    solver = ThreeSolver(laid_out, SPOT_VARIANT, np.float64)
    solver.run(3)
    turns, rivers = solver.later_sums[:3], solver.later_sums[3:]
    for card in parse_cards("2c8sAh"):
        number, _ = laid_out.runouts.find(card)
        spot = ThreeSpot(**APART | {"board": card_names((*laid_out.spot.cards, card))})
        alone = ThreeSolver(HandsAndGames.of(spot), SPOT_VARIANT, np.float64)
        alone.run(3)
        begin, end = laid_out.river_begins[number : number + 2]
        for seat, held in enumerate(alone.laid_out.hands):
            game, later = alone.laid_out.games[seat], alone.laid_out.later[0][seat]
            mine = turns[seat][number][game.num_entries :, : len(held)]
            sums = alone._sums[seat][game.num_entries :, : len(held)]
            np.testing.assert_allclose(mine, sums, rtol=0, atol=1e-10)
            below = alone.later_sums[seat][:, later.num_entries :]
            assert len(below) == end - begin
            width = below.shape[2]
            np.testing.assert_allclose(
                rivers[seat][begin:end, :, :width], below, rtol=0, atol=1e-10
            )
            assert below.any()


@dataclass(frozen=True)
class Kept(Variant):
    """The default with numbers of its own, so that strategies are kept beside regrets."""

    def coefficients(self, t: int, horizon: int | None = None) -> Coefficients:
        return SPOT_VARIANT.coefficients(t, horizon)


@pytest.mark.slow
@pytest.mark.parametrize(("tremble", "seed"), [(0.0, None), (0.02, None), (0.0, 1)])
def test_what_follows_from_regrets_is_what_would_be_kept(tremble: float, seed: int | None) -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**APART))
    kept = Kept("kept")
    assert kept.predicts
    assert not SPOT_VARIANT.predicts
    assert memory_needed(laid_out, predicts=True) > memory_needed(laid_out)
    one, other = (
        ThreeSolver(laid_out, each, np.float64, tremble=tremble) for each in (SPOT_VARIANT, kept)
    )
    for solver in (one, other):
        if seed is not None:
            generator = np.random.default_rng(seed)
            solver.begin_with(drawn_start(laid_out, generator))
            for start in drawn_later(laid_out, generator):
                solver.begin_on_board(*start)
        # Later, rounding decides who is better off where two actions tie; drawn ties stay drawn.
        solver.run(2 if seed is None else 1)
    for mine, plain in zip(one.copy_later(), other.copy_later(), strict=True):
        np.testing.assert_allclose(mine, plain, rtol=0, atol=1e-10)
    assert one.copy_later()[5].any()
    assert one.measure().gains == pytest.approx(other.measure().gains, abs=1e-9)


@pytest.mark.slow
def test_boards_that_differ_by_suits_are_merged_exactly() -> None:
    spot = ThreeSpot(**SUITS | {"bets": "50%|50%|a"})
    merged, apart = (HandsAndGames.of(spot, merges_suits=merges) for merges in (True, False))
    assert merged.runouts.count < 40
    assert apart.runouts.count == 49
    solver = ThreeSolver(merged, SPOT_VARIANT, np.float64)
    solver.run(5)
    first, later = solver.averages(), spread(solver.later_sums, merged, apart)
    mine, plain = solver.measure(), measured(apart, FlopStrategies(apart, first, later))
    assert mine.values == pytest.approx(plain.values, abs=1e-10)
    assert mine.gains == pytest.approx(plain.gains, abs=1e-10)
    assert mine.nash_conv > 0.1


def spread(sums: Sequence[Any], merged: HandsAndGames, apart: HandsAndGames) -> list[Any]:
    """What is played on merged boards, on all of them."""
    spread_out = [np.zeros(shape) for shape in apart.later_shapes]
    flop = merged.spot.cards
    for turn, board in enumerate(apart.runouts.boards):
        solved_at, images = merged.runouts.find(board[-1])
        for seat, held in enumerate(apart.runouts.hands[turn]):
            columns = np.searchsorted(merged.runouts.hands[solved_at][seat], images[held])
            rows = sums[seat][solved_at][:, columns]
            spread_out[seat][turn, :, : len(held)] = rows
        begin, begin_merged = apart.river_begins[turn], merged.river_begins[solved_at]
        rivers, those_merged = apart.rivers[turn], merged.rivers[solved_at]
        for river, dealt in enumerate(rivers.boards):
            cards, images = representative(flop, merged.group, dealt[len(flop) :])
            number, _ = those_merged.find(cards[1])
            for seat, held in enumerate(rivers.hands[river]):
                columns = np.searchsorted(those_merged.hands[number][seat], images[held])
                rows = sums[3 + seat][begin_merged + number][:, columns]
                spread_out[3 + seat][begin + river, :, : len(held)] = rows
    return spread_out


@pytest.mark.slow
def test_hands_that_are_images_of_each_other_play_alike_to_the_bit() -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**SUITS | {"bets": "50%|a|"}))
    solver = ThreeSolver(laid_out, SPOT_VARIANT)
    solver.run(3)
    number, _ = laid_out.runouts.find(*parse_cards("2c"))
    groups = laid_out.group, laid_out.rivers[number].group
    parts = (
        [(held, rows) for held, rows in zip(laid_out.hands, solver.averages(), strict=True)],
        [
            (held, rows[number])
            for held, rows in zip(
                laid_out.runouts.hands[number], solver.later_sums[:3], strict=True
            )
        ],
    )
    for group, part in zip(groups, parts, strict=True):
        assert len(group) == 2
        for hands, rows in part:
            others, leaders = led(hands, group)
            assert len(others)
            assert (rows[:, others] == rows[:, leaders]).all()


@pytest.mark.slow
def test_threads_change_nothing() -> None:
    laid_out = HandsAndGames.of(ThreeSpot(**SUITS))
    alone, shared = (ThreeSolver(laid_out, SPOT_VARIANT, threads=n) for n in (1, 3))
    for solver in (alone, shared):
        solver.run(2)
    assert alone.measure() == shared.measure()
    for one, other in zip(alone.copy_later(), shared.copy_later(), strict=True):
        assert (one == other).all()


@pytest.mark.slow
def test_without_bets_values_are_equities() -> None:
    ranges = ["AA,KTs,98s:0.5", "22,AJs", "AK,QJ,T8s"]
    equities = multiway_equity(ranges, FEW["board"], exact=True).equities
    oop, middle, ip = ranges
    spot = ThreeSpot(board=FEW["board"], oop=oop, middle=middle, ip=ip, pot=60, stack=100)
    solution = solve_three(spot, iterations=1)
    assert solution.values == pytest.approx([60 * share for share in equities], abs=1e-9)
    assert solution.gains == pytest.approx([0, 0, 0], abs=1e-9)


@pytest.mark.slow
def test_a_third_player_who_only_folds_leaves_the_game_of_two() -> None:
    """OOP always bets, and the third hand folds to it: its cards are never dealt."""
    keys: dict[str, Any] = {
        "board": "Qs9h5d", "pot": 60, "stack": 60, "bets": "50%|50%|", "oop": "AA,JTs,KJs:0.5",
    }  # fmt: skip
    ip, folded = "KQs,99,T8s", "2c2d,7h6h:0.5"
    solved = solve(Spot(**keys, ip=ip, folded=[folded], locks=[": B30 1"]), iterations=40)
    spot = ThreeSpot(**keys, middle=folded, ip=ip)
    laid_out, betting = HandsAndGames.of(spot), spot.betting
    runouts, games = laid_out.runouts, (laid_out.games, *laid_out.later)
    first = laid_out.uniform()
    later = [np.zeros(shape) for shape in laid_out.later_shapes]

    def strategy(line: str, rows: Any, hands: Any) -> None:
        held = solved.at(line).decision.strategy[:, hands]
        rows[:, : len(hands)] = np.where(held.sum(axis=0) > 0.5, held, 1 / len(held))

    def fill(node: int, street: int, two: str) -> None:
        if betting.kind[node] == DEAL:
            fill(betting.children(node)[0], street + 1, f"{two}|")
        if betting.kind[node] != DECISION:
            return
        seat, children = int(betting.player[node]), betting.children(node)
        game = games[street][seat]
        place = game.node.tolist().index(node)
        rows = slice(game.first[place], game.first[place + 1])
        labels = [betting.label(child) for child in children]
        if seat == 1 or not node:
            taken = labels.index("F" if seat else "B30")
            first[seat][rows] = 0.0
            first[seat][rows.start + taken] = 1.0
            fill(children[taken], 0, two or "B30")
            return
        if not street:
            strategy(two, first[seat][rows], laid_out.hands[seat])
        elif street == 1:
            for number, board in enumerate(runouts.boards):
                head, tail = two.split("|")
                line = f"{head}|{card_names(board[-1:])}" + (f"|{tail}" if tail else "")
                strategy(line, later[seat][number][rows], runouts.hands[number][seat])
        for child, label in zip(children, labels, strict=True):
            fill(child, street, f"{two}-{label}".replace("|-", "|"))

    fill(0, 0, "")
    mine = measured(laid_out, FlopStrategies(laid_out, first, later))
    assert mine.values[0] == pytest.approx(solved.ev[0], abs=1e-6 * 60)
    assert mine.values[1] == pytest.approx(0, abs=1e-9)
    assert mine.values[2] == pytest.approx(solved.ev[1], abs=1e-6 * 60)


@pytest.mark.slow
@pytest.mark.parametrize("bets", ["a||", "|a|"])
def test_gains_fall_below_the_target(bets: str) -> None:
    solution = solve_three(ThreeSpot(**SUITS | {"bets": bets}), target="1%")
    assert solution.stopped_by == "target"
    assert min(solution.gains) > -1e-9
    assert sum(solution.values) == pytest.approx(60, abs=1e-9)
    assert solution.iterations < 300


@cache
def solved() -> ThreeSolution:
    return solve_three(ThreeSpot(**SUITS | {"stack": 60, "bets": "a||a"}), iterations=4)


@pytest.mark.slow
def test_values_are_those_of_the_strategies_that_it_has() -> None:
    solution = solved()
    strategies = FlopStrategies(solution.laid_out, solution.strategies, solution.later)
    mine = measured(solution.laid_out, strategies)
    assert mine.values == pytest.approx(solution.values, abs=1e-9)
    again = replace(solution, worth=())  # counted anew in place of those that the run measured
    for line in ("", "X", "A60-F"):
        decision, plain = solution.at(line), again.at(line)
        assert decision.action_ev is not None
        assert plain.action_ev is not None
        np.testing.assert_allclose(decision.action_ev, plain.action_ev, atol=1e-9)


@pytest.mark.slow
def test_evs_of_a_turn_are_means_over_its_rivers() -> None:
    """Nobody can bet on the turn: what a check is worth there is what rivers are worth."""
    solution = solved()
    (turn,) = parse_cards("2c")
    here = solution.at("X-X-X|2c")
    assert (here.street, here.seat_name, here.board) == ("turn", "OOP", parse_cards("QsQh7d2c"))
    total, weight = np.zeros(1326), np.zeros(1326)
    for river in range(52):
        if river in here.board:
            continue
        line = f"X-X-X|2c|X-X-X|{card_names([river])}"
        below = solution.at(line)
        assert below.ev is not None
        assert below.board == (*here.board, river)
        share = below.combos / below.combos.max() * (below.combos > 0)
        held = np.isfinite(below.ev)
        # Each deal leaves as many rivers: a hand meets on a river the pairs that the river leaves.
        pairs = ThreeNode(solution, line).matchups(0) / np.where(below.reach > 0, below.reach, 1)
        total[held] += (share * pairs * np.nan_to_num(below.ev))[held]
        weight[held] += (share * pairs)[held]
    assert here.ev is not None
    met = weight > 0
    assert met.sum() > 10
    np.testing.assert_allclose(here.ev[met], total[met] / weight[met], atol=1e-8)
    assert turn in here.board


@pytest.mark.slow
def test_all_seats_are_looked_at_on_rivers_alone() -> None:
    solution, line = solved(), "X-X-X|2c|X-X-X|9d"
    row, node = report_row(solution, line), ThreeNode(solution, line)
    assert node.decision.ev is not None
    counts = node.matchups(0)
    assert row["ev_oop"] == pytest.approx(counts @ np.nan_to_num(node.decision.ev) / counts.sum())
    assert sum(row[f"ev_{seat}"] for seat in ("oop", "mid", "ip")) == pytest.approx(60)
    dealt = multiway_matchups(solution, node.board)
    assert row["deals"] == pytest.approx(node.reached * dealt / (43 * 42))
    for earlier in ("", "X-X-X|2c"):
        with refuses(ConfigError, option="line"):
            solution.seat_figures(earlier)
    with refuses(ConfigError, option="locks"):
        solution.lock(line)


def multiway_matchups(solution: ThreeSolution, board: str) -> float:
    """The weight of the deals that a board leaves."""
    return HandsAndGames.of(ThreeSpot(**solution.spot.model_dump() | {"board": board})).total


@pytest.mark.slow
def test_cards_that_differ_by_suits_have_the_hands_of_each() -> None:
    solution = solved()
    swap = str.maketrans("hs", "sh")
    for line in ("X-X-X|2h|X-X-X|9s", "X-X-X|9s|X-X-X|2c|X"):
        other = "|".join(
            part.translate(swap) if part[0] != "X" else part for part in line.split("|")
        )
        one, image = solution.at(line), solution.at(other)
        names = list(one.names)
        swapped = [
            names.index(name) if name in names else names.index(name[2:] + name[:2])
            for name in (name.translate(swap) for name in names)
        ]
        assert one.reached == pytest.approx(image.reached)
        assert (one.combos == image.combos[swapped]).all()
        assert (one.strategy == image.strategy[:, swapped]).all()


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("X-X-X|", "board"),
        ("X-X-X|2c|X-X-X|", "board"),
        ("X-X-X|2c|X-X-X|2c", "board"),
        ("X-X-X|Qs", "board"),
        ("X|2h", "line"),
    ],
)
@pytest.mark.slow
def test_what_is_not_there_is_refused(line: str, option: str) -> None:
    with refuses(ConfigError, option=option):
        solved().at(line)


@pytest.mark.slow
def test_a_file_gives_back_the_solution(tmp_path: Path) -> None:
    solution = solved()
    path = solution.save(tmp_path / "flop.spot")
    read = eq.load_result(path)
    assert isinstance(read, ThreeSolution)
    assert read.fingerprint() == solution.fingerprint()
    for line in ("X", "X-X-X|2c|X-X-X|9d|X"):
        assert read.at(line).to_dict() == solution.at(line).to_dict()
    header, arrays = read_archive(path, THREE_SPOT)
    for name in ("ip_turn", "oop_river", "middle_worth"):
        broken = {**arrays, name: arrays[name][:, 1:]}
        write_archive(tmp_path / "broken.spot", THREE_SPOT, dict(header), broken)
        with pytest.raises(FileFormatError):
            eq.load_result(tmp_path / "broken.spot")


def test_locks_are_refused() -> None:
    with refuses(ConfigError, option="locks"):
        ThreeSpot(**SUITS, locks=[": X 1"])


def test_what_does_not_fit_is_refused() -> None:
    spot = ThreeSpot(**SUITS)
    needed = memory_needed(HandsAndGames.of(spot), 1)
    with refuses(MemoryBudgetError, option="memory", given=needed - 1, expected=needed):
        solve_three(spot, iterations=1, memory=needed - 1, threads=1)


@pytest.mark.slow
@pytest.mark.parametrize(("board", "share"), [("Qs9h5d", 1), ("QsJs5s", 2)])
def test_the_memory_that_is_needed_is_counted_within_a_twentieth(board: str, share: int) -> None:
    spot = ThreeSpot(
        board=board, oop=f"{4 * share}%", middle=f"{6 * share}%", ip=f"{5 * share}%", pot=60,
        stack=240, bets="50%", raises="a",
    )  # fmt: skip
    solve_three(spot, iterations=1)  # compiles
    laid_out = HandsAndGames.of(spot)
    needed = memory_needed(laid_out, 2)
    tracemalloc.start()
    try:
        solver = ThreeSolver(laid_out, SPOT_VARIANT, threads=2)
        solver.run(1)
        solver.measure()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert needed == pytest.approx(peak, rel=0.05)
