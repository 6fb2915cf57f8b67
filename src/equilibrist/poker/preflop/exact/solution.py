"""`PreflopSolution`: what solving a hand found, with figures at every node before the flop."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.poker.betting.actions import Action
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO, NUM_CLASSES
from equilibrist.poker.hands.betting_tree import BettingTree
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.stored import stored_hand
from equilibrist.poker.hands.tree_lines import path_to
from equilibrist.poker.postflop.solution.grid_pictures import draw_grid
from equilibrist.poker.preflop.exact.boards import deck_hands
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.preflop_values import NodeRows, PreflopTables, preflop_nodes
from equilibrist.solvers.run.loop import StopReason
from equilibrist.solvers.run.stall import kept_text, stall_text
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.typing import FloatArray, Int64Array

SEAT_NAMES: Final = ("small blind", "big blind")
_LEAST_REACH: Final = 1e-3
"""Hands that get to a node less often are left out of its table."""


@dataclass(frozen=True)
class PreflopNode:
    """A node before the flop, for the player to act; arrays have a column for each hand class.

    Attributes:
        line: The actions before it, such as `R2.5-C`; empty at the root.
        seat: 0 for the small blind, which has the button, 1 for the big blind.
        actions: The actions by their codes in lines.
        names: The names of the hand classes, `AA`, `AKs` ... in the order of the columns.
        combos: float64[R]: hands of each class.
        reach: float64[R]: how often the player gets here with the class.
        strategy: float64[A, R]: how often each action is taken.
        ev: float64[R]: what the hand wins in big blinds, against the stack before posting.
        action_ev: float64[A, R]: the same after each action.
        moves: The actions as objects.
    """

    line: str
    seat: int
    actions: tuple[str, ...]
    names: tuple[str, ...]
    combos: FloatArray
    reach: FloatArray
    strategy: FloatArray
    ev: FloatArray
    action_ev: FloatArray
    moves: tuple[Action, ...] = field(repr=False)

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def seat_name(self) -> str:
        """`small blind` or `big blind`."""
        return SEAT_NAMES[self.seat]

    @property
    def frequencies(self) -> FloatArray:
        """float64[A]: how often each action is taken by the hands that get here."""
        weights = self.combos * self.reach
        total = weights.sum()
        return self.strategy @ weights / total if total > 0 else np.zeros(len(self.actions))

    def range_text(self, action: int) -> str:
        """The hands that take an action, as ranges are written: `AA,AKs:0.5`.

        Args:
            action: Its number.

        Returns:
            A range that `postflop` takes; empty where no hand does.
        """
        whole_number("action", action, 0, len(self.strategy) - 1)
        weights = self.reach * self.strategy[action]
        return ",".join(
            name if weight > 0.9995 else f"{name}:{weight:.3g}"
            for name, weight in zip(self.names, weights, strict=True)
            if weight >= _LEAST_REACH
        )

    def draw(self, path: str | os.PathLike[str]) -> None:
        """Draw the strategy as a 13x13 grid, whose cells are filled up to the reach.

        Args:
            path: The file, .svg or .png.

        Raises:
            ConfigError: The name of the file ends otherwise.
            OutputError: The file cannot be written.
        """
        places = [CLASS_NAMES.index(name) for name in self.names]
        reach = np.zeros(len(CLASS_NAMES))
        strategy = np.zeros((len(self.actions), len(CLASS_NAMES)))
        reach[places], strategy[:, places] = self.reach, self.strategy
        where = f"after {self.line}" if self.line else "at the start"
        draw_grid(path, reach, strategy, self.moves, f"{self.seat_name} {where}")

    def to_dict(self) -> dict[str, Any]:
        """Give all figures as plain values.

        Returns:
            A document, as `--json` prints it.
        """
        return {
            "line": self.line,
            "seat": self.seat_name,
            "actions": list(self.actions),
            "frequencies": self.frequencies.tolist(),
            "ranges": {code: self.range_text(k) for k, code in enumerate(self.actions)},
            "hands": {
                name: {
                    "reach": float(self.reach[k]),
                    "strategy": self.strategy[:, k].tolist(),
                    "ev": _or_none(self.ev[k]),
                    "action_ev": [_or_none(value) for value in self.action_ev[:, k]],
                }
                for k, name in enumerate(self.names)
            },
        }


@dataclass(frozen=True, eq=False)
class PreflopSolution:
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
        failure: What kept a checkpoint from being written.
    """

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

    def at(self, line: str = "") -> PreflopNode:
        """Look up a node.

        Args:
            line: The actions before it, as `lines` has them.

        Returns:
            The node.

        Raises:
            ConfigError: No decision before the flop has this line.
        """
        for node in sorted(self.strategies):
            if self.tree.line(node) == line.strip().upper():
                return self._node(node)
        after = " The file has no strategies after the flop; `equilibrist play` solves flops."
        lines = ", ".join(each or "the empty one" for each in self.lines()[:12])
        raise ConfigError(
            f"no decision before the flop has the line {line!r}",
            option="line",
            given=line,
            remedy=f"lines are {lines}.{after if self.hand.rules.final_street else ''}".rstrip("."),
        )

    def nodes(self) -> Iterator[PreflopNode]:
        """Go through all nodes before the flop.

        Yields:
            The nodes in the order of the tree.
        """
        for node in sorted(self.strategies):
            yield self._node(node)

    def ranges_at(self, node: int) -> FloatArray:
        """How often the seats get to a node before the flop, or to the deal of the flop.

        Args:
            node: The node of `tree`.

        Returns:
            float64[2, R]: by hand class, if the other seat lets it.
        """
        whole_number("node", node, 0, self.tree.num_nodes - 1)
        found = np.ones((2, len(self.hands)))
        for decision, action in path_to(self.tree, node):
            found[self.tree.player[decision]] *= self.strategies[decision][action]
        return found

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
        found: FloatArray = np.where(at >= 0, np.asarray(rows)[..., at], 0.0)
        return found

    def _node(self, node: int) -> PreflopNode:
        tree, rows = self.tree, self._figures[node]
        names = CLASS_OF_COMBO[self.hands]
        order = np.argsort(names, kind="stable")
        children = tree.children(node)
        return PreflopNode(
            tree.line(node),
            int(tree.player[node]),
            tuple(tree.label(child) for child in children),
            tuple(CLASS_NAMES[k] for k in names[order]),
            self.many[order],
            rows.reach[order],
            rows.strategy[:, order],
            rows.ev[order],
            rows.action_ev[:, order],
            tree.moves(node),
        )

    def to_dict(self) -> dict[str, Any]:
        """Give all figures as plain values.

        Returns:
            A document, as `--json` prints it.
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
            "target_mbb": self.target,
            "memory_bytes": self.memory_bytes,
            "nodes": [node.to_dict() for node in self.nodes()],
        }

    def to_csv(self) -> str:
        """Write the figures of all nodes as CSV.

        Returns:
            A row for each node, hand class and action.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(
            ["line", "seat", "hand", "combos", "reach", "action", "frequency", "ev", "action_ev"]
        )
        for node in self.nodes():
            for k, name in enumerate(node.names):
                for a, code in enumerate(node.actions):
                    numbers = (node.reach[k], node.strategy[a, k], node.ev[k], node.action_ev[a, k])
                    before = [node.line, node.seat_name, name, int(node.combos[k])]
                    after = [f"{number:z.6g}" for number in numbers[1:]]
                    writer.writerow([*before, f"{numbers[0]:.6g}", code, *after])
        return text.getvalue()

    def ranges(self) -> dict[str, str]:
        """The range of each action at each node.

        Returns:
            By line with the action, ranges as `postflop` takes them.
        """
        found = {}
        for node in self.nodes():
            for k, code in enumerate(node.actions):
                found[f"{node.line}-{code}".lstrip("-")] = node.range_text(k)
        return found


def _or_none(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None
