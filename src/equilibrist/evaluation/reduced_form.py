"""The reduced normal form of a game: one table of payoffs per player, by reduced plans."""

from __future__ import annotations

from math import prod

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.plans import ReducedPlans, count_plans, enumerate_plans, shown
from equilibrist.evaluation.sequences import Sequences
from equilibrist.parsing.arguments import whole_number
from equilibrist.solvers.matrix.normal_form import NormalForm
from equilibrist.tree.compile import GameTree

MOST_CELLS = 1_000_000
"""The most joint plans unless the caller says otherwise."""


def reduced_normal_form(tree: GameTree, *, max_cells: int = MOST_CELLS) -> NormalForm:
    """The payoffs of all joint reduced plans; chance is averaged out.

    Args:
        tree: A compiled game of perfect recall.
        max_cells: A game with more joint plans than this is refused.

    Returns:
        The table. An action is a plan: `infoset action, ...`, of the infosets that its own actions
        reach; `-` for a player who never acts.

    Raises:
        UnsupportedError: If there are more joint plans than `max_cells`.
        RecallError: If the game has imperfect recall.
        ConfigError: If an argument is invalid.
    """
    sequences = Sequences.of(tree)
    whole_number("max_cells", max_cells, 1)
    players = range(tree.num_players)
    counts = [count_plans(sequences, p) for p in players]
    cells = prod(counts)
    if cells > max_cells:
        plan_counts = " x ".join(map(shown, counts))
        raise UnsupportedError(
            f"the reduced normal form of {tree.name} has {shown(cells)} cells "
            f"({plan_counts} plans); up to {max_cells:,} are written",
            option="cells",
            given=cells if cells < 2**63 else shown(cells),
            expected=max_cells,
            remedy="take a smaller variant of the game",
        )
    plans = [enumerate_plans(sequences, p, max_plans=max_cells) for p in players]
    playing = [
        player_plans.reaching(sequences.leaf_sequence[:, p]) for p, player_plans in enumerate(plans)
    ]
    payoffs = np.zeros((*counts, tree.num_players))
    for leaf, paid in enumerate(sequences.leaf_chance[:, None] * sequences.payoff):
        payoffs[np.ix_(*(np.flatnonzero(plays[:, leaf]) for plays in playing))] += paid
    return NormalForm(tree.name, tuple(map(_labels, plans)), payoffs)


def _labels(plans: ReducedPlans) -> tuple[str, ...]:
    return tuple(
        ", ".join(f"{key} {action}" for key, action in plans.actions(k).items()) or "-"
        for k in range(len(plans))
    )
