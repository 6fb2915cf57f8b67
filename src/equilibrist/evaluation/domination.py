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

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import log2, prod
from typing import TYPE_CHECKING

import numpy as np

from equilibrist.errors import EquilibristError, UnsupportedError
from equilibrist.evaluation.joint_answers import JointAnswers
from equilibrist.evaluation.play_below import Histories, PlayBelow
from equilibrist.evaluation.row_domination import PROVEN, ROUNDING, PlanLead, clear_lead
from equilibrist.evaluation.sequences import Sequences
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import check_bool, whole_number
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.solvers.matrix.payoffs import with_common_above
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.tree.payoff_scale import hides_some
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LARGEST = 50_000
"""The largest game in histories: an action may need a linear programme of its own."""
_PLANS = 4
"""Plans added to a linear programme at a time."""
_TERM = 16.0 * float(np.finfo(np.float64).eps)
"""What each term of a sum of payoffs may be off by rounding, as a share of itself."""
_MOST_CELLS = 4_000_000
"""The largest table of payoffs that is held for that."""
_BELIEFS = 20
"""Beliefs that are tried before a linear programme is solved."""


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
        interrupted: Whether Ctrl-C ended the search: then more actions may be dominated, and more
            be undecided.
    """

    actions: tuple[DominatedAction, ...]
    undecided: tuple[tuple[str, str], ...]
    interrupted: bool = False

    def __repr__(self) -> str:
        return brief_repr(self)


def dominated_actions(
    tree: GameTree,
    *,
    weak: bool = False,
    max_plans: int = 256,
    on_step: Callable[[str], None] | None = None,
) -> Domination:
    """Find the iteratively dominated actions of a small game.

    Round by round all strictly dominated actions are found and left out, until there are none;
    with `weak` the weakly dominated ones as well (nowhere better than some other strategy,
    somewhere worse, whatever is played afterwards). What strict rounds leave over does not depend
    on the order; with weak ones it may.

    The answer is exact, up to `undecided` and the rounding of the payoffs compared. Several
    opponents answer jointly, each knowing what they alone know: rows of the linear programmes are
    added as the worst joint answers call for them (`evaluation/coalitions.py`).

    Ctrl-C ends the search with the dominated actions that were found so far.

    Args:
        tree: A compiled game.
        weak: Whether to eliminate weakly dominated actions, too.
        max_plans: An action after which its player has more pure plans than this is left undecided.
        on_step: Called with a short text as the search goes on.

    Returns:
        The dominated actions, and those left undecided.

    Raises:
        UnsupportedError: Above 50,000 histories, or with three or more players above 20,000
            combinations of the others' sequences at terminal histories through one infoset.
        RecallError: If the game has imperfect recall.
        ConfigError: If an argument is invalid.
        KeyboardInterrupt: Ctrl-C, before a dominated action was found.
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
    return _Elimination(tree, weak=weak, max_plans=max_plans, on_step=on_step).run()


