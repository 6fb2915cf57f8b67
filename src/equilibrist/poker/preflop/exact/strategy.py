"""`ExactStrategy`: what both seats do with every hand on every board, in memory or in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import MismatchError
from equilibrist.parsing.arguments import bad_argument, instance
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.preflop.exact.engine import Arrays, Engine
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.hand_values import ExactHandValues
from equilibrist.poker.preflop.exact.lookup import BoardLookup
from equilibrist.poker.preflop.exact.measure import ExactMeasure
from equilibrist.poker.preflop.exact.number_layout import NumberLayout, matched
from equilibrist.poker.preflop.exact.rows import widths_of
from equilibrist.storage.mapped_archive import MappedArchive
from equilibrist.typing import FloatArray

STORAGE: Final[dict[int, type[np.generic]]] = {16: np.uint16, 32: np.float32}
"""The types that strategies are kept in, by bits."""
_MOST: Final = 65535
"""What the most frequent action of a hand counts in 16 bits."""


class Numbers(Protocol):
    """The numbers of a seat, one after the other: an array, or part of a file."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Their type: uint16 or float32."""
        ...

    def __getitem__(self, part: slice, /) -> NDArray[Any]:
        """Some of them."""
        ...


class MappedNumbers:
    """The numbers of a seat in a file, of which those are read, and checked, that are asked for."""

    def __init__(self, archive: MappedArchive, name: str) -> None:
        """Read nothing yet."""
        self._archive, self._name = archive, name

    @property
    def dtype(self) -> np.dtype[Any]:
        """Their type."""
        return self._archive.dtype(self._name)

    def __getitem__(self, part: slice) -> NDArray[Any]:
        return self._archive.read(self._name, part.start or 0, part.stop)

    def __reduce__(self) -> tuple[Any, ...]:
        return np.array, (self[:],)


