"""The payoffs of a game as linear programmes read them: without what all of them have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, NoReturn

import numpy as np

from equilibrist.solvers.matrix.highs import refuse_span
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import payoff_centres, payoff_spreads
from equilibrist.typing import FloatArray, Int64Array

_BEYOND: Final = 1000.0
_MEASURED: Final = 1e-6
"""The largest NashConv of an equilibrium, as a share of the largest payoff times the probability
with which play meets it."""


def with_common_above(gains: FloatArray, decisions: Sequence[tuple[int, list[int]]]) -> FloatArray:
    """What sequences earn, with what the actions at an infoset have in common counted above it.

    All plans earn the same as before: what every one of them earns is counted at sequence 0 in the
    end, and large payoffs that are met whatever is chosen hide no differences any more.

    Args:
        gains: float64[..., n].
        decisions: The sequence above each infoset and those of its actions, parents first.

    Returns:
        float64[..., n].
    """
    gains = gains.copy()
    for above, moves in reversed(decisions):
        common = np.sort(gains[..., moves], axis=-1)[..., len(moves) // 2]
        gains[..., moves] -= common[..., None]
        gains[..., above] += common
    return gains


def room(tree: GameTree, met: float) -> float:
    """The unit of what solvers need as room in constraints, which offsets of payoffs do not change.

    Args:
        tree: The compiled game, of two players.
        met: The largest payoff times the probability with which play meets it.

    Returns:
        The spread of most of player 0's payoffs; less, if it is beyond all that play meets.
    """
    return min(float(payoff_spreads(tree.walk.payoff)[0]), _BEYOND * met)


class PayoffEntries(NamedTuple):
    """Player 0's payoffs in a game of two players, by pairs of engine sequences.

    Attributes:
        rows: int64[entries], player 0's sequences, from 0.
        columns: int64[entries], player 1's sequences, from 0; pairs may occur more than once.
        values: float64[entries], payoffs less `centre`, times chance probability.
        centre: What was taken out of all payoffs.
    """

    rows: Int64Array
    columns: Int64Array
    values: FloatArray
    centre: float


def payoff_entries(tree: GameTree) -> PayoffEntries:
    """The payoff matrix of a game of two players.

    Args:
        tree: The compiled game.

    Returns:
        Its entries.

    Raises:
        RecallError: A player forgets their own past.
    """
    from equilibrist.tree.forms.link import link_walk

    form = tree.sequence_form
    plain = PayoffEntries(*form.payoff_entries(), float(form.payoff_offset[0]))
    low, high = np.abs([tree.min_payoff[0], tree.max_payoff[0]])
    if plain.centre != 0.0 or max(low, high) <= 0.0:
        return plain
    linked = link_walk(tree.walk)
    centre = float(payoff_centres(tree.walk.payoff, linked.leaf_probability > 0.0)[0])
    if centre == 0.0:
        return plain
    order = tree.public_of_walk
    widths = np.diff(tree.action_offset)[order]
    within = np.arange(widths.sum()) - np.repeat(np.cumsum(widths) - widths, widths)
    public = np.repeat(tree.action_offset[order], widths) + within
    engine = form.sequence_of_public[public.astype(np.int64)]
    offset = form.arrays.sequence_offset
    ends = [
        np.append(engine, offset[p])[linked.leaf_sequence[:, p].astype(np.int64)] - offset[p]
        for p in (0, 1)
    ]
    values = linked.leaf_probability * (tree.walk.payoff[:, 0] - centre)
    return PayoffEntries(ends[0], ends[1], values, centre)


def check_equilibrium(tree: GameTree, nash_conv: float, met: float) -> None:
    """Hold what linear programmes call an equilibrium against best responses.

    Args:
        tree: The compiled game.
        nash_conv: The measured sum of gains.
        met: The largest payoff times the probability with which play meets it.

    Raises:
        UnsupportedError: Players gain more than rounding.
    """
    if nash_conv > max(_MEASURED * met, 16.0 * tree.rounding):
        refuse_payoffs(tree, nash_conv)


def refuse_payoffs(
    tree: GameTree, measured: float | None = None, *, promised: float = 0.0
) -> NoReturn:
    """Refuse a game in which what was measured is not what a linear programme promised.

    Args:
        tree: The compiled game.
        measured: What was measured, in payoff units; None if nothing was found.
        promised: What was promised.

    Raises:
        UnsupportedError: Always, with the span of the payoffs.
    """
    low, high = float(tree.min_payoff.min()), float(tree.max_payoff.max())
    sizes = np.abs(tree.walk.payoff)
    least = float(sizes[sizes > 0.0].min(initial=np.inf))
    found = "no solution was found"
    if measured is not None:
        found = f"{measured:.9g} was measured where {promised:.9g} was promised"
    refuse_span(
        f"the payoffs of {tree.name} range from {low:g} to {high:g}, the smallest of them is "
        f"{least:g}: linear programmes in double precision cannot hold both; {found}",
        (low, high),
    )
