"""The exact equilibrium of a two-player constant-sum game by one sequence-form linear programme.

Koller, Megiddo and von Stengel, Efficient computation of equilibria for extensive two-person
games, Games and Economic Behavior 14 (1996), section 3. With x the realization plan of player 0
over own sequences, A the payoffs of player 0 over pairs of sequences (chance folded in), and
E x = e, F y = f what makes x and y plans, player 0 solves

    maximise q_root   subject to   E x = e,  x >= 0,  F^T q <= A^T x

where q holds one value per infoset of player 1 and q_root that of the whole game: what x
guarantees. The dual variables of the last constraint are the plan y of player 1. The size is
linear in the number of sequences, where the normal form would be exponential.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from equilibrist.errors import EquilibristError, UnsupportedError
from equilibrist.solvers.matrix.highs import NEGLIGIBLE, minimise
from equilibrist.solvers.matrix.highs import Method as Highs
from equilibrist.solvers.matrix.payoffs import PayoffEntries, payoff_entries
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Method = Literal["simplex", "interior-point"]
_PROVEN: Final = 1e-12
"""A solution farther from the optimum than this share of what play meets is refined: simplex and
crossover end within some 1e-14 where payoffs times probabilities are of ordinary sizes."""
_HIGHS: Final[dict[Method, Highs]] = {"simplex": "highs-ds", "interior-point": "highs-ipm"}


@dataclass(frozen=True)
class LinearSolution:
    """An equilibrium found by linear programming.

    Attributes:
        strategy: The equilibrium. Infosets that their own player's plan never reaches hold the
            uniform strategy: there an equilibrium may do anything.
        value: What player 0 earns, in payoff units.
        values: What both players earn.
        duality_gap: The difference between what the two players' plans promise, in payoff units. It
            bounds the error of `value`; the proof of the strategy is its best responses
            (`evaluate`).
        met: The largest payoff times the probability with which play meets it, less what all
            payoffs have in common: the unit of tolerances.
        iterations: Iterations of HiGHS.
        variables: Variables of the programme.
        constraints: Constraints of the programme.
        method: How it was solved.
        status: What HiGHS said.
    """

    strategy: Strategy
    value: float
    values: tuple[float, float]
    duality_gap: float
    met: float
    iterations: int
    variables: int
    constraints: int
    method: str
    status: str


def solve_lp(tree: GameTree, *, method: Method = "simplex") -> LinearSolution:
    """Find the equilibrium of a two-player constant-sum game, exact up to floating point.

    Args:
        tree: The compiled game.
        method: The algorithm of HiGHS: the dual simplex method, or the interior point method with
            crossover. Both end at a vertex, so that equilibria come out with many exact zeros.

    Returns:
        The equilibrium, and what proves it.

    Raises:
        UnsupportedError: There are not two players, or payoffs have no constant sum.
        RecallError: A player forgets their own past.
        EquilibristError: HiGHS gives up.
    """
    total = checked_constant_sum(tree)
    form = tree.sequence_form
    scale = tree.payoff_range or 1.0
    payoffs = payoff_entries(tree)
    sizes = np.diff(form.arrays.sequence_offset).tolist()
    programme = _Programme.build(tree, sizes, payoffs._replace(values=payoffs.values / scale))
    result = programme.solve(method)
    if result.status != 0 or result.x is None:
        raise EquilibristError(
            f"the linear programme of {tree.name} did not come to an end with the {method} "
            f"method: {result.message}",
            option="method",
            given=method,
            remedy="try the other method, or an iterative algorithm such as dcfr",
        )
    plans = np.concatenate([result.x[: sizes[0]], -result.ineqlin.marginals])
    behaviour = behaviour_of_plans(tree, plans, result.negligible)
    reduced = float(result.x[sizes[0]]) * scale
    value = reduced + payoffs.centre + 0.0  # no negative zero
    promised = -float(result.eqlin.marginals[0]) * scale  # what the dual says, from right[0] = 1
    return LinearSolution(
        strategy=Strategy(tree, form.to_public(behaviour)),
        value=value,
        values=(value, total - value),
        duality_gap=abs(reduced - promised),
        met=result.size * scale,
        iterations=int(result.nit),
        variables=len(result.x),
        constraints=len(result.ineqlin.marginals) + len(result.eqlin.marginals),
        method=method,
        status=str(result.message),
    )


def prepare_lp(tree: GameTree) -> None:
    """Do what need not be timed: refuse unfit games, build the form, import SciPy."""
    checked_constant_sum(tree)
    import scipy.optimize
    import scipy.sparse  # noqa: F401

    tree.sequence_form.payoff_entries()


def checked_constant_sum(
    tree: GameTree,
    what: str = "an exact equilibrium by linear programming",
    remedy: str = "use an iterative algorithm (dcfr)",
) -> float:
    """The constant sum of two players' payoffs; UnsupportedError for other games, by `what`."""
    total = checked_tree(tree).constant_sum
    if tree.num_players != 2 or total is None:
        why = (
            "its payoffs do not add up to a constant"
            if tree.num_players == 2
            else f"it has {tree.num_players} player{'s' * (tree.num_players != 1)}"
        )
        raise UnsupportedError(
            f"{what} needs two players and a constant sum of payoffs; {tree.name} is not such a "
            f"game: {why}",
            option="num_players" if tree.num_players != 2 else "payoffs",
            given=tree.num_players if tree.num_players != 2 else tree.name,
            remedy=remedy,
        )
    return total


