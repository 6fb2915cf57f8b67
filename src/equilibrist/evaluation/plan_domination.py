"""Dominated plans: what no belief about the others justifies, before play or on arrival.

A reduced plan is strictly dominated if some mixture of plans earns more against every joint plan of
the others, weakly if it earns nowhere less and somewhere more. It is conditionally dominated
(Shimoji and Watson, Conditional dominance, rationalizability, and game forms, Journal of Economic
Theory 83, 1998) if that is so from some infoset on that it reaches, against all joint plans of the
others that reach it, too. What survives all rounds is extensive-form rationalizable (Pearce,
Econometrica 52, 1984). Chance is no player: what comes from an infoset on is averaged over its
moves, and other infosets do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import TypeAlias

import numpy as np

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.evaluation.plans import ReducedPlans, count_plans, enumerate_plans, shown
from equilibrist.evaluation.row_domination import (
    ROUNDING,
    Dominance,
    MixedLead,
    best_rows,
    dominance_of,
)
from equilibrist.evaluation.sequences import Sequences
from equilibrist.formatting.brief import brief_repr
from equilibrist.options.defaults import DOMINATED_BY
from equilibrist.parsing.arguments import (
    bad_argument,
    check_bool,
    several,
    whole_number,
)
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, FloatArray, Int64Array

MOST_PLANS = 2_000
"""The most reduced plans of one player unless the caller says otherwise."""
MOST_CELLS = 1_000_000
"""The most joint plans unless the caller says otherwise."""
_ULP = float(np.finfo(np.float64).eps)
_PLANS = "plans of the game: the action at each infoset that they reach"

Plan = dict[str, str]
"""The label of the action at each infoset that a plan reaches by its own actions."""


@dataclass(frozen=True)
class DominatedPlan:
    """One dominated plan.

    Attributes:
        player: Whose plan it is.
        plan: The label of its action at each infoset that it reaches.
        round: 1 if it is dominated in the whole game, 2 if it is dominated once all plans of round
            1 are left out, and so on.
        strict: Whether it is strictly dominated.
        margin: What the better play earns more, at least, in payoff units: per play of the game, or
            per visit of `infoset`. 0 if the plan is only weakly dominated.
        infoset: From where on it is dominated; None for the whole game.
        by: What dominates it: (weight, plan), with the actions from `infoset` on.
    """

    player: int
    plan: Plan
    round: int
    strict: bool
    margin: float
    infoset: str | None
    by: tuple[tuple[float, Plan], ...]


@dataclass(frozen=True)
class PlanDomination:
    """The dominated plans of a game, and what is left.

    Attributes:
        plans: The dominated plans in the order in which they are eliminated.
        surviving: The plans of each player that are left.
        interrupted: Whether Ctrl-C ended the search: then more plans may be dominated.
    """

    plans: tuple[DominatedPlan, ...]
    surviving: tuple[tuple[Plan, ...], ...]
    interrupted: bool = False

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def rounds(self) -> int:
        """In how many rounds plans were eliminated."""
        return self.plans[-1].round if self.plans else 0


def dominated_plans(
    tree: GameTree,
    *,
    weak: bool = False,
    conditional: bool = False,
    by: str = DOMINATED_BY,
    first: Iterable[Mapping[str, str]] = (),
    max_plans: int = MOST_PLANS,
    max_cells: int = MOST_CELLS,
    on_step: Callable[[str], None] | None = None,
) -> PlanDomination:
    """Find the iteratively dominated reduced plans of a small game, for any number of players.

    Round by round all dominated plans of all players are found and left out at once, until there
    are none. What strict and conditional rounds leave over does not depend on the order; what weak
    ones leave over may: `first` eliminates some plans before the others. Ctrl-C ends the search
    with the dominated plans that were found so far.

    A plan that is dominated by less than rounding may explain may be left: by less than about 1e-15
    of the largest payoff that the compared plans meet, for each end to which chance may lead them.

    Args:
        tree: A compiled game of perfect recall.
        weak: Whether to eliminate weakly dominated plans, too.
        conditional: Whether to eliminate what is strictly dominated from some infoset on.
        by: `mixed`: by mixtures of plans; `pure`: by single plans only.
        first: Plans that are eliminated one after the other before the first full round, each in a
            round of its own. Each must be dominated when its turn comes.
        max_plans: A game in which one player has more reduced plans than this is refused.
        max_cells: A game with more joint plans than this is refused.
        on_step: Called with a short text as the search goes on.

    Returns:
        The dominated plans, with what dominates them, and the plans that are left.

    Raises:
        UnsupportedError: The game has too many plans.
        RecallError: If the game has imperfect recall.
        ConfigError: If an argument is invalid, or a plan of `first` is not dominated.
        KeyboardInterrupt: Ctrl-C, before a dominated plan was found.
    """
    sequences = Sequences.of(tree)
    check_bool("weak", weak)
    check_bool("conditional", conditional)
    if by not in ("mixed", "pure"):
        raise bad_argument("by", by, "mixed or pure")
    if weak and conditional:
        raise ConfigError(
            "conditional dominance is strict; it does not go with weak",
            option="weak",
            given=True,
            expected=False,
            remedy="leave out one of them",
        )
    counts = _checked_counts(sequences, max_plans, max_cells)
    plans = [enumerate_plans(sequences, p, max_plans=max(counts)) for p in range(tree.num_players)]
    elimination = _Elimination(sequences, plans, weak=weak, conditional=conditional, by=by)
    if on_step is not None:
        elimination.on_step = on_step
    return elimination.run(first)


def copes_with_plans(tree: GameTree) -> bool:
    """Whether `dominated_plans` takes a game of perfect recall, unless it is told other limits."""
    sequences = Sequences.of(tree)
    counts = [count_plans(sequences, p) for p in range(tree.num_players)]
    return max(counts) <= MOST_PLANS and prod(counts) <= MOST_CELLS


def _checked_counts(sequences: Sequences, max_plans: int, max_cells: int) -> list[int]:
    whole_number("max_plans", max_plans, 1)
    whole_number("max_cells", max_cells, 1)
    tree = sequences.tree
    counts = [count_plans(sequences, p) for p in range(tree.num_players)]
    for what, count, limit in (
        ("plans", max(counts), max_plans),
        ("cells", prod(counts), max_cells),
    ):
        if count > limit:
            plan_counts = " x ".join(map(shown, counts))
            raise UnsupportedError(
                f"{tree.name} has {plan_counts} reduced plans, {shown(prod(counts))} cells; "
                f"dominance by plans copes with up to {max_plans:,} plans each and {max_cells:,} "
                "cells",
                option=what,
                given=count if count < 2**63 else shown(count),
                expected=limit,
                remedy="look for dominated actions, or take a smaller variant of the game",
            )
    return counts


@dataclass(frozen=True, eq=False)
class _Ends:
    """The L ends of play from one infoset on that chance allows.

    `playing` is bool[ways, L], whether each own way leads there, and `answering` bool[plans, L] for
    each of the others. `chance` is float64[L], `paid` float64[L] the payoff times chance, and
    `inexact` float64[L] what that is off by rounding, in units of `_ULP`.
    """

    playing: BoolArray
    answering: list[BoolArray]
    chance: FloatArray
    paid: FloatArray
    inexact: FloatArray

    @property
    def shape(self) -> tuple[int, ...]:
        """How many plans each of the others has."""
        return tuple(len(other) for other in self.answering)

    def answers(self, end: int) -> tuple[Int64Array, ...]:
        """The plans of each of the others that lead to an end."""
        return tuple(np.flatnonzero(other[:, end]) for other in self.answering)

    def lead(self, weights: FloatArray, way: int) -> MixedLead:
        """How far a mixture of ways is ahead of one way, against the joint plans that get there.

        Ends to which all these ways lead do not count, however much is paid there.

        Args:
            weights: float64[ways].
            way: The one way.

        Returns:
            The leads per visit, over joint plans.
        """
        differs = self.playing.astype(np.float64) - self.playing[way]
        by_end, sizes = weights @ differs, weights @ np.abs(differs)
        ahead, off, reach = (np.zeros(self.shape) for _ in range(3))
        # Sums of products of a weight, chance and a payoff, and the quotient by reach.
        units = _ULP * (3 + np.count_nonzero(weights) + len(self.chance))
        for z in range(len(self.chance)):
            cells = np.ix_(*self.answers(z))
            if sizes[z]:
                ahead[cells] += by_end[z] * self.paid[z]
                off[cells] += sizes[z] * max(ROUNDING * abs(self.paid[z]), units * self.inexact[z])
            if self.playing[way, z]:
                reach[cells] += self.chance[z]
        met = reach > 0.0
        return MixedLead(ahead[met] / reach[met], off[met] / reach[met])


@dataclass(frozen=True, eq=False)
class _Table:
    """Own ways to play from one infoset on, against the others' joint plans that reach it.

    A way is what plans have in common from the infoset on. `plans[w]` are the plans of way w,
    `actions` the own flat indices (from the player's first) from the infoset on; `payoffs` is
    float64[ways, joint plans], per visit, and `rounding` what each of them may be off. They are
    sums over `ends`.
    """

    plans: list[Int64Array]
    actions: BoolArray
    payoffs: FloatArray
    rounding: FloatArray
    ends: _Ends


_How: TypeAlias = "tuple[int | None, _Table, Dominance]"
"""From which infoset on a plan is dominated, among which ways to play, and how."""


class _Elimination:
    """Rounds of elimination in one game."""

    def __init__(
        self,
        sequences: Sequences,
        plans: list[ReducedPlans],
        *,
        weak: bool,
        conditional: bool,
        by: str,
    ) -> None:
        self.sequences, self.plans = sequences, plans
        self.tree = sequences.tree
        self.weak, self.conditional, self.pure = weak, conditional, by == "pure"
        self.alive = [np.arange(len(player_plans)) for player_plans in plans]
        self.playing = [
            player_plans.reaching(sequences.leaf_sequence[:, p])
            for p, player_plans in enumerate(plans)
        ]
        self.fresh: list[dict[int, _How]] = [{} for _ in plans]
        """What the present round has found of each player."""
        self.dominated: dict[tuple[int, int], DominatedPlan] = {}
        """By player and number of the plan, in the order of elimination."""
        self.on_step: Callable[[str], None] = lambda _text: None
        self.turn = 1

    def run(self, first: Iterable[Mapping[str, str]]) -> PlanDomination:
        for plan in several("first", first, _PLANS):
            player, number = self._number(plan)
            fresh = self._dominated(player)
            if number not in fresh:
                raise ConfigError(
                    f"{dict(plan)} of player {player} is not dominated when its turn comes",
                    option="first",
                    given=dict(plan),
                    remedy="give dominated plans, in the order in which they become dominated",
                )
            self._drop(player, {number: fresh[number]})
            self.turn += 1
        self.fresh = [{} for _ in self.plans]
        interrupted = False
        try:
            self._search()
        except KeyboardInterrupt:
            if not (self.dominated or any(self.fresh)):
                raise
            interrupted = True
            for player, fresh in enumerate(self.fresh):
                self._drop(player, fresh)
        surviving = tuple(
            tuple(
                player_plans.actions(k)
                for k in range(len(player_plans))
                if (player, k) not in self.dominated
            )
            for player, player_plans in enumerate(self.plans)
        )
        return PlanDomination(tuple(self.dominated.values()), surviving, interrupted)

    def _search(self) -> None:
        """Eliminate round by round, until a round finds nothing."""
        while True:
            for player in range(self.tree.num_players):
                self._dominated(player)
            if not any(self.fresh):
                return
            for player, fresh in enumerate(self.fresh):
                self._drop(player, fresh)
            self.turn += 1

    def _number(self, plan: Mapping[str, str]) -> tuple[int, int]:
        if not isinstance(plan, Mapping):
            raise bad_argument("first", plan, _PLANS)
        wanted = dict(plan)
        for player, player_plans in enumerate(self.plans):
            for k in range(len(player_plans)):
                if wanted and player_plans.actions(k) == wanted:
                    return player, k
        raise bad_argument("first", wanted, _PLANS)

    def _drop(self, player: int, fresh: dict[int, _How]) -> None:
        for number, (infoset, table, how) in sorted(fresh.items()):
            if (player, number) in self.dominated:  # dropped before an interrupt
                continue
            by = tuple(
                (weight, self._way(player, table, way)) for way, weight in how.mixture.items()
            )
            key = None if infoset is None else self.tree.infoset_keys[infoset]
            plan = self.plans[player].actions(number)
            self.dominated[player, number] = DominatedPlan(
                player, plan, self.turn, how.strict, how.margin, key, by
            )
        left = self.alive[player]
        self.alive[player] = left[~np.isin(left, list(fresh))]

    def _way(self, player: int, table: _Table, way: int) -> Plan:
        """The actions of a way to play on."""
        plans = self.plans[player]
        taken = np.flatnonzero(plans.plays[table.plans[way][0]] & table.actions) + plans.own.start
        infosets = np.searchsorted(self.tree.action_offset, taken, side="right") - 1
        return {
            self.tree.infoset_keys[i]: self.tree.action_labels[i][s - self.tree.action_offset[i]]
            for i, s in zip(infosets.tolist(), taken.tolist(), strict=True)
        }

    def _dominated(self, player: int) -> dict[int, _How]:
        """The plans of a player that are dominated now, from where on, and how."""
        dominated: dict[int, _How] = {}
        self.fresh[player] = dominated
        places: list[int | None] = [None]
        if self.conditional:
            places += self.sequences.infosets(player)
        for k, infoset in enumerate(places):
            self.on_step(
                f"looking for dominated plans, round {self.turn:,}, player {player}, "
                f"{k + 1:,} of {len(places):,} infosets"
            )
            table = self._table(player, infoset)
            if table is None:
                continue
            among = best_rows(table.payoffs, table.rounding)
            for way, plans in enumerate(table.plans):
                fresh = [int(k) for k in plans if int(k) not in dominated]
                if not fresh:
                    continue
                how = dominance_of(
                    table.payoffs,
                    way,
                    table.rounding,
                    weak=self.weak,
                    pure=self.pure,
                    among=among,
                    compare=partial(table.ends.lead, way=way),
                )
                if how is not None:
                    dominated.update((k, (infoset, table, how)) for k in fresh)
        return dominated

    def _table(self, player: int, infoset: int | None) -> _Table | None:
        """Play from an infoset on among the plans left; None where nobody gets there."""
        alive = self.alive[player]
        actions = self._from(player, infoset)
        plays = self.plans[player].plays[alive] & actions
        if infoset is not None:
            reaching = plays.any(axis=1)
            alive, plays = alive[reaching], plays[reaching]
        if len(alive) == 0:
            return None
        kept, way = _distinct_rows(plays)
        plans = [alive[way == w] for w in range(len(kept))]
        at = self.sequences.leaf_sequence[:, player]
        own = self.plans[player].own
        if infoset is None:
            leaves = np.arange(len(at))
        else:
            places = np.where(at < 0, len(actions), at - own.start)
            leaves = np.flatnonzero(np.append(actions, False)[places])
        leaves = leaves[self.sequences.leaf_chance[leaves] > 0.0]
        chance = self.sequences.leaf_chance[leaves]
        ends = _Ends(
            playing=self.playing[player][alive[kept]][:, leaves],
            answering=[self.playing[p][self.alive[p]][:, leaves] for p in self._others(player)],
            chance=chance,
            paid=chance * self.sequences.centred[leaves, player],
            inexact=self.sequences.inexact[leaves, player],
        )
        payoffs, sizes = np.zeros((2, len(kept), *ends.shape))
        reach, terms = np.zeros(ends.shape), np.zeros(ends.shape)
        terms += 2.0  # the product with chance, and the quotient by reach
        for z in range(len(leaves)):
            answers = ends.answers(z)
            cells = np.ix_(np.flatnonzero(ends.playing[:, z]), *answers)
            payoffs[cells] += ends.paid[z]
            sizes[cells] += ends.inexact[z]
            if ends.playing[0, z]:
                reach[np.ix_(*answers)] += chance[z]
                terms[np.ix_(*answers)] += 1.0
        reach = reach.ravel()
        met = reach > 0.0
        if not met.any():
            return None
        payoffs = payoffs.reshape(len(kept), -1)[:, met] / reach[met]
        units = _ULP * terms.ravel()[met] / reach[met]
        rounding = sizes.reshape(len(kept), -1)[:, met] * units
        if payoffs.size:
            distinct, kind = np.unique(payoffs, axis=1, return_inverse=True)
            most = np.zeros_like(distinct.T)
            np.maximum.at(most, kind.reshape(-1), rounding.T)
            payoffs, rounding = distinct, most.T
        return _Table(plans, actions, payoffs, rounding, ends)

    def _others(self, player: int) -> list[int]:
        return [p for p in range(self.tree.num_players) if p != player]

    def _from(self, player: int, infoset: int | None) -> BoolArray:
        """Which own actions are taken at an infoset or below it."""
        own = self.plans[player].own
        if infoset is None:
            return np.ones(own.stop - own.start, dtype=bool)
        inside = np.zeros(own.stop - own.start, dtype=bool)
        offset, above = self.tree.action_offset.tolist(), self.sequences.above.tolist()
        for i in self.sequences.infosets(player):
            if i == infoset or (above[i] >= 0 and inside[above[i] - own.start]):
                inside[offset[i] - own.start : offset[i + 1] - own.start] = True
        return inside


def _distinct_rows(rows: BoolArray) -> tuple[Int64Array, Int64Array]:
    """The first of each kind of row, the kinds in lexicographic order, and the kind of each row."""
    # np.unique along an axis needs a field for each column, and fails where there are very many.
    keys = [row.tobytes() for row in np.packbits(rows, axis=1)]
    first: dict[bytes, int] = {}
    for k, key in enumerate(keys):
        first.setdefault(key, k)
    kinds = {key: w for w, key in enumerate(sorted(first))}
    return np.array([first[key] for key in kinds]), np.array([kinds[key] for key in keys])
