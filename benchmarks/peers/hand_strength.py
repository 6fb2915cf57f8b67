"""Strengths of a million random hands of seven cards: agreement with three evaluators, and speed.

    python benchmarks/peers/hand_strength.py      # some minutes, nearly all of them PokerKit's

Ours takes the array of hands at once, and checks every hand for double cards; with `out=` it writes
to an array that is there. phevaluator, eval7 and PokerKit are called from Python hand by hand, as
their users call them, on cards in their own form; most of their time may be the call. A round times
each in turn.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import eval7
import numpy as np
from phevaluator import evaluate_cards
from pokerkit import Card, StandardHighHand

from benchmarks.record import write_record
from equilibrist.poker.cards.cards import card_name
from equilibrist.poker.cards.evaluator import NUM_STRENGTHS, hand_strengths
from equilibrist.poker.cards.evaluator_tables import strength_tables

HANDS = 1_000_000
ROUNDS = 7
FEW = 20_000
"""Hands that a round times of evaluators that are called hand by hand."""


def main() -> None:
    """Compare, time, record."""
    deck = np.tile(np.arange(52, dtype=np.uint8), (HANDS, 1))
    hands = np.random.default_rng(0).permuted(deck, axis=1)[:, :7].copy()
    ours = hand_strengths(hands)
    names = [card_name(card) for card in range(52)]
    of_eval7 = [eval7.Card(name) for name in names]
    of_pokerkit = [next(iter(Card.parse(name))) for name in names]
    rows = hands.tolist()
    theirs: dict[str, Callable[[list[int]], object]] = {
        "phevaluator": lambda row: evaluate_cards(*row),
        "eval7": lambda row: eval7.evaluate([of_eval7[card] for card in row]),
        "PokerKit": lambda row: StandardHighHand.from_game([of_pokerkit[card] for card in row]),
    }
    differing = {
        "phevaluator": sum(
            NUM_STRENGTHS + 1 - theirs["phevaluator"](row) != found
            for row, found in zip(rows, ours.tolist(), strict=True)
        )
    }
    for name in ("eval7", "PokerKit"):
        differing[name] = order_differs(list(map(theirs[name], rows)), ours)
    out = np.empty(HANDS, dtype=np.uint16)
    timed: dict[str, Callable[[], object]] = {
        "Equilibrist": lambda: hand_strengths(hands),
        "Equilibrist, out=": lambda: hand_strengths(hands, out),
        **{name: lambda one=one: list(map(one, rows[:FEW])) for name, one in theirs.items()},
    }
    counts = {name: FEW if name in theirs else HANDS for name in timed}
    samples: dict[str, list[float]] = {name: [] for name in timed}
    for _ in range(ROUNDS):
        for name, run in timed.items():
            start = time.perf_counter()
            run()
            samples[name].append(counts[name] / (time.perf_counter() - start) / 1e6)
    median = {name: statistics.median(values) for name, values in samples.items()}
    size = sum(array.nbytes for array in strength_tables(7))
    write_record(
        "hand_strength",
        f"Million hands of seven shuffled cards per second, one core, median of {ROUNDS} rounds, "
        f"and the number of {HANDS:,} random hands on which other evaluators differ. The "
        f"seven-card tables of Equilibrist take {size:,} bytes.",
        "python benchmarks/peers/hand_strength.py",
        ["evaluator", "million hands/s", "ours / theirs", "differences"],
        [
            [name, median[name], median["Equilibrist"] / median[name], differing.get(name, "-")]
            for name in timed
        ],
        packages=("numpy", "numba", "phevaluator", "eval7", "pokerkit"),
        samples=samples,
        table_bytes=size,
    )


def order_differs(values: list[object], ours: np.ndarray) -> int:
    """How many neighbours by our strength compare otherwise by their values."""
    order = np.argsort(ours, kind="stable").tolist()
    return sum(
        (values[a] < values[b]) != bool(ours[a] < ours[b])
        or (values[a] == values[b]) != bool(ours[a] == ours[b])
        for a, b in zip(order, order[1:], strict=False)
    )


if __name__ == "__main__":
    main()