class _Elimination:
    """Rounds of elimination in one game."""

    def __init__(
        self,
        tree: GameTree,
        *,
        weak: bool,
        max_plans: int,
        on_step: Callable[[str], None] | None,
    ) -> None:
        self.tree, self.weak, self.max_plans, self.on_step = tree, weak, max_plans, on_step
        self.sequences = Sequences.of(tree)
        self.histories = Histories(tree, self.sequences.centre, self.sequences.inexact)
        # A power of 2: whole payoffs stay exact.
        self.scale = 2.0 ** round(log2(tree.payoff_range or 1.0))
        self.removed: set[int] = set()
        self.rounds: list[dict[int, DominatedAction]] = []
        """What each round found, by flat index of the action."""
        self.settled: dict[int, tuple[frozenset[int], list[int]]] = {}
        """By infoset without dominated actions: infosets met below it, and undecided actions."""

    def run(self) -> Domination:
        interrupted = False
        try:
            self._search()
        except KeyboardInterrupt:
            if not any(self.rounds):
                raise
            interrupted = True
        dominated = [action for fresh in self.rounds for action in fresh.values()]
        return Domination(tuple(dominated), self._undecided(), interrupted)

    def _search(self) -> None:
        """Eliminate round by round, until a round finds nothing."""
        offset = self.tree.action_offset
        while True:
            self.rounds.append({})
            fresh = self.rounds[-1]
            for infoset in range(self.tree.num_infosets):
                self._look_at(infoset, fresh)
            if not fresh:
                return
            self.removed |= fresh.keys()
            gone = set((np.searchsorted(offset, list(fresh), side="right") - 1).tolist())
            changed = [i for i, (met, _) in self.settled.items() if met & gone]
            for infoset in changed:
                del self.settled[infoset]

    def _undecided(self) -> tuple[tuple[str, str], ...]:
        keys, labels = self.tree.infoset_keys, self.tree.action_labels
        pairs = ((i, a) for i in sorted(self.settled) for a in self.settled[i][1])
        return tuple((keys[i], labels[i][a]) for i, a in pairs)

    def _look_at(self, infoset: int, fresh: dict[int, DominatedAction]) -> None:
        """Add the dominated actions of an infoset, by flat index, to what the round has found."""
        turn = len(self.rounds)
        start, labels = int(self.tree.action_offset[infoset]), self.tree.action_labels[infoset]
        left = [a for a in range(len(labels)) if start + a not in self.removed]
        if len(left) < 2 or infoset in self.settled:
            return
        if self.on_step is not None:
            count = f"{infoset + 1:,} of {self.tree.num_infosets:,} infosets"
            self.on_step(f"looking for dominated actions, round {turn:,}, {count}")
        below = PlayBelow(self.histories, infoset, self.removed)
        met = frozenset(below.met)
        if not below.reach:
            self.settled[infoset] = met, []
            return
        leads = _Leads(below, self.scale, self.sequences)
        undecided: list[int] = []
        for a in left:
            plans = below.plans_after(a, self.max_plans)
            if plans is None:
                undecided.append(a)
                continue
            margin, strict = leads.margin(a, plans, weak=self.weak)
            if margin is not None:
                key, player = self.tree.infoset_keys[infoset], below.player
                fresh[start + a] = DominatedAction(key, labels[a], player, turn, strict, margin)
        if not any(start + a in fresh for a in left):
            self.settled[infoset] = met, undecided


class _Leads:
    """Leads of the ways to play on from one infoset."""

    def __init__(self, below: PlayBelow, scale: float, sequences: Sequences) -> None:
        self.below, self.scale = below, scale
        self.answers = _Answers(below, scale)
        several = sequences.tree.num_players > 2
        self.joint = JointAnswers(sequences, below, scale) if several else None

    def margin(
        self, action: int, plans: list[frozenset[int]], *, weak: bool
    ) -> tuple[float | None, bool]:
        """By how much an action, with which all of `plans` begin, is dominated, and if strictly."""
        # Several others cannot play together what one who knows all could, but they can be uniform.
        tries = 1 if weak or self.joint is not None else _BELIEFS
        sequence = self.below.own.decisions[0, self.below.infoset][action]
        if self.answers.justified(sequence, tries):
            return None, False
        margin = self._lead(plans, -1.0 if weak else 1.0, fixed=False)
        if margin > 0.0:
            return margin * self.scale, True
        # Nowhere behind, and somewhere ahead of each way to play on: then ahead of uniform play.
        if weak and margin >= 0.0 and self._lead(plans, 1.0, fixed=True) > 0.0:
            return 0.0, False
        return None, False

    def _lead(self, plans: list[frozenset[int]], needed: float, *, fixed: bool) -> float:
        """The largest lead, 0 up to rounding; any upper bound below `needed` roundings."""
        if self.joint is None:
            return _best_lead(self.answers, plans, needed, fixed=fixed)
        # As if the others were one who knows all: a lower bound, and often the lead itself.
        pooled = partial(_best_lead, self.answers, plans, -np.inf, fixed=False)
        return self.joint.lead(plans, needed, None if fixed else pooled, fixed=fixed)


def _compared(earns: csr_array, decisions: list[tuple[int, list[int]]]) -> csr_array:
    """Payoffs of own sequences, less what all own plans earn alike: penalties may hide the rest.

    Args:
        earns: [others, own]; returned as it is where all payoffs are of like size.
        decisions: The own sequence above each infoset and those of its actions, parents first.
    """
    from scipy.sparse import csr_array

    if not hides_some(earns.data) or prod(earns.shape) > _MOST_CELLS:
        return earns
    cells = with_common_above(earns.toarray(), decisions)
    cells[:, 0] = 0.0
    return csr_array(cells)


