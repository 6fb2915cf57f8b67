"""Subgames of one seat as one linear programme, block-diagonal: the shared rows, and the methods.

Variables are p's plan X inside the subgames, o's best-response value q at each infoset of o's
inside, o's value u_j of each hand, and a margin for each root:

- sum_a X(w, a) = X(what leads to w), which is p's own reach at the first infosets below a root;
- q(w) >= what each action of o's earns against X, with the values of the infosets below;
- u_j >= what hand j earns, likewise.

A method is a cost on u and margins, bounds of u, and the alternatives. Reaches and values of each
root are divided by its k: near an equilibrium roots are hardly reached, and HiGHS keeps rows to an
absolute tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.sparse import block_array, csr_array

from equilibrist.errors import EquilibristError
from equilibrist.search.methods import SearchMethod
from equilibrist.search.subgames import SeatRows, Subgames
from equilibrist.search.values import TrunkValues
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.typing import BoolArray, FloatArray, Int64Array

NEGLIGIBLE: Final = 1e-9
"""Hands below this share of all that come to a root, and own reaches below it, are left alone."""


@dataclass(frozen=True, eq=False)
class SeatPlay:
    """What a seat plays below the roots, and what that is worth to the opponent.

    Attributes:
        plan: float64[n], p's plan: the trunk's above the roots.
        behaviour: float64[n - 1], p's probabilities at all own infosets.
        solved: bool[G], the roots whose play was replaced: p moves below them and comes there, and,
            with a goal on the trunk's range, o does.
    """

    plan: FloatArray
    behaviour: FloatArray
    solved: BoolArray


@dataclass(frozen=True, eq=False)
class SharedRows:
    """The matrices of one seat's programmes; only right sides and weights depend on the trunk.

    Attributes:
        rows: What the matrices are made of.
        below: [S + H, X + K + H], the rows of q and u.
        equal: [J, X], the rows of the plan.
        fixed: [S + H, n], what p's play above the roots earns o.
        root_of_row: int64[S + H], the root of each row of `below`.
        root_of_own: int64[X], the root of each own sequence.
        root_of_infoset: int64[J], that of each own infoset.
        above: int64[J], the own sequence above each own infoset, -1 if that is inside as well.
    """

    rows: SeatRows
    below: csr_array
    equal: csr_array
    fixed: csr_array
    root_of_row: Int64Array
    root_of_own: Int64Array
    root_of_infoset: Int64Array
    above: Int64Array

    @classmethod
    def of(cls, subgames: Subgames, player: int) -> SharedRows:
        """Lay out the programmes of one seat."""
        rows = subgames.seats[player]
        other = 1 - player
        search = subgames.search
        own, theirs = search.own[player].plans, search.own[other].plans
        hands = subgames.hands[other]
        size, count = len(rows.sequences), len(rows.infosets)
        row_of = np.full(theirs.size, -1, dtype=np.int64)
        row_of[rows.sequences] = np.arange(size)
        row_of_infoset = np.where(
            rows.hand_of >= 0, size + rows.hand_of, row_of[theirs.parent[rows.infosets]]
        )
        counts = theirs.actions[rows.infosets]
        owner = np.repeat(np.arange(count), counts)
        entries = np.concatenate([np.ones(count), np.full(size, -1.0)])
        places = np.concatenate([row_of_infoset, np.arange(size)])
        values = csr_array(
            (entries, (places, np.concatenate([np.arange(count), owner]))),
            shape=(size + len(hands), count),
        )
        of_hand = csr_array(
            (
                np.full(len(hands), -1.0),
                (size + np.arange(len(hands)), np.arange(len(hands))),
            ),
            shape=(size + len(hands), len(hands)),
        )
        payoff = rows.payoff.tocsc()
        outside = np.ones(own.size, dtype=np.bool_)
        outside[rows.own] = False
        fixed = rows.payoff.multiply(outside[None, :].astype(np.float64))
        infoset_root = hands.root[hands.of_infoset[rows.infosets]]
        own_hands = subgames.hands[player]
        root_of_infoset = own_hands.root[own_hands.of_infoset[rows.own_infosets]]
        equal, above = _plan_rows(rows, own.parent, own.actions)
        return cls(
            rows=rows,
            below=csr_array(block_array([[payoff[:, rows.own], values, of_hand]], format="csr")),
            equal=equal,
            fixed=csr_array(fixed),
            root_of_row=np.concatenate([infoset_root[owner], hands.root]),
            root_of_own=np.repeat(root_of_infoset, own.actions[rows.own_infosets]),
            root_of_infoset=root_of_infoset,
            above=above,
        )


def _plan_rows(
    rows: SeatRows, parent: Int64Array, actions: Int64Array
) -> tuple[csr_array, Int64Array]:
    """The rows of p's plan, and the own sequence above each infoset where that is outside."""
    count = len(rows.own_infosets)
    owner = np.repeat(np.arange(count), actions[rows.own_infosets])
    above = parent[rows.own_infosets]
    place = np.searchsorted(rows.own, above)
    within = (place < len(rows.own)) & (
        rows.own[np.minimum(place, max(len(rows.own) - 1, 0))] == above if len(rows.own) else False
    )
    later = np.flatnonzero(within)
    matrix = csr_array(
        (
            np.concatenate([np.ones(len(rows.own)), np.full(len(later), -1.0)]),
            (
                np.concatenate([owner, later]),
                np.concatenate([np.arange(len(rows.own)), place[later]]),
            ),
        ),
        shape=(count, len(rows.own)),
    )
    return matrix, np.where(within, -1, above)


