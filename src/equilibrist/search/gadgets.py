"""Gadget games: a subgame and what surrounds it, as rules of their own.

Any algorithm that solves games solves them. Chance deals the hands of a root as the trunk and
chance bring them there, and o, who may come or not, has a choice before the subgame begins:

- `unsafe`: none; hands are dealt with C r_p r_o.
- `resolve`: to leave for alt_j / w_j or to enter; hands are dealt with C r_p / k, or times what an
  excess of o's hand counts.
- `max-margin`: which hand to hold; p's is dealt with C r_p / w_j, and payoffs are less alt_j / w_j.
  With raw margins they are times w_j.
- `constrained`: two parts that p cannot tell apart: that of `unsafe`, and, `mass` times as large,
  that of `resolve`.

With a scope, hands outside of it are not dealt, and p's hands that are not free play as the trunk
does: their moves are chance's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.parsing.arguments import whole_number
from equilibrist.search.methods import METHODS, SearchMethod, get_search_method
from equilibrist.search.moves import Moves
from equilibrist.search.programmes import task_of
from equilibrist.search.seat_task import SeatTask
from equilibrist.search.subgames import Subgames
from equilibrist.search.values import TrunkValues
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.typing import BoolArray, FloatArray, Int64Array

LEAVE: Final = "leave"
ENTER: Final = "enter"
_CHOICE: Final = (LEAVE, ENTER)
_FORCED: Final = "!"
"""What begins deals that o cannot leave, and the keys of its infosets after them."""


class GadgetState(NamedTuple):
    """A state of a gadget game.

    Attributes:
        stage: `deal` before anything; `hand` after o chose one; `choice` before o leaves or enters;
            `left`; `inside` the subgame.
        number: The hand that was chosen (`hand`), else the root history.
        place: Where the history lies among the levels of the game, inside the subgame.
        is_forced: Whether o could not leave.
    """

    stage: Literal["deal", "hand", "choice", "left", "inside"]
    number: int
    place: int
    is_forced: bool


class Deal(NamedTuple):
    """A root history that chance may deal.

    Attributes:
        start: Its index among the root histories of the subgames.
        label: The hands of both players.
        probability: How likely it is.
        is_forced: Whether o cannot leave.
    """

    start: int
    label: str
    probability: float
    is_forced: bool


@dataclass(frozen=True, eq=False)
class GadgetGame:
    """The gadget game of one root for one seat: rules, as `compile_game` takes them.

    Infosets inside have the keys of the whole game, so that strategies can be carried over.

    Attributes:
        task: What is asked of the seat.
        root: The index of the root, which is solved in the task.
        stops: bool[N], histories with which the game is over, as far as it knows: what both earn
            from there on is left to a value function. None for none.
    """

    task: SeatTask
    root: int
    stops: BoolArray | None = None

    @property
    def name(self) -> str:
        """The game, the root, and what surrounds it."""
        subgames, task = self.task.trunk.subgames, self.task
        return (
            f"{subgames.search.tree.name} at {subgames.names[self.root]}, {task.method.spec} for "
            f"seat {task.trunk.player}"
        )

    @property
    def num_players(self) -> int:
        """Two."""
        return 2

    @property
    def seat(self) -> int:
        """p, who is re-solved."""
        return self.task.trunk.player

    @property
    def scale(self) -> float:
        """What a payoff here stands for in the whole game, where payoffs there hold C and r_p.

        The sum of weights that hands are dealt with; 1 for raw margins.
        """
        return self._deals.scale

    def unit(self, starts: Int64Array) -> FloatArray:
        """Say what a payoff of o's counts at root histories.

        Args:
            starts: The numbers of root histories.

        Returns:
            float64, one for each: w_j with raw margins, else 1.
        """
        trunk, method = self.task.trunk, self.task.method
        if method.goal != "margin" or method.scale != "raw":
            return np.ones(len(starts))
        return trunk.weight[trunk.subgames.hands[1 - self.seat].of_start[starts]]

    def carry_over(self, strategy: Strategy, probabilities: FloatArray) -> None:
        """Write the seat's play over that of the whole game.

        Args:
            strategy: A strategy of the compiled gadget game.
            probabilities: float64[Q], of the whole game; updated in place.
        """
        small, whole = strategy.tree, self.task.trunk.subgames.search.tree
        for infoset in np.flatnonzero(small.infoset_player == self.seat).tolist():
            place = whole.index(small.infoset_keys[infoset])
            played = strategy.probabilities[small.actions_of(infoset)]
            probabilities[whole.actions_of(place)] = played

    @cached_property
    def _deals(self) -> _Deals:
        return _Deals.of(self.task, self.root)

    @property
    def _moves(self) -> Moves:
        return self.task.trunk.subgames.search.moves

    def initial_state(self) -> GadgetState:
        """The state before the deal."""
        return GadgetState("deal", -1, -1, False)

    def player(self, state: GadgetState, /) -> int:
        """Whose turn it is."""
        other = 1 - self.seat
        if state.stage == "deal":
            return other if self._deals.by_hand else CHANCE
        if state.stage == "hand":
            return CHANCE
        if state.stage in ("choice", "left"):
            return other if state.stage == "choice" else TERMINAL
        if self._has_stopped(state):
            return TERMINAL
        return CHANCE if self._is_frozen(state) else self._moves.player[state.place]

    def _has_stopped(self, state: GadgetState) -> bool:
        """Whether play inside has come to where it is not looked at any more."""
        return self.stops is not None and bool(self.stops[state.place])

    def _is_frozen(self, state: GadgetState) -> bool:
        """Whether p is to move inside with a hand that goes on as the trunk does."""
        scope = self.task.scope
        if scope is None or self._moves.player[state.place] != self.seat:
            return False
        hands = self.task.trunk.subgames.hands[self.seat]
        return not scope.free[hands.of_start[state.number]]

    def _taken(self, state: GadgetState) -> list[int]:
        """The actions that the trunk takes with a frozen hand, of all that there are."""
        return np.flatnonzero(self._played(state) > 0.0).tolist()

    def _played(self, state: GadgetState) -> FloatArray:
        """What the trunk plays where p is to move."""
        infoset = int(self._moves.levels.infoset[state.place])
        tree = self.task.trunk.subgames.search.tree
        return self.task.trunk.probabilities[tree.actions_of(infoset)]

    def actions(self, state: GadgetState, /) -> Sequence[str]:
        """Hands, leaving and entering, deals, or what can be done in the game."""
        if state.stage == "deal" and self._deals.by_hand:
            return self._deals.hand_labels
        if state.stage in ("deal", "hand"):
            return [deal.label for deal in self._deals.at(state.number)]
        if state.stage == "choice":
            return _CHOICE
        labels = self._moves.labels(state.place)
        return [labels[k] for k in self._taken(state)] if self._is_frozen(state) else labels

    def chance(self, state: GadgetState, /) -> Sequence[float]:
        """The probability of each deal, or of chance's moves in the game."""
        if state.stage in ("deal", "hand"):
            return [deal.probability for deal in self._deals.at(state.number)]
        if self._is_frozen(state):
            played: list[float] = self._played(state)[self._taken(state)].tolist()
            return played
        return self._moves.chance(state.place)

    def next(self, state: GadgetState, action_index: int, /) -> GadgetState:
        """The state after an action or an outcome."""
        if state.stage == "deal" and self._deals.by_hand:
            return GadgetState("hand", self._deals.hands[action_index], -1, False)
        if state.stage in ("deal", "hand"):
            deal = self._deals.at(state.number)[action_index]
            place = int(self.task.trunk.subgames.start[deal.start])
            stage: Literal["choice", "inside"] = "inside"
            if self._may_leave(deal):
                stage = "choice"
            return GadgetState(stage, deal.start, place, deal.is_forced)
        if state.stage == "choice":
            return state._replace(stage="left" if action_index == 0 else "inside")
        if self._is_frozen(state):
            action_index = self._taken(state)[action_index]
        return state._replace(place=self._moves.first[state.place] + action_index)

    def _may_leave(self, deal: Deal) -> bool:
        """Whether o has a choice after a deal: with margins it chose before."""
        if self._deals.by_hand or deal.is_forced:
            return False
        hand = int(self.task.trunk.subgames.hands[1 - self.seat].of_start[deal.start])
        return self._deals.alternative[hand] > -np.inf  # else it always enters

    def payoffs(self, state: GadgetState, /) -> Sequence[float]:
        """What both earn: with margins, above the alternatives of o's hand."""
        trunk, seat = self.task.trunk, self.seat
        hand = int(trunk.subgames.hands[1 - seat].of_start[state.number])
        if state.stage == "left":
            earned = self._deals.alternative[hand]
        elif self._has_stopped(state):
            earned = 0.0
        else:
            earned = self._moves.payoff[state.place][1 - seat]
        total = trunk.subgames.search.game.total
        if self._deals.by_hand:
            earned, total = (earned - self._deals.alternative[hand]), 0.0
            if self.task.method.scale == "raw":
                earned *= float(trunk.weight[hand])
        return (total - earned, earned) if seat == 0 else (earned, total - earned)

    def infoset(self, state: GadgetState, /) -> str:
        """The key of the game, or what o knows before the subgame."""
        if state.stage == "deal":
            return "which hand?"
        if state.stage == "choice":
            hands = self.task.trunk.subgames.hands[1 - self.seat]
            return f"{hands.labels[int(hands.of_start[state.number])]}: enter?"
        key = self._moves.key(state.place)
        apart = state.is_forced and self.task.method.capped and self.player(state) != self.seat
        return _FORCED + key if apart else key

    def public_state(self, state: GadgetState, /) -> str:
        """What everybody knows: the line of the game, and that nobody has come there yet."""
        if state.stage != "inside":
            return "left" if state.stage == "left" else "before"
        search = self.task.trunk.subgames.search
        return search.public.names[int(search.public.node_of[state.place])]


