"""Comparison of a solved spot with frequencies that come from elsewhere, or with another solution.

At each decision of a table, and for each of its hands, the table's mixture s is held against the
solution's mixture sigma, with the EVs v that the solution has of the actions there:

    difference = sum |s(a) - sigma(a)| / 2        the probability that has to be moved
    loss       = sum (sigma(a) - s(a)) v(a)       in chips, where everything else is the solution's
    cost       = loss * frequency                 in chips per deal

The loss is that of one decision: what a whole strategy loses against a best response, `postflop
examine` measures. It is negative where a mixture earns more than that of the solution, by no more
than the solution's own gains. Of another solution all decisions of a street are the table, combo by
combo; it may have other ranges, bets, rake and locks, on the same board with the same pot.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError, LineSyntaxError
from equilibrist.formatting.amounts import counted
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import instance
from equilibrist.poker.betting.actions import WORDS, Action, Kind
from equilibrist.poker.betting.lines import parse_line, read_action
from equilibrist.poker.cards.cards import parse_board
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.postflop.files.frequency_tables import NotedHand, read_frequencies
from equilibrist.poker.postflop.solution.node import Node
from equilibrist.poker.postflop.solution.node_aggregates import json_number
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.value_unit import refuse_prizes
from equilibrist.poker.text_span import TextSpan
from equilibrist.storage.frames import import_pandas
from equilibrist.typing import FloatArray

LeftOutCode = Literal["not-there", "action", "line", "no-decision", "board", "other"]
_SHARE_OF_POT: Final = re.compile(r"(?:bet|b)?\s*(\d+(?:\.\d+)?)\s*%", re.IGNORECASE | re.ASCII)
_ALL_IN: Final = (Kind.ALL_IN,)
_KINDS: Final[dict[str, tuple[Kind, ...]]] = {
    **{
        name: (kind,) for kind, word in WORDS.items() for name in (word.lower(), kind.value.lower())
    },
    **dict.fromkeys(("bet", "b", "cbet", "c-bet", "donk"), (Kind.BET, Kind.ALL_IN)),
    **dict.fromkeys(("raise", "r", "bet/raise"), (Kind.RAISE, Kind.ALL_IN)),
    **dict.fromkeys(("allin", "all in", "jam", "shove", "push"), _ALL_IN),
}
"""The kinds of actions that a word without an amount may mean, what is meant first in front."""
_NEAR: Final = 0.02
"""How far a bet may be from its share of the pot, as a share of the pot: sizes are rounded."""
_NOT_THERE: Final = "it does not come here"
_CODES: Final[Mapping[str, LeftOutCode]] = {"action": "action", "board": "board"}
"""Codes of what is left out, by the options of errors."""
ORDERS: Final = ("cost", "loss", "difference", "ev", "frequency")
"""By what rows may be sorted, the largest first."""


class HandDifference(NamedTuple):
    """A hand of a table against the solution, at one decision.

    Attributes:
        line: The decision.
        player: `oop` or `ip`.
        hand: The hand as the table has it.
        frequency: How often the player comes there with it, as a share of all deals.
        noted: By action of the solution: the probability of the table.
        solved: By action of the solution: its own probability.
        difference: The probability that has to be moved, from 0 to 1.
        loss: In chips, what the mixture of the table earns less than that of the solution.
        cost: The loss times the frequency: chips per deal.
        ev: The EV of the hand in the solution, in chips.
        noted_ev: The EV that the table has for the hand, in chips; None where it has none.
    """

    line: str
    player: str
    hand: str
    frequency: float
    noted: Mapping[str, float]
    solved: Mapping[str, float]
    difference: float
    loss: float
    cost: float
    ev: float
    noted_ev: float | None

    @property
    def ev_difference(self) -> float | None:
        """In chips, the EV of the table less that of the solution; None where it has none."""
        return None if self.noted_ev is None else self.noted_ev - self.ev


class DecisionDifference(NamedTuple):
    """All hands of a table at one decision together; means are by how often hands come there.

    Attributes:
        line: The decision.
        player: `oop` or `ip`.
        hands: How many hands are compared.
        frequency: How often the compared hands come there, as a share of all deals.
        covered: The share of the range that comes there of which the table speaks.
        noted: By action: how often the table takes it with the compared hands.
        solved: By action: how often the solution takes it with the compared hands.
        difference: The mean difference.
        loss: The mean loss in chips.
        cost: The sum of the costs, in chips per deal.
    """

    line: str
    player: str
    hands: int
    frequency: float
    covered: float
    noted: Mapping[str, float]
    solved: Mapping[str, float]
    difference: float
    loss: float
    cost: float


class LeftOut(NamedTuple):
    """What of a table is not compared.

    Attributes:
        number: The line of the file; 0 of another solution.
        line: The decision.
        hand: The hand; of another solution how many.
        reason: Why.
        code: The same as a code: the hand is `not-there`; the solution lacks the `action`, or a
            step of the `line`; there is `no-decision`; the `board` is another one.
        action: The action, or the step of the line, that the solution lacks.
        actions: What the solution has in the place of the action.
        hands: How many hands.
    """

    number: int
    line: str
    hand: str
    reason: str
    code: LeftOutCode
    action: str = ""
    actions: tuple[str, ...] = ()
    hands: int = 1


@dataclass(frozen=True)
class TableComparison:
    """A table of frequencies, or another solution, held against a solved spot.

    Attributes:
        solution: The solution.
        hands: The hands, the greatest cost first.
        decisions: The decisions, the greatest cost first.
        left_out: What is not compared.
        other: The other solution; None for a table.
    """

    solution: PostflopResult
    hands: list[HandDifference]
    decisions: list[DecisionDifference]
    left_out: list[LeftOut]
    other: PostflopResult | None = None

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def different_keys(self) -> tuple[str, ...]:
        """The keys of the spot in which the other solution differs, such as `bets`, in order."""
        if self.other is None:
            return ()
        own, other = self.solution.spot, self.other.spot
        return tuple(
            name
            for name in type(own).model_fields
            if name != "board" and getattr(own, name) != getattr(other, name)
        )

    def sorted_by(self, order: str = "cost") -> list[HandDifference]:
        """The hands in an order.

        Args:
            order: One of `cost`, `loss`, `difference`, `ev` (the difference of EVs) or `frequency`.

        Returns:
            The hands, the largest first.

        Raises:
            ConfigError: There is no such order, or the table has no EVs to go by.
        """
        if order not in ORDERS:
            raise ConfigError(
                f"hands cannot be sorted by {order}",
                option="sort",
                given=order,
                expected=", ".join(ORDERS),
                remedy=f"sort by {' or '.join(ORDERS)}",
            )
        if order != "ev":
            return sorted(self.hands, key=lambda hand: -getattr(hand, order))
        if all(hand.noted_ev is None for hand in self.hands):
            raise ConfigError(
                "the table has no column ev",
                option="sort",
                given=order,
                remedy="sort by cost, loss, difference or frequency",
            )
        return sorted(self.hands, key=lambda hand: -abs(hand.ev_difference or 0.0))

    def rows(self, order: str = "cost") -> list[dict[str, Any]]:
        """The hands as rows of a table, with two columns for each action.

        Args:
            order: As in `sorted_by`.

        Returns:
            The rows: `Check noted` is the probability of the table, `Check solved` that of the
            solution; NaN where a decision has no such action, or the table no EV.
        """
        names = dict.fromkeys(name for hand in self.hands for name in hand.solved)
        has_ev = any(hand.noted_ev is not None for hand in self.hands)
        rows = []
        for hand in self.sorted_by(order):
            row: dict[str, Any] = {
                "line": hand.line,
                "player": hand.player,
                "hand": hand.hand,
                "frequency": hand.frequency,
                "difference": hand.difference,
                "loss": hand.loss,
                "cost": hand.cost,
                "ev": hand.ev,
            }
            if has_ev:
                nan = float("nan")
                row["noted_ev"] = nan if hand.noted_ev is None else hand.noted_ev
                row["ev_difference"] = nan if hand.ev_difference is None else hand.ev_difference
            for name in names:
                row[f"{name} noted"] = hand.noted.get(name, float("nan"))
                row[f"{name} solved"] = hand.solved.get(name, float("nan"))
            rows.append(row)
        return rows

    @property
    def frame(self) -> Any:
        """The rows as a DataFrame; raises ConfigError if pandas is not installed."""
        return import_pandas().DataFrame(self.rows())

    def to_dict(self, order: str = "cost", most: int | None = None) -> dict[str, Any]:
        """The comparison as a JSON document.

        Args:
            order: The order of the hands, as in `sorted_by`.
            most: The most hands that it lists; None for all.

        Returns:
            Plain data: EVs, losses and costs in chips, frequencies and differences as shares.
        """
        hands = self.sorted_by(order)
        return {
            **self.solution.facts(),
            "unit": "chips",
            "pot": self.solution.spot.pot,
            "cost": json_number(sum(hand.cost for hand in self.hands)),
            "compared": len(hands),
            "decisions": [_plain(decision) for decision in self.decisions],
            "hands": [
                {**_plain(hand), "ev_difference": json_number(hand.ev_difference)}
                for hand in hands[:most]
            ],
            "left_out": [
                {**entry._asdict(), "actions": [*entry.actions]} for entry in self.left_out
            ],
            **({} if self.other is None else self._other_facts()),
        }

    def _other_facts(self) -> dict[str, Any]:
        """What the other solution is, for the JSON document."""
        assert self.other is not None
        return {"other": self.other.facts(), "different_keys": [*self.different_keys]}


def compare_frequencies(
    solution: PostflopResult,
    table: str | os.PathLike[str] | Sequence[NotedHand] | PostflopResult,
    *,
    line: str = "",
    on_decision: Callable[[int, int], None] | None = None,
) -> TableComparison:
    """Hold a table of frequencies, or another solution, against a solved spot.

    Args:
        solution: The solution; streets that its file does not keep are re-solved.
        table: A file in CSV, as `read_frequencies` reads it, or what that returned; or another
            solution, on the same board with the same pot.
        line: The decision of hands for which the table names none. Of another solution all
            decisions of the street are compared to which this line leads, from there on.
        on_decision: Called before each decision, with the number done and that of all.

    Returns:
        The differences, the greatest cost first.

    Raises:
        FileFormatError: The file is no such table; the error has the line.
        LineSyntaxError: `line` cannot be played.
        ConfigError: Nothing of the table can be compared, or the other solution is one of another
            board or pot; the error says why.
    """
    solved = instance("solution", solution, PostflopResult, "a PostflopResult of poker.solve")
    solved.at(line)
    other = table if isinstance(table, PostflopResult) else None
    for one in filter(None, (solved, other)):
        refuse_prizes(one.spot, "a comparison")
    if isinstance(table, PostflopResult):
        _check_alike(solved, table)
        noted: Iterable[NotedHand] = noted_by(table, line)
    elif isinstance(table, str | os.PathLike):
        noted = read_frequencies(table)
    else:
        noted = table
    groups: dict[tuple[str, str], list[NotedHand]] = {}
    for hand in noted:
        where = hand.line if other is not None else hand.line or line
        groups.setdefault((hand.board, where), []).append(hand)
    root = solved.at().values
    all_deals = float(root.weight[0] @ root.matchups[0])
    decisions: list[DecisionDifference] = []
    hands: list[HandDifference] = []
    left_out: list[LeftOut] = []
    for done, ((board, where), of_decision) in enumerate(groups.items()):
        if on_decision is not None:
            on_decision(done, len(groups))
        try:
            node = _decision(solved, where, board)
        except EquilibristError as error:
            left_out += [_refused(hand, where, error) for hand in of_decision]
            continue
        deals = all_deals / solved.spot.runout_probability(len(node.runout))
        compared = _compared(node, deals, of_decision, left_out)
        if compared:
            hands += compared
            decisions.append(_together(node, compared, _coverage(node, of_decision, compared)))
    if other is not None:
        left_out = _by_reason(left_out)
    if not hands:
        raise _nothing_compared(left_out)
    decisions.sort(key=lambda decision: -decision.cost)
    hands.sort(key=lambda hand: -hand.cost)
    return TableComparison(solved, hands, decisions, left_out, other)


def noted_by(solution: PostflopResult, line: str = "") -> list[NotedHand]:
    """A solution as a table: what each combo does at the decisions of a street.

    Args:
        solution: The solution.
        line: The line of the first decision; those after it on its street follow.

    Returns:
        The combos that come to each decision, one row each.

    Raises:
        LineSyntaxError: The line cannot be played.
        ConfigError: Nobody acts there.
    """
    first = _decision(solution, line, "")
    noted: list[NotedHand] = []
    waiting = [first]
    while waiting:
        node = waiting.pop()
        if node.player is None or len(node.runout) != len(first.runout):
            continue
        waiting += [solution.at(next_line) for next_line in [*node.next_lines.values()][::-1]]
        names = [str(action) for action in node.actions]
        values, player = node.values, node.player
        held = values.weight[player] * values.matchups[player] > 0
        for combo in np.flatnonzero(held & ~np.isnan(values.strategy).any(axis=0)).tolist():
            shares = dict(zip(names, values.strategy[:, combo].tolist(), strict=True))
            ev = float(values.ev[player, combo])
            name = combo_name(combo)
            noted.append(NotedHand(0, "", node.line, name, (combo,), shares, ev))
    return noted


def _check_alike(solution: PostflopResult, other: PostflopResult) -> None:
    """Raise ConfigError unless another solution has the board, the deck and the pot of this one."""
    own, its = solution.spot, other.spot
    for name, ours, theirs in (
        ("board", {*own.cards}, {*its.cards}),
        ("deck", own.deck, its.deck),
        ("pot", own.pot, its.pot),
    ):
        if ours != theirs:
            raise ConfigError(
                f"the {name} of the other solution is {getattr(its, name)}, and that of this one "
                f"{getattr(own, name)}",
                option="table",
                given=getattr(its, name),
                expected=getattr(own, name),
                remedy=f"give a solution with the same {name}: chips and hands are compared",
            )


def _by_reason(left_out: Iterable[LeftOut]) -> list[LeftOut]:
    """What of another solution is not compared, by decision and reason.

    Hands that do not come to a decision here are no difference of what is played there: what is
    `covered` counts them.
    """
    counts = Counter(
        entry._replace(number=0, hand="") for entry in left_out if entry.code != "not-there"
    )
    return [
        entry._replace(hand=counted(count, "hand"), hands=count) for entry, count in counts.items()
    ]


def _refused(
    hand: NotedHand, line: str, error: EquilibristError, actions: tuple[str, ...] = ()
) -> LeftOut:
    """A hand that is left out for an error.

    Args:
        hand: The hand.
        line: The decision.
        error: What is wrong.
        actions: The actions of the decision, where it has one.
    """
    reason = f"{error}".partition("\n")[0]  # without the mark below the text
    if error.option == "line":
        code: LeftOutCode = "line" if isinstance(error, LineSyntaxError) else "no-decision"
    else:
        code = _CODES.get(error.option or "", "other")
    action = f"{error.given}" if code in ("action", "line") else ""
    return LeftOut(hand.number, line, hand.hand, reason, code, action, actions)


def _nothing_compared(left_out: Sequence[LeftOut]) -> ConfigError:
    """The error for a table of another spot."""
    first = left_out[0] if left_out else None
    at_line = f"line {first.number}" if first is not None and first.number else None
    places = ", ".join([*([at_line] if at_line else []), *([first.hand] if first else [])])
    return ConfigError(
        "nothing of the table can be compared with the solution"
        + (f": {places}: {first.reason}" if first else ""),
        option="table",
        given=first.line if first else None,
        place=at_line,
        remedy="give a table of this spot: its board, its lines and its bet sizes",
    )


def _decision(solution: PostflopResult, line: str, board: str) -> Node:
    """The decision after a line; raises ConfigError and LineSyntaxError."""
    root = solution.spot.cards
    cards = parse_board(board) if board else root
    if not {*root} <= {*cards}:
        raise ConfigError(
            f"the board is {board}, and that of the solution {solution.spot.board}",
            option="board",
            given=board,
            expected=solution.spot.board,
        )
    has_cards = any(part.cards for part in parse_line(line))
    node = solution.at(line, "" if has_cards or len(cards) == len(root) else cards)
    if node.player is None:
        raise ConfigError(
            "nobody acts there", option="line", given=line, remedy="give the line of a decision"
        )
    return node


def _compared(
    node: Node, deals: float, noted: Iterable[NotedHand], left_out: list[LeftOut]
) -> list[HandDifference]:
    """The hands of a decision that can be compared; the others are added to `left_out`.

    `deals` is the weight of all matchups at the root, divided by the probability of the runout.
    """
    assert node.player is not None
    values, player = node.values, node.player
    weight = values.weight[player] * values.matchups[player]
    names = [str(action) for action in node.actions]
    action_ev = np.nan_to_num(values.action_ev)
    strategy = np.nan_to_num(values.strategy)
    compared = []
    for hand in noted:
        combos = [*hand.combos]
        held = weight[combos]
        total = float(held.sum())
        if not total:
            left_out.append(LeftOut(hand.number, node.line, hand.hand, _NOT_THERE, "not-there"))
            continue
        try:
            mixture = _mixture(node, hand)
        except EquilibristError as error:
            left_out.append(_refused(hand, node.line, error, tuple(names)))
            continue
        mean = held / total
        solved = strategy[:, combos] @ mean
        gains = (strategy[:, combos] - mixture[:, None]) * action_ev[:, combos]
        loss = float(gains.sum(axis=0) @ mean)
        frequency = total / deals
        compared.append(
            HandDifference(
                line=node.line,
                player=SEATS[player],
                hand=hand.hand,
                frequency=frequency,
                noted=dict(zip(names, mixture.tolist(), strict=True)),
                solved=dict(zip(names, solved.tolist(), strict=True)),
                difference=float(np.abs(mixture - solved).sum() / 2),
                loss=loss,
                cost=loss * frequency,
                ev=float(np.nan_to_num(values.ev[player, combos]) @ mean),
                noted_ev=hand.ev,
            )
        )
    return compared


def _mixture(node: Node, hand: NotedHand) -> FloatArray:
    """float64[A]: the probabilities of the node's actions; ConfigError for another action."""
    mixture = np.zeros(len(node.actions))
    for name, share in hand.shares.items():
        if share:
            mixture[_number_of(node, name)] += share
    return mixture


