"""The whole game tree as plain Python objects, one per history.

`Game` says how to get from a state to the next. The reference algorithms visit every history
many times, so they ask the game once and keep the answers in `Node`s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from equilibrist.errors import GameError, RecallError, UnsupportedError
from equilibrist.game import CHANCE, TERMINAL, Game, PublicGame


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One history. `children[k]` is where action (or chance outcome) number k leads."""

    player: int
    """0, 1, ..., or CHANCE, or TERMINAL."""
    history: tuple[str, ...]
    """The labels of all actions and chance outcomes so far."""
    infoset: str = ""
    """What the acting player knows; empty at chance and at the end."""
    actions: tuple[str, ...] = ()
    chance: tuple[float, ...] = ()
    """At chance nodes, the probability of each outcome."""
    children: tuple[Node, ...] = ()
    payoffs: tuple[float, ...] = ()
    """At the end, one payoff per player."""
    public: str = ""
    """The public state; empty where the game defines none."""


@dataclass(frozen=True)
class Infoset:
    """The histories that the player to move cannot tell apart."""

    player: int
    actions: tuple[str, ...]
    nodes: tuple[Node, ...]
    path: tuple[tuple[str, int], ...]
    """The player's own earlier infosets, each with the number of the action taken there."""


@dataclass(frozen=True)
class GameWalk:
    """All histories of a game and its infosets.

    Attributes:
        num_players: How many players.
        root: The initial history, which leads to all others.
        infosets: The infosets by key, in the order of a first visit.
    """

    num_players: int
    root: Node
    infosets: dict[str, Infoset]


DEEPEST: Final = 200
"""The most moves in a line of play: Python bounds recursion."""


def walk(game: Game[Any]) -> GameWalk:
    """Visit every history of a finite game with perfect recall.

    Args:
        game: The game.

    Returns:
        Its histories and infosets.

    Raises:
        GameError: If histories of one infoset differ in player or actions.
        RecallError: If a player reaches one infoset by different own moves: own reach, and with it
            the average strategy, would not be a property of the infoset.
        UnsupportedError: If a line of play has more than 200 moves.
    """
    visits = _Visits(game)
    root = visits.visit(game.initial_state(), (), ((),) * game.num_players)
    infosets = {
        key: Infoset(nodes[0].player, nodes[0].actions, tuple(nodes), visits.paths[key])
        for key, nodes in visits.nodes_of.items()
    }
    return GameWalk(game.num_players, root, infosets)


def _told_apart(outcomes: tuple[str, ...]) -> tuple[str, ...]:
    """The labels of outcomes of chance, those that several have with their number behind them.

    Histories are told apart by labels here, and a game may call outcomes the same.
    """
    if len({*outcomes}) == len(outcomes):
        return outcomes
    labels: list[str] = []
    for number, outcome in enumerate(outcomes, start=1):
        label = outcome if outcomes.count(outcome) == 1 else f"{outcome} #{number}".lstrip()
        while label in labels or (label != outcome and label in outcomes):
            label += "'"
        labels.append(label)
    return tuple(labels)


class _Visits:
    """The infosets found so far, and each one's player, actions and own path."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.nodes_of: dict[str, list[Node]] = {}
        self.turns: dict[str, tuple[int, tuple[str, ...]]] = {}
        self.paths: dict[str, tuple[tuple[str, int], ...]] = {}

    def visit(
        self,
        state: Any,
        history: tuple[str, ...],
        paths: tuple[tuple[tuple[str, int], ...], ...],
    ) -> Node:
        game = self.game
        if len(history) > DEEPEST:
            raise UnsupportedError(
                f"{game.name} has lines of play of more than {DEEPEST} moves; here every number is "
                f"worked out by recursion, move by move",
                option="depth",
                given=len(history),
                expected=DEEPEST,
                remedy="take a smaller variant of the game; `solve` and `inspect` take deep ones",
            )
        player = game.player(state)
        public = game.public_state(state) if isinstance(game, PublicGame) else ""
        if player == TERMINAL:
            payoffs = tuple(float(u) for u in game.payoffs(state))
            return Node(TERMINAL, history, payoffs=payoffs, public=public)
        actions = tuple(game.actions(state))
        if player == CHANCE:
            actions = _told_apart(actions)
        infoset = ""
        if player != CHANCE:
            infoset = game.infoset(state)
            # Take the place in the order of first visits now, before the children do, which also
            # makes a deeper history the one that does not fit.
            self.nodes_of.setdefault(infoset, [])
            self._check(infoset, player, actions, history, paths[player])
        children = []
        for k, action in enumerate(actions):
            deeper = paths
            if player != CHANCE:
                own = (*paths[player], (infoset, k))
                deeper = (*paths[:player], own, *paths[player + 1 :])
            children.append(self.visit(game.next(state, k), (*history, action), deeper))
        if player == CHANCE:
            chance = tuple(float(p) for p in game.chance(state))
            return Node(CHANCE, history, "", actions, chance, tuple(children), public=public)
        node = Node(player, history, infoset, actions, (), tuple(children), public=public)
        self.nodes_of[infoset].append(node)
        return node

    def _check(
        self,
        infoset: str,
        player: int,
        actions: tuple[str, ...],
        history: tuple[str, ...],
        path: tuple[tuple[str, int], ...],
    ) -> None:
        """Check that a history fits those of its infoset that were visited before."""
        first_player, first_actions = self.turns.setdefault(infoset, (player, actions))
        if (first_player, first_actions) != (player, actions):
            raise GameError(
                f"infoset {infoset!r} belongs to player {first_player} with actions "
                f"{first_actions} and to player {player} with actions {actions}",
                history,
                option="infoset",
                given=infoset,
            )
        if self.paths.setdefault(infoset, path) != path:
            raise RecallError(
                f"player {player} reaches infoset {infoset!r} by different own moves",
                infoset,
                history,
            )
