"""Moves off the menu of a trunk: those of a larger game that the trunk never makes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.search.search_game import SearchGame
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.tree.levels import Levels
from equilibrist.typing import BoolArray, FloatArray, Int64Array


def carried_over(tree: GameTree, narrow: Mapping[str, Mapping[str, float]]) -> Strategy:
    """The play of a game with fewer moves, in one with more.

    Args:
        tree: The larger game, whose infosets and moves have the same names.
        narrow: The probability of each move at each infoset of the smaller game.

    Returns:
        A strategy of the larger game: moves that the smaller one lacks are never made, and at
        infosets that it lacks all are alike.

    Raises:
        MismatchError: The games have no infoset in common, the larger one lacks a move that the
            strategy makes, or its moves lead to infosets that the smaller one lacks.
    """
    probabilities = Strategy.uniform(tree).probabilities.copy()
    common = np.zeros(tree.num_infosets, dtype=np.bool_)
    for number, key in enumerate(tree.infoset_keys):
        row = narrow.get(key)
        if row is None:
            continue
        common[number] = True
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
    if not common.any():
        raise MismatchError(
            f"no infoset of the strategy is one of {tree.name}",
            option="trunk",
            expected=tree.name,
            remedy="give a strategy of the same game with fewer moves",
        )
    _check_answered(tree, probabilities, common)
    return Strategy(tree, probabilities)


def _check_answered(tree: GameTree, probabilities: FloatArray, common: BoolArray) -> None:
    """Raise MismatchError where a strategy's own moves lead to an infoset that it lacks."""
    levels = Levels.of(tree)
    edge = levels.edge_probability(probabilities)
    comes = np.ones(len(edge), dtype=np.bool_)
    for low, high in levels.ranges:
        comes[low:high] = comes[levels.parent[low:high]] & (edge[low:high] > 0.0)
    lacking = np.unique(levels.infoset[comes & (levels.infoset >= 0)])
    lacking = lacking[~common[lacking]]
    if len(lacking):
        key = tree.infoset_keys[int(lacking[0])]
        raise MismatchError(
            f"{int(common.sum()):,} of {tree.num_infosets:,} infosets of {tree.name} are those of "
            f"the strategy, whose moves lead to {len(lacking):,} others, such as {key!r}",
            option="trunk",
            given=key,
            expected=tree.name,
            remedy="give a game whose infosets have the names of the trunk's",
        )


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