def _number_of(node: Node, name: str) -> int:
    """The number of the action that a name means at a node; ConfigError for another one.

    A bet may be given by its share of the pot, and what the node offers once by its kind alone.
    """
    actions = node.actions
    text = name.strip()
    for kind in _KINDS.get(text.lower(), ()):
        by_word = [number for number, action in enumerate(actions) if action.kind is kind]
        if len(by_word) == 1:
            return by_word[0]
        if by_word:
            break
    share = _SHARE_OF_POT.fullmatch(text)
    bets = {
        number: a.amount for number, a in enumerate(actions) if a.kind in (Kind.BET, Kind.ALL_IN)
    }
    if share is not None and any(a.kind is Kind.CHECK for a in actions) and bets:
        amount = float(share[1]) / 100 * node.pot
        nearest = min(bets, key=lambda number: abs(bets[number] - amount))
        if abs(bets[nearest] - amount) <= _NEAR * node.pot:
            return nearest
    for number, action in enumerate(actions):
        if _same(action, text):
            return number
    offered = ", ".join(map(str, actions))
    raise ConfigError(
        f"the solution has no action {text} there: {offered}",
        option="action",
        given=text,
        expected=offered,
    )


def _same(action: Action, text: str) -> bool:
    """Whether a text names an action, whatever a bet is called."""
    try:
        meant = read_action(TextSpan.all_of(text))
    except EquilibristError:
        return False
    if meant == action:
        return True
    puts_in = (Kind.BET, Kind.RAISE, Kind.ALL_IN)
    return meant.kind in puts_in and action.kind in puts_in and meant.amount == action.amount