@dataclass(frozen=True, eq=False)
class _Deals:
    """What chance deals at a root.

    Attributes:
        by_hand: Whether o chooses its hand, before chance deals p's.
        hands: The hands of o's that there are.
        hand_labels: What they are called.
        deals: What chance may deal after each of them; under -1 where o does not choose.
        alternative: alt_j / w_j of each hand, in payoff units.
        scale: The sum of weights that deals were divided by; 1 for raw margins.
    """

    by_hand: bool
    hands: tuple[int, ...]
    hand_labels: tuple[str, ...]
    deals: dict[int, tuple[Deal, ...]]
    alternative: dict[int, float]
    scale: float

    def at(self, number: int) -> tuple[Deal, ...]:
        """What chance may deal."""
        return self.deals[number]

    @classmethod
    def of(cls, task: SeatTask, root: int) -> _Deals:
        """Divide a root among the hands."""
        trunk, method = task.trunk, task.method
        subgames, other = trunk.subgames, 1 - trunk.player
        hands, sequence = subgames.hands[other], subgames.search.sequence[subgames.start]
        mass = subgames.chance * trunk.plan[sequence[:, trunk.player]]
        alternatives = trunk.payoffs(task.alternatives)
        starts = np.flatnonzero((subgames.root == root) & (mass > 0.0))
        starts = starts[task.counted[hands.of_start[starts]]]
        if task.scope is not None:
            starts = starts[task.scope.starts[starts]]
        theirs = hands.of_start[starts]
        there = tuple(dict.fromkeys(theirs.tolist()))
        alternative = {j: float(alternatives[j] / trunk.weight[j]) for j in there}
        labels = _labels(task, starts)

        def dealt(weight: FloatArray, *, is_forced: bool = False) -> tuple[Deal, ...]:
            mark = _FORCED if is_forced and method.capped else ""
            return tuple(
                Deal(int(starts[k]), mark + labels[k], float(weight[k]), is_forced)
                for k in np.flatnonzero(weight > 0.0).tolist()
            )

        by_hand = method.goal == "margin"
        if by_hand:
            share = mass[starts] / trunk.weight[theirs]
            deals = {j: dealt(np.where(theirs == j, share, 0.0)) for j in there}
            scale = float(trunk.total[root]) if method.scale == "normalised" else 1.0
        else:
            forced = mass[starts] * trunk.reach[theirs] * (method.goal == "range")
            free = mass[starts] * task.deals[theirs]
            free *= method.mass if method.capped else method.goal == "excess"
            scale = float(forced.sum() + free.sum())
            deals = {-1: dealt(forced / scale, is_forced=True) + dealt(free / scale)}
        return cls(
            by_hand=by_hand,
            hands=there,
            hand_labels=tuple(hands.labels[j] for j in there),
            deals=deals,
            alternative=alternative,
            scale=scale,
        )


