"""`resolve_spot`: one seat of a hold'em spot solved anew, with a gadget at the root."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, optional_whole_number, whole_number
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.betting.state import Phase
from equilibrist.poker.cards.cards import RANKS
from equilibrist.poker.cards.combos import FIRST_CARD, NUM_COMBOS, SECOND_CARD, dealt_hands
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES
from equilibrist.poker.postflop.engine.node_rows import CardRemoval
from equilibrist.poker.postflop.solution.spot_strategy import follow_line
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.poker.postflop.spot.value_unit import refuse_prizes
from equilibrist.poker.ranges.range import Range, exponent
from equilibrist.search.holdem.root_gadget import RootGadget
from equilibrist.search.methods import SearchMethod, get_search_method
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import BoolArray, FloatArray

StoppedBy = Literal["iterations", "seconds", "target"]
_ALIKE: Final = 1e-4
"""Alternatives of hands that are suit images count as equal if they differ by less of the pot."""
_BETWEEN: Final = 1.25
"""How many times as many iterations there are at each measure as at the one before."""
_FIRST_MEASURE: Final = 16
_PASSES_TO_MEASURE: Final = 2.0
"""What reading the result takes, in iterations."""
_LATEST: Final = 3
"""Iterations that tell how long the next one takes at most."""
_COLD: Final = 1
"""Iterations that take longer, as memory is touched for the first time."""
_CARDS: Final = np.stack([FIRST_CARD, SECOND_CARD], axis=1)


@dataclass(frozen=True, eq=False)
class ResolvedSpot:
    """A seat of a spot, solved anew.

    Counterfactual values are chips at the end less chips behind at the root, summed over the hands
    of the seat that share no card with the opponent's, with their weights in the range.

    Attributes:
        spot: The spot, with the hands of the opponent that were counted.
        seat: p, whose play it is: 0 out of position, 1 in position.
        method: What was optimised.
        alternatives: float64[1326]: what the opponent could count on with each hand; NaN for hands
            that were left out, with `unsafe` for all.
        weight: float64[1326]: the weight of the seat's hands that each hand of the opponent meets.
        values: float64[1326]: what the opponent's best response to the new play is worth with each
            hand; NaN for hands that were left out.
        objective: What the play reaches of the method's programme.
        margin: The least that `values` stay below `alternatives`, over hands, in the method's
            scale.
        gap: What separates the play from the optimum at most: counterfactual chips, or chips for
            margins. If all values can stay at or below their alternatives, none is above by more
            than the gap; with normalised margins, than the gap times the weight of the hand; with
            caps, than the gap divided by the method's `mass`.
        iterations: How many iterations were made.
        seconds: How long it took, the preparation included.
        stopped_by: What ended the run.
        solver: The average strategies, of both seats.
    """

    spot: Spot
    seat: int
    method: SearchMethod
    alternatives: FloatArray
    weight: FloatArray
    values: FloatArray
    objective: float
    margin: float
    gap: float
    iterations: int
    seconds: float
    stopped_by: StoppedBy
    solver: SpotSolver = field(repr=False)

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def gap_share(self) -> float:
        """The gap as a share of the pot that is played for in the method's programme."""
        return self.gap / (self.spot.pot * self._unit)

    @property
    def _unit(self) -> float:
        method, weight = self.method, self.weight
        if method.goal == "margin":
            return 1.0 if method.scale == "normalised" else float(weight.max())
        matchups = float(self.spot.ranges[1 - self.seat].weights @ weight)
        return matchups * (method.mass if method.capped else 1.0)

    def played(self, line: str = "") -> FloatArray:
        """What is played after a line.

        Args:
            line: The line with its cards, such as `X-B94-C|8h|X`.

        Returns:
            float64[A, 1326], in the order of the actions of the betting rules; NaN for hands that
            are not held.

        Raises:
            ConfigError: Nobody acts there.
            LineSyntaxError: The line cannot be read or played.
        """
        state, runout = follow_line(self.spot, line)
        if state.phase is not Phase.DECISION:
            raise bad_argument("line", line, "a line after which a player acts")
        return self.solver.played(find_node(self.spot.betting.tree, state.line), runout)

    def values_after(self, line: str = "") -> FloatArray:
        """What the opponent's best response to the play is worth after a line.

        Args:
            line: The line with its cards.

        Returns:
            float64[1326]: counterfactual values, in which the seat's hands count as they are played
            up to there; NaN for hands that were left out or are on the board.

        Raises:
            LineSyntaxError: The line cannot be read or played.
        """
        state, runout = follow_line(self.spot, line)
        node = find_node(self.spot.betting.tree, state.line)
        return self.solver.best_values(node, runout, 1 - self.seat)


