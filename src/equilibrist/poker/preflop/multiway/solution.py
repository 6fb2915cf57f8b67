"""`MultiwaySolution`: what solving a hand of several seats found, with every decision's hands."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.poker.betting.actions import Action
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO, FIRST_CARD, NUM_CLASSES
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.rules import position_names
from equilibrist.poker.preflop.multiway.hand_tree import HandTree, hand_tree
from equilibrist.poker.preflop.sampled_run import StoppedBy
from equilibrist.poker.ranges.range import Range, to_digits
from equilibrist.typing import FloatArray

_COLUMNS: Final = (
    "line", "seat", "hand", "combos", "reach", "action", "frequency", "ev", "action_ev",
)  # fmt: skip


@dataclass(frozen=True)
class MultiwayNode:
    """A decision; arrays have a column for each of the 169 classes of hands, in big blinds.

    Attributes:
        line: The actions before it, such as `F-R2.5`; empty at the root.
        seat: The number of the seat that acts.
        seat_name: Its name, such as `BTN`.
        actions: The actions by their codes in lines.
        combos: float64[169]: hands of each class in the deck.
        reach: float64[169]: how often the seat gets here with the class.
        strategy: float64[A, 169]: how often each action is taken.
        action_ev: float64[A, 169]: what each action wins against the stack before posting, where
            the others let it come to this decision; nan where no deal came here.
        reached: How often play gets here.
        moves: The actions as objects.
    """

    line: str
    seat: int
    seat_name: str
    actions: tuple[str, ...]
    combos: FloatArray
    reach: FloatArray
    strategy: FloatArray
    action_ev: FloatArray
    reached: float
    moves: tuple[Action, ...] = field(repr=False)

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the 169 classes, in the order of the columns."""
        return CLASS_NAMES

    @property
    def ev(self) -> FloatArray:
        """float64[169]: what the hand wins with the strategy, against the stack before posting."""
        found: FloatArray = (self.strategy * self.action_ev).sum(axis=0)
        return found

    @property
    def frequencies(self) -> FloatArray:
        """float64[A]: how often each action is taken by the hands that get here."""
        weights = self.combos * self.reach
        total = weights.sum()
        return self.strategy @ weights / total if total > 0 else np.zeros(len(self.actions))

    def to_dict(self) -> dict[str, Any]:
        """Give all figures as plain values.

        Returns:
            A document, as `--json` prints it.
        """
        return {
            "line": self.line,
            "seat": self.seat_name,
            "actions": list(self.actions),
            "reached": self.reached,
            "frequencies": self.frequencies.tolist(),
            "hands": {
                CLASS_NAMES[k]: {
                    "reach": float(self.reach[k]),
                    "strategy": self.strategy[:, k].tolist(),
                    "ev": _or_none(self.ev[k]),
                    "action_ev": [_or_none(value) for value in self.action_ev[:, k]],
                }
                for k in np.flatnonzero(self.combos).tolist()
            },
        }


@dataclass(frozen=True, eq=False)
class MultiwaySolution:
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
    stopped_by: StoppedBy
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
        return position_names(self.hand.rules.seats)

    @cached_property
    def tree(self) -> HandTree:
        """The betting."""
        return hand_tree(self.hand)

    @cached_property
    def _reach(self) -> FloatArray:
        return self.tree.sampled(len(self.values), 0, 1).own_reach(self.strategy)

    def lines(self) -> list[str]:
        """The lines that lead to the decisions.

        Returns:
            The lines, that of the root, which is empty, first.
        """
        return [self.tree.betting.line(node) for node in self.tree.nodes]

    def at(self, line: str = "") -> MultiwayNode:
        """Look up a decision.

        Args:
            line: The actions before it, as `lines` has them.

        Returns:
            The decision.

        Raises:
            ConfigError: No decision has this line.
        """
        lines = self.lines()
        wanted = line.strip().upper()
        if wanted not in lines:
            raise ConfigError(
                f"no decision has the line {line!r}",
                option="line",
                given=line,
                remedy=f"lines are {', '.join(each or 'the empty one' for each in lines[:12])}",
            )
        return self._node(lines.index(wanted))

    def nodes(self) -> Iterator[MultiwayNode]:
        """Go through all decisions.

        Yields:
            The decisions in the order of the tree.
        """
        for decision in range(len(self.tree.nodes)):
            yield self._node(decision)

    def _node(self, decision: int) -> MultiwayNode:
        tree = self.tree
        betting, node = tree.betting, tree.nodes[decision]
        dealt = tree.deck[0] <= FIRST_CARD
        combos = np.bincount(CLASS_OF_COMBO[dealt], minlength=NUM_CLASSES).astype(np.float64)
        class_of = np.zeros(NUM_CLASSES, np.int64)
        class_of[CLASS_OF_COMBO] = tree.classes
        children = betting.children(node)
        seat = int(betting.player[node])
        came = self.reached[decision, class_of] > 0
        by_action = self.action_values[decision, class_of, : len(children)].T
        return MultiwayNode(
            betting.line(node),
            seat,
            self.seats[seat],
            tuple(betting.label(child) for child in children),
            combos,
            self._reach[decision, class_of] * (combos > 0),
            self.strategy[decision, class_of, : len(children)].T.copy(),
            np.where(came, by_action, np.nan),
            float(self.reached[decision].sum()),
            tree.moves(decision),
        )

    def to_dict(self, line: str | None = None) -> dict[str, Any]:
        """The solution for JSON.

        Args:
            line: The decision to include; None for all.

        Returns:
            Values, gains and intervals by seat, and decisions.
        """
        names = self.seats
        nodes = self.nodes() if line is None else [self.at(line)]
        return {
            "hand": self.hand.to_toml(),
            "seats": list(names),
            "values": dict(zip(names, self.values, strict=True)),
            "standard_errors": dict(zip(names, self.standard_errors, strict=True)),
            "gains": dict(zip(names, self.gains, strict=True)),
            "gain_intervals": {
                name: list(each) for name, each in zip(names, self.intervals, strict=True)
            },
            "nash_conv": self.nash_conv,
            "nash_conv_interval": list(self.interval),
            "iterations": self.iterations,
            "deals": self.deals,
            "measured_deals": self.measured_deals,
            "seed": self.seed,
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
            "nodes": [node.to_dict() for node in nodes],
        }

    def ranges(self) -> dict[str, str]:
        """The range of each action at each decision.

        Returns:
            By line with the action, ranges as `postflop` takes them.
        """
        found = {}
        for node in self.nodes():
            for k, code in enumerate(node.actions):
                weights = to_digits(node.reach * node.strategy[k], 3, least=5e-4)
                name = f"{node.line}-{code}".lstrip("-")
                found[name] = str(Range.from_weights(weights[CLASS_OF_COMBO]))
        return found

    def to_csv(self) -> str:
        """All decisions as CSV.

        Returns:
            A row for each decision, hand class and action.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for node in self.nodes():
            ev = node.ev
            for k in np.flatnonzero(node.combos).tolist():
                for a, code in enumerate(node.actions):
                    before = [node.line, node.seat_name, CLASS_NAMES[k], int(node.combos[k])]
                    numbers = (node.strategy[a, k], ev[k], node.action_ev[a, k])
                    after = [f"{number:z.6g}" for number in numbers]
                    writer.writerow([*before, f"{node.reach[k]:.6g}", code, *after])
        return text.getvalue()


def _or_none(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None