def _labels(task: SeatTask, starts: Int64Array) -> list[str]:
    """The hands of both players at root histories, with a number where several have the same."""
    hands = task.trunk.subgames.hands
    pairs = [
        " ".join(hands[p].labels[int(hands[p].of_start[start])] for p in range(2))
        for start in starts.tolist()
    ]
    counts, seen = Counter(pairs), Counter[str]()
    labels = []
    for pair in pairs:
        seen[pair] += 1
        labels.append(pair if counts[pair] == 1 else f"{pair} {seen[pair]}")
    return labels


def gadget_game(
    trunk: Strategy,
    root: str,
    seat: int,
    *,
    method: str | SearchMethod = "resolve",
) -> GadgetGame:
    """The gadget game of one root for one seat, which any algorithm solves.

    Args:
        trunk: A strategy of a game of two players with constant sum and perfect recall, whose rules
            say what is public.
        root: The name of a public node.
        seat: Whose play is replaced, from 0.
        method: How play is chosen, as `resolve` takes it.

    Returns:
        The game: rules for `compile_game`. The infosets inside have the keys of the whole game.

    Raises:
        ConfigError: There is no such root, or the seat does not move below it or come there.
    """
    subgames = Subgames.of(checked_strategy(trunk).tree, root)
    seat = whole_number("seat", seat, 0, 1)
    chosen = get_search_method(method)
    if not chosen.has_gadget:
        raise ConfigError(
            f"{chosen.name} has no gadget game",
            option="method",
            given=chosen.spec,
            expected=" or ".join(name for name, row in METHODS.items() if row.has_gadget),
        )
    task = task_of(TrunkValues.of(subgames, trunk, seat), chosen)
    if len(subgames) > 1 or not task.solved[0]:
        raise ConfigError(
            f"there is nothing to solve for seat {seat} at {root!r}"
            if len(subgames) == 1
            else f"{len(subgames)} public nodes match {root!r}",
            option="root",
            given=root,
            expected="one public node below which the seat moves, and to which it comes",
        )
    return GadgetGame(task, 0)
