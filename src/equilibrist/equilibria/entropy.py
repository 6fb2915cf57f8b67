"""The most entropic equilibrium of a two-player constant-sum game.

Of each player's equilibrium plans x it takes the one with the greatest dilated entropy, the sum
over own infosets I of x(parent of I) times the entropy of the behaviour at I. Quantal response
equilibria with dilated entropy approach it as their temperature falls to 0.

The optimal plans are a face of a polytope in x and the values q of the other player's infosets
(see `solvers.matrix.worst_case`). Linear programmes find which inequalities are tight on the whole
face; on the others a barrier method maximises the entropy by Newton's steps.
"""

from __future__ import annotations

import contextlib
from copy import copy
from dataclasses import dataclass
from typing import Final

import numpy as np

from equilibrist.errors import EquilibristError, UnsupportedError
from equilibrist.solvers.matrix.highs import NEGLIGIBLE, minimise
from equilibrist.solvers.matrix.interruptible import interruptible
from equilibrist.solvers.matrix.payoffs import refuse_payoffs
from equilibrist.solvers.matrix.worst_case import Duel
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import ENORMOUS
from equilibrist.typing import BoolArray, FloatArray

LARGEST: Final = 3_000
"""Variables, sequences of one player and infosets of the other, of a dense matrix."""
_TIGHT: Final = 1e-7
"""Slacks, with payoffs scaled to a range of 1, below which an inequality counts as tight."""
SELECTION: Final = (
    "a selection among equilibria",
    "list its equilibria instead, with `method='gambit'`",
)
"""What is refused for other games, and what to do with them."""
_FAR: Final = 1e6
"""Payoffs so many times what play meets are given up before anything else."""
_SHORT: Final = 1e-10
"""What a plan without them may earn less than the value, as a share of what play meets. More may be
what a threat with a probability of one in so many is worth, which has other equilibria."""
_MISSED: Final = 1e-7
"""What any other plan may earn less than the value. A solver takes a threat whose probability is
below its tolerances for none; without it a plan earns less by far."""
_EASED: Final = (0.0, 1e-10, 1e-9, 1e-8)
"""By how much the value is eased, as a share of what play meets, until a solver finds the face."""
_EASED_BY_FAR: Final = 0.1
"""By how much it is eased at most, times the largest payoff: a probability that it takes to make up
for a smaller payoff is more."""
_BARRIERS: Final = tuple(10.0**-k for k in range(1, 14))
_STEPS: Final = 60


def most_entropic_equilibrium(tree: GameTree) -> Strategy:
    """The equilibrium whose plans have the greatest dilated entropy.

    Args:
        tree: The compiled game.

    Returns:
        The equilibrium, which is unique as plans; uniform at infosets where no equilibrium of
        their player gets by own moves.

    Raises:
        UnsupportedError: There are not two players, payoffs have no constant sum, or the game is
            too large for dense matrices.
        RecallError: A player forgets their own past.
        EquilibristError: A linear programme does not come to an end.
    """
    duel = Duel(tree, *SELECTION)
    return duel.strategy((_Face(duel, 0).most_entropic(), _Face(duel, 1).most_entropic()))


@dataclass(frozen=True)
class _Terms:
    """The entropy as a sum over actions: float64 plan entries by number of action and parent."""

    action: np.ndarray[tuple[int], np.dtype[np.int64]]
    parent: np.ndarray[tuple[int], np.dtype[np.int64]]

    def value(self, x: FloatArray) -> float:
        return float(-(x[self.action] * np.log(x[self.action] / x[self.parent])).sum())

    def gradient(self, x: FloatArray) -> FloatArray:
        ratio = x[self.action] / x[self.parent]
        gradient = np.zeros(len(x))
        np.add.at(gradient, self.action, -np.log(ratio) - 1.0)
        np.add.at(gradient, self.parent, ratio)
        return gradient

    def curvature(self, x: FloatArray) -> FloatArray:
        """Minus the second derivatives, positive semidefinite."""
        a, p = self.action, self.parent
        curvature = np.zeros((len(x), len(x)))
        np.add.at(curvature, (a, a), 1.0 / x[a])
        np.add.at(curvature, (p, p), x[a] / x[p] ** 2)
        np.add.at(curvature, (a, p), -1.0 / x[p])
        np.add.at(curvature, (p, a), -1.0 / x[p])
        return curvature


