"""`MultiwaySolution`: what solving a hand of several seats found, with every decision's hands."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np
from pydantic import Field

from equilibrist.formatting.brief import brief_repr
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, FIRST_CARD, NUM_CLASSES
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
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.rules import STREET_NAMES
from equilibrist.poker.hands.stored import read_stored_hand, stored_hand
from equilibrist.poker.preflop.multiway.hand_tree import HandTree, check_hand, hand_tree
from equilibrist.solvers.run.stopping import StopReason
from equilibrist.storage.archive import read_archive
from equilibrist.storage.damage import reading_content
from equilibrist.storage.kinds.file_kinds import MULTIWAY
from equilibrist.typing import FloatArray

_ARRAYS: Final = ("strategy", "action_values", "reached")


class _Header(SolutionHeader):
    hand: dict[str, Any]
    values: tuple[float, ...]
    standard_errors: tuple[float, ...]
    gains: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    interval: tuple[float, float]
    iterations: int = Field(ge=0, le=2**53)
    deals: int = Field(ge=0, le=2**53)
    measured_deals: int = Field(ge=0, le=2**53)
    seed: int = Field(ge=0)
    seconds: float = Field(ge=0.0)
    stopped_by: StopReason


@dataclass(frozen=True, eq=False)
class MultiwaySolution(StoredSolution):
    """What CFR on sampled deals found. Amounts are big blinds.

    Attributes:
        hand: What was solved.
        values: What each seat wins, in the order of posting, against its stack before posting.
        standard_errors: Of `values`.
        gains: What each seat gains by its best response, on the deals that chose it: on average a
            little too much.
        intervals: The 95 % confidence interval of each gain.
        interval: That of NashConv.
        iterations: Iterations of CFR.
        deals: The deals that they played.
        measured_deals: The deals on which the result was measured.
        seed: The seed of both.
        seconds: How long CFR took.
        stopped_by: What ended it: `deals`, `seconds` or `interrupted`.
        strategy: float64[decisions, classes, actions].
        action_values: float64[decisions, classes, actions], in big blinds.
        reached: float64[decisions, classes]: how often such a hand comes to each decision.
    """

    KIND: ClassVar[str] = MULTIWAY
    HEADER: ClassVar[type[SolutionHeader]] = _Header

    hand: Hand
    values: tuple[float, ...]
    standard_errors: tuple[float, ...]
    gains: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    interval: tuple[float, float]
    iterations: int
    deals: int
    measured_deals: int
    seed: int
    seconds: float
    stopped_by: StopReason
    strategy: FloatArray = field(repr=False)
    action_values: FloatArray = field(repr=False)
    reached: FloatArray = field(repr=False)

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def nash_conv(self) -> float:
        """The sum over the seats of what a best response gains."""
        return sum(self.gains)

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in the order of posting."""
        return self.hand.rules.positions

    @cached_property
    def tree(self) -> HandTree:
        """The betting."""
        return hand_tree(self.hand)

    @cached_property
    def _reach(self) -> FloatArray:
        return self.tree.sampled(len(self.values), 0, 1).own_reach(self.strategy)

    @cached_property
    def _decisions(self) -> dict[str, int]:
        """The numbers of the decisions by their lines."""
        return {self.tree.betting.line(node): k for k, node in enumerate(self.tree.nodes)}

    @property
    def measure(self) -> float:
        """`nash_conv`, in big blinds."""
        return self.nash_conv

    def lines(self) -> list[str]:
        """The lines that lead to the decisions.

        Returns:
            The lines, that of the root, which is empty, first.
        """
        return [*self._decisions]

    def at(self, line: str = "", board: str | Sequence[int] = "") -> Decision:
        """Look up a decision.

        Args:
            line: The actions before it, as `lines` has them.
            board: The public cards: none before the flop.

        Returns:
            The decision, by class, in big blinds against the stack before posting.

        Raises:
            ConfigError: No decision has this line, or there is a board.
        """
        refuse_board(board)
        decision = self._decisions.get(written_line(line))
        if decision is None:
            raise unknown_line(line, self.lines())
        return self._decision_at(decision)

    def nodes(self) -> Iterator[Decision]:
        """Go through all decisions.

        Yields:
            The decisions in the order of the tree.
        """
        for decision in range(len(self.tree.nodes)):
            yield self._decision_at(decision)

    def _decision_at(self, decision: int) -> Decision:
        tree = self.tree
        betting, node = tree.betting, tree.nodes[decision]
        actions = tree.moves(decision)
        dealt = tree.deck[0] <= FIRST_CARD
        combos = np.bincount(CLASS_OF_COMBO[dealt], minlength=NUM_CLASSES).astype(np.float64)
        class_of = np.zeros(NUM_CLASSES, np.int64)
        class_of[CLASS_OF_COMBO] = tree.classes
        seat = int(betting.player[node])
        strategy = self.strategy[decision, class_of, : len(actions)].T.copy()
        by_action = self.action_values[decision, class_of, : len(actions)].T
        came = self.reached[decision, class_of] > 0
        action_ev = np.where(came, by_action, np.nan)
        return Decision(
            line=betting.line(node),
            seat=seat,
            seat_name=self.seats[seat],
            street=STREET_NAMES[0],
            actions=actions,
            combos=combos,
            reach=self._reach[decision, class_of] * (combos > 0),
            strategy=strategy,
            ev=(strategy * action_ev).sum(axis=0),
            action_ev=action_ev,
            reached=float(self.reached[decision].sum()),
        )

    def facts(self) -> dict[str, Any]:
        """Say what was solved, how, and how good it is, without the decisions.

        Returns:
            Values, gains and intervals by seat, and how the run went.
        """
        names = self.seats
        return {
            "hand": self.hand.to_toml(),
            "seats": list(names),
            "values": dict(zip(names, self.values, strict=True)),
            "standard_errors": dict(zip(names, self.standard_errors, strict=True)),
            "gains": dict(zip(names, self.gains, strict=True)),
            "gain_intervals": {
                name: list(bounds) for name, bounds in zip(names, self.intervals, strict=True)
            },
            "nash_conv": self.nash_conv,
            "nash_conv_interval": list(self.interval),
            "iterations": self.iterations,
            "deals": self.deals,
            "measured_deals": self.measured_deals,
            "seed": self.seed,
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
        }

    def _parts(self) -> StoredParts:
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        hand = stored_hand(self.hand)
        return StoredParts(arrays, {"hand": hand})

    def to_dict(self, line: str | None = None) -> dict[str, Any]:
        """The solution for JSON.

        Args:
            line: The decision to include; None for all.

        Returns:
            `facts`, and the decisions as `nodes`, without the texts of their ranges.
        """
        nodes = []
        for node in self.nodes() if line is None else [self.at(line)]:
            nodes.append(node.to_dict())
            del nodes[-1]["ranges"]
        return {**self.facts(), "nodes": nodes}

    def ranges(self) -> dict[str, str]:
        """The range of each action at each decision.

        Returns:
            By line with the action, ranges as `postflop` takes them.
        """
        ranges = {}
        for node in self.nodes():
            for k, code in enumerate(node.codes):
                ranges[f"{node.line}-{code}".lstrip("-")] = str(node.range(k))
        return ranges

    def to_csv(self) -> str:
        """All decisions as CSV.

        Returns:
            A row for each decision, hand class and action.
        """
        return decisions_csv(self.nodes())


def read_multiway(path: str | os.PathLike[str]) -> MultiwaySolution:
    """Open a file with such a solution; raises FileFormatError."""
    raw, arrays = read_archive(path, MULTIWAY)
    with reading_content(path, "a whole solution"):
        header = _Header.read(raw)
        hand = read_stored_hand(header.hand)
        check_hand(hand)
        _check(header, hand, arrays)
    own: dict[str, Any] = {name: arrays[name] for name in _ARRAYS}
    return MultiwaySolution(hand=hand, **fields_of(header, "hand"), **own)


def _check(header: _Header, hand: Hand, arrays: dict[str, Any]) -> None:
    """Raise ValueError where the parts are not those of the hand."""
    seats = hand.rules.seats
    shape = hand_tree(hand).sampled(seats, 0, 1).shape
    for name, wanted in zip(_ARRAYS, (shape, shape, shape[:2]), strict=True):
        if arrays[name].shape != wanted or not np.isfinite(arrays[name]).all():
            raise ValueError(f"{name} is not {wanted} finite numbers")
    for figures in (header.values, header.gains, header.standard_errors, header.intervals):
        if len(figures) != seats:
            raise ValueError(f"there are {len(figures)} figures for {seats} seats")