def met_weight(weights: FloatArray) -> FloatArray:
    """The weight of a range that each hand meets.

    Args:
        weights: float64[1326], those of the range.

    Returns:
        float64[1326]: their sum over hands that share no card with it.
    """
    return np.asarray(_REMOVAL.left(weights[None])[0])


_REMOVAL: Final = CardRemoval(_CARDS, _CARDS)


def resolve_spot(
    spot: Spot,
    seat: int,
    method: str | SearchMethod = "resolve",
    alternatives: FloatArray | None = None,
    *,
    algorithm: Variant | str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    threads: int | None = None,
    lowest_rank: int = 0,
) -> ResolvedSpot:
    """Solve one seat of a spot anew, so that the opponent gains nothing by coming to it.

    The weight of each hand of the seat in the spot is r_p, how often it comes there as it was
    played. The range of the opponent is r_o; only `unsafe` and `constrained` go by it, all others
    count every hand that has an alternative.

    Args:
        spot: The spot, without rake and locks.
        seat: p, whose play is replaced: 0 out of position, 1 in position.
        method: How the new play is chosen, as `search.resolve` takes it. Where alternatives come
            from, and gifts, are the caller's business: they are in `alternatives`.
        alternatives: float64[1326]: what the opponent may count on with each hand, as
            `ResolvedSpot.values_after` gives it; -inf for a hand that always enters, inf or NaN for
            one that never does. None with `unsafe` only.
        algorithm: A variant of CFR, by default that of spots.
        iterations: The most iterations.
        seconds: The most seconds from the call on; one iteration is made in any case.
        target: The gap that ends the run, as a share of the pot; 0.003 if no end is given.
        threads: Threads to work with, by default one for each processor. Their number changes no
            bit of the result.
        lowest_rank: The lowest rank in the deck, from which later cards come; 0 for the deuce. No
            range may hold lower ranks.

    Returns:
        The play, and what the opponent's best responses to it are worth.

    Raises:
        ConfigError: An argument is wrong, or no hand of the opponent is left.
        UnknownNameError: There is no such method or algorithm.
        UnsupportedError: The spot has rake, locks or folded ranges.
    """
    began = time.perf_counter()
    checked_spot(spot)
    refuse_prizes(spot, "re-solving")
    if spot.is_raked or spot.locks:
        raise UnsupportedError(
            "gadgets need payoffs of a constant sum and free decisions: the spot has rake or locks",
            option="spot",
            remedy="leave out rake and locks",
        )
    if spot.folded:
        raise UnsupportedError(
            "gadgets know no folded ranges",
            option="folded",
            given=len(spot.folded),
            remedy="leave out the folded ranges, or solve the spot as a whole",
        )
    seat = whole_number("seat", seat, 0, 1)
    chosen = get_search_method(method)
    limits = _Limits.of(iterations, seconds, target, began)
    deck = _deck(spot, lowest_rank)
    task = _task(spot, seat, chosen, alternatives, deck)
    solver = SpotSolver(
        task.spot,
        algorithm,
        threads=threads,
        isomorphism=task.is_symmetric,
        lowest_rank=lowest_rank,
    )
    try:
        return _Run(task, solver).until(limits)
    finally:
        solver.close()