class _Face:
    """The equilibrium plans of one seat: equalities, and inequalities slack @ z >= 0."""

    def __init__(self, duel: Duel, seat: int) -> None:
        from scipy.sparse import csr_array, hstack, vstack

        self.duel, self.seat = duel, seat
        infosets = duel.infosets(seat)
        self.real = np.array(sorted({0, *(s for _, own in infosets for s in own)}))
        equal, theirs = duel.constraints[seat], duel.constraints[1 - seat]
        self.count = len(self.real)
        variables = self.count + theirs.shape[0]
        if variables > LARGEST:
            raise UnsupportedError(
                f"the most entropic equilibrium of {duel.tree.name} needs dense matrices of "
                f"{variables:,} rows, at most {LARGEST:,} are taken",
                option="game",
                given=variables,
                expected=LARGEST,
                remedy="solve it with qre(alpha=...) and a small alpha, which approaches it",
            )
        self.best = best = duel.best_plan(seat)
        # Where few payoffs are far from what play meets, that is the unit instead of their range.
        met = best.met / duel.scale
        self.unit = met if ENORMOUS * met < 1.0 else 1.0
        value = best.excess / duel.scale / self.unit
        fixed = csr_array(([1.0], ([0], [self.count])), shape=(1, variables))
        own = hstack([equal[:, self.real], csr_array((equal.shape[0], theirs.shape[0]))])
        self.equal = vstack([own, fixed], format="csr")
        self.right = np.zeros(self.equal.shape[0])
        self.right[0], self.right[-1] = 1.0, value
        reached = np.array(sorted({0, *(s for _, o in duel.infosets(1 - seat) for s in o)}))
        payoff = duel.payoff(seat)[self.real].T / self.unit
        answers = hstack([payoff, -theirs.T], format="csr")[reached]
        plans = hstack(
            [
                csr_array(np.eye(self.count)),
                csr_array((self.count, theirs.shape[0])),
            ]
        )
        self.slack = vstack([plans, answers], format="csr")
        place = {int(s): i for i, s in enumerate(self.real)}
        pairs = [(place[s], place[parent]) for parent, own in infosets for s in own]
        self.pairs = np.array(pairs, dtype=np.int64).reshape(-1, 2)

    def most_entropic(self) -> FloatArray:
        """The plan, float64[n], of the greatest entropy.

        Raises:
            UnsupportedError: Payoffs differ too much for double precision.
            EquilibristError: HiGHS gives up.
        """
        if self.unit == 1.0:
            return self._most_entropic()
        # Beside enormous payoffs the face may be too thin for a solver.
        harmless = _EASED_BY_FAR / float(np.abs(self.slack.data).max())
        without = self._without_far_payoffs()
        for face, limit, short in ((without, _SHORT, _SHORT), (self, harmless, _MISSED)):
            value = face.right[-1]
            for eased in (share for share in _EASED if share <= limit):
                face.right[-1] = value - eased
                with (
                    contextlib.suppress(EquilibristError, FloatingPointError),
                    np.errstate(divide="raise", invalid="raise", over="raise"),
                ):
                    plan = face._most_entropic()
                    if self._guarantees(plan, short):
                        return plan
        return refuse_payoffs(self.duel.tree)

    def _without_far_payoffs(self) -> _Face:
        """The face where nobody may take what is forbidden by payoffs enormously large.

        Own sequences that lose so much are left out: no equilibrium plays them with more than a
        negligible probability. So are the other player's that win the seat so much: what is found
        must be held against them.
        """
        dense = self.slack[self.count :, : self.count].toarray()
        dropped = (dense <= -_FAR).any(axis=0)
        for own, parent in self.pairs.tolist():
            dropped[own] |= dropped[parent]
        columns = np.append(~dropped, np.ones(self.slack.shape[1] - self.count, dtype=np.bool_))
        near = ~(np.abs(dense[:, ~dropped]) >= _FAR).any(axis=1)
        face = copy(self)
        face.real, face.count = self.real[~dropped], int((~dropped).sum())
        face.equal, face.right = self.equal[:, columns], self.right.copy()
        face.slack = self.slack[np.append(~dropped, near)][:, columns]
        place = np.cumsum(~dropped) - 1
        face.pairs = place[self.pairs[~dropped[self.pairs[:, 0]]]]
        return face

    def _guarantees(self, plan: FloatArray, share: float) -> bool:
        """Whether a plan earns its seat's value, but for a share of what play meets.

        What it earns is held against the other player's best response.
        """
        short = self.best.excess - self.duel.guaranteed(self.seat, plan)
        return short <= share * self.unit * self.duel.scale

    def _most_entropic(self) -> FloatArray:
        inside, loose = self._inner_point()
        dense, equal = self.slack.toarray(), self.equal.toarray()
        if self.unit != 1.0:
            # Sequences that no equilibrium plays are left out; what they pay may be enormous.
            unplayed = np.flatnonzero(~loose[: self.count])
            inside[unplayed] = 0.0
            dense[self.count :, unplayed] = 0.0
            dense[self.count :] /= np.abs(dense[self.count :]).max(axis=1, initial=1.0)[:, None]
        equalities = np.vstack([equal, dense[~loose]])
        basis = _null_space(equalities)
        plan = np.zeros(self.duel.size(self.seat))
        if basis.shape[1]:
            inside = self._climb(inside, dense[loose], basis, loose)
        plan[self.real] = np.where(inside[: self.count] > NEGLIGIBLE, inside[: self.count], 0.0)
        return plan

    def _inner_point(self) -> tuple[FloatArray, BoolArray]:
        """A point of the face with as many slacks above 0 as can be, and which these are.

        Each programme makes as many of the slacks that are still 0 positive as it can; the points
        are averaged, until none is left that can be.
        """
        from scipy.sparse import csr_array, eye_array, hstack

        rows, variables = self.slack.shape
        points: list[FloatArray] = []
        loose = np.zeros(rows, dtype=np.bool_)
        while not points or not loose.all():
            tight = np.flatnonzero(~loose)
            wanted = eye_array(rows, format="csr")[:, tight]
            below = hstack([-self.slack, wanted], format="csr")
            equal = hstack([self.equal, csr_array((self.equal.shape[0], len(tight)))], format="csr")
            cost = np.concatenate([np.zeros(variables), -np.ones(len(tight))])
            free = np.tile([-np.inf, np.inf], (variables, 1))
            bounds = np.vstack([free, np.tile([0.0, 1.0], (len(tight), 1))])
            optimum = minimise(
                cost,
                below,
                np.zeros(rows),
                equal,
                self.right,
                bounds,
            )
            if optimum.status != 0 or optimum.x is None:
                raise EquilibristError(
                    f"a linear programme of {self.duel.tree.name} did not come to an end: "
                    f"{optimum.message}",
                    option="game",
                    given=self.duel.tree.name,
                )
            point = optimum.x[:variables]
            new = ~loose & (self.slack @ point > _TIGHT)
            points.append(point)
            if not new.any():
                break
            loose |= new
        return np.mean(points, axis=0), loose

    def _climb(
        self, z: FloatArray, slack: FloatArray, basis: FloatArray, loose: BoolArray
    ) -> FloatArray:
        """Newton's steps for the entropy plus a logarithmic barrier, which is then lowered."""
        played = loose[: self.count]
        kept = self.pairs[played[self.pairs[:, 0]]]
        terms = _Terms(kept[:, 0], kept[:, 1])
        for barrier in _BARRIERS:
            for _ in range(_STEPS):
                x, room = z[: self.count], slack @ z
                gradient = slack.T @ (barrier / room)
                gradient[: self.count] += terms.gradient(x)
                curvature = slack.T @ (slack * (barrier / room**2)[:, None])
                curvature[: self.count, : self.count] += terms.curvature(x)
                down, across = basis.T @ gradient, basis.T @ curvature @ basis
                step = basis @ interruptible(np.linalg.lstsq, across, down, rcond=1e-15)[0]
                gain = float(gradient @ step)
                if gain < 1e-15:
                    break
                z = _line_search(terms, slack, barrier, z, step, self.count, gain)
        return z


