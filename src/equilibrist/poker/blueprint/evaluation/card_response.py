"""Card response: the best response that sees all cards, inside the betting tree of a blueprint.

It chooses a bet of the tree for each of its hands and every board. With all flops it is exact for
that tree: no strategy that keeps to the sizes wins more. With sampled flops, each of them with all
its turn and river cards, the choices after the flop are those of a best response. The choices
before the flop are made on other flops than those that are valued: each half of the flops is valued
with the choices of the other half. What they win is an unbiased estimate for strategies that need
not be the best ones, and so a lower bound.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import permutations
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.evaluation.duplicates import Estimate
from equilibrist.kernels.blueprint.responses import respond_on_flop
from equilibrist.parsing.arguments import optional_whole_number, whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.blueprint.abstract_game import check_evaluated
from equilibrist.poker.blueprint.evaluation.exploiter_figures import as_json
from equilibrist.poker.blueprint.evaluation.row_schedule import build_schedule, work_for
from equilibrist.poker.blueprint.evaluation.values import (
    MILLI,
    estimate,
    random_boards,
    strategy_of,
)
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.blueprint.training.boards import board_rows
from equilibrist.poker.blueprint.training.preflop_ends import PreflopEnds
from equilibrist.poker.buckets.board_hands import deck_hands, hands_on
from equilibrist.poker.cards.canonical_boards import canonical_boards
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, NUM_CLASSES
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.hands.state import DECISION
from equilibrist.progress import Callbacks, OnProgress, PartsReport, as_callbacks
from equilibrist.typing import FloatArray, Int32Array, UInt8Array

LEAST_FLOPS: Final = 4
_RESPONSE: Final = 4
"""What boards are for."""
_Choices = dict[int, NDArray[np.int64]]


@dataclass(frozen=True)
class CardResponse:
    """What best responses with all cards win, in mbb per hand.

    Attributes:
        gain: Half of what both seats' responses win together. With all flops the exploitability of
            the blueprint inside its betting tree, with a half width of 0.
        values: What each seat's response wins from the blueprint.
        flops: Flops that were valued.
        exact: Whether these are all flops.
        seed: The seed of sampled flops.
    """

    gain: Estimate
    values: tuple[Estimate, Estimate]
    flops: int
    exact: bool
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """The figures for JSON.

        Returns:
            Every estimate as `{"mean": ..., "half_width": ...}`, in mbb per hand.
        """
        return {
            "kind": "exact in the betting tree" if self.exact else "lower bound",
            "gain": as_json(self.gain),
            "values": [as_json(value) for value in self.values],
            "flops": self.flops,
            "seed": self.seed,
        }


def card_response(
    blueprint: Blueprint,
    flops: int | None = None,
    *,
    seed: int = 0,
    threads: int | None = None,
    callbacks: Callbacks | OnProgress | None = None,
) -> CardResponse:
    """Value best responses of both seats that see all cards.

    Args:
        blueprint: The blueprint.
        flops: Flops to sample; None for all flops.
        seed: Their seed.
        threads: Threads to work with; the result is the same.
        callbacks: Functions called as flops are done.

    Returns:
        The values.

    Raises:
        ConfigError: An argument is out of range.
        UnsupportedError: The blueprint has more than two seats.
        KeyboardInterrupt: Ctrl-C was pressed, or a callback ended it.
    """
    check_evaluated(blueprint.hand, "a card response")
    optional_whole_number("flops", flops, LEAST_FLOPS, 10**6)
    whole_number("seed", seed, 0)
    responder = _Responder(blueprint)
    if flops is None:
        every = canonical_boards(3, blueprint.cards.lowest_rank)
        cards, weights = every.cards, every.copies / every.copies.sum()
    else:
        cards = random_boards(blueprint.cards.lowest_rank, flops, (seed, _RESPONSE))[:, :3]
        weights = np.full(flops, 1 / flops)
    report = PartsReport(as_callbacks(callbacks), "card response", "flops", len(cards))
    half = len(cards) if flops is None else len(cards) // 2
    halves = [np.zeros(responder.shape), np.zeros(responder.shape)]
    kept = []
    with ThreadPoolExecutor(thread_count(threads)) as pool:
        for k, sums in enumerate(pool.map(responder.sums, np.sort(cards, axis=1))):
            halves[k >= half] += weights[k] * sums
            if flops is not None:
                kept.append(sums[responder.ends])
            if not report.goes_on(k + 1):
                raise KeyboardInterrupt
    if flops is None:
        total = halves[0]
        responder.choices(total)
        exact = [Estimate(float(values.sum()), 0.0) for values in total[0]]
        gain = Estimate((exact[0].mean + exact[1].mean) / 2, 0.0)
        return CardResponse(gain, (exact[0], exact[1]), len(cards), exact=True, seed=seed)
    choices = [responder.choices(half_sums) for half_sums in halves]
    won = np.array(
        [responder.follow(flop_ends, choices[k < half]) for k, flop_ends in enumerate(kept)]
    )
    return CardResponse(
        gain=estimate(won.mean(axis=1)),
        values=(estimate(won[:, 0]), estimate(won[:, 1])),
        flops=len(won),
        exact=False,
        seed=seed,
    )


def seconds_of_a_flop(blueprint: Blueprint) -> float:
    """About how long a flop takes on one thread, by one of its turn cards.

    Args:
        blueprint: The blueprint.

    Returns:
        Seconds without compiling.
    """
    responder, lowest = _Responder(blueprint), 4 * blueprint.cards.lowest_rank
    flop = np.arange(lowest, lowest + 3, dtype=np.uint8)
    responder.sums(flop, 1)  # which may compile
    begun = perf_counter()
    responder.sums(flop, 1)
    return (perf_counter() - begun) * (NUM_CARDS - lowest - 3)


class _Responder:
    """Best responses on flops, and before the flop on sums over flops."""

    def __init__(self, blueprint: Blueprint) -> None:
        self._cards, self._tree = blueprint.cards, blueprint.tree
        self._lowest = blueprint.cards.lowest_rank
        self._strategy = strategy_of(blueprint)
        self._schedule = build_schedule(blueprint.game)
        self._streets = blueprint.hand.rules.final_street + 1
        self._hands = hands_on(5, self._lowest)
        left = 49 - 4 * self._lowest
        self._boards = left * (left - 1)
        self._pairs = self._hands * hands_on(7, self._lowest)
        tree = self._tree
        decisions = [
            np.flatnonzero((tree.kind == DECISION) & (tree.street == street)) for street in range(4)
        ]
        self._nodes = np.concatenate(decisions).astype(np.int32)
        self._begin = np.cumsum([0, *map(len, decisions)]).astype(np.int32)
        self._preflop = decisions[0].tolist()
        children = {child for node in self._preflop for child in tree.children(node)}
        self.ends = np.array(sorted(children - set(self._preflop)), np.int64)
        self.shape = (tree.num_nodes, 2, len(CLASS_OF_COMBO))
        self._scratch: SimpleQueue[Any] = SimpleQueue()
        self._known_nodes, self._known = self._known_ends(blueprint)

    def _known_ends(self, blueprint: Blueprint) -> tuple[Int32Array, NDArray[np.float32]]:
        """Terminal nodes before the flop, and what they win on average over all boards.

        With 52 cards the all-in table has them, in the scale of `sums`: without noise of flops.
        """
        if self._lowest:
            return np.zeros(0, np.int32), np.zeros((0, *self.shape[1:]), np.float32)
        nodes: Int32Array = build_schedule(blueprint.game, known_street=0).betting.known
        values = PreflopEnds(blueprint.game, self._cards, nodes).values(self._strategy)
        left = self._hands / self.shape[2]  # the share of boards that leave a hand
        return nodes, values * np.float32(left * MILLI / self._pairs)

    def sums(self, flop: UInt8Array, turns: int | None = None) -> FloatArray:
        """Sums over all boards of a flop, float64[N, 2, 1326], at the ends of the first street.

        They are scaled to values in mbb: the sum over the hands at the start is what a seat wins.
        turns: how many turn cards are dealt; None for all, without which it is not that sum.
        """
        try:
            work, turn_sums, flop_sums = self._scratch.get_nowait()
        except Empty:
            work = work_for(self._schedule, self._hands)
            turn_sums, flop_sums = np.zeros(self.shape), np.zeros(self.shape)
        boards = _runouts(flop, self._lowest)[:turns]
        flat = board_rows(self._cards, boards.reshape(-1, 5), self._streets)
        rows = flat.rows.reshape(*boards.shape[:2], self._streets, -1)
        sums = np.zeros(self.shape)
        respond_on_flop(
            strength_tables(7), deck_hands(self._lowest), self._schedule.betting, self._tree.kind,
            self._nodes, self._begin, boards, rows,
            self._strategy, work, turn_sums, flop_sums, sums,
        )  # fmt: skip
        self._scratch.put((work, turn_sums, flop_sums))
        sums *= MILLI / (self._boards * self._pairs)
        sums[self._known_nodes] = self._known
        return sums

    def choices(self, sums: FloatArray) -> _Choices:
        """At each decision before the flop the best action by combo, chosen by hand class.

        Fills the sums of these decisions. Over all flops the hands of a class are alike; canonical
        flops with their weights have the right sum over a class, though not for each of its hands.
        """
        choices: _Choices = {}
        for node in reversed(self._preflop):
            seat = int(self._tree.player[node])
            below = sums[self._tree.children(node)]
            by_class = np.array(
                [np.bincount(CLASS_OF_COMBO, values, NUM_CLASSES) for values in below[:, seat]]
            )
            choices[node] = by_class.argmax(axis=0)[CLASS_OF_COMBO]
            sums[node, seat] = np.take_along_axis(below[:, seat], choices[node][None], axis=0)[0]
            sums[node, 1 - seat] = below[:, 1 - seat].sum(axis=0)
        return choices

    def follow(self, ends: FloatArray, choices: _Choices) -> tuple[float, float]:
        """Value choices by the values at the ends of the first street."""
        values = dict(zip(self.ends.tolist(), ends, strict=True))
        for node in reversed(self._preflop):
            seat = int(self._tree.player[node])
            below = np.array([values[child] for child in self._tree.children(node)])
            won = below.sum(axis=0)
            won[seat] = np.take_along_axis(below[:, seat], choices[node][None], axis=0)[0]
            values[node] = won
        return float(values[0][0].sum()), float(values[0][1].sum())


def _runouts(flop: UInt8Array, lowest_rank: int) -> UInt8Array:
    """uint8[T, T - 1, 5]: all boards of a flop, those of a turn card together."""
    left = [card for card in range(4 * lowest_rank, 52) if card not in flop]
    pairs = np.array([*permutations(left, 2)], np.uint8)
    boards = np.concatenate([np.tile(flop, (len(pairs), 1)), pairs], axis=1)
    return boards.reshape(len(left), len(left) - 1, 5)
