"""Conversion of games to OpenSpiel, and of policies from it (extra `openspiel`).

OpenSpiel's games are loaded with `load_game("openspiel:kuhn_poker")`, or
`equilibrist.games.OpenSpielGame` for an existing `pyspiel.Game`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from equilibrist.errors import MismatchError
from equilibrist.games.openspiel import OpenSpielGame, OpenSpielState, import_pyspiel
from equilibrist.parsing.arguments import bad_argument
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree, checked_tree

if TYPE_CHECKING:
    from equilibrist.interop.spiel_game import Bounds


_MOST_KEPT: Final = 300_000
"""Histories of a game that are kept once they are worked out, about a kilobyte each."""


def to_openspiel(tree: GameTree) -> Any:
    """Convert the game of `tree` to an OpenSpiel game, for algorithms that call methods of states.

    A game that came from OpenSpiel is returned as it is played here (with simultaneous moves played
    turn by turn). In any other game actions are numbered as in `Game.actions`, and information
    states are the infoset keys; only the player to move has one. Tensors are not provided.

    Args:
        tree: A compiled game.

    Returns:
        A `pyspiel.Game`.

    Raises:
        ConfigError: Without OpenSpiel, or for anything but a compiled game.
    """
    rules = checked_tree(tree).game
    import_pyspiel()
    if isinstance(rules, OpenSpielGame):
        return rules.spiel
    from equilibrist.interop.spiel_game import SpielGame

    return SpielGame(rules, _bounds(tree), keeps=tree.num_nodes <= _MOST_KEPT)


def to_policy(strategy: Strategy) -> Any:
    """Convert a strategy to a tabular policy of `to_openspiel(strategy.tree)`.

    Args:
        strategy: A strategy.

    Returns:
        An `open_spiel.python.policy.TabularPolicy`.

    Raises:
        ConfigError: Without OpenSpiel, or for anything but a strategy.
    """
    tree = checked_strategy(strategy).tree
    game = to_openspiel(tree)
    from open_spiel.python.policy import TabularPolicy

    policy = TabularPolicy(game)
    for state, row in zip(policy.states, policy.action_probability_array, strict=True):
        actions = tree.actions_of(tree.index(_key(tree, state)))
        row[:] = 0.0
        row[state.legal_actions()] = strategy.probabilities[actions]
    return policy


def from_policy(tree: GameTree, policy: Any) -> Strategy:
    """Convert an OpenSpiel policy to a strategy on `tree`, a game of OpenSpiel or of Equilibrist.

    Args:
        tree: The compiled game.
        policy: Anything with `action_probabilities(state)`: a TabularPolicy, the result of a
            solver's `average_policy()`, one in C++. It is called once per infoset.

    Returns:
        The strategy.

    Raises:
        ConfigError: For anything else, and for probabilities that do not add up to 1.
        MismatchError: If the policy fails at a state of this game.
    """
    if not callable(getattr(policy, "action_probabilities", None)):
        raise bad_argument(
            "policy", policy, "a policy of OpenSpiel, with action_probabilities(state)"
        )
    values = np.zeros(int(checked_tree(tree).action_offset[-1]))
    seen: set[str] = set()
    waiting = [to_openspiel(tree).new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        legal = state.legal_actions()
        waiting += [state.child(action) for action in legal]
        key = "" if state.is_chance_node() else _key(tree, state)
        if state.is_chance_node() or key in seen:
            continue
        seen.add(key)
        try:
            odds = dict(policy.action_probabilities(state))
            row = np.array([odds.get(action, 0.0) for action in legal], dtype=np.float64)
        except Exception as error:
            raise MismatchError(
                f"the policy has no answer at infoset {key!r} of {tree.name} "
                f"({type(error).__name__}: {error})",
                option="policy",
                given=type(error).__name__,
                place=f"infoset {key!r}",
                remedy="take a policy of the same game",
            ) from None
        values[tree.actions_of(tree.index(key))] = row
    return Strategy(tree, values)


def _key(tree: GameTree, state: Any) -> str:
    """The infoset key of a state of `to_openspiel(tree)`."""
    if isinstance(tree.game, OpenSpielGame):
        return tree.game.infoset(OpenSpielState(state))
    return str(state.information_state_string())


def _bounds(tree: GameTree) -> Bounds:
    from equilibrist.interop.spiel_game import Bounds

    total = tree.constant_sum
    if total is not None and abs(total) < 1e-9 * max(1.0, float(np.abs(tree.walk.payoff).max())):
        total = 0.0
    return Bounds(
        max_actions=max((len(labels) for labels in tree.action_labels), default=1),
        max_outcomes=int(tree.walk.chance_count.max(initial=0)),
        min_payoff=float(tree.walk.payoff.min()),
        max_payoff=float(tree.walk.payoff.max()),
        utility_sum=total,
        max_moves=max(tree.depth, 1),
    )
