"""Dominated actions: those that another continuation beats against every play of the others.

Action a is strictly dominated at infoset I of player i if there is one strategy s such that, for
all others' strategies with which I can be reached and for all ways of playing on after a, player i
earns less from I on with a than with s (Gibson, Regret Minimization in Non-Zero-Sum Games, arXiv
1305.0034, 2013, in counterfactual values). Whether there is such an s is a linear programme: s is a
realization plan below I, and each pure way of playing on after a brings the dual variables of the
others' worst answer (von Stengel, Efficient computation of behavior strategies, Games and Economic
Behavior 14, 1996).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from equilibrist.errors import EquilibristError, UnsupportedError
from equilibrist.evaluation.joint_answers import JointAnswers
from equilibrist.evaluation.play_below import Histories, PlayBelow
from equilibrist.evaluation.sequences import Sequences
from equilibrist.parsing.arguments import check_bool, whole_number
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.tree.compile import GameTree, checked_tree

LARGEST = 50_000
"""The largest game in histories: each action needs a linear programme of its own."""
TOLERANCE = 1e-7
"""Margins up to this share of the payoff range are taken for zero."""


@dataclass(frozen=True)
class DominatedAction:
    """One dominated action.

    Attributes:
        infoset: The key of the infoset.
        action: The label of the action.
        player: Who acts there.
        round: 1 if it is dominated in the whole game, 2 if it is dominated once all of round 1 are
            left out, and so on.
        strict: Whether it is strictly dominated.
        margin: What the better strategy earns more per visit of the infoset, at least, in payoff
            units: positive if `strict`, 0 if the action is only weakly dominated.
    """

    infoset: str
    action: str
    player: int
    round: int
    strict: bool
    margin: float


@dataclass(frozen=True)
class Domination:
    """The dominated actions of a game, and what was not decided.

    Attributes:
        actions: The dominated actions in the order in which they are eliminated.
        undecided: (infoset, action) pairs after which there are more plans than `max_plans`.
    """

    actions: tuple[DominatedAction, ...]
    undecided: tuple[tuple[str, str], ...]


def dominated_actions(tree: GameTree, *, weak: bool = False, max_plans: int = 256) -> Domination:
    """Find the iteratively dominated actions of a small game.

    Round by round all strictly dominated actions are found and left out, until there are none;
    with `weak` the weakly dominated ones as well (nowhere better than some other strategy,
    somewhere worse, whatever is played afterwards). What strict rounds leave over does not depend
    on the order; with weak ones it may.

    The answer is exact, up to `undecided`. Several opponents answer jointly, each of them knowing
    what they alone know: rows of the linear programmes are added as the worst joint answers call
    for them (`evaluation/coalitions.py`).

    Args:
        tree: A compiled game.
        weak: Whether to eliminate weakly dominated actions, too.
        max_plans: An action after which its player has more pure plans than this is left undecided.

    Returns:
        The dominated actions, and those left undecided.

    Raises:
        UnsupportedError: Above 50,000 histories, or with three or more players above 20,000
            combinations of the others' sequences at terminal histories through one infoset.
        RecallError: If the game has imperfect recall.
        ConfigError: If an argument is invalid.
    """
    checked_tree(tree)
    check_bool("weak", weak)
    whole_number("max_plans", max_plans, 1)
    if tree.num_nodes > LARGEST:
        raise UnsupportedError(
            f"{tree.name} has {tree.num_nodes:,} histories; dominated actions are looked for in "
            f"games of up to {LARGEST:,}",
            option="histories",
            given=tree.num_nodes,
            expected=LARGEST,
            remedy="take a smaller variant of it",
        )
    sequences = Sequences.of(tree)
    histories = Histories(tree)
    removed: set[int] = set()
    found: list[DominatedAction] = []
    while True:
        fresh: list[tuple[int, DominatedAction]] = []
        undecided: list[tuple[str, str]] = []
        for infoset, labels in enumerate(tree.action_labels):
            start = int(tree.action_offset[infoset])
            left = [a for a in range(len(labels)) if start + a not in removed]
            below = PlayBelow(histories, infoset, removed) if len(left) > 1 else None
            if below is None or not below.reach:
                continue
            leads = _Leads(below, tree.payoff_range or 1.0, sequences)
            for a in left:
                plans = below.plans_after(a, max_plans)
                if plans is None:
                    undecided.append((tree.infoset_keys[infoset], labels[a]))
                    continue
                margin, strict = leads.margin(plans, weak=weak)
                if margin is not None:
                    key, player = tree.infoset_keys[infoset], int(tree.infoset_player[infoset])
                    turn = found[-1].round + 1 if found else 1
                    one = DominatedAction(key, labels[a], player, turn, strict, margin)
                    fresh.append((start + a, one))
        if not fresh:
            return Domination(tuple(found), tuple(undecided))
        removed.update(number for number, _ in fresh)
        found += [action for _, action in fresh]


class _Leads:
    """Leads of the ways to play on from one infoset."""

    def __init__(self, below: PlayBelow, scale: float, sequences: Sequences) -> None:
        self.below, self.scale = below, scale
        several = sequences.tree.num_players > 2
        self.joint = JointAnswers(sequences, below, scale) if several else None

    def margin(self, plans: list[frozenset[int]], *, weak: bool) -> tuple[float | None, bool]:
        """By how much the action that all of `plans` begin with is dominated, and if strictly."""
        margin = self._lead(plans, -TOLERANCE if weak else TOLERANCE, fixed=False)
        if margin > TOLERANCE:
            return margin * self.scale, True
        # Nowhere behind, and somewhere ahead of each way to play on: then ahead of uniform play.
        if weak and margin > -TOLERANCE and self._lead(plans, TOLERANCE, fixed=True) > TOLERANCE:
            return 0.0, False
        return None, False

    def _lead(self, plans: list[frozenset[int]], needed: float, *, fixed: bool) -> float:
        """The largest lead; any number below `needed` where it is that small."""
        if self.joint is None:
            return _best_lead(self.below, plans, self.scale, fixed=fixed)
        # As if the others were one who knows all: a lower bound, and often the lead itself.
        pooled = partial(_best_lead, self.below, plans, self.scale, fixed=False)
        return self.joint.lead(plans, needed, None if fixed else pooled, fixed=fixed)


def _best_lead(
    below: PlayBelow, plans: list[frozenset[int]], scale: float, *, fixed: bool
) -> float:
    """The largest lead of one own plan over all of `plans`, against the others' worst answers.

    Several others are taken for one who knows all that each knows: then it is a lower bound.
    With `fixed` the lead must be at least 0 against all answers, and is measured against others
    who play uniformly. Columns: own plan, lead, and per plan one value per infoset of the others.
    """
    from scipy.sparse import csr_array, eye_array, hstack, kron, vstack

    own, others = below.own.size, list(below.others.decisions.items())
    width = own + 1 + len(plans) * len(others)
    earns = np.zeros((below.others.size, own))
    behind = np.zeros((len(plans), below.others.size))
    for x, y, value in below.leaves:
        earns[y, x] += value / scale
        behind[[x in plan for plan in plans], y] += value / scale
    lead = np.zeros((below.others.size, 1))
    if not fixed:
        lead[list(below.reach), 0] = [-weight for weight in below.reach.values()]
    answer = np.zeros((below.others.size, len(others)))
    for j, ((above, _), moves) in enumerate(others):
        answer[above, j] = 1.0
        answer[list(moves.values()), j] = -1.0
    ahead = np.tile(np.hstack([earns, lead]), (len(plans), 1))
    rows = hstack([csr_array(ahead), kron(eye_array(len(plans)), csr_array(answer))], format="csr")
    right = behind.ravel()
    if fixed:
        uniform = below.others.uniform()
        average = np.zeros((1, width))
        average[0, : own + 1] = [*(uniform @ earns), -1.0]
        rows = vstack([rows, np.repeat(average, len(plans), axis=0)], format="csr")
        right = np.append(right, behind @ uniform)
    equal = np.zeros((1 + len(below.own.decisions), width))
    equal[0, 0] = 1.0
    for i, ((above, _), moves) in enumerate(below.own.decisions.items(), start=1):
        equal[i, above] = -1.0
        equal[i, list(moves.values())] = 1.0
    cost = np.zeros(width)
    cost[own] = -1.0
    result = minimise(
        cost,
        -rows,
        -right,
        csr_array(equal),
        np.eye(len(equal))[0],
        [(0.0, None)] * own + [(None, None)] * (width - own),
    )
    if fixed and result.status == 2:  # infeasible: the lead is behind by a rounding error
        return 0.0
    if result.status != 0:
        raise EquilibristError(
            f"a linear programme for infoset {below.histories.tree.infoset_keys[below.infoset]!r} "
            f"did not come to an end: {result.message}",
            option="infoset",
            given=below.histories.tree.infoset_keys[below.infoset],
        )
    return -float(result.fun)