def _line_search(
    terms: _Terms,
    slack: FloatArray,
    barrier: float,
    z: FloatArray,
    step: FloatArray,
    count: int,
    gain: float,
) -> FloatArray:
    """The first of ever shorter steps that stays inside and gains what it promises."""
    change = slack @ step
    room = slack @ z
    falling = change < 0.0
    # Short of the edge, where the barrier is infinite.
    length = min(1.0, 0.99 * float((room[falling] / -change[falling]).min(initial=np.inf)))
    here = terms.value(z[:count]) + barrier * float(np.log(room).sum())
    for _ in range(60):
        new = z + length * step
        room = slack @ new
        if (room > 0.0).all():  # rounding may take the step to the edge
            there = terms.value(new[:count]) + barrier * float(np.log(room).sum())
            # Armijo's condition, but for rounding.
            if there >= here + 0.1 * length * gain - 1e-14:
                return new
        length /= 2.0
    return z


def _null_space(matrix: FloatArray) -> FloatArray:
    """An orthonormal basis of all z with matrix @ z = 0, as columns."""
    _, sizes, rows = interruptible(np.linalg.svd, matrix)
    rank = int((sizes > 1e-9 * sizes.max(initial=1.0)).sum())
    return np.ascontiguousarray(rows[rank:].T)
