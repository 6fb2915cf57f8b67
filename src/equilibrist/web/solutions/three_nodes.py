"""A node of a spot of three as columns, in the shape that nodes of two players have.

There are no equities among three ranges, and EVs are those of the seat that acts: the others have
None. EVs are net of what a seat puts in from the node on, as `equilibrist postflop show` has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import numpy as np

from equilibrist.poker.cards.cards import parse_board
from equilibrist.poker.cards.hand_kinds import DRAWS, MADE_HANDS, hand_kinds
from equilibrist.poker.postflop.solution.node_aggregates import (
    ev_digits,
    json_number,
    json_numbers,
    means,
    weight_digits,
)
from equilibrist.poker.three_players.node import ThreeNode
from equilibrist.poker.three_players.spot import SEAT_KEYS
from equilibrist.web.answers.solutions import (
    HandColumns,
    Numbers,
    StudiedPlace,
    StudiedThree,
)
from equilibrist.web.solutions.documents import action_roles

if TYPE_CHECKING:
    from equilibrist.poker.three_players.solution import ThreeSolution
    from equilibrist.typing import FloatArray, Int8Array

_STREETS: Final = {3: "flop", 4: "turn", 5: "river"}
"""By the cards of the board the street."""


def three_columns(solution: ThreeSolution, line: str) -> StudiedThree:
    """A node with the way to it, and the columns of all three players' hands.

    Args:
        solution: The solution.
        line: The line of the node, with the cards that were dealt since the root.

    Returns:
        The node. `reached` is how often play gets there, given the cards; `absent` names the seats
        of which no hand arrives as often as once in 10,000 times.

    Raises:
        LineSyntaxError: The line cannot be read or played.
    """
    node = ThreeNode(solution, line)
    way = _way_to(node)
    nobody: Numbers = [None] * len(SEAT_KEYS)
    evs, shares, digits = list(nobody), Shares(node), ev_digits(node.pot)
    if node.player is not None:
        evs[node.player] = json_number(shares.ev, digits)
    held = [] if node.player is None else held_by(node, node.player)
    board = parse_board(node.board)
    kinds = hand_kinds(board)
    return {
        **place_of_three(node),
        "resolved_exploitability_chips": None,
        "resolved_mean_gain_chips": None,
        "way": way,
        "frequency": json_numbers(shares.frequency),
        "frequency_by_combos": json_numbers(shares.by_combos),
        "action_ev": json_numbers(shares.action_ev, digits),
        "equity": nobody,
        "ev": evs,
        "eqr": nobody,
        "hands": [
            _hands(node, seat, kinds.made, kinds.draw, digits) for seat in range(len(SEAT_KEYS))
        ],
        "strategy": json_numbers(shares.strategy[:, held]),
        "action_evs": json_numbers(shares.evs[:, held], digits),
        "made_hands": [*MADE_HANDS],
        "draws": [*DRAWS],
        "reached": json_number(node.reached),
        "absent": [seat.lower() for seat in node.absent],
    }


def place_of_three(node: ThreeNode) -> StudiedPlace:
    """A point of the betting of three.

    Args:
        node: The point.

    Returns:
        The point, with nothing chosen yet; `live` says which seats have not folded.
    """
    lines = node.next_lines
    return {
        "line": node.line,
        "board": node.board,
        "street": _STREETS[len(node.board) // 2],
        "pot": node.pot,
        "to_call": node.to_call,
        "behind": list(node.stacks),
        "player": node.player,
        "what": node.what,
        "locked": None,
        "deals_a_card": node.deals_a_card,
        "actions": [
            {"name": str(action), "code": action.code, "role": role, "line": lines[str(action)]}
            for action, role in zip(node.actions, action_roles(node.actions), strict=True)
        ],
        "chosen": None,
        "card": None,
        "live": [node.is_live(seat) for seat in range(len(SEAT_KEYS))],
    }


class Shares:
    """What the hands of the seat that acts do, each as often as it is here; empty without one.

    Args:
        node: The node.

    Attributes:
        strategy: float64[A, 1326].
        evs: float64[A, 1326]: the EV of each action.
        ev_of_hands: float64[1326].
        frequency: float64[A]: of each action, each hand as often as it is here.
        by_combos: float64[A]: the same, each hand by its weight alone.
        action_ev: float64[A]: the mean EV of the hands that take each action.
        ev: The mean EV of all hands.
    """

    def __init__(self, node: ThreeNode) -> None:
        """Count them; the class describes the argument."""
        empty: FloatArray = np.empty((0, node.ranges.shape[1]))
        self.strategy, self.evs, self.ev_of_hands = empty, empty, np.full(empty.shape[1], np.nan)
        weights = np.zeros(empty.shape[1])
        if node.player is not None:
            decision = node.decision
            assert decision.ev is not None
            assert decision.action_ev is not None
            self.strategy, self.evs = decision.strategy, decision.action_ev
            self.ev_of_hands, weights = decision.ev, node.matchups(node.player)
        self.frequency = means(self.strategy, weights)
        own = weights if node.player is None else node.ranges[node.player]
        self.by_combos = means(self.strategy, own)
        self.action_ev = means(self.evs, weights * self.strategy)
        self.ev = float(means(self.ev_of_hands, weights))


def _way_to(node: ThreeNode) -> list[StudiedPlace]:
    """The places from the root to a node, each with what was chosen there, or dealt."""
    nodes, before = [node], node.line_before
    while before is not None:
        nodes.append(ThreeNode(node.solution, before))
        before = nodes[-1].line_before
    nodes.reverse()
    documents = [*map(place_of_three, nodes)]
    for place, then, document in zip(nodes, nodes[1:], documents, strict=False):
        if place.player is None:
            document["card"] = then.board[-2:]
        else:
            document["chosen"] = list(place.next_lines.values()).index(then.line)
    return documents


def held_by(node: ThreeNode, seat: int) -> list[int]:
    """The hands that a seat brings to a node, AsAh first.

    Args:
        node: The node.
        seat: The number of the seat.
    """
    return cast("list[int]", np.flatnonzero(node.ranges[seat])[::-1].tolist())


def _hands(
    node: ThreeNode, seat: int, made: Int8Array, draw: Int8Array, digits: int
) -> HandColumns:
    """The columns of a seat's hands."""
    held = held_by(node, seat)
    weight, here = node.ranges[seat, held], node.matchups(seat)[held]
    unknown: Numbers = [None] * len(held)
    ev = unknown
    if seat == node.player:
        assert node.decision.ev is not None
        ev = json_numbers(node.decision.ev[held], digits)
    return {
        "combos": held,
        "weight": [*map(weight_digits, weight.tolist())],
        "matchups": [*map(weight_digits, (here / weight).tolist())],
        "equity": unknown,
        "ev": ev,
        "eqr": unknown,
        "made": made[held].tolist(),
        "draw": draw[held].tolist(),
        "arrives": node.arrives(seat)[held].tolist(),
    }