@dataclass(frozen=True)
class _Programme:
    """minimise cost @ z subject to equal @ z = right, below @ z <= 0, first variables >= 0."""

    cost: FloatArray
    below: csr_array
    equal: csr_array
    right: FloatArray
    plan_size: int

    @classmethod
    def build(cls, tree: GameTree, sizes: list[int], payoffs: PayoffEntries) -> _Programme:
        from scipy.sparse import coo_array, csr_array, hstack

        own, other = (plan_constraints(tree, player) for player in (0, 1))
        rows, columns, values, _ = payoffs
        against = coo_array((-values, (columns, rows)), shape=(sizes[1], sizes[0]))
        below = hstack([against, other.T], format="csr")
        nothing = csr_array((own.shape[0], other.shape[0]))
        cost = np.zeros(below.shape[1])
        cost[sizes[0]] = -1.0
        right = np.zeros(own.shape[0])
        right[0] = 1.0
        return cls(cost, below, hstack([own, nothing], format="csr"), right, sizes[0])

    def solve(self, method: Method) -> Any:
        free = len(self.cost) - self.plan_size
        bounds = np.array([(0.0, np.inf)] * self.plan_size + [(-np.inf, np.inf)] * free)
        limit = np.zeros(self.below.shape[0])
        return minimise(
            self.cost,
            self.below,
            limit,
            self.equal,
            self.right,
            bounds,
            _HIGHS[method],
            proven=_PROVEN,
        )


def plan_constraints(tree: GameTree, player: int) -> csr_array:
    """E or F: row 0 fixes the empty sequence, row 1 + i makes the actions of infoset i add up."""
    from scipy.sparse import csr_array

    form = tree.sequence_form
    low, high = form.arrays.sequence_offset[player : player + 2].tolist()
    infosets = form.infosets_of(player)
    rows, columns, values = [0], [0], [1.0]
    for i, (parent, own) in enumerate(infosets, start=1):
        rows += [i] * (len(own) + 1)
        columns += [parent - low, *(s - low for s in own)]
        values += [-1.0, *([1.0] * len(own))]
    return csr_array((values, (rows, columns)), shape=(len(infosets) + 1, high - low))


def behaviour_of_plans(
    tree: GameTree, plans: FloatArray, negligible: float = NEGLIGIBLE
) -> FloatArray:
    """Behaviour, float64[S] in engine order, of both players' plans; tiny weights are 0."""
    form = tree.sequence_form
    plan = np.where(plans > negligible, plans, 0.0)
    behaviour = np.ones(form.num_sequences)
    for player in (0, 1):
        for _, own in form.infosets_of(player):
            total = plan[own].sum()
            behaviour[own] = plan[own] / total if total > 0.0 else 1.0 / len(own)
    return behaviour
