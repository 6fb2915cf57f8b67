"""`StreetSearch`: a bot's search that solves the street anew on which it has to act."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from equilibrist.errors import (
    BetSizeSyntaxError,
    ConfigError,
    LineSyntaxError,
    MemoryBudgetError,
    NotationError,
    UnknownNameError,
)
from equilibrist.parsing.arguments import optional_whole_number, several
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.betting.actions import StreetLine
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.betting.state import street_menus
from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import without_cards
from equilibrist.poker.decisions.searching import Searched, SearchState
from equilibrist.poker.postflop.estimate.runtime import copy_bandwidth, estimated_run
from equilibrist.poker.postflop.estimate.size import SpotSize, estimate
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.search.holdem.spots import ResolvedSpot, resolve_spot
from equilibrist.search.holdem.streets import (
    PlayedStreets,
    SearchMenu,
    played_streets,
    scaled,
)
from equilibrist.search.methods import SearchMethod, get_search_method
from equilibrist.tree.walk.budget import default_memory
from equilibrist.typing import BoolArray, FloatArray

MENUS: Final = (
    SearchMenu("33%,75%|50%,100%|33%,75%,150%,a", "100%|100%|100%,a"),
    SearchMenu("75%|75%|50%,100%,a", "100%|100%|a"),
    SearchMenu("75%|75%|75%,a", "a"),
    SearchMenu("75%", "a"),
    SearchMenu("75%|75%|a", "a"),
)
"""Menus, the richest first."""
_LEAST_ITERATIONS: Final = 300
"""A menu is too rich if the time is not enough for so many."""
_MOST_ENTRIES: Final = 60_000_000
"""A menu is too rich for a search without a limit of time if a spot has more; half a gigabyte."""
_TARGET: Final = 0.003
"""The gap that ends a run, as a share of the pot."""
_MOST_ITERATIONS: Final = 1_000
_SAME: Final = 1e-4
"""Reaches count as those of a solve if they differ by less of the largest."""


@dataclass(frozen=True, eq=False)
class _Solve:
    """A street that was solved, and what of the hand it was solved for."""

    hand: Any
    streets: PlayedStreets
    """The hand up to the decision."""
    resolved: ResolvedSpot
    power: int
    """The weights of the seat in the spot are its reach times 2 to the minus this."""
    opponent: FloatArray
    """The reach of the opponent that was given."""

    @property
    def street(self) -> int:
        """The number of the street, 0 for the flop."""
        return self.streets.last.street

    def lines(self, now: PlayedStreets) -> list[StreetLine] | None:
        """The actions since this street began up to a later decision; None if it is of other play.

        Args:
            now: The later decision, or the same.
        """
        before = self.streets
        if now.last.street < self.street or now.player != before.player:
            return None
        same = now.last.seats == before.last.seats and now.past[: len(before.past)] == before.past
        actions = list(now.since(self.street))
        earlier = now.streets[: len(before.streets) - 1] == before.streets[:-1]
        begun = len(actions) == now.last.street - self.street + 1
        if not (same and earlier and begun and now.cards_at(self.street) == before.board):
            return None
        opening = now.streets[len(before.streets) - 1]
        if (opening.pot, opening.stack) != (before.last.pot, before.last.stack):
            return None
        known = before.last.actions
        return actions if actions[0][: len(known)] == known else None

    def offers(self, now: PlayedStreets, actions: Sequence[StreetLine]) -> bool:
        """Whether its tree has a line."""
        spot = self.resolved.spot
        try:
            spot.rules().follow(now.line_since(self.street, actions), spot.cards)
        except LineSyntaxError:
            return False
        return True

    def reach(self, now: PlayedStreets, actions: Sequence[StreetLine]) -> FloatArray:
        """float64[1326]: how the seat comes to the end of a line, as it plays after this solve."""
        resolved, rules = self.resolved, self.resolved.spot.rules()
        reach = np.ldexp(resolved.spot.ranges[resolved.seat].weights, self.power)
        for number, street in enumerate(actions):
            for k, action in enumerate(street):
                before = [*actions[:number], street[:k]]
                line = now.line_since(self.street, before)
                state = rules.follow(line, resolved.spot.cards).state
                if state.player == resolved.seat:
                    taken = rules.actions(state).index(action)
                    reach = reach * np.nan_to_num(resolved.played(line)[taken])
        return reach


class StreetSearch:
    """Solves the street of a decision anew, from its beginning, down to the river without buckets.

    The first street of a hand is solved with the ranges that the blueprint brings there (unsafe);
    later ones with a gadget, so that the opponent gains nothing by coming there: what it may count
    on with each hand is what its best response to the solve before was worth. A bet that a tree
    lacks becomes a part of it. Within a street the answers are those of one solve, unless such a
    bet comes after an own action: then what is left is solved from that action on.

    It plays two seats after the flop, also those that are left of more; elsewhere the blueprint
    plays. One search serves one bot: it keeps the latest solve.

    Args:
        method: How streets after the first are solved: a row of `METHODS` that goes by values
            alone, `resolve` or `max-margin`, or `unsafe`.
        menus: Bets and raises that are considered, as spots take them, the richest first: the first
            that the time is enough for is taken, without one the first of half a gigabyte.
        iterations: The iterations of every solve, whatever the time, so that the same seed plays
            the same hand again on any machine; None to go by the time.
        threads: Threads to work with, by default one for each processor.
        memory: The most bytes of a solve, by default half of the machine's memory.
        first: The first street that is solved, `flop`, `turn` or `river`; before it the blueprint
            plays.

    Raises:
        UnknownNameError: There is no such method or street.
        BetSizeSyntaxError: A size of a menu cannot be read.
        ConfigError: The method goes by more than values, or an argument is invalid.
    """

    def __init__(
        self,
        method: str | SearchMethod = "resolve",
        *,
        menus: Sequence[tuple[str, str]] = MENUS,
        iterations: int | None = None,
        threads: int | None = None,
        memory: int | None = None,
        first: str = STREETS[0],
    ) -> None:
        """Search streets; the class describes the arguments."""
        self.method = get_search_method(method)
        by_values = self.method.alternatives == "best-response" and self.method.gifts == "none"
        if self.method.capped or not by_values or not self.method.fits_spots:
            raise ConfigError(
                f"{self.method.spec} needs the opponent's range at the beginning of a street, its "
                "gifts, or its values in the blueprint, which are not known at a table",
                option="method",
                given=self.method.spec,
                expected="resolve, max-margin or unsafe",
            )
        self.menus = tuple(
            SearchMenu(*menu) for menu in several("menus", menus, "pairs of bets and raises")
        )
        for menu in self.menus:
            try:
                street_menus(menu.bets, menu.raises)
            except BetSizeSyntaxError as error:
                error.option = "menus"
                raise
        self.iterations = optional_whole_number("iterations", iterations, 1)
        self.threads = optional_whole_number("threads", threads, 1)
        optional_whole_number("memory", memory, 1)
        self._memory = default_memory() if memory is None else memory
        if first not in STREETS:
            raise UnknownNameError("street", first, STREETS, option="first")
        self.first = first
        self._latest: _Solve | None = None
        parts = [repr(self.method.spec), f"menus={[tuple(menu) for menu in self.menus]}"]
        given: dict[str, object] = {"iterations": self.iterations, "memory": memory}
        given["first"] = None if first == STREETS[0] else repr(first)
        parts += [f"{name}={value}" for name, value in given.items() if value is not None]
        self._text = f"StreetSearch({', '.join(parts)})"

    def __repr__(self) -> str:
        """All that its answers depend on, but for the time."""
        return self._text

    def search(
        self,
        state: SearchState,
        combo: int,
        ranges: FloatArray,
        seconds: float | None,
        generator: np.random.Generator,
        /,
    ) -> Searched | None:
        """Find what to do at a decision; see `Search`.

        Args:
            state: What is public.
            combo: The own hand.
            ranges: float64[S, 1326]: how often each seat brings each hand here.
            seconds: The most time.
            generator: Of draws, of which there are none.

        Returns:
            The strategy; None before the first street that is solved, with more than two seats
            left, with rake or limits, where no tree fits into the memory, and where a range is
            empty.
        """
        deadline = None if seconds is None else time.perf_counter() + seconds
        now = played_streets(state)
        if now is None or now.last.street < STREETS.index(self.first):
            return None
        both = ranges[list(now.last.seats)]
        solve = self._known(state, now, both)
        if solve is None:
            solve = self._solved(state, now, both, deadline)
        if solve is None:
            return None
        self._latest = solve
        return _answer(solve, now)

    def _known(self, state: SearchState, now: PlayedStreets, ranges: FloatArray) -> _Solve | None:
        """The latest solve, if it is of this street and its tree has the line."""
        latest = self._latest
        if latest is None or now.last.street != latest.street:
            return None
        actions = self._followed(latest, state, now, ranges[now.player])
        if actions is None:
            return None
        if actions[0] == latest.streets.last.actions:  # the same question again
            return latest if np.array_equal(latest.opponent, ranges[1 - now.player]) else None
        return latest if latest.offers(now, actions) else None

    def _followed(
        self, latest: _Solve, state: SearchState, now: PlayedStreets, reach: FloatArray
    ) -> list[StreetLine] | None:
        """The actions since a solve, if the seat has come here by it; else None."""
        actions = latest.lines(now)
        if actions is None or latest.hand != state.hand:
            return None
        own = _up_to_own(latest, now, actions)
        if not latest.offers(now, own):
            return None
        off = np.abs(latest.reach(now, own) - reach)[_free(now)]
        return actions if off.max() <= _SAME * reach.max() else None

    def _solved(
        self,
        state: SearchState,
        now: PlayedStreets,
        ranges: FloatArray,
        deadline: float | None,
    ) -> _Solve | None:
        """Solve the street: with the values of the latest solve, if there are any."""
        own, other = now.player, 1 - now.player
        held = [scaled(weights) for weights in ranges]
        weights, power = np.array([row for row, _ in held]), held[own][1]
        forced, alternatives = len(now.last.actions), None
        if self._latest is not None and self.method.goal != "range":
            values = self._values(self._latest, state, now, ranges[own])
            if values is not None:
                forced, alternatives = values
                alternatives = np.ldexp(alternatives, -power)
                weights[other] = np.where(np.isnan(alternatives), 0.0, 1.0)
        self._latest = None  # its memory may be needed
        spot = self._spot(now, weights, forced, deadline)
        if spot is None:
            return None
        resolved = resolve_spot(
            spot,
            own,
            "unsafe" if alternatives is None else self.method,
            alternatives,
            threads=self.threads,
            lowest_rank=now.lowest_rank,
            **self._limits(deadline),
        )
        return _Solve(state.hand, now, resolved, power, ranges[other].copy())

    def _values(
        self, latest: _Solve, state: SearchState, now: PlayedStreets, reach: FloatArray
    ) -> tuple[int, FloatArray] | None:
        """How many actions go before the root, and what the opponent may count on there.

        The root of a later street is its beginning, where the seat has not acted yet; on the same
        street it is behind the last own action. None where the latest solve is of another hand.
        """
        actions = self._followed(latest, state, now, reach)
        if actions is None or actions == [latest.streets.last.actions]:
            return None
        if now.last.street == latest.street:
            way = _up_to_own(latest, now, actions)
        elif any(k % 2 == now.player for k in range(len(now.last.actions))):
            return None  # the seat has acted on this street by another plan
        else:
            way = [*actions[:-1], ()]
            if not latest.offers(now, way):
                return None
        values = latest.resolved.values_after(now.line_since(latest.street, way))
        values = np.ldexp(values, latest.power)
        return (len(way[-1]), values) if np.isfinite(values).any() else None

    def _spot(
        self, now: PlayedStreets, weights: FloatArray, forced: int, deadline: float | None
    ) -> Spot | None:
        """The spot with the richest menu that is not too rich, else the poorest that fits."""
        poorest: Spot | None = None
        for menu in self.menus:
            try:
                spot = now.spot(weights, menu, forced)
                size = estimate(spot, now.lowest_rank)
            except (ConfigError, NotationError, MemoryBudgetError):  # a bet, or ranges, do not fit
                continue
            if size.long_run_bytes(threads=self.threads) > self._memory:
                continue
            poorest = spot
            if self._is_quick(size, deadline):
                return spot
        return poorest

    def _is_quick(self, size: SpotSize, deadline: float | None) -> bool:
        """Whether a spot is small enough to be solved in time."""
        if self.iterations is not None or deadline is None:
            return size.entries <= _MOST_ENTRIES
        threads = min(thread_count(self.threads), size.overhead.parts)
        run = estimated_run(size.entries, _TARGET, threads, self._bandwidth)
        left = deadline - time.perf_counter()
        return _LEAST_ITERATIONS * run.seconds / run.iterations <= left

    @cached_property
    def _bandwidth(self) -> float:
        """Bytes per second, measured once."""
        return copy_bandwidth()

    def _limits(self, deadline: float | None) -> dict[str, Any]:
        """When a run ends."""
        if self.iterations is not None:
            return {"iterations": self.iterations}
        if deadline is None:
            return {"target": _TARGET, "iterations": _MOST_ITERATIONS}
        left = max(0.0, deadline - time.perf_counter())
        return {"target": _TARGET, "seconds": left}


def _free(now: PlayedStreets) -> BoolArray:
    """bool[1326]: hands that the board does not block."""
    return np.asarray(without_cards(card_mask(now.board)))


def _up_to_own(
    latest: _Solve, now: PlayedStreets, actions: Sequence[StreetLine]
) -> list[StreetLine]:
    """The actions up to the last own one since a solve, or up to the solve if there is none."""
    known = len(latest.streets.last.actions)
    for number in reversed(range(len(actions))):
        for k in reversed(range(len(actions[number]))):
            if k % 2 == now.player and (number or k >= known):
                return [*actions[:number], actions[number][: k + 1]]
    return [actions[0][:known]]


def _answer(solve: _Solve, now: PlayedStreets) -> Searched:
    """What the seat plays at the decision."""
    resolved, last = solve.resolved, now.last
    line = now.line_since(solve.street, [last.actions])
    rules = resolved.spot.rules()
    actions = rules.actions(rules.follow(line, resolved.spot.cards).state)
    strategy = np.nan_to_num(resolved.played(line))
    note = (
        f"{STREETS[last.street]}, {resolved.method.name}, {resolved.iterations} iterations, "
        f"gap {100 * resolved.gap_share:.2g} % of the pot"
    )
    return Searched(actions, strategy, note)
