"""Nodes of solved spots in grids, orders and graphs, next cards, and locks."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from equilibrist.web.answers.solutions import Numbers, SpotFacts


class RunoutReport(SpotFacts):
    """What every next card does after a line: a row for each, with columns for each action."""

    line: str
    runouts: list[dict[str, Any]]


class ThreeRunouts(TypedDict):
    """What the seat that acts does after every next card: a row for each, columns by action.

    `player` is the seat, `oop`, `middle` or `ip`, whose mean EV is in `ev_` and its name.
    """

    line: str
    runouts: list[dict[str, Any]]


class GridClass(TypedDict):
    """A hand class at a node; lists have a number for each action."""

    weight: float | None
    equity: float | None
    ev: float | None
    eqr: float | None
    strategy: Numbers
    action_ev: Numbers


class NodeGrid(TypedDict):
    """The hand classes of a player that are held, from AA on."""

    line: str
    player: str
    actions: list[str]
    classes: dict[str, GridClass]


class SortedHands(TypedDict):
    """The hands of a player from the worst to the best, in the figure that sorts them.

    `up_to` is the share of the range that is no better.
    """

    hands: list[str]
    up_to: Numbers
    equity: NotRequired[Numbers]
    ev: NotRequired[Numbers]
    eqr: NotRequired[Numbers]


class NodeGraph(TypedDict):
    """The hands of both players in the order of a figure: `equity`, `ev` or `eqr`."""

    line: str
    by: str
    oop: SortedHands
    ip: SortedHands


class NodeLock(TypedDict):
    """A lock of a node to what is played there; the locks of the solution, and as people read."""

    lock: str
    locks: list[str]
    shown: dict[str, str]
