"""Seconds for the equity of two ranges: every street, exact and drawn, by one thread and by two.

    python benchmarks/poker/equity_speed.py      # a minute; the machine must be idle

eval7 draws: for each hand of the first range so many hands of the second, in turn, and so many
boards; it has an exact way for full boards only. So it is asked how long it takes to a 95 %
interval of +-0.1 % for the range, 1.96 sqrt(p (1 - p) / n) after n draws. Where we draw, our own
interval says the same of ours; what is exact takes as long to any interval. All weights are one,
and eval7 gets the second range shuffled: otherwise it is off by up to some percent. A round takes
each way in turn, and eval7's equity must agree with ours to within five standard errors.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import eval7
import numpy as np

from benchmarks.record import write_record
from equilibrist.poker.cards.cards import NUM_CARDS, card_mask, card_name, parse_cards
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, SECOND_CARD, without_cards
from equilibrist.poker.equities.equity import Equity, equity
from equilibrist.poker.ranges.range import Range

OOP = "88+,A8s+,A5s-A2s,ATo+,K9s+,KTo+,Q9s+,QJo,J8s+,JTo,T7s+,96s+,85s+,74s+,63s+,52s+,42s+,32s"
IP = "AA,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,95s+,98o,85s+,74s+,63s+,53s"
CASES: list[tuple[str, str, str, str, dict[str, Any]]] = [
    ("wide ranges, flop", OOP, IP, "QsJh2h", {}),
    ("wide ranges, turn", OOP, IP, "QsJh2h8c", {}),
    ("wide ranges, river", OOP, IP, "QsJh2h8c3d", {}),
    ("AA against KK", "AA", "KK", "", {}),
    ("AA against KK", "AA", "KK", "", {"samples": 50_000}),
    ("the best 15 % against 40 %", "15%", "40%", "", {}),
    ("the best 15 % against 40 %", "15%", "40%", "", {"samples": 50_000}),
    ("wide ranges, before the flop", OOP, IP, "", {"samples": 50_000}),
    ("AhKh against QQ-99,AQs", "AhKh", "QQ-99,AQs", "", {"samples": 50_000}),
]
ROUNDS = 7
THREADS = 2
WITHIN = 0.001
DRAWS = 200_000
"""Draws of eval7 that a round times, over all hands of the first range."""
MOST_HANDS = 1326
"""Of each hand at least so many, so that every hand of the second range has its turn."""


def their_range(given: Range, board: tuple[int, ...]) -> tuple[eval7.HandRange, np.ndarray]:
    """eval7's form of a range, and our numbers of its hands."""
    free = without_cards(card_mask(board))
    held = np.random.default_rng(0).permutation(np.flatnonzero((given.weights > 0) & free))
    found = eval7.HandRange("")
    names = [card_name(card) for card in range(NUM_CARDS)]
    found.hands = [
        ((eval7.Card(names[SECOND_CARD[combo]]), eval7.Card(names[FIRST_CARD[combo]])), 1.0)
        for combo in held
    ]
    return found, held


def theirs(oop: str, ip: str, board: str) -> tuple[Callable[[], float], int]:
    """eval7's equity of the first range, and how many draws it takes."""
    cards = parse_cards(board)
    on_board = [eval7.Card(card_name(card)) for card in cards]
    first, hands = their_range(Range(oop), cards)
    second, others = their_range(Range(ip), cards)
    each = max(MOST_HANDS, DRAWS // len(hands))
    apart = (COMBO_MASKS[hands][:, None] & COMBO_MASKS[others]) == 0
    meets = apart.sum(axis=1)

    def drawn() -> float:
        found = eval7.py_all_hands_vs_range(first, second, on_board, each)
        shares = [found[hand] for hand, _ in first.hands]
        return float(np.dot(shares, meets) / meets.sum())

    return drawn, each * len(hands)


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Milliseconds, and the result."""
    start = time.perf_counter()
    found = run()
    return 1e3 * (time.perf_counter() - start), found


def measure(case: tuple[str, str, str, str, dict[str, Any]]) -> tuple[list[Any], dict[str, Any]]:
    """The row of one case, and its samples."""
    name, oop, ip, board, options = case
    drawn, draws = theirs(oop, ip, board)
    ranges = Range(oop), Range(ip)
    ways: dict[str, Callable[[], Any]] = {
        "one thread": lambda: equity(*ranges, board, **options),
        "threads": lambda: equity(*ranges, board, threads=THREADS, **options),
        "eval7": drawn,
    }
    ours: Equity = ways["one thread"]()
    error = 1.959964 * sqrt(ours.oop * ours.ip / draws)
    off = ways["eval7"]() - ours.oop
    if abs(off) > 5 / 1.959964 * error:
        raise SystemExit(f"{name}: eval7 is off by {off:+.5f}, its interval is +-{error:.5f}")
    samples: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, run in ways.items():
            samples[way].append(timed(run)[0])
    median = {way: statistics.median(values) for way, values in samples.items()}
    two = statistics.median(
        one / other for one, other in zip(samples["one thread"], samples["threads"], strict=True)
    )
    to_interval = median["one thread"]
    if ours.interval is not None:
        low, high = ours.interval
        to_interval *= ((high - low) / 2 / WITHIN) ** 2
    of_eval7 = median["eval7"] * (error / WITHIN) ** 2
    boards = f"{'all' if ours.exact else 'drawn'}, {ours.boards:,}"
    row = [name, boards, median["one thread"], median["threads"], two]
    return [*row, to_interval, of_eval7, of_eval7 / to_interval], samples


def main() -> None:
    """Time every case and write the record."""
    rows, raw = [], {}
    for case in CASES:
        row, samples = measure(case)
        rows.append(row)
        raw[", ".join(row[:2])] = samples
        print(row, flush=True)
    write_record(
        "equity_speed",
        f"Milliseconds for the equity of two ranges, medians of {ROUNDS} interleaved rounds; an "
        "exact computation takes the same time for any interval.",
        "python benchmarks/poker/equity_speed.py",
        [
            "ranges",
            "boards",
            "one thread",
            f"{THREADS} threads",
            "one / two threads",
            "to ±0.1 %",
            "eval7 to ±0.1 %",
            "eval7 / ours",
        ],
        rows,
        packages=("numpy", "numba", "eval7"),
        seed=0,
        draws=DRAWS,
        milliseconds=raw,
    )


if __name__ == "__main__":
    main()
