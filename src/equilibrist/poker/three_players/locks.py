"""The decisions at which the locks of a spot of three fix something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from equilibrist.poker.betting.actions import Action, Kind, StreetLine
from equilibrist.poker.betting.faults import check_cards, not_offered, wrong
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.hands.betting_tree import DEAL, DECISION, BettingTree
from equilibrist.poker.postflop.spot.lock import Lock
from equilibrist.poker.postflop.spot.resolved_locks import (
    LockedNode,
    LockPlace,
    nodes_with_locks,
)
from equilibrist.poker.ranges.range import Range

_SIZED: Final = {Kind.BET, Kind.RAISE, Kind.ALL_IN}


def locked_nodes_of_three(
    locks: Iterable[Lock],
    betting: BettingTree,
    board: tuple[int, ...],
    ranges: Sequence[Range],
    seats: Sequence[str],
) -> tuple[LockedNode, ...]:
    """The nodes at which locks fix something.

    Args:
        locks: The locks.
        betting: The betting.
        board: The cards at its root.
        ranges: The range of each seat.
        seats: What the seats are called.

    Returns:
        The nodes, each once.

    Raises:
        LineSyntaxError: A line does not exist.
        ConfigError: A lock contradicts itself, or names what is not there.
    """

    def follow(line: str) -> LockPlace:
        return place_of_line(betting, line, board)

    return nodes_with_locks(locks, follow, board, ranges, seats)


def place_of_line(betting: BettingTree, text: str, board: tuple[int, ...] = ()) -> LockPlace:
    """Follow a line.

    Args:
        betting: The betting.
        text: The line, or the id of a node; a bar stands where a street ends.
        board: The cards at the root, which the line must not deal again.

    Returns:
        Where it leads.

    Raises:
        LineSyntaxError: It cannot be read or played.
    """
    node, runout, parts = 0, list[int | None](), parse_line(text)
    streets = list[StreetLine]()
    for number, part in enumerate(parts):
        if number:
            check_cards(part, runout, board, 0)
            if betting.kind[node] != DEAL:
                what = "the hand is over" if betting.kind[node] != DECISION else "an action comes"
                raise wrong(part.cards_at, f"no card is dealt here: {what}")
            runout.append(part.cards[0] if part.cards else None)
            (node,) = betting.children(node)
        taken = []
        for action, place in zip(part.actions, part.actions_at, strict=True):
            if betting.kind[node] != DECISION:
                what = "expected a bar" if betting.kind[node] == DEAL else "the hand is over"
                raise wrong(place, f"nobody acts here; {what}")
            offered = betting.moves(node)
            meant = _meant(action, offered)
            if meant not in offered:
                raise not_offered(meant, place, offered)
            node = betting.children(node)[offered.index(meant)]
            taken.append(meant)
        streets.append(tuple(taken))
    if betting.kind[node] != DECISION:
        is_deal = bool(betting.kind[node] == DEAL)
        return LockPlace(tuple(streets), None, (), tuple(runout), lambda a: a, is_deal)
    actions = betting.moves(node)
    return LockPlace(
        line=tuple(streets),
        player=int(betting.player[node]),
        actions=actions,
        runout=tuple(runout),
        meant=lambda action: _meant(action, actions),
    )


def _meant(action: Action, offered: Sequence[Action]) -> Action:
    """The action as it is offered: a bet of all chips is all-in, and all-in needs no amount."""
    if action.kind not in _SIZED:
        return action
    for other in offered:
        is_all_in = action == Action(Kind.ALL_IN) and other.kind is Kind.ALL_IN
        if other.kind in _SIZED and (is_all_in or other.amount == action.amount):
            return other
    return action