@dataclass(frozen=True)
class _Limits:
    """When a run ends."""

    iterations: int | None
    deadline: float | None
    target: float | None
    began: float

    @classmethod
    def of(
        cls, iterations: int | None, seconds: float | None, target: float | None, began: float
    ) -> _Limits:
        optional_whole_number("iterations", iterations, 1)
        for name, value in (("seconds", seconds), ("target", target)):
            if value is not None and not value >= 0.0:
                raise bad_argument(name, value, "a number from 0 on")
        if iterations is None and seconds is None and target is None:
            target = 0.003
        return cls(iterations, None if seconds is None else began + seconds, target, began)


@dataclass(frozen=True, eq=False)
class _Task:
    """What is asked: the spot with the hands that count, and the alternatives of the opponent."""

    spot: Spot
    seat: int
    method: SearchMethod
    alternatives: FloatArray
    """float64[1326]; NaN for hands that are left out."""
    matched: FloatArray
    """float64[1326]: the same, equal for hands that are suit images where `is_symmetric`."""
    weight: FloatArray
    reach: FloatArray
    is_symmetric: bool


def _deck(spot: Spot, lowest_rank: int) -> BoolArray:
    """bool[1326]: the hands of a deck that the board leaves; ConfigError for other cards."""
    whole_number("lowest_rank", lowest_rank, 0, len(RANKS) - 1)
    deck = dealt_hands(spot.cards, lowest_rank)
    held = any((row.weights[~deck] > 0.0).any() for row in spot.ranges)
    if held or min(spot.cards) < 4 * lowest_rank:
        raise bad_argument("lowest_rank", lowest_rank, "a rank that no card of the spot is below")
    return deck


def _task(
    spot: Spot,
    seat: int,
    method: SearchMethod,
    alternatives: FloatArray | None,
    deck: BoolArray,
) -> _Task:
    """Find the hands of the deck that count; ConfigError if none is left."""
    other = 1 - seat
    weight = met_weight(spot.ranges[seat].weights)
    reach = spot.ranges[other].weights
    if not method.fits_spots:
        raise ConfigError(
            f"{method.name} has no gadget at the root of a spot",
            option="method",
            given=method.spec,
            remedy="choose another method, such as resolve",
        )
    if not method.uses_alternatives:
        unknown = np.full(NUM_COMBOS, np.nan)
        return _Task(spot, seat, method, unknown, unknown, weight, reach, is_symmetric=True)
    given = np.full(0, 0.0) if alternatives is None else np.asarray(alternatives, np.float64)
    if given.shape != (NUM_COMBOS,):
        raise bad_argument("alternatives", alternatives, f"{NUM_COMBOS} numbers, one for each hand")
    if method.goal == "margin" and np.isneginf(given).any():
        raise bad_argument("alternatives", "-inf", "finite numbers, inf or NaN for margins")
    held = deck & (weight > 0.0) & (given < np.inf)
    if not held.any():
        raise ConfigError(
            "no hand of the opponent meets the seat's range and may enter",
            option="alternatives",
            remedy="give alternatives below inf for hands that the seat's range leaves",
        )
    given = np.where(held, given, np.nan)
    key = ("oop", "ip")[other]
    spot = spot.replace(**{key: Range.from_weights(held.astype(np.float64))})
    images = COMBO_IMAGES[spot.symmetries]
    matched = given[images].mean(axis=0)
    most = _ALIKE * spot.pot * float(weight.max())
    with np.errstate(invalid="ignore"):  # of infinite alternatives
        alike = (np.abs(matched - given) <= most) | (matched == given)
    is_symmetric = bool(alike[held].all())
    if method.capped:
        is_symmetric &= bool((reach[images] == reach).all())
    return _Task(
        spot, seat, method, given, matched if is_symmetric else given, weight, reach,
        is_symmetric=is_symmetric,
    )  # fmt: skip