@dataclass(frozen=True, eq=False)
class ExactStrategy:
    """What both seats do with every hand at every decision on every board.

    The actions of a hand at a decision are kept as multiples of the most frequent one: its
    frequency is 65535 in 16 bits, 1 in float32. Where all are 0 each is as likely as the others.

    Attributes:
        game: The game.
        numbers: By seat, in the order of the layout.
        layout: Where the numbers of a decision stand.
    """

    game: ExactGame
    numbers: tuple[Numbers, Numbers] = field(repr=False)
    layout: NumberLayout = field(repr=False)

    @classmethod
    def of(
        cls, game: ExactGame, layout: NumberLayout, numbers: Arrays, bits: int = 16
    ) -> ExactStrategy:
        """Keep the strategies that numbers stand for by regret matching.

        Args:
            game: The game.
            layout: Where its numbers stand.
            numbers: By seat, such as the sums of strategies of an engine.
            bits: 16 or 32 for each number.

        Returns:
            The strategy, a copy.
        """
        kept = cls.empty(game, layout, bits)
        for seat in (0, 1):
            for board in range(len(layout.table.cards)):
                span = layout.span(board, seat)
                kept.put(seat, board, layout.by_slot(numbers[seat][span], board, seat))
        return kept

    @classmethod
    def empty(cls, game: ExactGame, layout: NumberLayout, bits: int = 16) -> ExactStrategy:
        """Make a strategy that takes all actions with the same probability, to be filled.

        Args:
            game: The game.
            layout: Where its numbers stand.
            bits: 16 or 32 for each number.

        Returns:
            The strategy.
        """
        kind = STORAGE[bits]
        return cls(game, (np.zeros(layout.sizes[0], kind), np.zeros(layout.sizes[1], kind)), layout)

    @property
    def num_bytes(self) -> int:
        """Bytes of the numbers."""
        sizes = self.layout.sizes
        return sum(size * n.dtype.itemsize for size, n in zip(sizes, self.numbers, strict=True))

    def put(self, seat: int, board: int, weights: NDArray[Any]) -> None:
        """Set what a seat does on a board.

        Args:
            seat: The seat.
            board: The number of the board.
            weights: [slots, R], the weight of each action of each class of hands; what is positive
                counts, in proportion to the others of the same decision.
        """
        numbers = self.numbers[seat]
        assert isinstance(numbers, np.ndarray)
        street = int(self.layout.table.street[board])
        first = self.layout.first_slots(street, seat)
        if not len(first):
            return
        largest = np.maximum(np.maximum.reduceat(weights, first, axis=0), 0)
        counts = np.diff(first, append=len(weights))
        most = _MOST if numbers.dtype == np.uint16 else 1.0
        scale = np.divide(most, largest, out=np.zeros(largest.shape), where=largest > 0)
        shares = np.repeat(scale, counts, axis=0)
        shares *= weights
        if numbers.dtype == np.uint16:
            np.rint(shares, out=shares)
        np.maximum(shares, 0, out=shares)
        self.layout.put_slots(numbers, shares, board, seat)

    def probabilities(self, node: int, board: int) -> FloatArray:
        """What each class of hands does at a decision.

        Args:
            node: The decision.
            board: The number of the board.

        Returns:
            float64[A, R].
        """
        seat = self.layout.decisions[node].player
        span = self.numbers[seat][self.layout.span(board, seat)]
        return matched(self.layout.numbers_at(span, board, node))

    def with_seat(self, seat: int, other: ExactStrategy) -> ExactStrategy:
        """This strategy, with another one in a seat.

        Args:
            seat: The seat, 0 or 1.
            other: A strategy of the same game.

        Returns:
            The combined strategy; shares the numbers of both.

        Raises:
            MismatchError: It is of another game.
            ConfigError: There is no such seat.
        """
        if seat not in (0, 1):
            raise bad_argument("seat", seat, "0 or 1")
        if instance("other", other, ExactStrategy, "an ExactStrategy").game != self.game:
            raise MismatchError(
                "the strategies are of two games",
                option="other",
                given=other.game.name,
                expected=self.game.name,
                remedy="give strategies of the same hand",
            )
        both = list(self.numbers)
        both[seat] = other.numbers[seat]
        return ExactStrategy(self.game, (both[0], both[1]), self.layout)

    def load(self, engine: Engine) -> None:
        """Let an engine have the strategy in place of its averages.

        Args:
            engine: An engine of the same game.
        """
        for seat in (0, 1):
            for board in range(len(self.layout.table.cards)):
                span = self.layout.span(board, seat)
                engine.totals[seat][span] = self.numbers[seat][span]

    def measure(self, threads: int | None = None, engine: Engine | None = None) -> ExactMeasure:
        """Measure by best responses of both players in the whole game.

        Args:
            threads: Threads to work with, by default one for each processor.
            engine: An engine of the game, whose averages are overwritten; None to make one.

        Returns:
            Values and gains in big blinds, exact.
        """
        made = Engine(self.game, thread_count(threads)) if engine is None else engine
        try:
            self.load(made)
            return ExactMeasure(made.gains())
        finally:
            if engine is None:
                made.team.release()

    @cached_property
    def lookup(self) -> BoardLookup:
        """Finds boards."""
        return BoardLookup(self.layout.table, self.layout.rows)

    def hands_at(self, node: int, dealt: Sequence[Sequence[int]]) -> tuple[FloatArray, FloatArray]:
        """What each hand does at a decision, and how often both seats bring it there.

        Args:
            node: The decision.
            dealt: The cards of each street, from the flop on.

        Returns:
            float64[A, 1326], 0 for hands that the board blocks, and float64[2, 1326].

        Raises:
            ConfigError: The board was not drawn, where only some were.
        """
        place, reach = self.lookup.find(dealt), self._reach(node, dealt)
        actions = self.probabilities(node, place.board)
        return self.lookup.by_hand(actions, place), self.lookup.by_hand(reach, place)

    def action_values(
        self, node: int, dealt: Sequence[Sequence[int]], combo: int
    ) -> FloatArray | None:
        """What a hand wins after each action if both seats follow the strategy afterwards.

        Args:
            node: The decision, on the last street.
            dealt: The cards of each street, from the flop on; all that are dealt in the hand.
            combo: The hand of the seat to act.

        Returns:
            float64[A], in big blinds against the stack before posting; None where the other seat
            never comes.

        Raises:
            ConfigError: The board was not drawn, where only some were.
        """
        seat = self.layout.decisions[node].player
        values = ExactHandValues(
            self.game, self.layout, self.probabilities, None, self.lookup, seat
        )
        reach = self._reach(node, dealt)[1 - seat]
        return values.of_actions(node, self.lookup.find(dealt), combo, reach)

    def _reach(self, node: int, dealt: Sequence[Sequence[int]]) -> FloatArray:
        """float64[2, R]: how often both seats get to a node, by rows of the board."""
        boards = [0, *(self.lookup.find(dealt[: n + 1]).board for n in range(len(dealt)))]
        start = np.ones((2, int(self.layout.table.rows[0])))
        return reach_along(self.layout, self.probabilities, node, start, boards)


def kept_bytes(game: ExactGame, bits: int = 16) -> int:
    """What the strategies of all streets take, before they are there.

    Args:
        game: The game.
        bits: 16 or 32 for each number.

    Returns:
        Bytes.
    """
    table = game.boards()
    actions = np.array(game.size.actions, np.int64)[table.street]
    return int((widths_of(table) * actions).sum()) * bits // 8


def reach_along(
    layout: NumberLayout,
    strategy: Callable[[int, int], FloatArray],
    node: int,
    start: FloatArray,
    boards: Sequence[int],
    beginning: int = 0,
) -> FloatArray:
    """How often each seat gets to a node with each class of hands if the other lets it.

    Args:
        layout: The tree and the boards.
        strategy: (decision, board) -> float64[A, R].
        node: The node.
        start: float64[2, R], at the beginning.
        boards: The boards from that of the beginning on, one a street, to that of the node.
        beginning: A node on the way.

    Returns:
        float64[2, R], by rows of the last board.
    """
    tree, path = layout.tree, list[tuple[int, int]]()
    while node > beginning:
        parent = int(tree.parent[node])
        path.append((parent, node))
        node = parent
    reach, streets = start, iter(boards)
    board = next(streets)
    for parent, child in reversed(path):
        player = int(tree.player[parent])
        if player < 0:
            board = next(streets)
            first, count = int(layout.rows.first[board]), int(layout.table.rows[board])
            reach = reach[:, layout.rows.above[first : first + count].astype(np.int64)]
            continue
        chosen = tree.children(parent).index(child)
        reach = reach.copy()
        reach[player] *= strategy(parent, board)[chosen]
    return reach
