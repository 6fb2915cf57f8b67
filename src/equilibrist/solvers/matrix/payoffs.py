"""The payoffs of a game as linear programmes read them: without what all of them have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, NoReturn

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.solvers.matrix.highs import refuse_span
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import ENORMOUS, hides_some, payoff_centres, payoff_spreads
from equilibrist.typing import FloatArray, Int64Array

_BEYOND: Final = 1000.0
_MEASURED: Final = 1e-6
"""The largest NashConv of an equilibrium, as a share of the largest payoff times the probability
with which play meets it."""


def with_common_above(gains: FloatArray, decisions: Sequence[tuple[int, list[int]]]) -> FloatArray:
    """The payoffs of sequences; what the actions of an infoset have in common counts above it.

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
    return min(float(payoff_spreads(tree.walk.possible_payoffs())[0]), _BEYOND * met)


class PayoffEntries(NamedTuple):
    """Player 0's payoffs in a game of two players, by pairs of engine sequences.

    Attributes:
        rows: int64[entries], player 0's sequences, from 0.
        columns: int64[entries], player 1's sequences, from 0; pairs may occur more than once.
        values: float64[entries], payoffs times chance probability, less what `centre` has of them.
        centre: What all plans earn alike, where it dwarfs their differences.
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
    return _without_alike(tree, _centred_entries(tree))


def _centred_entries(tree: GameTree) -> PayoffEntries:
    """The payoff matrix, without what all payoffs have in common where it dwarfs the rest."""
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


def _without_alike(tree: GameTree, entries: PayoffEntries) -> PayoffEntries:
    """The payoff matrix without what is paid whatever a player does, where it is enormous.

    A solver's tolerances are shares of the largest payoff that play meets, which may be one that
    nobody can avoid: after a chance move, or after every action of an infoset. What all actions
    have in common, the sequence above them may have instead; in the end the empty sequences, which
    all plans play. Where one player alone decides, so may what that player would choose.
    """
    sizes = np.abs(entries.values[entries.values != 0.0])
    if not sizes.size or sizes.max() <= ENORMOUS * sizes.min():
        return entries
    least = ENORMOUS * float(sizes.min())
    form = tree.sequence_form
    cells: dict[tuple[int, int], float] = {}
    for row, column, value in zip(
        entries.rows.tolist(), entries.columns.tolist(), entries.values.tolist(), strict=True
    ):
        cells[row, column] = cells.get((row, column), 0.0) + value
    matrix = _Cells(cells, least)
    offset = form.arrays.sequence_offset.tolist()
    moved = True
    while moved:
        moved = False
        for player in (0, 1):
            low = offset[player]
            contested: set[int] = set()  # where the other player decides on what is enormous, too
            for parent, own in reversed(form.infosets_of(player)):
                sequences = [s - low for s in own]
                moved |= matrix.lift(player, parent - low, sequences, contested)
                contested |= matrix.contested(player, sequences)
                if not contested.isdisjoint(sequences):
                    contested.add(parent - low)
    alike = matrix.pop_empty()
    return matrix.entries(entries.centre + alike)


class _Cells:
    """Payoffs by pairs of sequences, of which enormous ones move to the sequences above.

    Args:
        cells: The payoffs, each pair once.
        least: From what size on payoffs are enormous.
    """

    def __init__(self, cells: dict[tuple[int, int], float], least: float) -> None:
        """Find the enormous ones."""
        self._cells, self._least = cells, least
        self._large: tuple[dict[int, set[int]], dict[int, set[int]]] = ({}, {})
        for pair in cells:
            self._note(pair)

    def _note(self, pair: tuple[int, int]) -> None:
        large = abs(self._cells.get(pair, 0.0)) >= self._least
        for own, other, partners in zip(pair, pair[::-1], self._large, strict=True):
            if large:
                partners.setdefault(own, set()).add(other)
            else:
                partners.get(own, set()).discard(other)

    def contested(self, player: int, own: list[int]) -> set[int]:
        """The sequences of a player with enormous payoffs on which the other one decides, too."""
        large = self._large[player]
        return {sequence for sequence in own if large.get(sequence, set()) - {0}}

    def lift(self, player: int, parent: int, own: list[int], contested: set[int]) -> bool:
        """Move what is enormous at all actions of an infoset to the sequence above it.

        Args:
            player: Whose infoset it is.
            parent: The sequence above it.
            own: Those of its actions.
            contested: Sequences below which the other player decides on what is enormous, too.

        Returns:
            Whether anything was moved.
        """
        large = self._large[player]
        shared = set.intersection(*(large.get(sequence, set()) for sequence in own))
        alone = not (self.contested(player, own) or contested.intersection(own))
        moved = False
        for other in {0, *shared}:
            pairs = [(s, other) if player == 0 else (other, s) for s in own]
            payoffs = [self._cells.get(pair, 0.0) for pair in pairs]
            if other == 0 and alone:  # what the player would choose
                common = max(payoffs) if player == 0 else min(payoffs)
            else:
                common = min(payoffs, key=abs) if min(payoffs) * max(payoffs) > 0.0 else 0.0
            if abs(common) < self._least:
                continue
            above = (parent, other) if player == 0 else (other, parent)
            for pair in pairs:
                self._cells[pair] = self._cells.get(pair, 0.0) - common
                self._note(pair)
            self._cells[above] = self._cells.get(above, 0.0) + common
            self._note(above)
            moved = True
        return moved

    def pop_empty(self) -> float:
        """Take out what the empty sequences of both players have, if it is enormous."""
        alike = self._cells.get((0, 0), 0.0)
        return self._cells.pop((0, 0)) if abs(alike) >= self._least else 0.0

    def entries(self, centre: float) -> PayoffEntries:
        """The payoffs other than 0, beside a payoff of `centre` that all pairs have."""
        kept = {pair: value for pair, value in self._cells.items() if value != 0.0}
        pairs = np.array(list(kept), dtype=np.int64).reshape(-1, 2)
        values = np.array(list(kept.values()), dtype=np.float64)
        return PayoffEntries(pairs[:, 0], pairs[:, 1], values, centre)


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


def what_differs(measured: float, promised: float) -> str:
    """Say in words that a measured figure is not the promised one, by digits that differ."""
    if f"{measured:.9g}" == f"{promised:.9g}":
        return f"{measured:.9g} was promised, and {abs(measured - promised):.3g} is missing"
    return f"{measured:.9g} was measured where {promised:.9g} was promised"


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
    sizes = np.abs(tree.walk.possible_payoffs())
    least = float(sizes[sizes > 0.0].min(initial=np.inf))
    reason = "no solution was found"
    if measured is not None:
        reason = what_differs(measured, promised)
    refuse_span(
        f"the payoffs of {tree.name} range from {low:g} to {high:g}, the smallest of them is "
        f"{least:g}: linear programmes in double precision cannot hold both; {reason}",
        (low, high),
    )


def refuse_rare_chance(tree: GameTree, chance: FloatArray, error: UnsupportedError) -> None:
    """Say that what chance does rarely is the cause where programmes are refused, if it is.

    Args:
        tree: The compiled game.
        chance: float64[Z], the probability of chance's moves on the way to each end.
        error: Why a programme was refused.

    Raises:
        UnsupportedError: The payoffs are of like size, and some probabilities are tiny.
    """
    least = float(chance[chance > 0.0].min(initial=1.0))
    if least * ENORMOUS >= 1.0 or hides_some(tree.walk.possible_payoffs()):
        return
    raise UnsupportedError(
        f"chance leads to some ends of {tree.name} with a probability of only {least:.3g}: linear "
        f"programmes in double precision cannot weigh them beside the others",
        option="chance",
        given=least,
        expected=f"probabilities of at least {1.0 / ENORMOUS:g}",
        remedy="leave out what chance nearly never does, or let it happen more often",
    ) from error