class _Run:
    """A run on a spot: passes of both players, and the gadget between them."""

    def __init__(self, task: _Task, solver: SpotSolver) -> None:
        self._task, self._solver = task, solver
        self._other = 1 - task.seat
        ranges = [held.weights for held in task.spot.ranges]
        self._hands = np.flatnonzero(ranges[self._other])
        self._gadget = RootGadget(
            task.method,
            np.nan_to_num(task.matched[self._hands], nan=0.0, posinf=np.inf, neginf=-np.inf),
            task.weight[self._hands],
            task.reach[self._hands],
        )
        self._exponents = [exponent(held) for held in ranges]
        per_chip = task.spot.rules().scale.per_chip
        self._chips = np.ldexp(1.0, self._exponents[task.seat]) / per_chip
        self._set_root()

    def until(self, limits: _Limits) -> ResolvedSpot:
        """Run, and measure what was found."""
        stopped_by: StoppedBy | None = None
        measure_at, latest = _FIRST_MEASURE, deque[float](maxlen=_LATEST)
        while stopped_by is None:
            started = time.perf_counter()
            self._iterate()
            now, done = time.perf_counter(), self._solver.iteration
            latest.append(now - started)
            if done == _COLD:
                latest.clear()
            reserve = (1.0 + _PASSES_TO_MEASURE) * max(latest) if latest else now - started
            if limits.iterations is not None and done >= limits.iterations:
                stopped_by = "iterations"
            elif limits.deadline is not None and now + reserve >= limits.deadline:
                stopped_by = "seconds"
            elif limits.target is not None and done >= measure_at:
                measure_at = int(done * _BETWEEN) + 1
                if self._measured("seconds", limits.began).gap_share <= limits.target:
                    stopped_by = "target"
                self._set_root()
        return self._measured(stopped_by, limits.began)

    def _iterate(self) -> None:
        """One iteration: a pass of each player, in their order, o's followed by the gadget."""
        solver, other = self._solver, self._other
        engine = solver.engine
        solver.hold(solver.iteration + 1)
        if solver.engine is not engine:  # of numbers of another size, and its own root
            self._set_root()
        row = solver.coefficients()
        for player in (0, 1):
            won = solver.engine.update(player, row, weigh=solver.reach_weighted)
            if player == other and not self._gadget.is_fixed:
                self._gadget.update(won * self._chips, row)
                self._set_root()
        solver.engine.iteration += 1

    def _set_root(self, *, average: bool = False) -> None:
        """Let o come to the root as the gadget says."""
        reach = self._gadget.reach(average=average)
        shift = -self._exponents[self._other]
        self._solver.engine.set_root(self._other, np.ldexp(reach, shift))

    def _measured(self, stopped_by: StoppedBy, began: float) -> ResolvedSpot:
        """What the average play is worth, exactly but for rounding."""
        task, solver, engine = self._task, self._solver, self._solver.engine
        self._set_root(average=True)
        best = engine.values(self._other, best=True) * self._chips
        answers = engine.values(task.seat, best=True)
        held = task.spot.ranges[task.seat].weights
        won = float(held[held > 0.0] @ answers)
        won *= float(np.ldexp(1.0, self._exponents[self._other]))
        won /= task.spot.rules().scale.per_chip
        values = np.full(NUM_COMBOS, np.nan)
        values[self._hands] = best
        present = self._gadget.present
        exact = RootGadget(
            task.method,
            np.nan_to_num(task.alternatives[self._hands], nan=0.0, posinf=np.inf, neginf=-np.inf),
            task.weight[self._hands],
            task.reach[self._hands],
        )
        alternatives = np.full(NUM_COMBOS, np.nan)
        alternatives[self._hands[present]] = task.alternatives[self._hands[present]]
        return ResolvedSpot(
            spot=task.spot,
            seat=task.seat,
            method=task.method,
            alternatives=alternatives,
            weight=task.weight,
            values=values,
            objective=exact.objective(best),
            margin=exact.margin(best),
            gap=self._gadget.gap(best, won, float(task.spot.pot)),
            iterations=solver.iteration,
            seconds=time.perf_counter() - began,
            stopped_by=stopped_by,
            solver=solver,
        )