class _Answers:
    """Play from one infoset on as matrices, for what the others may answer.

    Several others are taken for one who knows all that each knows.
    """

    def __init__(self, below: PlayBelow, scale: float) -> None:
        from scipy.sparse import csr_array

        self.below = below
        own, theirs, paid = zip(*below.leaves, strict=True)
        shape = (below.others.size, below.own.size)
        self.others = [(s, list(m.values())) for (s, _), m in below.others.decisions.items()]
        self.own = [(s, list(m.values())) for (s, _), m in below.own.decisions.items()]
        worth, inexact = np.array(paid) / scale, np.array(below.inexact) / scale
        # [others, own]: what pairs of sequences pay, in units of `scale`.
        self.earns = _compared(csr_array((worth, (theirs, own)), shape=shape), self.own)
        # [others, own]: what these numbers, and sums of them, may be off.
        self.off = _TERM * (abs(self.earns) + csr_array((inexact, (theirs, own)), shape=shape))
        self.reach = np.zeros(below.others.size)
        self.reach[list(below.reach)] = list(below.reach.values())
        self.uniform = below.others.uniform()

    def behind(self, plans: list[frozenset[int]]) -> FloatArray:
        """float64[plans, others]: what each plan earns with each sequence of the others."""
        return np.ascontiguousarray((self.earns @ self._members(plans)).T)

    def _members(self, plans: list[frozenset[int]]) -> FloatArray:
        """float64[own, plans]: 1 for the sequences of each plan."""
        members = np.zeros((self.below.own.size, len(plans)))
        for k, plan in enumerate(plans):
            members[list(plan), k] = 1.0
        return members

    def is_ahead(self, own: FloatArray, plans: list[frozenset[int]], lead: float) -> bool:
        """Whether an own plan leads all of `plans` by half of `lead` or more whatever the answer.

        If `lead` is 0, it is enough that rounding may explain where it is behind.
        """
        ahead = (self.earns @ own)[None, :] - self.behind(plans)
        off = (self.off @ own)[None, :] + (self.off @ self._members(plans)).T
        if lead > 0.0:
            return bool((self.least(ahead - off - 0.5 * lead * self.reach) >= 0.0).all())
        return bool((self.least(ahead + off) >= 0.0).all())

    def least(self, worth: FloatArray) -> FloatArray:
        """The least that the others can make of each row of float64[rows, others]."""
        total = worth.copy()
        for above, moves in reversed(self.others):  # parents come first in the list
            total[:, above] += total[:, moves].min(axis=1)
        return total[:, 0]

    def worst(self, worth: FloatArray) -> FloatArray:
        """The pure plan of the others, float64[others], that makes the least of `worth`."""
        return _pure_plan(self.others, -worth)[1]

    def best(self, belief: FloatArray, action: int | None = None) -> tuple[float, FloatArray]:
        """Find a best plan of the player against a plan of the others, and what it earns."""
        own = self.own
        if action is not None:
            own = [(s, moves if s else [action]) for s, moves in own]
        return _pure_plan(own, np.asarray(self.earns.T @ belief))

    def justified(self, action: int, tries: int) -> bool:
        """Whether a belief is found quickly to which an action (its sequence) is a best reply.

        Then it is not dominated. The first belief is uniform play, to which no weakly dominated
        action is a best reply; then the others answer what was best so far (fictitious play).
        """
        belief, count = self.uniform, 1.0
        for _ in range(tries):
            best, reply = self.best(belief)
            own, mine = self.best(belief, action)
            off = float(belief @ (self.off @ (reply + mine)))
            if best - own <= min(off, ROUNDING * float(belief @ self.reach)):
                return True
            ahead = np.asarray(self.earns @ (reply - mine))
            answer = self.worst(ahead)
            count += 1.0
            belief = belief + (answer - belief) / count
        return False


