"""`NestedSearch`: a solution of a bet menu that answers any bet by solving what follows on it.

Noam Brown and Tuomas Sandholm, "Safe and nested subgame solving for imperfect-information games",
NIPS 2017.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError, MismatchError, UnsupportedError
from equilibrist.kernels import TILE
from equilibrist.options.defaults import TRANSLATION
from equilibrist.parsing.arguments import bad_argument, instance, whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.hands.betting_tree import DEAL, DECISION
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.measure import ExactMeasure
from equilibrist.poker.preflop.exact.menu_translation import MenuTranslation
from equilibrist.poker.preflop.exact.pairs import RootTables
from equilibrist.poker.preflop.exact.size import check_fits, street_sizes
from equilibrist.poker.preflop.exact.solver import exact_variant
from equilibrist.poker.preflop.exact.strategy import ExactStrategy
from equilibrist.progress import (
    Callbacks,
    OnProgress,
    PartsReport,
    as_callbacks,
    shows_progress,
)
from equilibrist.search.holdem.frame_solver import (
    Come,
    FramesGame,
    Play,
    SolvedFrames,
    below_deals,
    come_to,
)
from equilibrist.search.holdem.frames import STREETS, Frame, Frames
from equilibrist.search.methods import SearchMethod, get_search_method
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray

ITERATIONS: Final = 150
"""Iterations for each subgame."""
ALGORITHM: Final = "dcfr(gamma=4)"
"""What solves subgames."""
FLOP_MEMORY: Final = 1 << 28
"""Bytes of what is kept of flops in play hand by hand."""
_COPY_BYTES: Final = 2
_NUMBER_BYTES: Final = 4
_ENGINE_BYTES: Final = 1000
"""Of the tables of an engine on one flop, rows left out."""
_ROW_BYTES: Final = 64
"""Of a row: its tables, how both come to it, and what it is worth there."""
_COME_BYTES: Final = 24
"""Of a row at a decision: how both come there, and what it is worth."""
_PAIR_BYTES: Final = 16
"""Of two hands: whether they meet, and which wins."""
_Key = tuple[int, ...]
"""The seat, the number of a frame, a board, and perhaps a node."""


@dataclass(frozen=True, eq=False)
class NestedHand:
    """What answering every bet changes, measured exactly in the game with every bet.

    Attributes:
        strategy: What both seats play.
        before: By best responses in the whole game: the solution with bets that it lacks taken for
            those that it has.
        after: The same of `strategy`.
        mapping: What those bets are taken for.
        subgames: How many subgames were solved.
        seconds: How long that took.
        interrupted: Whether Ctrl-C ended the work before all were solved.
    """

    strategy: ExactStrategy = field(repr=False)
    before: ExactMeasure
    after: ExactMeasure
    mapping: str
    subgames: int
    seconds: float
    interrupted: bool = False


class NestedSearch:
    """A solution of a bet menu, in a game in which the opponent may bet any amount.

    As long as the opponent bets by the menu, the solution plays. On every other bet what follows is
    solved anew, with the true size and bets of the menu, and a gadget: with each hand the opponent
    may count on the best of its other bets at that place. In what follows another such bet may
    come; it is answered likewise, on top of the solve before.

    Every solve starts from those on its own way alone, so that what is played does not depend on
    the hands before: it is that of the strategy which `offline` measures.

    Attributes:
        solves: How many subgames have been solved so far.
        seconds: How long each took, or those that were solved at the same time.

    Args:
        trunk: The strategies of a solution of the menu, on all streets.
        full: The same hand with more bets.
        method: How subgames are solved: a row of `METHODS` that goes by values alone.
        iterations: Iterations for each subgame.
        algorithm: A variant of CFR that updates in turn.
        flop_memory: About how many bytes of subgames that begin on flops are kept while hands are
            played; the flops that were met longest ago are forgotten, but for the last one.

    Raises:
        UnknownNameError: There is no such method or algorithm.
        ConfigError: The method needs gifts or the opponent's values in the trunk.
        MismatchError: The games differ by more than the bets that are offered, or the game lacks
            bets of the menu.
        UnsupportedError: There are more than two streets with betting.
    """

    def __init__(
        self,
        trunk: ExactStrategy,
        full: ExactGame,
        method: str | SearchMethod = "resolve",
        *,
        iterations: int = ITERATIONS,
        algorithm: Variant | str = ALGORITHM,
        flop_memory: int = FLOP_MEMORY,
    ) -> None:
        """Lay out all that may be met; nothing is solved yet."""
        self.trunk = instance("trunk", trunk, ExactStrategy, "an ExactStrategy")
        self.menu, self.full = trunk.game, instance("full", full, ExactGame, "an ExactGame")
        self.method = get_search_method(method)
        by_values = self.method.alternatives == "best-response" and self.method.gifts == "none"
        if not by_values or not self.method.fits_spots:
            raise ConfigError(
                f"{self.method.spec} goes by more than what the opponent's other bets are worth",
                option="method",
                given=self.method.spec,
                expected="resolve, max-margin, constrained or unsafe",
            )
        self.iterations = whole_number("iterations", iterations, 1)
        self.variant = exact_variant(algorithm)
        self.flop_memory = whole_number("flop_memory", flop_memory, 0)
        if len(full.dealt) != STREETS:
            raise UnsupportedError(
                f"nested search is for hands with two streets of betting, not {len(full.dealt)}",
                option="game",
                given=full.name,
                remedy="give a hand whose last street with betting is the flop",
            )
        MenuTranslation(self.menu, full)  # raises for other games
        try:
            self.frames = (Frames.of(self.menu, full, 0), Frames.of(self.menu, full, 1))
        except KeyError:
            raise MismatchError(
                "the game lacks bets of the menu",
                option="trunk",
                given=self.menu.name,
                expected=full.name,
                remedy="give a solution whose bets are all among those of the game",
            ) from None
        self._table, self._rows = trunk.layout.table, trunk.layout.rows
        self._trunk_engine: Engine | None = None
        self._trunk_below: dict[int, dict[int, FloatArray]] = {}
        self._solved: dict[_Key, SolvedFrames] = {}
        self._comes: dict[_Key, dict[int, Come]] = {}
        self._tables: dict[int, RootTables] = {}
        self._kept: dict[int, int] = {}
        """By flop what is kept of it, in bytes; the one that was met last is the last."""
        self.seconds: list[float] = []
        self.solves = 0

    def __repr__(self) -> str:
        return (
            f"NestedSearch({self.menu.name!r}, {self.method.spec!r}, iterations={self.iterations})"
        )

    def check_fits(self, memory: int | None = None, *, is_offline: bool = True) -> None:
        """Check that what is solved fits into memory, before anything is.

        What grows with the boards is counted: the engine of the menu, the subgames from before the
        flop of both seats, and for `offline` the engine of the whole game with two copies of the
        strategy in 16 bits. Of subgames that begin on flops those of the largest flop are,
        and while hands are played what is kept of others.

        Args:
            memory: The most bytes, by default half of the machine's memory.
            is_offline: Whether all is solved beforehand, else hands are played.

        Raises:
            MemoryBudgetError: More is needed.
        """
        beside = 0
        for frames in self.frames:
            early = frames.at(0)
            # Beforehand those of one depth share an engine.
            depths = sorted({frame.depth for frame in early})
            groups = [[frame for frame in early if frame.depth == depth] for depth in depths]
            for group in groups if is_offline else [[frame] for frame in early]:
                actions = np.sum([frame.actions for frame in group], axis=0).tolist()
                beside += sum(part.num_bytes for part in street_sizes(self.full, actions))
        flops = self._table.rows[1:].tolist()
        largest = self._flop_bytes(max(flops), together=is_offline)
        if is_offline:
            beside += largest
            small = street_sizes(self.menu, self.menu.size.actions)
            large = street_sizes(self.full, self.full.size.actions)
            beside += sum(part.num_bytes for part in small)
            beside += sum(2 * _COPY_BYTES * part.rows * part.slots for part in large)
        else:
            # Others are dropped once a flop has been met, whatever it takes.
            all_flops = sum(self._flop_bytes(rows, together=False) for rows in flops)
            beside += min(self.flop_memory + largest, all_flops)
        check_fits(self.full if is_offline else self.menu, memory, beside=beside)

    def _flop_bytes(self, rows: int, *, together: bool) -> int:
        """The most bytes that are kept of a flop, those of subgames that are being solved included.

        Args:
            rows: The classes of hands on the flop.
            together: Whether subgames of one depth share an engine, else each has its own.
        """
        pairs = _PAIR_BYTES * rows * rows
        padded = -(-rows // TILE) * TILE
        num_bytes, most_slots = pairs, 0
        for frames in self.frames:
            late = frames.at(1)
            engines = len({frame.depth for frame in late}) if together else len(late)
            slots = [int(frame.actions[1]) for frame in late]
            most_slots = max(most_slots, sum(slots) if together else max(slots, default=0))
            decisions = sum(
                np.count_nonzero((frame.tree.kind == DECISION) & (frame.tree.street == 1))
                for frame in frames.frames
            )
            num_bytes += engines * (_ENGINE_BYTES + pairs) + len(late) * _ROW_BYTES * rows
            num_bytes += _NUMBER_BYTES * sum(slots) * padded + _COME_BYTES * int(decisions) * rows
        return num_bytes + _NUMBER_BYTES * most_slots * padded  # with regrets until they are solved

    def probabilities(self, node: int, board: int) -> FloatArray:
        """What each class of hands does at a decision, after the solves on the way to it.

        Args:
            node: The decision, a node of the betting of the whole game to which the seat comes by
                the menu's actions.
            board: The number of the board.

        Returns:
            float64[A, R]; 0 for actions that the menu lacks.

        Raises:
            ConfigError: The seat does not come there.
        """
        seat = int(self.full.tree.player[node])
        if seat < 0 or node not in self.frames[seat].place:
            raise bad_argument("node", node, "a decision to which the menu's actions lead")
        number, there = self.frames[seat].place[node]
        self._ensure(seat, number, board)
        chances = self._play(seat, number, board)(there)
        frame, children = self.frames[seat].frames[number], self.full.tree.children(node)
        shares = np.zeros((len(children), chances.shape[1]))
        own = frame.nodes[frame.tree.children(there)].tolist()
        shares[[children.index(child) for child in own]] = chances
        self._make_room(board)
        return shares

    @shows_progress
    def offline(
        self,
        *,
        mapping: str = TRANSLATION,
        bits: int = 16,
        engine: Engine | None = None,
        callbacks: Callbacks | OnProgress | None = None,
        progress: bool | None = None,
    ) -> NestedHand:
        """Answer every bet that both seats can meet, and measure the strategy of online play.

        Ctrl-C keeps what is done: where a board was not reached, bets that the menu lacks are taken
        for those that it has.

        Args:
            mapping: What bets are taken for that the menu lacks, for comparison.
            bits: 16 or 32 for each number of the strategy. With 16 what is measured is the strategy
                of online play with frequencies rounded to multiples of 1/65535 of the largest.
            engine: An engine of the whole game, whose averages are overwritten; None to make one.
            callbacks: Functions called with every board of each seat.
            progress: Whether a line shows the progress; by default in notebooks and interactive
                sessions.

        Returns:
            The strategy, with exact figures before and after.

        Raises:
            ConfigError: `engine` is no engine.
            MismatchError: It is one of another game.
        """
        if engine is not None and instance("engine", engine, Engine, "an Engine").game != self.full:
            raise MismatchError(
                "the engine is of another game than the search",
                option="engine",
                expected=self.full.name,
                remedy="give an engine of the whole game, or none",
            )
        report_to = as_callbacks(callbacks)
        report_to.stage("preparing the boards")
        made = Engine(self.full, thread_count(None)) if engine is None else engine
        translated = MenuTranslation(self.menu, self.full, mapping).lift(
            self.trunk, made.layout, bits
        )
        before = translated.measure(engine=made)
        copies = [np.array(translated.numbers[seat][:]) for seat in (0, 1)]
        strategy = ExactStrategy(self.full, (copies[0], copies[1]), made.layout)
        del translated
        began, solves, interrupted = time.perf_counter(), 0, False
        parts = [(seat, board) for seat in (0, 1) for board in range(len(self._table.cards))]
        report = PartsReport(report_to, self.method.name, "boards", len(parts))
        try:
            for done, (seat, board) in enumerate(parts):
                if interrupted := not report.goes_on(done):
                    break
                solves += self._solve_all(seat, board)
                self._put(strategy, seat, board)
                if board:  # frames from before the flop go on on all boards
                    self._drop(board)
        except KeyboardInterrupt:
            if not solves:
                raise
            interrupted = True
        seconds = time.perf_counter() - began
        return NestedHand(
            strategy=strategy,
            before=before,
            after=strategy.measure(engine=made),
            mapping=mapping,
            subgames=solves,
            seconds=seconds,
            interrupted=interrupted,
        )

    def _solve_all(self, seat: int, board: int) -> int:
        """Solve all frames that begin on a board, those of one depth at a time."""
        frames = self.frames[seat].at(1 if board else 0)
        for depth in sorted({frame.depth for frame in frames}):
            self._solve(seat, [frame for frame in frames if frame.depth == depth], board)
        return len(frames)

    def _solve(self, seat: int, frames: Sequence[Frame], board: int) -> None:
        """Solve frames on a board, those above being solved."""
        began = time.perf_counter()
        comes = [self._come_to(seat, frame.parent, frame.decision, board) for frame in frames]
        game = FramesGame(self.full, tuple(frames), board, self._table)
        solved = SolvedFrames(game, seat)
        solved.solve(comes, self.method, self.variant, self.iterations)
        self.solves += len(frames)
        for frame in frames:
            self._solved[seat, frame.number, board] = solved
        self._keep(board, solved.memory_bytes)
        self.seconds.append(time.perf_counter() - began)

    def _ensure(self, seat: int, number: int, board: int) -> None:
        """Solve a frame and all above it, unless they are."""
        frame = self.frames[seat].frames[number]
        begins = board if frame.street else 0
        if frame.parent < 0 or (seat, number, begins) in self._solved:
            return
        self._ensure(seat, frame.parent, board)
        self._solve(seat, [frame], begins)

    def forget(self, board: int | None = None) -> None:
        """Drop subgames that were solved, and what they took.

        Args:
            board: The number of the only board whose subgames are dropped; None for all.
        """
        for known in (self._solved, self._comes):
            for key in [key for key in known if board is None or key[2] == board]:
                del known[key]
        for flop in self._kept:
            if board in (None, flop):
                self._kept[flop] = sum(matrix.nbytes for matrix in self._tables.get(flop, ()))

    def _keep(self, board: int, num_bytes: int) -> None:
        """Count bytes that are kept of a flop."""
        if board:
            self._kept[board] = self._kept.get(board, 0) + num_bytes

    def _make_room(self, board: int) -> None:
        """Drop the flops that were met longest ago, where more is kept than may be.

        Args:
            board: The board that was just met, which is not dropped.
        """
        if board in self._kept:
            self._kept[board] = self._kept.pop(board)
        while len(self._kept) > 1 and sum(self._kept.values()) > self.flop_memory:
            self._drop(next(iter(self._kept)))

    def _drop(self, board: int) -> None:
        """Drop all that is kept of a flop."""
        self.forget(board)
        self._tables.pop(board, None)
        self._kept.pop(board, None)

    def _play(self, seat: int, number: int, board: int) -> Play:
        """What both seats do in a frame on a board."""
        if not number:
            return lambda node: self.trunk.probabilities(node, board)
        begins = board if self.frames[seat].frames[number].street else 0
        return self._solved[seat, number, begins].play(number, board)

    def _come_to(self, seat: int, number: int, node: int, board: int) -> Come:
        """How both come to a node of a frame on a board, and what it is worth to the other seat."""
        frame = self.frames[seat].frames[number]
        tree, root = frame.tree, node
        while root and tree.kind[tree.parent[root]] != DEAL:
            root = int(tree.parent[root])
        key = (seat, number, board, root)
        if key not in self._comes:
            start, below = self._start(seat, frame, root, board), None
            if not board:
                below = self._below(seat, number)
            self._comes[key] = come_to(
                tree,
                root,
                seat,
                self._play(seat, number, board),
                start,
                self._tables_on(board),
                float(self.full.big_blind),
                below,
            )
            self._keep(
                board, sum(part.nbytes for come in self._comes[key].values() for part in come)
            )
        return self._comes[key][node]

    def _start(
        self, seat: int, frame: Frame, root: int, board: int
    ) -> tuple[FloatArray, FloatArray]:
        """How both come to the first node of a street of a frame."""
        if root:
            above = self._come_to(seat, frame.number, int(frame.tree.parent[root]), 0)
            first, count = int(self._rows.first[board]), int(self._table.rows[board])
            row = self._rows.above[first : first + count].astype(np.int64)
            return above.own[row], above.other[row]
        if frame.parent >= 0:
            return self._solved[seat, frame.number, board].start_of(frame.number)
        rows = int(self._table.rows[0])
        return np.ones(rows), np.ones(rows)

    def _below(self, seat: int, number: int) -> dict[int, FloatArray]:
        """By deal of a frame from before the flop, what the other seat's best response is worth."""
        if number:
            return self._solved[seat, number, 0].below(number)
        if seat not in self._trunk_below:
            self._trunk_below[seat] = below_deals(self._menu_engine, seat)
        return self._trunk_below[seat]

    @property
    def _menu_engine(self) -> Engine:
        """The engine of the menu's game, with the trunk as averages."""
        if self._trunk_engine is None:
            self._trunk_engine = Engine(self.menu)
            self.trunk.load(self._trunk_engine)
        return self._trunk_engine

    def _tables_on(self, board: int) -> RootTables:
        """What hands meet and beat on a board."""
        if board not in self._tables:
            engine = self._menu_engine
            if board:
                engine = Engine(FramesGame(self.full, self._any_frame, board, self._table))
            self._tables[board] = engine.pairs.root
            self._keep(board, sum(matrix.nbytes for matrix in engine.pairs.root))
        return self._tables[board]

    @property
    def _any_frame(self) -> tuple[Frame]:
        return (next(frame for frames in self.frames for frame in frames.at(1)),)

    def _put(self, strategy: ExactStrategy, seat: int, board: int) -> None:
        """Put what a seat does on a board into a strategy of the whole game."""
        layout, tree = strategy.layout, self.full.tree
        street = int(self._table.street[board])
        numbers = strategy.numbers[seat]
        weights = np.array(
            layout.by_slot(numbers[layout.span(board, seat)], board, seat), np.float64
        )
        for node, (number, there) in self.frames[seat].place.items():
            place = layout.decisions[node]
            if place.street != street:
                continue
            frame, children = self.frames[seat].frames[number], tree.children(node)
            part = weights[place.slot : place.slot + place.actions]
            part[:] = 0.0
            own = frame.nodes[frame.tree.children(there)].tolist()
            chances = self._play(seat, number, board)(there)
            part[[children.index(child) for child in own]] = chances
        strategy.put(seat, board, weights)
