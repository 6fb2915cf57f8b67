"""Local best responses in compiled games: a lower bound of what a best response gains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.evaluation.response import expected_values
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, Int32Array

PASSIVE: Final = ("call", "check")
"""The labels of passive actions, the first that an infoset has."""


@dataclass(frozen=True)
class LocalBestResponse:
    """What a player wins who looks one action ahead and expects no further bets.

    Attributes:
        player: The player who responds.
        value: Their expected payoff, in payoff units, exact; at most that of a best response.
        gain: `value` minus their expected payoff in the original profile; it may be negative, as
            the player does not plan.
        strategy: The profile with the pure local response at the player's infosets.
    """

    player: int
    value: float
    gain: float
    strategy: Strategy


def local_best_response(
    strategy: Strategy,
    player: int,
    passive: Strategy | Sequence[str] = PASSIVE,
    *,
    among: Sequence[bool] | BoolArray | None = None,
) -> LocalBestResponse:
    """Compute a local best response (LBR), and value it exactly.

    Viliam Lisy and Michael Bowling, "Equilibrium approximation quality of current no-limit poker
    bots", AAAI 2017 workshop. The player knows the others' strategies, and so which hands they get
    to an infoset with. The passive action is judged as if all were passive from there on; another
    one as if the next opponent answered by their strategy, and all were passive after that, unless
    the answer ends the hand. What results is a strategy, so that it never wins more than a best
    response.

    Args:
        strategy: The profile to respond to.
        player: Who responds, from 0.
        passive: The passive actions: labels, of which an infoset has at least one, or a pure
            strategy that plays them.
        among: The actions that the player may take, bool[Q] by sequence in public order; the
            passive ones are always among them. None for all.

    Returns:
        The response.

    Raises:
        ConfigError: The player does not exist, an infoset has no passive action, or `among` has
            another size, or is of something else than truth values.
        MismatchError: `passive` is a strategy of another game.
    """
    checked_strategy(strategy)
    tree = strategy.tree
    whole_number("player", player, 0, tree.num_players - 1)
    from equilibrist.kernels.histories.local_response import choose_best, judge_actions

    arrays = tree.history_tree.arrays
    size = int(tree.action_offset[-1])
    worth = np.zeros(size)
    others, checked, answered = (np.empty(tree.num_nodes) for _ in range(3))
    behaviour = np.ascontiguousarray(strategy.probabilities)
    calm = _passive_actions(tree, passive)
    judge_actions(
        arrays.node,
        arrays.chance_probability,
        arrays.payoff,
        behaviour,
        calm,
        player,
        others,
        checked,
        answered,
        worth,
    )
    if among is not None:
        allowed = _truths(among, size)
        first = tree.action_offset[:-1]
        allowed[first + calm[first]] = True
        worth[~allowed] = -np.inf
    response = behaviour.copy()
    choose_best(tree.action_offset, np.flatnonzero(tree.infoset_player == player), worth, response)
    profile = Strategy(tree, response)
    value = expected_values(profile)[player]
    return LocalBestResponse(player, value, value - expected_values(strategy)[player], profile)


def _truths(among: object, size: int) -> BoolArray:
    """bool[Q]: the actions that are allowed; ConfigError for what is no truth value for each."""
    expected = f"one truth value for each of {size} actions"
    try:
        allowed = np.array(among)
    except ValueError:  # lists of different lengths
        raise bad_argument("among", among, expected) from None
    if allowed.dtype != np.bool_:
        raise bad_argument("among", among, expected)
    if allowed.shape != (size,):
        raise bad_argument("among", allowed.shape, expected)
    return allowed


def _passive_actions(tree: GameTree, passive: Strategy | Sequence[str]) -> Int32Array:
    """int32[Q]: the number of the passive action of each infoset, at its first action."""
    numbers = np.zeros(int(tree.action_offset[-1]), np.int32)
    first = tree.action_offset[:-1]
    if isinstance(passive, Strategy):
        if passive.tree.fingerprint != tree.fingerprint:
            raise MismatchError(
                f"the passive strategy is one of {passive.tree.name}, not of {tree.name}",
                option="passive",
                given=passive.tree.name,
                expected=tree.name,
            )
        numbers[first] = [
            int(np.argmax(passive.probabilities[tree.actions_of(i)]))
            for i in range(tree.num_infosets)
        ]
        return numbers
    if isinstance(passive, str) or not isinstance(passive, Sequence):
        raise bad_argument("passive", passive, "labels of actions, or a Strategy")
    for i, labels in enumerate(tree.action_labels):
        named = [label for label in passive if label in labels]
        if len(labels) > 1 and not named:
            raise ConfigError(
                f"no action of infoset {tree.infoset_keys[i]!r} is called {' or '.join(passive)}",
                option="passive",
                given=tuple(passive),
                place=tree.infoset_keys[i],
                expected=" or ".join(labels),
                remedy="give the labels of the game, or a strategy that plays passive actions",
            )
        numbers[first[i]] = labels.index(named[0]) if named else 0
    return numbers
