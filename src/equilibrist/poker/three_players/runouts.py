"""The boards that the next card makes of a board, and passes of three players over all of them.

Boards that differ by a permutation of the suits that leaves the three ranges as they are play
alike: one of them is solved, and counts for all. A triple of hands holds six cards, so that of 48
cards it leaves 42, each of which is as likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import TILE, filled_up
from equilibrist.kernels.poker.three_ranges import FormLines
from equilibrist.kernels.poker.three_runouts import (
    JOB_COUNTERS,
    SeatRunouts,
    SeatScratch,
    Worth,
    WorthScratch,
    learn_runouts,
    measure_runouts,
)
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import COMBO_MASKS, NUM_COMBOS
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES, next_deals
from equilibrist.poker.postflop.engine.scratch import numbers
from equilibrist.poker.three_players.form_values import working_bytes, working_memory
from equilibrist.poker.three_players.forms import SEATS, Form
from equilibrist.poker.three_players.game import OTHERS, SeatGame, SeatGames
from equilibrist.poker.three_players.lock_rows import SeatLocks
from equilibrist.poker.three_players.tables import Tables, list_bytes, pack_lists
from equilibrist.solvers.run.threads import ThreadTeam
from equilibrist.typing import Int32Array

Floats = NDArray[Any]
"""float32 or float64, whichever a solver takes."""
_HELD = 2 * SEATS
"""Cards that a deal holds."""


class Runouts:
    """The boards of the next street, one for all that are images of each other.

    Attributes:
        boards: The cards of each board.
        hands: For each board and seat int32[n], the combos that the board leaves, ascending.
        widths: For each seat the length of rows: the most hands, filled up to a multiple of 16.
        chance: The probability of each card that no hand of a deal holds.
        counts: For each seat int32[B], the hands on each board.
        place: For each seat int32[B, W], the column of each hand in rows of the street before.
        image: int32[I], for each card that may be dealt the number of its board.
        target: For each seat uint32[I, W], for the hands of that board the column on the street
            before of the hand that plays like it.
    """

    def __init__(
        self, board: Sequence[int], hands: Sequence[Int32Array], group: Int32Array
    ) -> None:
        """List them.

        Args:
            board: The cards that are dealt already.
            hands: For each seat, its combos, ascending.
            group: int32[G], the permutations of suits that leave board and ranges as they are.
        """
        deals = next_deals(board, group)
        self.boards: list[tuple[int, ...]] = []
        self.hands: list[tuple[Int32Array, ...]] = []
        self._of_card = np.full(NUM_CARDS, -1, np.int32)
        self._to_representative = deals.to_representative
        for number, card in enumerate(deals.cards.tolist()):
            left = tuple(_without(held, card) for held in hands)
            if all(map(len, left)):  # else nothing can be dealt there
                self._of_card[deals.deal == number] = len(self.boards)
                self.boards.append((*board, card))
                self.hands.append(left)
        self.chance = 1.0 / (NUM_CARDS - len(board) - _HELD)
        most = [max(len(left[seat]) for left in self.hands) for seat in range(SEATS)]
        first, second, third = (filled_up(count, TILE) for count in most)
        self.widths = first, second, third
        self.counts = [
            np.array([len(left[seat]) for left in self.hands], np.int32) for seat in range(SEATS)
        ]
        dealt = np.flatnonzero(self._of_card >= 0)
        self.image = self._of_card[dealt]
        self.place, self.target = [], []
        for seat, held in enumerate(hands):
            place = np.zeros((len(self.boards), self.widths[seat]), np.int32)
            column = np.full((len(self.boards), NUM_COMBOS), -1, np.int32)
            for b, left in enumerate(self.hands):
                count = len(left[seat])
                place[b, :count] = np.searchsorted(held, left[seat])
                column[b, left[seat]] = np.arange(count)
            target = np.zeros((len(dealt), self.widths[seat]), np.uint32)
            for n, card in enumerate(dealt):
                images = column[self.image[n], COMBO_IMAGES[self._to_representative[card], held]]
                left_hands = np.flatnonzero(images >= 0)
                target[n, images[left_hands]] = left_hands
            self.place.append(place)
            self.target.append(target)

    @property
    def count(self) -> int:
        """How many boards there are."""
        return len(self.boards)

    def find(self, card: int) -> tuple[int, Int32Array]:
        """The board that is solved in place of that with a card.

        Args:
            card: The card that is dealt.

        Returns:
            Its number, -1 if no three hands can be held with the card, and int32[1326]: the combo
            there as which each combo plays.
        """
        return int(self._of_card[card]), COMBO_IMAGES[self._to_representative[card]]


class RunoutPasses:
    """Passes over the boards of a street in one precision.

    Args:
        runouts: The boards.
        lists: Those of all boards, for each seat, as `runout_lists` makes them.
        games: The game of each seat.
        precision: float32 or float64, of the arithmetic.
        team: The threads.
        threads: How many of them.
    """

    def __init__(
        self,
        runouts: Runouts,
        lists: Sequence[Any],
        games: SeatGames,
        precision: Any,
        team: ThreadTeam,
        threads: int,
    ) -> None:
        self._runouts, self._games, self._lists = runouts, games, lists
        self._team, self._threads = team, min(threads, runouts.count)
        self._lines = [lines_of(game, precision) for game in games]
        self._uniform = [(1.0 / np.diff(game.first)).astype(precision) for game in games]
        self._worth = [
            Worth(
                start=game.start,
                form=game.form,
                coefficient=game.coefficient.astype(precision),
                board=runouts.image,
                target=runouts.target[seat],
                chance=np.array([runouts.chance], precision),
            )
            for seat, game in enumerate(games)
        ]
        most = max(
            game.num_entries * width for game, width in zip(games, runouts.widths, strict=True)
        )
        self._out = [numbers(runouts.count * most, precision) for _ in range(2)]
        self._scratch = [
            _ThreadMemory(games, runouts.widths, precision) for _ in range(self._threads)
        ]

    def learn(
        self,
        seat: int,
        factors: Floats,
        strategies: Sequence[Floats],
        locks: Sequence[SeatLocks],
        regrets: Floats,
        sums: Floats,
        before: Sequence[Floats],
        to_worth: Floats,
    ) -> None:
        """Update a seat on all boards.

        Args:
            seat: The seat.
            factors: float[8]; a row of `Variant.table`, and the least probability of an action.
            strategies: For each seat float[B, R, W], what is played; that of the seat is replaced.
            locks: Those of each seat.
            regrets: float[B, R, W] of the seat, updated.
            sums: float[B, R, W] of the seat, updated.
            before: For each seat float[rows, V], reach on the street before.
            to_worth: float[rows, V] of the seat on the street before, added to.
        """
        j, k = OTHERS[seat]
        own, of_j, of_k = (
            self._played(other, strategies[other], locks[other]) for other in (seat, j, k)
        )
        out, counters = self._rows(0, seat), np.zeros(JOB_COUNTERS, np.int64)

        def work(thread: int) -> None:
            memory = self._scratch[thread]
            learn_runouts(
                self._lists[seat], self._lines[seat], own, of_j, of_k, self._worth[seat],
                before[seat], before[j], before[k], factors, regrets, sums, out, to_worth,
                memory.seats[seat], memory.seats[j], memory.seats[k], memory.worth[seat],
                memory.forms, thread, self._threads, counters,
            )  # fmt: skip

        self._team.run(work, self._threads, counters)

    def measure(
        self,
        seat: int,
        weights: Sequence[Floats],
        locks: Sequence[SeatLocks],
        before: Sequence[Floats],
        to_played: Floats,
        to_best: Floats,
    ) -> None:
        """Value what is played on all boards, and a seat's best response to it.

        Args:
            seat: The seat.
            weights: For each seat float[B, R, W], in proportion to which actions are taken.
            locks: Those of each seat, which bind its best response.
            before: For each seat float[rows, V], reach on the street before.
            to_played: float[rows, V] of the seat on the street before, added to.
            to_best: float[rows, V], likewise.
        """
        j, k = OTHERS[seat]
        own, of_j, of_k = (
            self._played(other, weights[other], locks[other]) for other in (seat, j, k)
        )
        played, best = self._rows(0, seat), self._rows(1, seat)
        counters = np.zeros(JOB_COUNTERS, np.int64)

        def work(thread: int) -> None:
            memory = self._scratch[thread]
            measure_runouts(
                self._lists[seat], self._lines[seat], own, of_j, of_k, self._worth[seat],
                before[seat], before[j], before[k], played, best, to_played, to_best,
                memory.seats[seat], memory.seats[j], memory.seats[k], memory.worth[seat],
                memory.forms, thread, self._threads, counters,
            )  # fmt: skip

        self._team.run(work, self._threads, counters)

    def _played(self, seat: int, strategy: Floats, locks: SeatLocks) -> SeatRunouts:
        game, runouts = self._games[seat], self._runouts
        return SeatRunouts(
            entry=game.entry,
            parent=game.parent,
            first=game.first,
            uniform=self._uniform[seat],
            hands=runouts.counts[seat],
            place=runouts.place[seat],
            strategy=strategy,
            locks=locks.arrays,
        )

    def _rows(self, number: int, seat: int) -> Floats:
        """float[B, N, W] of a seat, of shared memory."""
        shape = self._runouts.count, self._games[seat].num_entries, self._runouts.widths[seat]
        return self._out[number][: shape[0] * shape[1] * shape[2]].reshape(shape)


def runout_lists(runouts: Runouts) -> list[Any]:
    """The lists of all boards, for each seat.

    Args:
        runouts: The boards.

    Returns:
        RunoutLists of each seat.
    """
    tables = [
        Tables(board, hands, widths=runouts.widths)
        for board, hands in zip(runouts.boards, runouts.hands, strict=True)
    ]
    by_seat = [[of_board.seats[seat] for of_board in tables] for seat in range(SEATS)]
    del tables
    # Those that are packed are let go before the next are: lists can take most of the memory.
    return [pack_lists(by_seat.pop(0)) for _ in range(SEATS)]


def runout_bytes(runouts: Runouts, games: SeatGames, threads: int) -> int:
    """The bytes that the boards of a street take in a run in float32 that is measured.

    Args:
        runouts: The boards.
        games: The game of each seat.
        threads: How many threads share the boards.

    Returns:
        The bytes, but for small ones.
    """
    widths, float32, float64 = runouts.widths, 4, 8
    rows = [game.num_rows * width for game, width in zip(games, widths, strict=True)]
    forms = [len(game.kind) * width for game, width in zip(games, widths, strict=True)]
    entries = [game.num_entries * width for game, width in zip(games, widths, strict=True)]
    # Regrets, strategy sums, strategies, and the strategy sums that are kept.
    needed = 4 * float32 * runouts.count * sum(rows)
    needed += 2 * (float32 + float64) * runouts.count * max(entries)
    of_thread = 2 * sum(rows) + 2 * max(rows) + sum(forms)
    working = sum(working_bytes(widths, dtype) for dtype in (np.float32, np.float64))
    needed += min(threads, runouts.count) * ((float32 + float64) * of_thread + working)
    middle = int(np.argsort(np.sum(runouts.counts, axis=0))[runouts.count // 2])
    needed += runouts.count * list_bytes(runouts.boards[middle], runouts.hands[middle])
    return needed + sum(array.nbytes for array in (*runouts.place, *runouts.target))


def lines_of(game: SeatGame, precision: Any) -> FormLines:
    """The forms of a game as the kernels take them.

    Args:
        game: The game of a seat.
        precision: float32 or float64.

    Returns:
        A line for each form.
    """
    return FormLines(
        begin=np.searchsorted(game.kind, np.arange(len(Form) + 1)).astype(np.int64),
        row_j=np.ascontiguousarray(game.rows[:, 0]),
        row_k=np.ascontiguousarray(game.rows[:, 1]),
        row_out=np.arange(len(game.kind), dtype=np.int32),
        coefficient=np.ones(len(game.kind), precision),
    )


class _ThreadMemory:
    """The working memory of a thread."""

    def __init__(self, games: SeatGames, widths: Sequence[int], precision: Any) -> None:
        self.forms = working_memory(widths, precision)
        self.seats, self.worth = list[SeatScratch](), list[WorthScratch]()
        most = max(game.num_rows * width for game, width in zip(games, widths, strict=True))
        shared = [numbers(most, precision) for _ in range(2)]
        for game, width in zip(games, widths, strict=True):
            shape = game.num_rows, width
            size, forms = shape[0] * shape[1], len(game.kind)
            reach, values = numbers(size, precision), numbers(forms * width, precision)
            self.seats.append(
                SeatScratch(
                    flat=reach,
                    reach=reach.reshape(shape),
                    strategy=numbers(size, precision).reshape(shape),
                    total=numbers(width, precision),
                )
            )
            self.worth.append(
                WorthScratch(
                    flat=values,
                    forms=values.reshape(forms, width),
                    worth=shared[0][:size].reshape(shape),
                    best=shared[1][:size].reshape(shape),
                    mean=numbers(2 * width, precision).reshape(2, width),
                )
            )


def _without(hands: Int32Array, card: int) -> Int32Array:
    left: Int32Array = hands[(COMBO_MASKS[hands] >> np.uint64(card)) & np.uint64(1) == 0]
    return left
