"""Re-solving one seat by a linear programme, block-diagonal over all roots.

Variables are p's plan inside the subgames, o's best-response value q at each infoset of o's inside,
o's value u_j of each hand, and a margin for each root:

- p's plan adds up to own reach at the first infosets below a root, to what leads there at others;
- q is no less than what each action of o's earns, with the values of the infosets below;
- u_j is no less than what hand j earns, likewise.

A method is a cost on u and margins, bounds of u, and the alternatives. Reaches and values of each
root are divided by its k: near an equilibrium roots are hardly reached, and HiGHS keeps rows to an
absolute tolerance.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack

from equilibrist.errors import EquilibristError
from equilibrist.search.knowledge import Scope
from equilibrist.search.methods import METHODS, SearchMethod
from equilibrist.search.own_play import Responses
from equilibrist.search.seat_rows import SeatRows
from equilibrist.search.seat_task import NEGLIGIBLE, SeatPlay, SeatTask
from equilibrist.search.values import TrunkValues
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.typing import FloatArray


def task_of(
    trunk: TrunkValues,
    method: SearchMethod,
    guess: FloatArray | None = None,
    since: int | None = None,
    rows: SeatRows | None = None,
    scope: Scope | None = None,
    better: Responses | None = None,
) -> SeatTask:
    """Set up a task, with what its method has to know beforehand.

    Args:
        trunk: The trunk at the roots.
        method: The method.
        guess: float64[H], alternatives in place of those of the method.
        since: The public node above at which the trunk's play was solved before; None for none.
        rows: What p may choose, and o answer; by default all below the roots, or in the scope.
        scope: The part of a root that is solved; None for all.
        better: What o's actions earn for certain, for gifts that are; None to find it where it
            counts, as `certain_values` does for these roots.

    Returns:
        The task.

    Raises:
        EquilibristError: HiGHS gives up.
    """
    subgames = trunk.subgames
    hands = subgames.hands[1 - trunk.player]
    is_guess = guess is not None or method.alternatives != "best-response"
    gifts = np.zeros(len(hands))
    if guess is None and method.gifts != "none":
        if method.gifts == "certain" and better is None:
            better = certain_values(trunk)
        gifts = trunk.gifts(split=method.gifts != "whole", since=since, better=better)
    if guess is None:
        guess = trunk.best if method.alternatives == "best-response" else trunk.expected
    solved = np.zeros(len(subgames), dtype=np.bool_)
    if rows is None:
        rows = trunk.seat_rows if scope is None else scope.rows(subgames)
    solved[rows.root_of_own] = True
    solved &= trunk.total > 0.0
    unit = np.where(trunk.total > 0.0, trunk.total, 1.0)
    present = trunk.weight >= NEGLIGIBLE * unit[hands.root]
    if scope is not None:
        present &= scope.met
    present &= guess < np.inf  # whoever has an infinite alternative never enters
    comes = trunk.reach > 0.0 if method.goal in ("range", "step") else True
    coming = present & comes
    solved &= np.bincount(hands.root[coming], minlength=len(solved)) > 0
    return SeatTask(
        trunk=trunk,
        method=method,
        alternatives=guess + gifts,
        gifts=gifts,
        solved=solved,
        counted=present & solved[hands.root],
        is_guess=is_guess,
        rows=rows,
        scope=scope,
    )


def certain_values(trunk: TrunkValues) -> Responses:
    """What o's actions earn above the roots, whatever p plays below them.

    Args:
        trunk: The trunk at the roots.

    Returns:
        O's values above the roots.

    Raises:
        EquilibristError: HiGHS gives up.
    """
    return trunk.with_hands_worth(least_values(trunk))


def least_values(trunk: TrunkValues) -> FloatArray:
    """What o's best responses are worth with each hand, whatever p plays below the roots.

    For each hand p does what is worst for it alone.

    Args:
        trunk: The trunk at the roots.

    Returns:
        float64[H], in units of the programmes.

    Raises:
        EquilibristError: HiGHS gives up.
    """
    root = trunk.subgames.hands[1 - trunk.player].root
    number = np.zeros(len(root), np.int64)  # of each hand at its root
    for k in range(len(trunk.subgames)):
        number[root == k] = np.arange(np.count_nonzero(root == k))
    least = trunk.best.copy()
    for k in range(int(number.max(initial=-1)) + 1):
        chosen = number == k
        guess = np.where(chosen, -np.inf, np.inf)  # the others never enter
        worst = solve_by_programme(task_of(trunk, METHODS["resolve"], guess))
        least[chosen] = np.minimum(least, trunk.against(worst.plan))[chosen]
    return least


def solve_by_programme(task: SeatTask) -> SeatPlay:
    """Choose the play of a seat below all roots.

    Args:
        task: What is asked of the seat.

    Returns:
        The play.

    Raises:
        EquilibristError: HiGHS gives up.
    """
    if task.method.capped and task.is_guess:
        # Nobody knows whether guessed caps can be kept: they rise to what the least sum leaves.
        least = _solve(replace(task, method=METHODS["resolve"]))
        reached = task.trunk.against(least.plan)
        task = replace(task, alternatives=np.maximum(task.alternatives, reached))
    return _solve(task)


def _solve(task: SeatTask) -> SeatPlay:
    """Solve one programme, whose caps can be kept."""
    trunk = task.trunk
    rows = task.rows
    unit = np.where(trunk.total > 0.0, trunk.total, 1.0)
    values = _hand_values(task, unit)
    inner, count = rows.num_choices, len(values.cost)
    free = np.full(inner, np.inf)
    result = minimise(
        cost=np.concatenate([np.zeros(len(rows.own) + inner), values.cost]),
        below=vstack(
            [
                _widened(rows.response, 0, len(trunk.subgames)),
                _widened(values.rows, len(rows.own) + inner, 0),
            ],
            format="csr",
        ),
        limit=np.concatenate([-(rows.fixed @ trunk.plan) / unit[rows.root_of_row], values.limit]),
        equal=_widened(rows.plan, 0, inner + count),
        right=np.where(rows.above >= 0, trunk.plan[rows.above], 0.0) / unit[rows.root_of_own],
        bounds=np.column_stack(
            [
                np.concatenate([np.zeros(len(rows.own)), -free, values.lower]),
                np.concatenate([np.full(len(rows.own), np.inf), free, values.upper]),
            ]
        ),
        method="highs",
    )
    if result.status != 0:
        raise EquilibristError(
            f"the linear programme of {task.method.name} over {len(trunk.subgames):,} subgames did "
            f"not come to an end: {result.message}",
            option="method",
            given=task.method.name,
        )
    return SeatPlay.of(task, _probabilities(task, np.maximum(result.x[: len(rows.own)], 0.0)))


class _HandValues(NamedTuple):
    """The part of a programme that is the method's: o's values of hands, and the margins.

    Attributes:
        cost: float64[H + G].
        lower: float64[H + G], bounds.
        upper: float64[H + G].
        rows: float64[_, H + G].
        limit: float64[_], the most that each row may be.
    """

    cost: FloatArray
    lower: FloatArray
    upper: FloatArray
    rows: csr_array
    limit: FloatArray


def _hand_values(task: SeatTask, unit: FloatArray) -> _HandValues:
    """Cost, bounds and rows of a method; `unit` is float64[G], k."""
    trunk, method, counted = task.trunk, task.method, task.counted
    root = trunk.subgames.hands[1 - trunk.player].root
    hands, here = len(root), np.flatnonzero(counted)
    alternatives = task.alternatives / unit[root]
    cost, margin_cost = np.zeros(hands), np.zeros(len(unit))
    lower, upper = np.full(hands, -np.inf), np.full(hands, np.inf)
    held, share = here[:0], np.zeros(0)
    if method.goal == "range":
        # By the largest number of each root, so that tolerances mean the same at all of them.
        largest = np.zeros(len(unit))
        np.maximum.at(largest, root[here], trunk.reach[here])
        cost[here] = trunk.reach[here] / largest[root[here]]
    elif method.goal == "excess":
        deals = task.deals
        largest = np.zeros(len(unit))
        np.maximum.at(largest, root[here], deals[here])
        cost[here] = deals[here] / largest[root[here]]
        lower[here] = alternatives[here]
    else:
        held = here
        margin_cost[root[held]] = -1.0
        normalised = method.scale == "normalised"
        share = (trunk.weight / unit[root])[held] if normalised else np.ones(len(held))
    if method.capped:
        upper[here] = alternatives[here]
    free = np.full(len(unit), np.inf)
    place = np.arange(len(held))
    return _HandValues(
        cost=np.concatenate([cost, margin_cost]),
        lower=np.concatenate([lower, -free]),
        upper=np.concatenate([upper, free]),
        rows=csr_array(
            (
                np.concatenate([np.ones(len(held)), share]),
                (np.concatenate([place, place]), np.concatenate([held, hands + root[held]])),
            ),
            shape=(len(held), hands + len(unit)),
        ),
        limit=alternatives[held],
    )


def _widened(matrix: csr_array, before: int, after: int) -> csr_array:
    """A matrix with columns of zeros before and after its own."""
    height, width = matrix.shape
    columns = matrix.indices.astype(np.int64) + before
    return csr_array((matrix.data, columns, matrix.indptr), (height, before + width + after))


def _probabilities(task: SeatTask, plan: FloatArray) -> FloatArray:
    """float64[X], the probabilities of a plan inside; the trunk's where it does not come."""
    trunk = task.trunk
    rows, own = task.rows, trunk.subgames.search.own[trunk.player]
    starts = np.cumsum(rows.own_counts) - rows.own_counts
    total = np.add.reduceat(plan, starts) if len(starts) else np.zeros(0)
    comes = np.repeat(total > NEGLIGIBLE, rows.own_counts)
    share = np.repeat(np.where(total > 0.0, total, 1.0), rows.own_counts)
    return np.where(comes, plan / share, trunk.probabilities[own.start + rows.own - 1])
