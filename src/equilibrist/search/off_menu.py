"""Moves off the menu of a trunk: those of a larger game that the trunk never makes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.search.search_game import SearchGame
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import Int64Array


def carried_over(tree: GameTree, narrow: Mapping[str, Mapping[str, float]]) -> Strategy:
    """The play of a game with fewer moves, in one with more.

    Args:
        tree: The larger game, whose infosets and moves have the same names.
        narrow: The probability of each move at each infoset of the smaller game.

    Returns:
        A strategy of the larger game: moves that the smaller one lacks are never made, and at
        infosets that it lacks all are alike.

    Raises:
        MismatchError: The games have no infoset in common, or the larger one lacks a move that the
            strategy makes.
    """
    probabilities = Strategy.uniform(tree).probabilities.copy()
    common = 0
    for number, key in enumerate(tree.infoset_keys):
        row = narrow.get(key)
        if row is None:
            continue
        common += 1
        labels = tree.action_labels[number]
        missing = [move for move, share in row.items() if share > 0.0 and move not in labels]
        if missing:
            raise MismatchError(
                f"the strategy plays {missing[0]!r} at {key!r}, which {tree.name} does not offer",
                option="trunk",
                given=missing[0],
                expected=", ".join(labels),
                place=key,
                remedy="give a game that has all moves of the trunk",
            )
        probabilities[tree.actions_of(number)] = [row.get(label, 0.0) for label in labels]
    if not common:
        raise MismatchError(
            f"no infoset of the strategy is one of {tree.name}",
            option="trunk",
            expected=tree.name,
            remedy="give a strategy of the same game with fewer moves",
        )
    return Strategy(tree, probabilities)


def off_menu_roots(search: SearchGame, trunk: Strategy) -> tuple[int, ...]:
    """The public nodes that follow on moves which a trunk never makes.

    Args:
        search: The game.
        trunk: A strategy of it.

    Returns:
        The numbers of those nodes, rising: none below another one, the player who has to answer
        moves in or below each, and the one who has moved there had other moves.

    Raises:
        ConfigError: There is none.
    """
    public = search.public
    beginning = np.flatnonzero(public.begins)[1:]
    parent = public.levels.parent[beginning]
    infoset = public.levels.infoset[parent]
    decided = infoset >= 0
    first = np.array(search.moves.first)
    flat = search.tree.action_offset[np.maximum(infoset, 0)] + beginning - first[parent]
    share = np.where(decided, trunk.probabilities[np.where(decided, flat, 0)], 1.0)
    most = np.zeros(len(public))
    most[0] = 1.0
    np.maximum.at(most, public.node_of[beginning], share)
    chosen: list[int] = []
    is_below = np.zeros(len(public), dtype=np.bool_)
    for node in range(1, len(public)):
        above, mover = int(public.parent[node]), int(public.mover[node])
        is_below[node] = is_below[above]
        if is_below[node] or most[node] > 0.0 or mover < 0:
            continue
        is_below[node] = True
        if public.acts_below[node, 1 - mover]:
            chosen.append(node)
    if not chosen:
        raise ConfigError(
            f"the trunk makes every move of {search.tree.name}: none is off its menu",
            option="nested",
            place=search.tree.name,
            remedy="name the public nodes with `roots`, or give a game with more moves",
        )
    return tuple(chosen)


def leading_moves(search: SearchGame, nodes: tuple[int, ...], player: int) -> Int64Array:
    """The sequences of a player whose last move leads to public nodes.

    Args:
        search: The game.
        nodes: Numbers of public nodes.
        player: Who moves.

    Returns:
        int64, rising.
    """
    public = search.public
    led = np.isin(public.node_of, nodes) & (public.mover[public.node_of] == player)
    starts = np.flatnonzero(public.begins & led)
    return np.unique(search.sequence[starts, player])
