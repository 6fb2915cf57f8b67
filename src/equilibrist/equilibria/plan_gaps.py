"""How far a device of pure strategies is from correlated equilibrium.

Each player is told their whole plan before play begins, and may then play any other one.
"""

from __future__ import annotations

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.correlation import Gap, Trigger
from equilibrist.evaluation.sequences import Sequences
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray


def correlated_gap(tree: GameTree, weights: FloatArray, strategies: FloatArray) -> Gap:
    """Measure what the players of a device gain by leaving their plans.

    Args:
        tree: The compiled game.
        weights: float64[K], those of the profiles.
        strategies: float64[K, Q], pure strategies in public order. What they say where their own
            moves never lead is told the player, too, and may give away more than a reduced plan
            would.

    Returns:
        The gap: of each player the sum over plans of the gain of the best other plan. `largest` is
        the plan that loses most; it names no infoset.

    Raises:
        UnsupportedError: A profile mixes actions, so that nobody is told a plan.
        RecallError: A player forgets their own past.
    """
    sequences = Sequences.of(tree)
    rows, weights = strategies[weights > 0.0], weights[weights > 0.0]
    if not np.isin(rows, (0.0, 1.0)).all():
        raise UnsupportedError(
            "a correlated equilibrium recommends whole plans, and profiles of the device mix "
            "actions",
            option="concept",
            given="ce",
            expected="efce",
            remedy="measure efce, efcce or cce",
        )
    played = _played(sequences, rows)
    reach = [_padded(played)[:, sequences.leaf_sequence[:, p]] for p in range(tree.num_players)]
    gains, values, largest = [], [], None
    for player in range(tree.num_players):
        others = weights[:, None] * sequences.leaf_chance * sequences.centred[:, player]
        for other, row in enumerate(reach):
            if other != player:
                others = others * row
        plans, plan_of_profile = np.unique(
            rows[:, sequences.own(player)], axis=0, return_inverse=True
        )
        paid = np.zeros((len(plans), len(sequences.payoff)))
        np.add.at(paid, plan_of_profile.ravel(), others)
        best = _best(sequences, player, paid)
        obeyed = np.zeros(len(plans))
        np.add.at(obeyed, plan_of_profile.ravel(), (others * reach[player]).sum(axis=1))
        gain = best - obeyed
        values.append(float(obeyed.sum() + sequences.centre[player]))
        gains.append(float(np.maximum(gain, 0.0).sum()))
        if len(sequences.infosets(player)):
            trigger = Trigger(player, None, None, float(gain.max()))
            largest = trigger if largest is None or trigger.gain > largest.gain else largest
    return Gap("ce", tuple(gains), sum(gains), largest, tuple(values))


def _padded(played: FloatArray) -> FloatArray:
    """Add a column of ones, the reach of the empty sequence, which is numbered -1."""
    return np.concatenate([played, np.ones((len(played), 1))], axis=1)


def _played(sequences: Sequences, rows: FloatArray) -> FloatArray:
    """float64[K, Q]: own reach of each sequence."""
    offset = sequences.tree.action_offset.tolist()
    played = _padded(rows)
    for infoset, above in enumerate(sequences.above.tolist()):  # parents come first
        played[:, offset[infoset] : offset[infoset + 1]] *= played[:, above, None]
    return played[:, :-1]


def _best(sequences: Sequences, player: int, paid: FloatArray) -> FloatArray:
    """Value the best plan where terminal histories pay `paid`, float64[rows]."""
    offset = sequences.tree.action_offset.tolist()
    own = sequences.leaf_sequence[:, player]
    value = np.zeros((len(paid), offset[-1] + 1))
    np.add.at(value.T, own, paid.T)
    # Backwards: infosets below come later, so a value is complete before it is added above.
    for infoset in reversed(sequences.infosets(player)):
        best = value[:, offset[infoset] : offset[infoset + 1]].max(axis=1)
        value[:, sequences.above[infoset]] += best
    return value[:, -1]
