"""The histories in a drawing of a game tree: all below a starting point, read from the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from equilibrist.errors import ConfigError, EquilibristError, GameError, UnknownNameError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.parsing.user_code import failure_text, pass_interrupts

MAX_NODES = 400
"""Larger trees, in histories, are drawn only if the caller raises the limit."""

Kind = Literal["chance", "decision", "terminal"]
Words = Callable[[str, Sequence[str]], Sequence[str]]
"""From the key of an infoset and the labels of its actions, a word for each action."""


@dataclass(frozen=True)
class OutlineNode:
    """One history. `action` and `probability` (None: unknown) belong to the edge that leads here.

    `player` and `infoset` are those of a decision, `payoffs` those of a terminal history.
    """

    parent: int
    depth: int
    kind: Kind
    action: str
    probability: float | None
    player: int = -1
    infoset: str = ""
    payoffs: tuple[float, ...] = ()


@dataclass(frozen=True)
class Outline:
    """Histories in depth-first order, so that a parent comes before its children."""

    game: str
    num_players: int
    start: tuple[str, ...]
    nodes: tuple[OutlineNode, ...]

    def shown_as(self, names: Mapping[str, str]) -> Outline:
        """The same with other names for infosets and outcomes of chance, {own text: shown text}."""
        nodes = []
        for node in self.nodes:
            is_outcome = node.parent >= 0 and self.nodes[node.parent].kind == "chance"
            action = names.get(node.action, node.action) if is_outcome else node.action
            infoset = names.get(node.infoset, node.infoset)
            nodes.append(replace(node, action=action, infoset=infoset))
        start = tuple(names.get(move, move) for move in self.start)
        return replace(self, start=start, nodes=tuple(nodes))

    @property
    def infosets(self) -> dict[str, list[int]]:
        """The decisions of each infoset, in order."""
        decisions: dict[str, list[int]] = {}
        for i, node in enumerate(self.nodes):
            if node.kind == "decision":
                decisions.setdefault(node.infoset, []).append(i)
        return decisions

    @property
    def children(self) -> list[list[int]]:
        """The children of each node, in the order of the actions."""
        children: list[list[int]] = [[] for _ in self.nodes]
        for i, node in enumerate(self.nodes[1:], start=1):
            children[node.parent].append(i)
        return children


def outline(
    game: Game[Any],
    *,
    start: Sequence[str] = (),
    strategy: Mapping[str, Mapping[str, float]] | None = None,
    max_nodes: int = MAX_NODES,
    words: Words | None = None,
) -> Outline:
    """Read the tree of `game` from the history `start` (action labels from the beginning).

    `words` gives, for the key of an infoset and the labels of its actions, what is drawn instead of
    each label. With `strategy`, {infoset: {action: probability}}, edges of decisions carry
    probabilities. Raises ConfigError for a tree of more than `max_nodes` histories,
    UnknownNameError for a label in `start` that is not legal there, GameError if the rules raise.
    """
    path: list[str] = []
    try:
        state = _state_after(game, start, path)
        nodes = _walk(game, state, tuple(start), strategy, max_nodes, path, words)
    except EquilibristError:
        raise
    except BaseException as error:
        pass_interrupts(error)
        raise GameError(
            f"{game.name}: its rules raised {failure_text(error)}\n ",
            path,
            kind="exception",
            given=type(error).__name__,
        ) from error
    return Outline(game.name, game.num_players, tuple(start), tuple(nodes))


def _walk(
    game: Game[Any],
    root: Any,
    start: tuple[str, ...],
    strategy: Mapping[str, Mapping[str, float]] | None,
    max_nodes: int,
    path: list[str],
    words: Words | None,
) -> list[OutlineNode]:
    """All nodes from `root` on; `path` holds the labels of the present history."""
    nodes: list[OutlineNode] = []
    todo: list[tuple[Any, int, tuple[str, ...], str, float | None]] = [(root, -1, start, "", None)]
    while todo:
        state, parent, path[:], action, probability = todo.pop()
        if len(nodes) == max_nodes:
            where = f" below {' > '.join(map(escape_control_chars, start))}" if start else ""
            raise ConfigError(
                f"{game.name} has more than {max_nodes} histories{where}, too many to draw",
                option="max_nodes",
                given=max_nodes,
                remedy=(
                    "draw a part (`history` names the moves that lead there), or raise `max_nodes`"
                ),
            )
        here = tuple(path)
        node = _read(game, state, parent, len(here) - len(start), action, probability)
        index = len(nodes)
        nodes.append(node)
        steps = _steps(game, state, node, strategy)
        shown = [label for label, _ in steps]
        if words is not None and node.kind == "decision":
            shown = list(words(node.infoset, shown))
        for a in range(len(steps) - 1, -1, -1):
            label, share = steps[a]
            todo.append((game.next(state, a), index, (*here, label), shown[a], share))
    return nodes


def _read(
    game: Game[Any], state: Any, parent: int, depth: int, action: str, probability: float | None
) -> OutlineNode:
    """The node of one state."""
    player = game.player(state)
    if player == TERMINAL:
        payoffs = tuple(float(x) for x in game.payoffs(state))
        return OutlineNode(parent, depth, "terminal", action, probability, payoffs=payoffs)
    if player == CHANCE:
        return OutlineNode(parent, depth, "chance", action, probability)
    key = game.infoset(state)
    return OutlineNode(parent, depth, "decision", action, probability, player, key)


def _steps(
    game: Game[Any],
    state: Any,
    node: OutlineNode,
    strategy: Mapping[str, Mapping[str, float]] | None,
) -> list[tuple[str, float | None]]:
    """Label and probability of each edge below a node."""
    if node.kind == "terminal":
        return []
    labels = [str(label) for label in game.actions(state)]
    if node.kind == "chance":
        return list(zip(labels, map(float, game.chance(state)), strict=True))
    row = None if strategy is None else strategy.get(node.infoset)
    return [(label, None if row is None else row.get(label)) for label in labels]


def _state_after(game: Game[Any], start: Sequence[str], path: list[str]) -> Any:
    """The state after the labels of `start`, played from the beginning; `path` is updated."""
    state = game.initial_state()
    for label in start:
        before = " > ".join(map(escape_control_chars, path)) or "the beginning"
        if game.player(state) == TERMINAL:
            raise ConfigError(
                f"{game.name} is over after {before}; {label!r} cannot follow it",
                option="move",
                given=label,
                place=before,
            )
        labels = [str(action) for action in game.actions(state)]
        if label not in labels:
            legal = ", ".join(map(escape_control_chars, labels))
            raise UnknownNameError("move", label, labels, f"(legal after {before}: {legal})")
        if (count := labels.count(label)) > 1:
            raise ConfigError(
                f"{count} outcomes of chance are called {label!r} after {before}",
                option="move",
                given=label,
                place=before,
                remedy="begin the drawing there",
            )
        state = game.next(state, labels.index(label))
        path.append(label)
    return state
