"""`PreflopSolution`: what solving a hand found, with figures at every node before the flop."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, NUM_CLASSES
from equilibrist.poker.decisions.decision import Decision
from equilibrist.poker.decisions.files import (
    SolutionHeader,
    StoredParts,
    StoredSolution,
    fields_of,
)
from equilibrist.poker.decisions.solution import (
    decisions_csv,
    refuse_board,
    unknown_line,
    written_line,
)
from equilibrist.poker.hands.betting_tree import BettingTree
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.rules import STREET_NAMES
from equilibrist.poker.hands.stored import read_stored_hand, stored_hand
from equilibrist.poker.hands.tree_lines import path_to
from equilibrist.poker.preflop.exact.boards import deck_hands
from equilibrist.poker.preflop.exact.decision_lines import dealt_by_street, decision_of_line
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.measure import ExactMeasure
from equilibrist.poker.preflop.exact.number_layout import NumberLayout
from equilibrist.poker.preflop.exact.preflop_values import NodeRows, PreflopTables, preflop_nodes
from equilibrist.poker.preflop.exact.strategy import STORAGE, ExactStrategy, MappedNumbers
from equilibrist.solvers.run.stall import kept_text, stall_text
from equilibrist.solvers.run.stopping import StopReason
from equilibrist.solvers.run.trace import TracePoint, TraceRow
from equilibrist.storage.damage import reading_content
from equilibrist.storage.kinds.file_kinds import PREFLOP_SOLUTION
from equilibrist.storage.mapped_archive import MappedArchive
from equilibrist.typing import FloatArray, Int64Array

_KEPT: Final = "kept."
"""What the names of arrays with strategies of all streets begin with; the seat follows."""


class _SolutionHeader(SolutionHeader):
    hand: dict[str, Any]
    flops: int | None
    seed: int = Field(ge=0)
    algorithm: str
    iterations: int = Field(ge=0, le=2**53)
    seconds: float = Field(ge=0.0)
    trace: list[TraceRow]
    stopped_by: StopReason
    exploitability: float
    values: tuple[float, ...]
    target: float | None
    memory_bytes: int = Field(ge=0)
    best_values: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class PreflopSolution(StoredSolution):
    """What solving a hand found. Amounts are big blinds, gains mbb a hand.

    Attributes:
        hand: What was solved.
        flops: How many flops were drawn; None where all were solved.
        seed: The seed of that draw.
        algorithm: The variant.
        iterations: How many iterations ran.
        seconds: How long they took.
        stopped_by: What ended the run.
        exploitability: What a best response wins on average over both seats, in mbb a hand; exact.
        values: What the small and the big blind win by the average strategies, in big blinds.
        target: The exploitability that was asked for, in mbb; None for none.
        trace: The measurements, in big blinds.
        memory_bytes: What the run took.
        strategies: By node float64[A, R].
        tables: What values before the flop depend on.
        hands: int64[R]: the hands that stand for the classes.
        many: float64[R]: hands of each class.
        best_values: What a best response wins in place of the small and of the big blind; empty in
            files of earlier versions.
        kept: The strategies of all streets; None where the run did not keep them.
        failure: What kept a checkpoint from being written.
    """

    KIND: ClassVar[str] = PREFLOP_SOLUTION
    HEADER: ClassVar[type[SolutionHeader]] = _SolutionHeader

    hand: Hand
    flops: int | None
    seed: int
    algorithm: str
    iterations: int
    seconds: float
    stopped_by: StopReason
    exploitability: float
    values: tuple[float, ...]
    target: float | None
    trace: tuple[TracePoint, ...]
    memory_bytes: int
    strategies: Mapping[int, FloatArray] = field(repr=False)
    tables: PreflopTables = field(repr=False)
    hands: Int64Array = field(repr=False)
    many: FloatArray = field(repr=False)
    best_values: tuple[float, ...] = ()
    kept: ExactStrategy | None = field(default=None, repr=False)
    failure: Exception | None = None

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def advice(self) -> str:
        """Why a run did not end with its last strategies, or not with its best; empty for others.

        Of a stalled run also what may go further.
        """
        if self.stopped_by != "stalled":
            return kept_text("exploitability", self.trace, self.iterations, self.stopped_by)
        remedy = "another algorithm may go further: dcfr, lcfr or cfr+"
        return stall_text("exploitability", self.trace, self.iterations, remedy)

    @property
    def nash_conv(self) -> float:
        """The sum of what both best responses gain, in mbb a hand."""
        return 2.0 * self.exploitability

    @property
    def value_interval(self) -> tuple[float, float]:
        """Where the value of the game is, for the small blind, in big blinds.

        No seat can win more than a best response to the other one's strategy does. From the sum of
        both gains, where a file lacks the values of best responses.
        """
        if not self.best_values:
            width = self.nash_conv / 1000.0
            return self.values[0] - width, self.values[0] + width
        small, big = self.best_values
        return -big, small

    @cached_property
    def game(self) -> ExactGame:
        """The game that was solved."""
        return ExactGame.of(self.hand, self.flops, self.seed)

    @property
    def tree(self) -> BettingTree:
        """The betting."""
        return self.game.tree

    @cached_property
    def _figures(self) -> dict[int, NodeRows]:
        unit = float(self.game.big_blind)
        return preflop_nodes(self.tree, dict(self.strategies), self.tables, unit)

    def lines(self) -> list[str]:
        """The lines that lead to the decisions before the flop.

        Returns:
            The lines, that of the root, which is empty, first.
        """
        return [self.tree.line(node) for node in sorted(self.strategies)]

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, the one with the button first: `small blind`, `big blind`."""
        return self.hand.rules.seat_words

    @property
    def measure(self) -> float:
        """`exploitability`, in mbb a hand."""
        return self.exploitability

    def at(self, line: str = "", board: str | Sequence[int] = "") -> Decision:
        """Look up a decision.

        Args:
            line: The actions before it, as `lines` has them; after the flop, if its strategies were
                kept, also `R4-C|X`, with the board, or with cards `R4-C|AsKsQs|X`.
            board: The public cards, if the line has none: none before the flop.

        Returns:
            The decision: before the flop by class, in big blinds against the stack before posting;
            after it by combo, and without EVs.

        Raises:
            ConfigError: No decision before the flop has this line, and strategies after it were not
                kept; or the board is missing, too short, or before the flop.
            NotationError: Strategies after the flop were kept, and the line is not offered.
        """
        if self.kept is not None:
            return self._kept_at(self.kept, line, board)
        refuse_board(board)
        wanted = written_line(line)
        for node in sorted(self.strategies):
            if self.tree.line(node) == wanted:
                return self.decision_at(node)
        after = (
            " The solution has no strategies after the flop: solve it with keep_flops, or let "
            "`equilibrist play` solve flops."
        )
        streets = after if self.game.final_street else ""
        raise unknown_line(line, self.lines(), " before the flop", streets)

    def _kept_at(self, kept: ExactStrategy, line: str, board: str | Sequence[int]) -> Decision:
        node, cards = decision_of_line(self.tree, line, board)
        street = int(self.tree.street[node])
        if not street:
            refuse_board(cards)
            return self.decision_at(node)
        dealt = dealt_by_street(self.hand.rules, cards, street)
        strategy, reach = kept.hands_at(node, dealt)
        seat = int(self.tree.player[node])
        return Decision(
            line=self.tree.line(node),
            seat=seat,
            seat_name=self.seats[seat],
            street=STREET_NAMES[street],
            actions=self.tree.moves(node),
            combos=np.where(strategy.sum(axis=0) > 0.0, 1.0, 0.0),
            reach=reach[seat],
            strategy=strategy,
            board=tuple(card for street_cards in dealt for card in street_cards),
        )

    def measure_again(self, threads: int | None = None) -> ExactMeasure:
        """Measure the strategies that were kept by best responses in the whole game.

        With 16 bits an action they differ from those of the run by what was rounded.

        Args:
            threads: Threads to work with, by default one for each processor.

        Returns:
            Values and gains in big blinds, exact.

        Raises:
            ConfigError: The strategies after the flop were not kept.
        """
        return self._whole().measure(threads)

    def _whole(self) -> ExactStrategy:
        if self.kept is None:
            raise ConfigError(
                "the solution has no strategies after the flop",
                option="keep_flops",
                given=None,
                expected="16 or 32",
                remedy="solve the hand with keep_flops (--keep-flops 16)",
            )
        return self.kept

    def nodes(self) -> Iterator[Decision]:
        """Go through all nodes before the flop.

        Yields:
            The nodes in the order of the tree.
        """
        for node in sorted(self.strategies):
            yield self.decision_at(node)

    def ranges_at(self, node: int) -> FloatArray:
        """Compute how often the seats get to a node before the flop, or to the deal of the flop.

        Args:
            node: The node of `tree`.

        Returns:
            float64[2, R]: by hand class, if the other seat lets it.
        """
        whole_number("node", node, 0, self.tree.num_nodes - 1)
        reach = np.ones((2, len(self.hands)))
        for decision, action in path_to(self.tree, node):
            reach[self.tree.player[decision]] *= self.strategies[decision][action]
        return reach

    def by_hand(self, rows: FloatArray) -> FloatArray:
        """Numbers of hand classes as numbers of hands.

        Args:
            rows: float64[..., R], in the order of `hands`.

        Returns:
            float64[..., 1326]; 0 for hands that are not in the deck.

        Raises:
            ConfigError: `rows` has another number of classes.
        """
        if np.shape(rows)[-1:] != (len(self.hands),):
            raise bad_argument("rows", rows, f"an array of {len(self.hands)} numbers a row")
        place = np.full(NUM_CLASSES, -1)
        place[CLASS_OF_COMBO[self.hands]] = np.arange(len(self.hands))
        at = np.where(deck_hands(self.hand.rules.lowest_rank), place[CLASS_OF_COMBO], -1)
        by_hand: FloatArray = np.where(at >= 0, np.asarray(rows)[..., at], 0.0)
        return by_hand

    def decision_at(self, node: int) -> Decision:
        """A decision before the flop.

        Args:
            node: The node of `tree`.

        Returns:
            The decision, by class.
        """
        tree, rows = self.tree, self._figures[node]
        seat, count = int(tree.player[node]), len(rows.strategy)
        figures = np.concatenate([rows.strategy, rows.action_ev, rows.ev[None]])
        wide = np.full((len(figures), NUM_CLASSES), np.nan)
        combos, reach = np.zeros((2, NUM_CLASSES))
        classes = CLASS_OF_COMBO[self.hands]
        wide[:, classes], combos[classes], reach[classes] = figures, self.many, rows.reach
        # By columns: documents print all digits of frequencies, whose bits depend on the layout.
        strategy = np.asfortranarray(np.nan_to_num(wide[:count]))
        return Decision(
            line=tree.line(node),
            seat=seat,
            seat_name=self.seats[seat],
            street=STREET_NAMES[0],
            actions=tree.moves(node),
            combos=combos,
            reach=reach,
            strategy=strategy,
            ev=wide[-1],
            action_ev=wide[count:-1],
        )

    def facts(self) -> dict[str, Any]:
        """Say what was solved, how, and how good it is, without the decisions.

        Returns:
            Plain values, for JSON.
        """
        return {
            "hand": stored_hand(self.hand),
            "flops": self.flops,
            "seed": self.seed,
            "algorithm": self.algorithm,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
            "exploitability_mbb": self.exploitability,
            "nash_conv_mbb": self.nash_conv,
            "values": list(self.values),
            "value_interval": list(self.value_interval),
            "target_mbb": self.target,
            "memory_bytes": self.memory_bytes,
            "kept_bytes": 0 if self.kept is None else self.kept.num_bytes,
        }

    def _parts(self) -> StoredParts:
        arrays: dict[str, NDArray[Any]] = {
            f"strategy.{node}": strategy for node, strategy in self.strategies.items()
        }
        arrays |= {name: getattr(self.tables, name) for name in PreflopTables._fields}
        arrays |= {"hands": self.hands, "many": self.many}
        if self.kept is not None:
            arrays |= {f"{_KEPT}{seat}": self.kept.numbers[seat][:] for seat in (0, 1)}
        hand, trace = stored_hand(self.hand), [point.row for point in self.trace]
        return StoredParts(arrays, {"hand": hand, "trace": trace})

    @property
    def _in_parts(self) -> bool:
        return self.kept is not None

    def to_dict(self) -> dict[str, Any]:
        """Give all figures as plain values.

        Returns:
            `facts`, and the decisions as `nodes`.
        """
        return {**self.facts(), "nodes": [node.to_dict() for node in self.nodes()]}

    def to_csv(self) -> str:
        """Write the figures of all nodes as CSV.

        Returns:
            A row for each node, hand class and action.
        """
        return decisions_csv(self.nodes())

    def ranges(self) -> dict[str, str]:
        """The range of each action at each node.

        Returns:
            By line with the action, ranges as `postflop` takes them.
        """
        ranges = {}
        for node in self.nodes():
            for k, code in enumerate(node.codes):
                ranges[f"{node.line}-{code}".lstrip("-")] = node.range_text(k)
        return ranges