def _coverage(node: Node, noted: Iterable[NotedHand], compared: list[HandDifference]) -> float:
    """The share of the range that comes to a node of which the compared hands are."""
    assert node.player is not None
    weight = node.values.weight[node.player] * node.values.matchups[node.player]
    names = {hand.hand for hand in compared}
    covered = np.zeros(len(weight), np.bool_)
    for hand in noted:
        if hand.hand in names:
            covered[[*hand.combos]] = True
    return float(weight[covered].sum() / weight.sum())


def _together(node: Node, compared: Sequence[HandDifference], covered: float) -> DecisionDifference:
    """The means over the hands of a decision."""
    frequency = np.array([hand.frequency for hand in compared])
    total = float(frequency.sum())

    def mean(figures: Iterable[float]) -> float:
        return float(frequency @ np.array([*figures]) / total)

    names = [str(action) for action in node.actions]
    return DecisionDifference(
        line=node.line,
        player=compared[0].player,
        hands=len(compared),
        frequency=total,
        covered=covered,
        noted={name: mean(hand.noted[name] for hand in compared) for name in names},
        solved={name: mean(hand.solved[name] for hand in compared) for name in names},
        difference=mean(hand.difference for hand in compared),
        loss=mean(hand.loss for hand in compared),
        cost=sum(hand.cost for hand in compared),
    )


def _plain(row: HandDifference | DecisionDifference) -> dict[str, Any]:
    """A row for a JSON document."""
    return {
        name: json_number(value)
        if isinstance(value, float)
        else {key: json_number(part) for key, part in value.items()}
        if isinstance(value, Mapping)
        else value
        for name, value in row._asdict().items()
    }
