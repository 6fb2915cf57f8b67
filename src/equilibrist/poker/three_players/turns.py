"""Passes of three players over the turns of a flop, each with its rivers.

Turns come one after another; the rivers of one are shared by threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.poker.three_decisions import add_best, add_played, average, learn
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES
from equilibrist.poker.three_players.form_values import working_bytes
from equilibrist.poker.three_players.forms import SEATS
from equilibrist.poker.three_players.game import OTHERS, SeatGames
from equilibrist.poker.three_players.lock_rows import free_seat
from equilibrist.poker.three_players.runouts import Learned, RunoutPasses, Runouts
from equilibrist.poker.three_players.street import SeatPasses, StreetForms
from equilibrist.poker.three_players.tables import Tables, list_bytes
from equilibrist.typing import Int32Array, Int64Array

Floats = NDArray[Any]
"""float32 or float64, whichever a solver takes."""


class Turns(NamedTuple):
    """The turns of a flop with their rivers."""

    boards: Runouts
    """The turns."""
    rivers: tuple[Runouts, ...]
    """The rivers of each."""
    tables: list[Tables]
    """The lists of each turn."""
    begins: Int64Array
    """int64[T + 1]: the first river of each turn, rivers being numbered through; the end."""


class TurnPasses:
    """Passes over the turns of a flop in one precision.

    Args:
        turns: The turns.
        games: The game of each seat on the turn.
        rivers: The passes over the rivers of each turn.
        precision: float32 or float64, of the arithmetic.
    """

    def __init__(
        self, turns: Turns, games: SeatGames, rivers: RunoutPasses, precision: type[Any]
    ) -> None:
        self._turns, self._rivers, self._begins = turns, rivers, turns.begins
        widths = turns.boards.widths
        self._forms = StreetForms(widths, games, precision)
        self._passes = [SeatPasses(game, precision) for game in games]
        shapes = [(game.num_rows, width) for game, width in zip(games, widths, strict=True)]
        self._reach = [np.zeros(shape, precision) for shape in shapes]
        self._strategies = [np.ones(shape, precision) for shape in shapes]
        self._total = [np.zeros(width, precision) for width in widths]
        self._mean = [np.zeros((2, width), precision) for width in widths]
        self._chance = precision(turns.boards.chance)
        # Flops have no locks.
        self._free = free_seat().arrays
        self._free_rivers = [free_seat(max(rivers.count for rivers in turns.rivers))] * SEATS
        # Hands that are images of each other keep the same strategy to the last bit.
        self._alike = [
            [led(held, rivers.group) for held in hands]
            for hands, rivers in zip(turns.boards.hands, turns.rivers, strict=True)
        ]

    def learn(
        self,
        seat: int,
        factors: Floats,
        on_turns: Learned,
        on_rivers: Learned,
        before: Sequence[Floats],
        to_worth: Floats,
    ) -> None:
        """Update a seat on all turns and rivers.

        Args:
            seat: The seat.
            factors: float[8]; a row of `Variant.table`, and the least probability of an action.
            on_turns: What was learned on the turns; that of the seat is updated.
            on_rivers: The same of the rivers, those of the first turn first.
            before: For each seat float[rows, V], reach on the flop.
            to_worth: float[rows, V] of the seat on the flop, added to.
        """
        passes = self._passes[seat]
        game = passes.game
        for turn, (begin, end) in enumerate(zip(self._begins[:-1], self._begins[1:], strict=True)):
            for other in range(SEATS):
                self._enter(turn, other, before[other], on_turns.strategies[other][turn])
            worth = self._worth(turn, seat)
            self._rivers.learn(
                turn, seat, factors, on_rivers.part(begin, end), self._free_rivers, self._reach,
                worth,
            )  # fmt: skip
            others, leaders = self._alike[turn][seat]
            worth[:, others] = worth[:, leaders]
            learn(
                game.parent, game.first, passes.uniform, factors, self._free, self._reach[seat],
                worth, on_turns.regrets[seat][turn], on_turns.sums[seat][turn],
                on_turns.strategies[seat][turn], self._mean[seat],
            )  # fmt: skip
            self._leave(turn, seat, worth, to_worth)

    def measure(
        self,
        seat: int,
        on_turns: Sequence[Floats],
        on_rivers: Sequence[Floats],
        before: Sequence[Floats],
        to_played: Floats,
        to_best: Floats,
    ) -> None:
        """Value what is played on all turns and rivers, and a seat's best response to it.

        Args:
            seat: The seat.
            on_turns: For each seat float[T, R, W], in proportion to which actions are taken.
            on_rivers: For each seat that of the rivers, perhaps without the rows that are entered.
            before: For each seat float[rows, V], reach on the flop.
            to_played: float[rows, V] of the seat on the flop, added to.
            to_best: float[rows, V], likewise.
        """
        for turn in range(self._turns.boards.count):
            played, best = self.value(turn, seat, on_turns, on_rivers, before)
            self._leave(turn, seat, played, to_played)
            self._leave(turn, seat, best, to_best)

    def value(
        self,
        turn: int,
        seat: int,
        on_turns: Sequence[Floats],
        on_rivers: Sequence[Floats],
        before: Sequence[Floats],
    ) -> tuple[Floats, Floats]:
        """Value what is played on one turn and its rivers, and a seat's best response to it.

        Args:
            turn: The number of the turn.
            seat: The seat.
            on_turns: As of `measure`.
            on_rivers: As of `measure`.
            before: As of `measure`.

        Returns:
            float[R, W], the worth of the seat's rows on the turn, times the reach of the others: if
            it plays its strategy, and if it plays a best response.
        """
        begin, end = self._begins[turn], self._begins[turn + 1]
        for other, passes in enumerate(self._passes):
            average(
                passes.game.first, on_turns[other][turn], passes.uniform, self._total[other],
                self._strategies[other],
            )  # fmt: skip
            self._enter(turn, other, before[other], self._strategies[other])
        played = self._worth(turn, seat)
        best = played.copy()
        weights = [rows[begin:end] for rows in on_rivers]
        self._rivers.measure(turn, seat, weights, self._free_rivers, self._reach, played, best)
        game, reach = self._passes[seat].game, self._reach[seat]
        add_played(game.parent, game.first, self._strategies[seat], self._free, reach, played)
        add_best(game.parent, game.first, self._free, best)
        return played, best

    def _enter(self, turn: int, seat: int, before: Floats, strategy: Floats) -> None:
        """Pass reach on from the flop to all rows of a turn."""
        passes, boards = self._passes[seat], self._turns.boards
        entered = np.zeros((passes.game.num_entries, strategy.shape[1]), strategy.dtype)
        count = boards.counts[seat][turn]
        place = boards.place[seat][turn, :count]
        entered[:, :count] = before[passes.game.entry[:, None], place]
        passes.reach(entered, strategy, self._reach[seat])

    def _worth(self, turn: int, seat: int) -> Floats:
        """What each row of a seat is worth by itself on a turn."""
        j, k = OTHERS[seat]
        tables = self._turns.tables[turn]
        return self._passes[seat].worth(
            self._forms.values(tables, seat, self._reach[j], self._reach[k])
        )

    def _leave(self, turn: int, seat: int, worth: Floats, to_worth: Floats) -> None:
        """Add what a turn is worth to the rows of the flop, for each card that it stands for."""
        boards, game = self._turns.boards, self._passes[seat].game
        count = boards.counts[seat][turn]
        added = self._chance * worth[: game.num_entries, :count]
        for card in np.flatnonzero(boards.image == turn):
            to_worth[game.entry[:, None], boards.target[seat][card, :count]] += added


def turn_bytes(boards: Runouts, games: SeatGames) -> int:
    """The bytes that the turns take in a run in float32 that is measured, without their rivers.

    Args:
        boards: The turns.
        games: The game of each seat.

    Returns:
        The bytes, but for small ones.
    """
    widths, both = boards.widths, 4 + 8
    rows = [game.num_rows * width for game, width in zip(games, widths, strict=True)]
    forms = [len(game.kind) * width for game, width in zip(games, widths, strict=True)]
    # Regrets, strategy sums and strategies of all; of one, reach and strategies, and its worth.
    needed = 3 * 4 * boards.count * sum(rows) + both * (2 * sum(rows) + sum(forms))
    needed += 3 * 8 * max(rows)
    needed += sum(working_bytes(widths, dtype) for dtype in (np.float32, np.float64))
    needed += sum(array.nbytes for array in (*boards.place, *boards.target))
    return needed + boards.count * list_bytes(boards.boards[0], boards.hands[0])


def led(hands: Int32Array, group: Int32Array) -> tuple[Int64Array, Int64Array]:
    """Hands that are images of another one.

    Args:
        hands: int32[H], combos, ascending.
        group: int32[G], permutations of suits, the identity among them.

    Returns:
        int64[n], their columns, and the columns of the first of their images.
    """
    first = np.searchsorted(hands, COMBO_IMAGES[group][:, hands].min(axis=0))
    others = np.flatnonzero(first != np.arange(len(hands)))
    return others, first[others].astype(np.int64)