def _best_lead(
    answers: _Answers, plans: list[frozenset[int]], needed: float, *, fixed: bool
) -> float:
    """The largest lead of one own plan over all of `plans`, against the others' worst answers.

    Several others are taken for one who knows all that each knows: then it is a lower bound.
    With `fixed` the lead must be at least 0 against all answers, and is measured against others
    who play uniformly. Plans are added as long as one of them is not led by what was found, and
    the lead over those so far is at least `needed` times what it may be off. A lead no larger than
    rounding is 0. What leads is measured: a penalty hides no payoff beside which it is not met.
    """
    behind = answers.behind(plans)
    counted = [int(np.argmax(behind @ answers.uniform))]
    proven = PROVEN
    while True:
        best = _lead_over(answers, behind, counted, fixed=fixed, proven=proven)
        if best is None:  # infeasible: the lead is behind by a rounding error
            return 0.0
        lead, off, own = best
        if lead < needed * off:
            return lead
        ahead = (answers.earns @ own)[None, :] - behind
        short = answers.least(ahead if fixed else ahead - lead * answers.reach)
        if fixed:
            short = np.minimum(short, ahead @ answers.uniform - lead)
        short[counted] = 0.0
        fresh = np.argsort(short, kind="stable")[:_PLANS]
        fresh = fresh[short[fresh] < -off]
        if len(fresh) > 0:
            counted += fresh.tolist()
            continue
        lead = clear_lead(lead, off)
        if lead <= 0.0 or answers.is_ahead(own, plans, 0.0 if fixed else lead):
            return lead
        if proven == 0.0:
            return 0.0
        proven = 0.0  # constraints were met beside far larger payoffs only


def _lead_over(
    answers: _Answers, behind: FloatArray, counted: list[int], *, fixed: bool, proven: float
) -> PlanLead | None:
    """The own plan with the largest lead over some plans; None if nothing leads.

    Columns: own plan, lead, and per plan one value per infoset of the others.
    """
    from scipy.sparse import block_array, csr_array, eye_array, kron, vstack

    own, others = answers.below.own.size, answers.others
    width = own + 1 + len(counted) * len(others)
    lead = csr_array(np.zeros((len(answers.reach), 1)) if fixed else -answers.reach[:, None])
    above = [(s, j, 1.0) for j, (s, _) in enumerate(others)]
    moves = [(s, j, -1.0) for j, (_, moves) in enumerate(others) for s in moves]
    answer = _sparse([*above, *moves], (len(answers.reach), len(others)))
    ones = csr_array(np.ones((len(counted), 1)))
    rows = block_array(
        [[kron(ones, answers.earns), kron(ones, lead), kron(eye_array(len(counted)), answer)]]
    )
    right = behind[counted].ravel()
    if fixed:
        average = np.zeros((len(counted), width))
        average[:, : own + 1] = [*(answers.uniform @ answers.earns), -1.0]
        rows = vstack([rows, csr_array(average)])
        right = np.append(right, behind[counted] @ answers.uniform)
    parents = [(i, s, -1.0) for i, (s, _) in enumerate(answers.own, start=1)]
    children = [(i, s, 1.0) for i, (_, moves) in enumerate(answers.own, start=1) for s in moves]
    equal = _sparse([(0, 0, 1.0), *parents, *children], (1 + len(answers.own), width))
    start = np.eye(1, 1 + len(answers.own))[0]
    cost = np.zeros(width)
    cost[own] = -1.0
    bounds = [(0.0, None)] * own + [(None, None)] * (width - own)
    result = minimise(cost, -rows.tocsr(), -right, equal, start, bounds, proven=proven)
    if fixed and result.status == 2:
        return None
    if result.status != 0:
        key = answers.below.histories.tree.infoset_keys[answers.below.infoset]
        raise EquilibristError(
            f"a linear programme for infoset {key!r} did not come to an end: {result.message}",
            option="infoset",
            given=key,
        )
    plan = np.where(result.x[:own] > result.negligible, result.x[:own], 0.0)
    off = float(result.worst) + ROUNDING * min(1.0, float(result.size))
    return PlanLead(-float(result.fun), off, plan)


def _pure_plan(
    decisions: list[tuple[int, list[int]]], worth: FloatArray
) -> tuple[float, FloatArray]:
    """The best pure plan for what each sequence is worth: its worth, and the reach of each one."""
    total: list[float] = worth.tolist()
    chosen = []
    for above, moves in reversed(decisions):  # what is below is complete then
        move = max(moves, key=total.__getitem__)
        total[above] += total[move]
        chosen.append((above, move))
    plays = [0.0] * len(total)
    plays[0] = 1.0
    for above, move in reversed(chosen):
        plays[move] = plays[above]
    return total[0], np.array(plays)


def _sparse(entries: list[tuple[int, int, float]], shape: tuple[int, int]) -> csr_array:
    from scipy.sparse import csr_array

    rows, columns, values = zip(*entries, strict=True) if entries else ((), (), ())
    return csr_array((np.array(values), (rows, columns)), shape=shape)