def solve_seat(
    shared: SharedRows,
    trunk: TrunkValues,
    method: SearchMethod,
    alternatives: FloatArray | None = None,
) -> SeatPlay:
    """Choose the play of a seat below all roots.

    Args:
        shared: The rows of the seat.
        trunk: The trunk at the roots.
        method: The method.
        alternatives: float64[H], alt_j in units of the programmes, gifts included; by default as
            the method has it.

    Returns:
        The play.

    Raises:
        EquilibristError: HiGHS gives up.
    """
    subgames, rows = trunk.subgames, shared.rows
    hands = subgames.hands[1 - trunk.player]
    if alternatives is None:
        alternatives = alternatives_of(trunk, method)
    solved = trunk.total > 0.0
    moves = np.zeros(len(subgames), dtype=np.bool_)
    moves[shared.root_of_infoset] = True
    solved &= moves
    reach = trunk.reach
    largest = np.zeros(len(subgames))
    np.maximum.at(largest, hands.root, np.where(trunk.weight > 0.0, reach, 0.0))
    if method.goal == "range":
        solved &= largest > 0.0
    unit = np.where(trunk.total > 0.0, trunk.total, 1.0)
    unit_of_hand = unit[hands.root]
    weight = trunk.weight / unit_of_hand
    counted = solved[hands.root] & (weight >= NEGLIGIBLE)
    limit = np.where(np.isfinite(alternatives), alternatives / unit_of_hand, alternatives)

    width, count = len(rows.own), len(rows.infosets)
    first_hand = width + count
    first_margin = first_hand + len(hands)
    cost = np.zeros(first_margin + len(subgames))
    lower = np.full(len(cost), -np.inf)
    upper = np.full(len(cost), np.inf)
    lower[:width] = 0.0
    value = slice(first_hand, first_margin)
    margin = np.zeros(len(hands))
    if method.goal == "range":
        largest = np.where(largest > 0.0, largest, 1.0)
        cost[value] = np.where(counted, reach / largest[hands.root], 0.0)
    elif method.goal == "excess":
        counted &= limit < np.inf  # whoever has so good an alternative never enters
        cost[value] = counted
        lower[value] = np.where(counted, limit, -np.inf)
    else:
        used = np.unique(hands.root[counted])
        cost[first_margin + used] = -1.0
        margin = np.where(counted, weight if method.scale == "normalised" else 1.0, 0.0)
    if method.capped:
        upper[value] = np.where(counted, limit, np.inf)
    below = csr_array(
        block_array([[shared.below, csr_array((shared.below.shape[0], len(subgames)))]])
    )
    right = -(shared.fixed @ trunk.plan) / unit[shared.root_of_row]
    if method.goal == "margin":
        held = csr_array(
            (
                np.concatenate([np.ones(len(hands)), margin]),
                (
                    np.concatenate([np.arange(len(hands))] * 2),
                    np.concatenate([first_hand + np.arange(len(hands)), first_margin + hands.root]),
                ),
            ),
            shape=(len(hands), len(cost)),
        )[np.flatnonzero(counted)]
        below = csr_array(block_array([[below], [held]], format="csr"))
        right = np.concatenate([right, limit[counted]])
    equal = csr_array(
        block_array([[shared.equal, csr_array((shared.equal.shape[0], len(cost) - width))]])
    )
    leads = np.where(shared.above >= 0, trunk.plan[shared.above], 0.0)
    leads /= unit[shared.root_of_infoset]
    result = minimise(cost, below, right, equal, leads, np.stack([lower, upper], 1), "highs")
    if result.status != 0:
        raise EquilibristError(
            f"the linear programme of {method.name} over {len(subgames):,} subgames did not come "
            f"to an end: {result.message}",
            option="method",
            given=method.name,
        )
    return _played(shared, trunk, np.asarray(result.x[:width]), solved)


def alternatives_of(trunk: TrunkValues, method: SearchMethod) -> FloatArray:
    """What o may count on at the roots.

    Args:
        trunk: The trunk at the roots.
        method: The method.

    Returns:
        float64[H], in units of the programmes, gifts included.
    """
    values = trunk.best if method.alternatives == "best-response" else trunk.expected
    if method.gifts == "none":
        return values
    return values + trunk.gifts(split=method.gifts == "split")


def _played(
    shared: SharedRows, trunk: TrunkValues, inside: FloatArray, solved: BoolArray
) -> SeatPlay:
    """The play of a solution: the trunk's wherever p does not come."""
    rows, own = shared.rows, trunk.subgames.search.own[trunk.player]
    counts = own.plans.actions[rows.own_infosets]
    inside = np.maximum(inside, 0.0)  # rounding of a linear programme
    starts = np.cumsum(counts) - counts
    share = np.add.reduceat(inside, starts) if len(counts) else np.zeros(0)
    comes = np.repeat((share > NEGLIGIBLE) & solved[shared.root_of_infoset], counts)
    behaviour = trunk.probabilities[own.flat].copy()
    chosen = rows.own[comes] - 1
    behaviour[chosen] = (inside / np.repeat(np.where(share > 0.0, share, 1.0), counts))[comes]
    probabilities = trunk.probabilities.copy()
    probabilities[own.flat] = behaviour
    return SeatPlay(own.reach(probabilities), behaviour, solved)
