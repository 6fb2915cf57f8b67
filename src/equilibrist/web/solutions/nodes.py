"""A node of a solved spot as compact columns, from which a page draws everything it shows.

Numbers are those of `equilibrist postflop show --json`: six decimals, more of EVs where the pot is
less than a chip, weights and matchups six significant digits; None stands for NaN. Hands are
numbers of combos, aces first.
"""

from __future__ import annotations

import gzip
import json
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, cast
from weakref import WeakKeyDictionary

import numpy as np

from equilibrist.poker.cards.hand_kinds import DRAWS, MADE_HANDS, hand_kinds
from equilibrist.poker.decisions.decision import LEAST_ARRIVING
from equilibrist.poker.postflop.solution.node_aggregates import (
    ev_digits,
    json_number,
    json_numbers,
    node_means,
    totals_document,
    weight_digits,
)
from equilibrist.poker.postflop.solution.spot_strategy import way_to
from equilibrist.typing import FloatArray
from equilibrist.web.answers.solutions import (
    HandColumns,
    NodeTotals,
    Resolution,
    StudiedNode,
    StudiedPlace,
)
from equilibrist.web.compressing import LEVEL
from equilibrist.web.solutions.documents import action_roles, is_of_three
from equilibrist.web.solutions.locks import locked_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from equilibrist.poker.postflop.solution.node import Node
    from equilibrist.poker.postflop.solution.node_place import NodePlace
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.web.solutions.documents import SpotResult

Document = dict[str, Any]
_MOST_BYTES: Final = 1_000_000
"""Of the nodes of a solution that are kept, packed; each takes 10 to 20 kB."""


class NodeTexts:
    """Nodes as packed JSON; the last ones of every open solution are kept while it is open."""

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[SpotResult, OrderedDict[str, bytes]] = WeakKeyDictionary()
        self._lock = Lock()

    def packed(self, solution: SpotResult, line: str) -> bytes:
        """The text of a node in columns, packed by gzip. Raises LineSyntaxError and ConfigError."""
        with self._lock:
            kept = self._kept.setdefault(solution, OrderedDict())
            if line in kept:
                kept.move_to_end(line)
                return kept[line]
        columns = _columns(solution, line)
        text = json.dumps(columns, allow_nan=False, separators=(",", ":")).encode()
        packed = gzip.compress(text, LEVEL, mtime=0)
        with self._lock:
            kept[line] = packed
            while len(kept) > 1 and sum(map(len, kept.values())) > _MOST_BYTES:
                kept.popitem(last=False)
        return packed


def _columns(solution: SpotResult, line: str) -> StudiedNode:
    """A node of a spot of two or of three players."""
    if is_of_three(solution):
        from equilibrist.web.solutions.three_nodes import three_columns

        return three_columns(solution, line)
    return node_columns(solution, line)


def node_columns(solution: PostflopResult, line: str) -> StudiedNode:
    """A node with the way to it and the columns of both players' hands.

    Args:
        solution: The solution.
        line: The line of the node.

    Returns:
        The node.
    """
    node = solution.at(line)
    way = way_to(solution.spot, line)
    means = node_means(node.values, node.player, node.pot)
    kinds = hand_kinds((*solution.spot.cards, *node.runout), solution.spot.whole_deck)
    held = np.empty(0, np.int64) if node.player is None else node.combos(node.player)
    return {
        **place_document(node, solution.spot),
        **cast("Resolution", node.resolution),
        "way": way_documents(way, solution.spot),
        "frequency": [*map(json_number, means.frequency)],
        "frequency_by_combos": [*map(json_number, means.frequency_by_combos)],
        "action_ev": [json_number(ev, ev_digits(node.pot)) for ev in means.action_ev],
        **cast("NodeTotals", totals_document(means.totals, node.pot)),
        "hands": [
            _hands(node, player, dealt.without(node.runout).weights, kinds.made, kinds.draw)
            for player, dealt in enumerate(solution.spot.ranges)
        ],
        "strategy": json_numbers(node.values.strategy[:, held]),
        "action_evs": json_numbers(node.values.action_ev[:, held], ev_digits(node.pot)),
        "made_hands": [*MADE_HANDS],
        "draws": [*DRAWS],
        "absent": [*node.absent],
    }


def way_documents(way: Sequence[NodePlace], spot: Spot) -> list[StudiedPlace]:
    """The places of a way, each with what was chosen there: an index of its actions, or a card.

    Args:
        way: The places, the root first, one after each action and each card.
        spot: The spot of which they are.

    Returns:
        A document of `place_document` for each, with `chosen` or `card` filled in, except for the
        last.
    """
    documents = [place_document(place, spot) for place in way]
    for place, then, document in zip(way, way[1:], documents, strict=False):
        if place.player is None:
            document["card"] = then.board[-2:]
        else:
            document["chosen"] = list(place.next_lines.values()).index(then.line)
    return documents


def place_document(place: NodePlace, spot: Spot) -> StudiedPlace:
    """A point of the betting.

    Args:
        place: The point.
        spot: The spot of which it is.

    Returns:
        The point, with nothing chosen yet.
    """
    oop, ip = place.bets
    called_by_both = (place.pot - oop - ip - spot.pot) / 2
    stack = spot.stack
    lines = place.next_lines
    return {
        "line": place.line,
        "board": place.board,
        "street": place.street,
        "pot": place.pot,
        "to_call": place.to_call,
        "behind": [stack - called_by_both - oop, stack - called_by_both - ip],
        "player": place.player,
        "what": place.what,
        "locked": locked_part(spot, place),
        "deals_a_card": place.deals_a_card,
        "actions": [
            {"name": str(action), "code": action.code, "role": role, "line": lines[str(action)]}
            for action, role in zip(place.actions, action_roles(place.actions), strict=True)
        ],
        "chosen": None,
        "card": None,
    }


def _hands(node: Node, player: int, dealt: FloatArray, made_hand: Any, draw: Any) -> HandColumns:
    """The columns of a player's hands, of the weights with which they were dealt."""
    held, values = node.combos(player), node.values
    weight = values.weight[player]
    return {
        "combos": held.tolist(),
        "weight": _digits(values.weight[player, held]),
        "matchups": _digits(values.matchups[player, held]),
        "equity": json_numbers(values.equity[player, held]),
        "ev": json_numbers(values.ev[player, held], ev_digits(node.pot)),
        "eqr": json_numbers(node.realised(player)[held]),
        "made": made_hand[held].tolist(),
        "draw": draw[held].tolist(),
        "arrives": (weight[held] >= LEAST_ARRIVING * dealt[held]).tolist(),
        "gone": np.flatnonzero((dealt > 0.0) & (weight == 0.0))[::-1].tolist(),
    }


def _digits(values: FloatArray) -> list[float]:
    return [*map(weight_digits, np.asarray(values).tolist())]