def read_preflop(path: str | os.PathLike[str]) -> PreflopSolution:
    """Open a solution of a hand; raises FileFormatError."""
    archive = MappedArchive(path, PREFLOP_SOLUTION)
    with reading_content(path, "a whole solution"):
        header = _SolutionHeader.read(archive.header)
        shapes = archive.shapes()
        arrays = {name: archive.read(name) for name in shapes if not name.startswith(_KEPT)}
        hand = read_stored_hand(header.hand)
        game = ExactGame.of(hand, header.flops, header.seed)
        prefix = "strategy."
        strategies = {
            int(name.removeprefix(prefix)): array
            for name, array in arrays.items()
            if name.startswith(prefix)
        }
        _check_shapes(game.tree, strategies, arrays)
        tables = PreflopTables(*(arrays[name] for name in PreflopTables._fields))
        hands, many = arrays["hands"], arrays["many"]
        kept = _kept_in(archive, game) if f"{_KEPT}0" in shapes else None
    return PreflopSolution(
        hand=hand,
        trace=tuple(map(TracePoint.from_row, header.trace)),
        strategies=strategies,
        tables=tables,
        hands=hands,
        many=many,
        kept=kept,
        **fields_of(header, "hand", "trace"),
    )


def _kept_in(archive: MappedArchive, game: ExactGame) -> ExactStrategy:
    """The strategies of all streets, of which nothing is read yet; ValueError for others."""
    layout = NumberLayout(game)
    numbers = []
    for seat in (0, 1):
        name = f"{_KEPT}{seat}"
        if archive.shapes()[name] != (layout.sizes[seat],):
            raise ValueError(f"{name} has another shape than ({layout.sizes[seat]},)")
        if archive.dtype(name) not in STORAGE.values():
            raise ValueError(f"{name} is {archive.dtype(name)}, not uint16 or float32")
        numbers.append(MappedNumbers(archive, name))
    return ExactStrategy(game, (numbers[0], numbers[1]), layout)


def _check_shapes(
    tree: BettingTree, strategies: dict[int, NDArray[Any]], arrays: dict[str, NDArray[Any]]
) -> None:
    """Raise ValueError where arrays are not those of the hand."""
    rows = len(arrays["hands"])
    lines = int(((tree.kind == 3) & (tree.street == 0)).sum())
    wanted = {"met": (rows, rows), "beaten": (rows, rows), "below": (2, lines, rows),
              "many": (rows,)}  # fmt: skip
    for name, shape in wanted.items():
        if arrays[name].shape != shape:
            raise ValueError(f"{name} has the shape {arrays[name].shape}, not {shape}")
    decisions = np.flatnonzero((tree.kind == 0) & (tree.street == 0)).tolist()
    if sorted(strategies) != decisions:
        raise ValueError("its strategies are not those of the decisions before the flop")
    for node, strategy in strategies.items():
        shape = (int(tree.num_children[node]), rows)
        if strategy.shape != shape or not np.isfinite(strategy).all():
            raise ValueError(f"the strategy of node {node} is not {shape} finite numbers")
