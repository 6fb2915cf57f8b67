"""PostflopResult: a solved spot, how it was solved, and a way to every node."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Final, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from equilibrist._extensions import extensions
from equilibrist.errors import ConfigError, FileFormatError, OutputError, UnsupportedError
from equilibrist.formatting.amounts import counted
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.betting.public_tree import PublicTree, find_node, node_line
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.decisions.solution import part_line
from equilibrist.poker.postflop.solution.node import Node
from equilibrist.poker.postflop.solution.node_aggregates import (
    Evaluate,
    NodeValues,
    OnBoard,
    Resolved,
    ev_digits,
)
from equilibrist.poker.postflop.solution.node_place import NodeStates
from equilibrist.poker.postflop.solution.spot_file import Keep, LeafValuesNote, write_spot
from equilibrist.poker.postflop.solution.spot_strategy import SpotStrategy, follow_line, lock_node
from equilibrist.poker.postflop.solution.stopping import guarantee_of
from equilibrist.poker.postflop.solution.tree_files.tree_filter import NodeFilter
from equilibrist.poker.postflop.solution.tree_files.writing import write_nodes
from equilibrist.poker.postflop.spot.fields import SEATS, Storage
from equilibrist.poker.postflop.spot.lock import Lock
from equilibrist.poker.postflop.spot.spot import Spot, game_name
from equilibrist.poker.ranges.range import Range
from equilibrist.results import Result, StoredStrategy
from equilibrist.solvers.run.trace import TracePoint, TraceRow
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION

ESTIMATED_GAIN: Final = "estimated gain"
"""What the measure over leaf values is called: responses against leaves as they are valued."""
_AT_ONCE: Final = 64
"""Nodes of a board that are looked up together; each takes about 100 kB."""
Parts = Callable[[int], tuple[dict[str, Any], dict[str, NDArray[Any]]]]
"""What a file of the first streets needs: entries of its header, and arrays."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PostflopResult(Result[SpotStrategy]):
    """A solved spot.

    `at(line)` looks up a node. Payoffs are in chips, or where the spot has payouts in prizes, and
    so is what is said to be in chips below. Players' gains are not kept apart:
    `evaluation` is None, `gains` raises UnsupportedError. Other attributes are those of `Result`.

    Attributes:
        spot: What was solved.
        evaluate: Gives the figures at a node of the public tree.
        on_board: Gives the figures at all nodes of a board; None to look each up by itself.
        resolved: Gives the mean gain, in chips, to which a node was re-solved, or None for others.
        strategy: The strategies of both players: `strategy[line]` gives `{action: probabilities}`.
        target: The mean gain that would end the run, in chips, if there was one.
        storage: How regrets and strategies were held: `float32` or `int16`.
        mean_gain: What a player who knows the other's strategy gains, the mean of both, in chips.
            With locks, players are bound by their own.
        memory_bytes: What the solver held.
        keep: The streets that are kept; `all` unless it was loaded from a file with fewer.
        failure: What kept a checkpoint from being written, which ends a run.
        parts: Gives what a file of the first streets needs; None if it cannot be saved.
        unlocked_mean_gain: What players gain who are not bound by their locks; None without locks.
        frequency_error: How far a locked frequency is from its target, as a share of the range: the
            worst of them, over runouts the mean. None without any.
        leaf_values: What stood in place of the later streets, which are re-solved when they are
            looked up; None for a spot that was solved to the end. With it `mean_gain` is an
            estimate: it is measured against leaves as they were valued, and bounds nothing.
        ev_error: The standard error of both EVs, in chips, as hands of three or more folded ranges
            are drawn; None where none are. `mean_gain` is that of the spot with these draws.
        tremble: The least probability of every action in the run; None without trembles.
        quantal: The temperature of logit responses, as a share of the pot at a decision; None for
            other runs.
        trembling_gain: What best responses gain that tremble as the players do, the mean of both,
            in chips; None without trembles.
        temperature: That of the last iteration of a quantal run, as a share of the pot at a
            decision: above `quantal` where the run ended too soon. None for other runs.
    """

    KIND: ClassVar[str] = SPOT_SOLUTION
    _HOW_GOOD: ClassVar[str] = "use mean_gain, the mean of both players' gains"

    game: str = field(init=False)
    config: dict[str, Any] = field(init=False)
    guarantee: str = field(init=False)
    strategy: SpotStrategy = field(init=False)
    spot: Spot
    evaluate: Evaluate
    on_board: OnBoard | None = None
    resolved: Resolved | None = None
    storage: Storage
    mean_gain: float
    memory_bytes: int
    keep: Keep = "all"
    failure: OutputError | None = None
    parts: Parts | None = None
    unlocked_mean_gain: float | None = None
    frequency_error: float | None = None
    leaf_values: LeafValuesNote | None = None
    ev_error: float | None = None
    tremble: float | None = None
    quantal: float | None = None
    trembling_gain: float | None = None
    temperature: float | None = None

    def __post_init__(self) -> None:
        spot, evaluate = self.spot, self.evaluate
        common: dict[str, Any] = {
            "game": game_name(spot),
            "config": {"algorithm": self.algorithm, "storage": self.storage, **self._perturbed},
            "guarantee": guarantee_of(self),
            "strategy": SpotStrategy(spot, lambda node, runout: evaluate(node, runout).strategy),
            "trace": self._named_trace(),
        }
        for name, value in common.items():
            object.__setattr__(self, name, value)

    @property
    def num_players(self) -> int:
        """Two players."""
        return 2

    @property
    def stored(self) -> StoredStrategy:
        """Raises UnsupportedError: strategies of spots are looked up by line."""
        raise UnsupportedError(
            "the strategy of a spot has no list of infosets",
            option="strategy",
            given=self.game,
            remedy="look up nodes with at(line), or write them with export(path)",
        )

    @property
    def values(self) -> tuple[float, float]:
        """`ev`, the EV of both players at the root, in chips."""
        return self.ev

    @property
    def nash_conv(self) -> float:
        """The gains of both players together, in chips: twice `mean_gain`; NaN over leaf values."""
        return math.nan if self.leaf_values is not None else 2 * self.mean_gain

    @property
    def known_error(self) -> float | None:
        """How far the solution may be from an equilibrium, in chips; None over leaf values."""
        return None if self.leaf_values is not None else self.mean_gain

    @property
    def measure(self) -> float:
        """`mean_gain`, which is held against the target."""
        return self.mean_gain

    @property
    def measure_name(self) -> str:
        """What `mean_gain` is called: exploitability, mean gain with rake, or estimated gain."""
        return self.spot.measure_name if self.leaf_values is None else ESTIMATED_GAIN

    @property
    def converged(self) -> bool:
        """Whether `mean_gain` met the target or, without one, is at most 1 % of the pot.

        Never over leaf values, where `mean_gain` bounds nothing.
        """
        if self.leaf_values is not None:
            return False
        limit = self.spot.value_unit.pot / 100 if self.target is None else self.target
        return self.mean_gain <= limit

    @property
    def mean_gain_percent(self) -> float:
        """`mean_gain` in percent of the pot at the root; of the prize pool in play for prizes."""
        return 100 * self.mean_gain / self.spot.value_unit.whole

    @property
    def exploitability(self) -> float | None:
        """`mean_gain` where payoffs have a constant sum; None with rake, and over leaf values."""
        return None if self._has_no_exploitability else self.mean_gain

    @property
    def exploitability_percent(self) -> float | None:
        """`exploitability` in percent of the pot at the root; None where there is none."""
        return None if self._has_no_exploitability else self.mean_gain_percent

    @property
    def _has_no_exploitability(self) -> bool:
        """Whether payoffs do not sum up, or responses were not measured in the whole spot."""
        return not self.spot.has_constant_sum or self.leaf_values is not None

    @property
    def unlocked_exploitability(self) -> float | None:
        """`unlocked_mean_gain` where payoffs have a constant sum; None with rake."""
        return self.unlocked_mean_gain if self.spot.has_constant_sum else None

    @property
    def equity(self) -> tuple[float, float]:
        """The shares of the pot of both players at the root, if there were no more betting."""
        return self._root.totals.equity

    @property
    def ev(self) -> tuple[float, float]:
        """The EV of both players at the root, in chips."""
        return self._root.totals.ev

    @property
    def eqr(self) -> tuple[float, float]:
        """The equity that both players realise: EV divided by equity times the pot."""
        return self._root.totals.eqr

    @property
    def rules(self) -> BettingRules:
        """The betting."""
        return self.spot.rules()

    @property
    def tree(self) -> PublicTree:
        """The public tree."""
        return self.spot.betting.tree

    @property
    def hand(self) -> Spot:
        """`spot`."""
        return self.spot

    @property
    def seats(self) -> tuple[str, ...]:
        """`OOP` and `IP`."""
        return tuple(map(str.upper, SEATS))

    def lines(self) -> list[str]:
        """The lines of the decisions on the first street.

        Returns:
            The lines, that of the root, which is empty, first.
        """
        tree = self.tree
        acts = (tree.kind == ACTION) & (tree.street == tree.street[0])
        return [line_text(node_line(tree, node)) for node in np.flatnonzero(acts).tolist()]

    def at(self, line: str = "", board: str | Sequence[int] = "") -> Node:
        """The node after a line with cards.

        Args:
            line: Actions and cards since the root, such as `X-B94-C|8h|X-X|2c|B200`, or a node id
                of PioSOLVER, such as `r:0:c:b94:c:8h`.
            board: The public cards, those of the root first, if the line has none: `X-X|X`.

        Returns:
            The node, with the figures of all hands there.

        Raises:
            LineSyntaxError: The line cannot be read or played.
            ConfigError: The line is not a text, it has cards that the board has, too, or the board
                begins otherwise than that of the root.
        """
        if board:
            line = self._with_cards(line, board)
        state, runout = follow_line(self.spot, line)
        node = find_node(self.tree, state.line)
        return self._node(node, runout, self.evaluate(node, runout))

    def _with_cards(self, line: str, board: str | Sequence[int]) -> str:
        """The line with the cards of a board."""
        betting, cards = part_line(line, board)
        root = len(self.spot.cards)
        if set(cards[:root]) != set(self.spot.cards):
            raise ConfigError(
                f"the board of the spot is {self.spot.board}",
                option="board",
                given=board,
                expected=f"a board that begins with {self.spot.board}",
            )
        streets = [part.actions for part in parse_line(betting)]
        return line_text(streets, [[card] for card in cards[root:]])

    def nodes(self, runout: tuple[int, ...], nodes: Iterable[int]) -> Iterator[Node]:
        """Nodes of the public tree on one board, for the cost of about one.

        Args:
            runout: The cards since the root, as many as the nodes' street takes.
            nodes: Numbers of nodes of `tree`, all of one street.

        Yields:
            The nodes, in that order.
        """
        if self.on_board is None:
            for node in nodes:
                yield self._node(node, runout, self.evaluate(node, runout))
            return
        figures, left = self.on_board(runout), iter(nodes)
        while some := list(islice(left, _AT_ONCE)):
            for node, values in zip(some, figures(some), strict=True):
                yield self._node(node, runout, values)

    def lock(self, line: str = "") -> Lock:
        """Fix what is played at a node, for every hand, to six decimals; for `Spot.locks`.

        Where cards were dealt the lock holds on their runout alone. Hands that are suit images of
        each other get their mean, so that they remain images.

        Args:
            line: Actions and cards since the root.

        Returns:
            The lock.

        Raises:
            LineSyntaxError: The line cannot be read or played.
            ConfigError: Nobody acts there.
        """
        return lock_node(self.spot, self.at(line))

    def to_dict(self, line: str = "") -> dict[str, Any]:
        """The result and one of its nodes as a JSON document.

        Args:
            line: The line of the node, by default the root.

        Returns:
            `facts`, with totals at the root, and the node as `node`.

        Raises:
            LineSyntaxError: The line cannot be read or played.
            ConfigError: The line is not a text.
        """
        return {**self.facts(), "node": self.at(line).to_dict()}

    def facts(self) -> dict[str, Any]:
        """The spot, the run and both players' totals at the root, for a JSON document.

        Without rake the mean gain is the exploitability. With rake, and over leaf values, there is
        no exploitability, and its figures are None; over leaf values `mean_gain_chips` is an
        estimate. The keys are the same for all spots: `leaf_values` is None for those that were
        solved to the end.

        In play for prizes the document begins with `"unit": "prizes"` and the payouts; gains have
        keys that end in `_prizes`, and `ev` is in prizes.

        Returns:
            Plain numbers, texts and lists; keys that end in `_chips` are in chips, in `_percent` in
            percent of the pot.
        """
        raked, unlocked = self._has_no_exploitability, self.unlocked_mean_gain
        unit = self.spot.value_unit
        digits = ev_digits(unit.whole)
        unlocked = None if unlocked is None else round(unlocked, digits)
        chips, percent = round(self.mean_gain, digits), round(self.mean_gain_percent, 6)
        if unit.for_prizes:
            return self._prize_facts(chips, percent, unlocked, digits)
        return {
            "board": self.spot.board,
            "pot": self.spot.pot,
            "stack": self.spot.stack,
            "oop": str(self.spot.oop),
            "ip": str(self.spot.ip),
            "folded": [str(hands) for hands in self.spot.folded],
            "locks": [str(lock) for lock in self.spot.locks],
            "iterations": self.iterations,
            "seconds": round(self.seconds, 6),
            "exploitability_chips": None if raked else chips,
            "exploitability_percent": None if raked else percent,
            "mean_gain_chips": chips,
            "mean_gain_percent": percent,
            "unlocked_exploitability_chips": None if raked else unlocked,
            "unlocked_mean_gain_chips": unlocked,
            "frequency_error": self.frequency_error and round(self.frequency_error, 6),
            "stopped_by": self.stopped_by,
            "converged": self.converged,
            "memory_bytes": self.memory_bytes,
            "leaf_values": self._leaf_values_document,
            "ev_error_chips": self.ev_error and round(self.ev_error, digits),
            "tremble": self.tremble,
            "quantal": self.quantal,
            "temperature": self.temperature,
            "trembling_gain_chips": self.trembling_gain and round(self.trembling_gain, digits),
            **self._root.totals_document(),
        }

    def _prize_facts(
        self, gain: float, percent: float, unlocked: float | None, digits: int
    ) -> dict[str, Any]:
        """`facts` in play for prizes: what is in chips there is in prizes."""
        spot = self.spot
        assert spot.prizes is not None
        return {
            "unit": "prizes",
            "prize_pool": spot.prizes.pool,
            "payouts": list(spot.prizes.payouts),
            "others": list(spot.prizes.others),
            "stacks": list(spot.prizes.stacks),
            "board": spot.board,
            "pot": spot.pot,
            "stack": spot.stack,
            "oop": str(spot.oop),
            "ip": str(spot.ip),
            "locks": [str(lock) for lock in spot.locks],
            "iterations": self.iterations,
            "seconds": round(self.seconds, 6),
            "mean_gain_prizes": gain,
            "mean_gain_percent_of_prize_pool": percent,
            "unlocked_mean_gain_prizes": unlocked,
            "frequency_error": self.frequency_error and round(self.frequency_error, 6),
            "stopped_by": self.stopped_by,
            "converged": self.converged,
            "memory_bytes": self.memory_bytes,
            "tremble": self.tremble,
            "quantal": self.quantal,
            "temperature": self.temperature,
            "trembling_gain_prizes": self.trembling_gain and round(self.trembling_gain, digits),
            **self._root.totals_document(),
        }

    def save(self, path: str | os.PathLike[str], keep: Keep | None = None) -> Path:
        """Write the result to a file, which `load_result` opens.

        Strategies and EVs of the kept streets are bit-identical; others are re-solved on demand.

        Args:
            path: The file. An earlier solution of a spot is replaced; it stays if anything fails.
            keep: The streets to keep: `all`, `no-rivers` or `first-street`; by default those that
                are here.

        Returns:
            The path. `solution_file` of this result stays as it is.

        Raises:
            ConfigError: Nothing would be left, or the streets are not here.
            OutputError: The file cannot be written.
        """
        run = {
            "spot": self.spot.to_toml(),
            "iterations": self.iterations,
            "seconds": self.seconds,
            "mean_gain": self.mean_gain,
            "unlocked_mean_gain": self.unlocked_mean_gain,
            "frequency_error": self.frequency_error,
            "target": self.target,
            "stopped_by": self.stopped_by,
            "memory_bytes": self.memory_bytes,
            "leaf_values": self._leaf_values_document,
            "ev_error": self.ev_error,
            **self._perturbed,
            "trembling_gain": self.trembling_gain,
            "temperature": self.temperature,
            "values": self.values,
            "trace": [point.row for point in self.trace],
        }
        return write_spot(path, self.spot, self.keep if keep is None else keep, self.parts, run)

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        line: str = "",
        streets: str | None = None,
        hands: Range | str | None = None,
        all_runouts: bool = False,
        ends: bool = False,
    ) -> Path:
        """Write the nodes to a file for other programs; `poker.export` reports progress, too.

        Numbers are rounded as `poker.export` says.

        Args:
            path: The file; its name ends in .json, .jsonl, .csv or .parquet.
            line: As in `poker.export`.
            streets: As in `poker.export`.
            hands: As in `poker.export`.
            all_runouts: As in `poker.export`.
            ends: As in `poker.export`.

        Returns:
            The path.

        Raises:
            LineSyntaxError: The line cannot be read or played.
            RangeSyntaxError: The range cannot be read.
            ConfigError: Another argument is wrong, or nothing is left to write.
            OutputError: The file cannot be written.
        """
        choice = NodeFilter(self.spot, line, streets, hands, all_runouts=all_runouts, ends=ends)
        write_nodes(self.nodes, self.facts, path, choice)
        return Path(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> NoReturn:
        """Not possible: `load_result` opens solutions of spots.

        Args:
            path: A file.

        Raises:
            FileFormatError: Always.
        """
        raise FileFormatError(
            f"PostflopResult.load cannot open {path}: streets that the file of a spot lacks are "
            "re-solved, which load_result does",
            path,
            option="format",
            remedy="use load_result(path)",
        )

    def __str__(self) -> str:
        is_near = self.converged or self.leaf_values is not None
        warning = "" if is_near else "not converged: "
        return (
            f"{warning}{counted(self.iterations, 'iteration')}, {self.seconds:.3g} s; "
            f"{self.measure_name} {self.mean_gain:.4g} {self.spot.value_unit.words}, "
            f"{self.mean_gain_percent:.3g} % of {self.spot.value_unit.whole_name}"
        )

    def __repr__(self) -> str:
        return f"<PostflopResult of {self.spot.board}: {self}>"

    def _repr_html_(self) -> str:
        return f"<p>{self}</p>{self._curve}{self._root._repr_html_()}"

    @property
    def _leaf_values_document(self) -> dict[str, Any] | None:
        """`leaf_values` as plain data."""
        return None if self.leaf_values is None else self.leaf_values.model_dump()

    @property
    def _perturbed(self) -> dict[str, float]:
        """Trembles or the temperature of logit responses, if there are any."""
        both = {"tremble": self.tremble, "quantal": self.quantal}
        return {name: value for name, value in both.items() if value is not None}

    def _named_trace(self) -> tuple[TracePoint, ...]:
        """The trace, whose points say what was measured."""
        if self.leaf_values is not None:
            return estimated_trace(self.trace)
        return self.trace if self.spot.has_constant_sum else raked_trace(self.trace)

    def _node(self, node: int, runout: tuple[int, ...], values: NodeValues) -> Node:
        resolved = None if self.resolved is None else self.resolved(node, runout)
        state, actions = self._states[node]
        measure_name = self.spot.measure_name
        unit = self.spot.value_unit
        return Node(
            board=self.spot.cards,
            state=state,
            runout=runout,
            actions=actions,
            values=values,
            resolved=resolved,
            measure_name=measure_name,
            look_up=self.at,
            whole=self._whole,
            prize_pool=unit.whole if unit.for_prizes else None,
        )

    @cached_property
    def _states(self) -> NodeStates:
        return NodeStates(self.rules, self.tree)

    @cached_property
    def _whole(self) -> tuple[float, float]:
        """The largest weight of a hand of each player at the root."""
        oop, ip = (float(held.weights.max()) for held in self.spot.ranges)
        return oop, ip

    @cached_property
    def _root(self) -> Node:
        return self.at()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the solution as its file, which is as large as what the solver held."""
        with TemporaryDirectory() as folder:
            content = self.save(Path(folder) / "solution").read_bytes()
        return extensions("spot pickles")["load"], (content, self.solution_file)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class RakedPoint(TracePoint):
    """A measurement of a spot with rake: its `measure` is the mean gain, as that of the result."""

    @property
    def measure(self) -> float:
        """The mean gain, half of NashConv, in chips."""
        return self.nash_conv / 2

    @property
    def measure_name(self) -> str:
        """Mean gain."""
        return "mean gain"


def raked_trace(trace: Iterable[TracePoint]) -> tuple[RakedPoint, ...]:
    """The points without an exploitability, as which early files have the mean gain."""
    return tuple(RakedPoint(p.iteration, p.seconds, p.nash_conv, None, p.values) for p in trace)


@dataclass(frozen=True)
class EstimatedPoint(TracePoint):
    """A measurement over leaf values, which bounds nothing; `nash_conv` is NaN.

    Attributes:
        estimate: The estimated gain, the mean of both players, in chips.
    """

    estimate: float = math.nan

    @property
    def measure(self) -> float:
        """The estimated gain, in chips."""
        return self.estimate

    @property
    def measure_name(self) -> str:
        """Estimated gain."""
        return ESTIMATED_GAIN

    @property
    def row(self) -> TraceRow:
        """The row that a file holds, with twice the estimate in place of NashConv."""
        return self.iteration, self.seconds, 2 * self.estimate, None, list(self.values)


def estimated_trace(trace: Iterable[TracePoint]) -> tuple[EstimatedPoint, ...]:
    """The points of a run over leaf values; those of its loop and file have twice the estimate."""
    return tuple(
        point
        if isinstance(point, EstimatedPoint)
        else EstimatedPoint(
            iteration=point.iteration,
            seconds=point.seconds,
            nash_conv=math.nan,
            exploitability=None,
            values=point.values,
            estimate=point.nash_conv / 2,
        )
        for point in trace
    )
