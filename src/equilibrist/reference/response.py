"""Expected values and best responses by plain recursion.

A best response is what a player would do who knew the others' strategies exactly. What it gains
over the player's own strategy measures how far that strategy is from an equilibrium; the sum of
the gains of all players is the NashConv, and it is zero exactly at a Nash equilibrium.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from equilibrist.errors import MismatchError, UnsupportedError
from equilibrist.game import CHANCE, SUM_TOLERANCE, TERMINAL, Game, is_constant_sum
from equilibrist.reference.game_walk import GameWalk, Node, walk
from equilibrist.reference.matching import mean

Profile: TypeAlias = Mapping[str, Sequence[float]]
"""For every infoset of every player, one probability per action."""


def expected_values(game: Game[Any] | GameWalk, profile: Profile) -> list[float]:
    """Return each player's expected payoff if all players follow the profile.

    Raises MismatchError if the profile lacks an infoset or has the wrong number of actions.
    """
    tree = _checked(game, profile)

    def values(node: Node) -> list[float]:
        if node.player == TERMINAL:
            return list(node.payoffs)
        totals = [0.0] * tree.num_players
        for p, child in zip(_weights(node, profile), node.children, strict=True):
            for i, v in enumerate(values(child)):
                totals[i] += p * v
        return totals

    return values(tree.root)


def best_response_value(game: Game[Any] | GameWalk, profile: Profile, player: int) -> float:
    """Return the most `player` can get against the others' part of the profile.

    Raises MismatchError as `expected_values` does.
    """
    return best_response(game, profile, player)[0]


def best_response(
    game: Game[Any] | GameWalk, profile: Profile, player: int
) -> tuple[float, dict[str, int]]:
    """Return the value and, per infoset of `player`, the number of the best action.

    The player cannot tell the histories of an infoset apart, so one action must do for all: each
    is judged by its values there, weighted with how likely chance and the others make them.
    Where the others never lead, any action is best and the first is taken.
    """
    tree = _checked(game, profile)
    reach = _others_reach(tree, profile, player)
    choice: dict[str, int] = {}
    known: dict[int, float] = {}

    def value(node: Node) -> float:
        if node.player == TERMINAL:
            return node.payoffs[player]
        if id(node) not in known:
            if node.player == player:
                known[id(node)] = value(node.children[best_action(node.infoset)])
            else:
                values = [value(child) for child in node.children]
                known[id(node)] = mean(_weights(node, profile), values)
        return known[id(node)]

    def best_action(key: str) -> int:
        if key not in choice:
            infoset = tree.infosets[key]
            totals = [
                mean(
                    [reach[id(node)] for node in infoset.nodes],
                    [value(node.children[a]) for node in infoset.nodes],
                )
                for a in range(len(infoset.actions))
            ]
            choice[key] = totals.index(max(totals))
        return choice[key]

    best = value(tree.root)
    for key, infoset in tree.infosets.items():
        if infoset.player == player:
            best_action(key)
    return best, choice


def nash_conv(game: Game[Any] | GameWalk, profile: Profile) -> float:
    """Return the sum over players of what a best response gains."""
    tree = _checked(game, profile)
    values = expected_values(tree, profile)
    gains = [best_response_value(tree, profile, i) - v for i, v in enumerate(values)]
    return mean([1.0] * len(gains), gains)


def exploitability(game: Game[Any] | GameWalk, profile: Profile) -> float:
    """Return NashConv / 2, for two players whose payoffs have a constant sum.

    Raises UnsupportedError for other games, where the word has no such meaning.
    """
    tree = _checked(game, profile)
    ends = [node.payoffs for node in _ends(tree.root)]
    largest = [max(map(abs, payoffs)) for payoffs in ends]
    slack = [SUM_TOLERANCE / 2 * size for size in largest]
    least = max(sum(payoffs) - tolerance for payoffs, tolerance in zip(ends, slack, strict=True))
    most = min(sum(payoffs) + tolerance for payoffs, tolerance in zip(ends, slack, strict=True))
    if tree.num_players != 2 or not is_constant_sum(most, least, max(largest)):
        raise UnsupportedError(
            "exploitability needs two players with a constant sum of payoffs",
            option="num_players",
            given=tree.num_players,
            remedy="use nash_conv",
        )
    return nash_conv(tree, profile) / 2.0


def _weights(node: Node, profile: Profile) -> Sequence[float]:
    return node.chance if node.player == CHANCE else profile[node.infoset]


def _others_reach(tree: GameWalk, profile: Profile, player: int) -> dict[int, float]:
    """Map each history of `player`, by its id, to the reach of the others and chance."""
    reach: dict[int, float] = {}

    def visit(node: Node, others: float) -> None:
        if node.player == player:
            reach[id(node)] = others
            for child in node.children:
                visit(child, others)
        elif node.player != TERMINAL:
            for p, child in zip(_weights(node, profile), node.children, strict=True):
                visit(child, others * p)

    visit(tree.root, 1.0)
    return reach


def _ends(node: Node) -> list[Node]:
    if node.player == TERMINAL:
        return [node]
    return [end for child in node.children for end in _ends(child)]


def _checked(game: Game[Any] | GameWalk, profile: Profile) -> GameWalk:
    tree = game if isinstance(game, GameWalk) else walk(game)
    for key, infoset in tree.infosets.items():
        if key not in profile or len(profile[key]) != len(infoset.actions):
            raise MismatchError(
                f"the profile needs {len(infoset.actions)} probabilities for infoset {key!r}, "
                f"it has {len(profile[key]) if key in profile else 'none'}",
                option="infoset",
                given=key,
            )
    return tree
