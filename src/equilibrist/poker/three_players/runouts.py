"""The boards that the next card makes of a board, and passes of three players over all of them.

Boards that differ by a permutation of the suits that leaves the three ranges as they are play
alike: one of them is solved, and counts for all. A triple of hands holds six cards, so that of 48
cards it leaves 42, each of which is as likely. Rivers of a flop are those of each of its turns. The
same cards in another order make the same lists, which are kept once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

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
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, NUM_COMBOS, SECOND_CARD
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES, fixing, next_deals
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
_LISTED = 5
"""Boards whose lists are made to estimate what those of all take."""


class Runouts:
    """The boards of the next street, one for all that are images of each other.

    Attributes:
        boards: The cards of each board.
        hands: For each board and seat int32[n], the combos that the board leaves, ascending.
        group: int32[G], the permutations of suits that leave the cards dealt before and the ranges
            as they are.
        widths: For each seat the length of rows: the most hands, filled up to a multiple of 16.
        chance: The probability of each card that no hand of a deal holds.
        counts: For each seat int32[B], the hands on each board.
        place: For each seat int32[B, W], the column of each hand in rows of the street before.
        image: int32[I], for each card that may be dealt the number of its board.
        target: For each seat uint32[I, W], for the hands of that board the column on the street
            before of the hand that plays like it.
    """

    def __init__(
        self,
        board: Sequence[int],
        hands: Sequence[Int32Array],
        group: Int32Array,
        widths: tuple[int, int, int] | None = None,
    ) -> None:
        """List them.

        Args:
            board: The cards that are dealt already.
            hands: For each seat, its combos, ascending.
            group: int32[G], the permutations of suits that leave board and ranges as they are.
            widths: For each seat the length of rows, if they are longer than these boards need.
        """
        deals = next_deals(board, group)
        self.group = group
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
        self.widths = widths or (first, second, third)
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

    def following(self) -> tuple[Runouts, ...]:
        """The boards of the street after.

        Returns:
            For each board those that the next card makes of it; all rows of a seat are equally
            long.
        """
        first, second, third = (
            filled_up(max(map(_most_left, self.boards, of_seat)), TILE)
            for of_seat in zip(*self.hands, strict=True)
        )
        return tuple(
            Runouts(board, hands, fixing(self.group, board[-1]), (first, second, third))
            for board, hands in zip(self.boards, self.hands, strict=True)
        )


class BoardLists(NamedTuple):
    """The lists of boards."""

    seats: list[Any]
    """RunoutLists of each seat."""
    numbers: list[Int32Array]
    """int32[B] for each of several Runouts: which lists are those of each board."""


class Learned(NamedTuple):
    """What is learned on B boards, for each seat."""

    strategies: Sequence[Floats]
    """float[B, R, W]: what is played; float[0, R, W] where that follows from regrets."""
    regrets: Sequence[Floats]
    """float[B, R, W], or without the rows that are entered."""
    sums: Sequence[Floats]
    """Strategy sums, of the same shape."""

    def part(self, begin: int, end: int) -> Learned:
        """Some of the boards.

        Args:
            begin: The first of them.
            end: The one after the last.

        Returns:
            Views.
        """
        strategies, regrets, sums = ([rows[begin:end] for rows in kind] for kind in self)
        return Learned(strategies, regrets, sums)


class RunoutPasses:
    """Passes over the boards of a street in one precision.

    Args:
        runouts: The boards that cards make of each board of the street before; all rows of a seat
            are equally long.
        lists: Those of all boards.
        games: The game of each seat.
        precision: float32 or float64, of the arithmetic.
        team: The threads.
        threads: How many of them.
    """

    def __init__(
        self,
        runouts: Sequence[Runouts],
        lists: BoardLists,
        games: SeatGames,
        precision: Any,
        team: ThreadTeam,
        threads: int,
    ) -> None:
        self._runouts, self._games, self._lists = runouts, games, lists
        self._most, self.widths = max(r.count for r in runouts), runouts[0].widths
        self._team, self._threads = team, min(threads, self._most)
        self._lines = [lines_of(game, precision) for game in games]
        self._uniform = [(1.0 / np.diff(game.first)).astype(precision) for game in games]
        coefficients = [game.coefficient.astype(precision) for game in games]
        self._worth = [
            [
                Worth(
                    start=game.start,
                    form=game.form,
                    coefficient=coefficients[seat],
                    board=of_board.image,
                    target=of_board.target[seat],
                    chance=np.array([of_board.chance], precision),
                )
                for seat, game in enumerate(games)
            ]
            for of_board in runouts
        ]
        most = max(game.num_entries * width for game, width in zip(games, self.widths, strict=True))
        self._out = [numbers(self._most * most, precision) for _ in range(2)]
        self._scratch = [_ThreadMemory(games, self.widths, precision) for _ in range(self._threads)]

    def learn(
        self,
        parent: int,
        seat: int,
        factors: Floats,
        learned: Learned,
        locks: Sequence[SeatLocks],
        before: Sequence[Floats],
        to_worth: Floats,
    ) -> None:
        """Update a seat on all boards that cards make of one.

        Args:
            parent: The number of that board.
            seat: The seat.
            factors: float[8]; a row of `Variant.table`, and the least probability of an action.
            learned: What was learned on the boards; that of the seat is updated.
            locks: Those of each seat.
            before: For each seat float[rows, V], reach on the street before.
            to_worth: float[rows, V] of the seat on the street before, added to.
        """
        j, k = OTHERS[seat]
        own, of_j, of_k = (
            self._played(
                parent, other, learned.strategies[other], learned.regrets[other], locks[other]
            )
            for other in (seat, j, k)
        )
        out, counters = self._rows(0, seat), np.zeros(JOB_COUNTERS, np.int64)
        lists, worth, sums = self._lists.seats[seat], self._worth[parent][seat], learned.sums[seat]

        def work(thread: int) -> None:
            memory = self._scratch[thread]
            learn_runouts(
                lists, self._lines[seat], own, of_j, of_k, worth, before[seat], before[j],
                before[k], factors, sums, out, to_worth, memory.seats[seat], memory.seats[j],
                memory.seats[k], memory.worth[seat], memory.forms, thread, self._threads, counters,
            )  # fmt: skip

        self._team.run(work, self._threads, counters)

    def measure(
        self,
        parent: int,
        seat: int,
        weights: Sequence[Floats],
        locks: Sequence[SeatLocks],
        before: Sequence[Floats],
        to_played: Floats,
        to_best: Floats,
    ) -> None:
        """Value what is played on all boards of one, and a seat's best response to it.

        Args:
            parent: The number of that board.
            seat: The seat.
            weights: For each seat float[B, R, W], or without the rows that are entered: in
                proportion to which actions are taken.
            locks: Those of each seat, which bind its best response.
            before: For each seat float[rows, V], reach on the street before.
            to_played: float[rows, V] of the seat on the street before, added to.
            to_best: float[rows, V], likewise.
        """
        j, k = OTHERS[seat]
        own, of_j, of_k = (
            self._played(parent, other, weights[other], weights[other], locks[other])
            for other in (seat, j, k)
        )
        played, best = self._rows(0, seat), self._rows(1, seat)
        lists, worth = self._lists.seats[seat], self._worth[parent][seat]
        counters = np.zeros(JOB_COUNTERS, np.int64)

        def work(thread: int) -> None:
            memory = self._scratch[thread]
            measure_runouts(
                lists, self._lines[seat], own, of_j, of_k, worth, before[seat], before[j],
                before[k], played, best, to_played, to_best, memory.seats[seat], memory.seats[j],
                memory.seats[k], memory.worth[seat], memory.forms, thread, self._threads, counters,
            )  # fmt: skip

        self._team.run(work, self._threads, counters)

    def _played(
        self, parent: int, seat: int, strategy: Floats, regrets: Floats, locks: SeatLocks
    ) -> SeatRunouts:
        game, runouts = self._games[seat], self._runouts[parent]
        return SeatRunouts(
            entry=game.entry,
            parent=game.parent,
            first=game.first,
            uniform=self._uniform[seat],
            hands=runouts.counts[seat],
            lists=self._lists.numbers[parent],
            place=runouts.place[seat],
            strategy=strategy,
            regrets=regrets,
            locks=locks.arrays,
        )

    def _rows(self, number: int, seat: int) -> Floats:
        """float[B, N, W] of a seat, of shared memory."""
        shape = self._most, self._games[seat].num_entries, self.widths[seat]
        return self._out[number][: shape[0] * shape[1] * shape[2]].reshape(shape)


def board_lists(runouts: Sequence[Runouts]) -> BoardLists:
    """The lists of all boards.

    Args:
        runouts: The boards, whose rows are equally long.

    Returns:
        Those of boards with the same cards once.
    """
    places = dict[frozenset[int], int]()
    numbers, tables = list[Int32Array](), list[Tables]()
    for of_board in runouts:
        numbers.append(np.zeros(of_board.count, np.int32))
        for b, (board, hands) in enumerate(zip(of_board.boards, of_board.hands, strict=True)):
            numbers[-1][b] = places.setdefault(frozenset(board), len(tables))
            if len(places) > len(tables):
                tables.append(Tables(board, hands, widths=of_board.widths))
    by_seat = [[of_cards.seats[seat] for of_cards in tables] for seat in range(SEATS)]
    del tables
    # Those that are packed are let go before the next are: lists can take most of the memory.
    return BoardLists([pack_lists(by_seat.pop(0)) for _ in range(SEATS)], numbers)


def runout_bytes(runouts: Sequence[Runouts], games: SeatGames, threads: int) -> int:
    """The bytes of boards, of their lists, and of passes over them in both precisions.

    Args:
        runouts: The boards that cards make of each board of the street before.
        games: The game of each seat.
        threads: How many threads share the boards.

    Returns:
        The bytes, but for small ones.
    """
    widths, most, both = runouts[0].widths, max(of_board.count for of_board in runouts), 4 + 8
    rows = [game.num_rows * width for game, width in zip(games, widths, strict=True)]
    forms = [len(game.kind) * width for game, width in zip(games, widths, strict=True)]
    entries = [game.num_entries * width for game, width in zip(games, widths, strict=True)]
    needed = 2 * both * most * max(entries)
    of_thread = 2 * sum(rows) + 2 * max(rows) + sum(forms)
    working = sum(working_bytes(widths, dtype) for dtype in (np.float32, np.float64))
    needed += min(threads, most) * (both * of_thread + working)
    for of_board in runouts:
        needed += sum(array.nbytes for array in (*of_board.place, *of_board.target))
    return needed + _bytes_of_lists(runouts)


def _bytes_of_lists(runouts: Sequence[Runouts]) -> int:
    """The bytes of the lists of all boards, by some of them: of more hands, and of fewer."""
    boards = {
        frozenset(board): (board, hands)
        for of_board in runouts
        for board, hands in zip(of_board.boards, of_board.hands, strict=True)
    }
    by_size = sorted(boards.values(), key=lambda dealt: sum(map(len, dealt[1])))
    places = np.linspace(0, len(by_size) - 1, 2 * _LISTED + 1).astype(np.int64)[1::2]
    listed = [list_bytes(*by_size[place]) for place in places]
    return len(by_size) * sum(listed) // _LISTED


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


def _most_left(board: Sequence[int], hands: Int32Array) -> int:
    """The most hands that a further card leaves."""
    held = np.bincount(np.append(FIRST_CARD[hands], SECOND_CARD[hands]), minlength=NUM_CARDS)
    return len(hands) - int(np.delete(held, board).min())


def _without(hands: Int32Array, card: int) -> Int32Array:
    left: Int32Array = hands[(COMBO_MASKS[hands] >> np.uint64(card)) & np.uint64(1) == 0]
    return left
