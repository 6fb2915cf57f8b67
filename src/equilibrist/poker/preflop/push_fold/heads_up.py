"""Push or fold of two players, exactly: by a linear programme, or by CFR where sums vary.

A strategy is 169 numbers: how often each class is pushed, or calls. Both distributions of hands and
all equities are those of the all-in table, card removal included, so that nothing is sampled.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import EquilibristError
from equilibrist.poker.cards.combos import NUM_CLASSES
from equilibrist.poker.preflop.allin_table import AllInTable
from equilibrist.poker.preflop.push_fold.game import PushFold
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.tree.compile import ROUNDING
from equilibrist.typing import FloatArray

_TOLERANCE: Final = 1e-10
_NEGLIGIBLE: Final = 1e-3
_CONSTANT: Final = 1e-11
"""How much the sum of both values may vary where it counts as constant."""
_MOST_ITERATIONS: Final = 20_000
_CHECKED_EVERY: Final = 1_000
_TARGET: Final = 1e-7
"""CFR ends at this NashConv, in the unit of the values."""


class HeadsUp(NamedTuple):
    """The values of both seats for every pair of classes, and how often these meet."""

    weights: FloatArray
    """[169, 169]: the probability of the classes of small blind (rows) and big blind."""
    called: FloatArray
    """[2, 169, 169]: the value to each seat of a push that is called."""
    uncalled: FloatArray
    """[2]: the value to each seat of a push that is not called; 0 if the big blind is not asked."""
    folded: FloatArray
    """[2]: the value to each seat if the small blind folds; 0 if it is not asked."""
    decisions: int
    """2; 1 where the big blind is not asked, 0 where the small blind is not either."""


class Equilibrium(NamedTuple):
    """Strategies of both seats, and how good they are."""

    push: FloatArray
    """float64[169]: how often the small blind goes all-in."""
    call: FloatArray
    """float64[169]: how often the big blind calls."""
    values: tuple[float, float]
    gains: tuple[float, float]
    """What each seat would gain by its best response; their sum is NashConv."""
    push_gains: FloatArray
    """float64[169]: the value of a push minus that of a fold."""
    call_gains: FloatArray
    """float64[169]: the value of a call minus that of a fold, for a hand that faces a push."""
    iterations: int
    """Of CFR; 0 for a linear programme."""


def heads_up(game: PushFold, table: AllInTable) -> HeadsUp:
    """The game as matrices over pairs of classes."""
    acts = game.next_turn(0, ()) is not None
    is_asked = acts and game.next_turn(1, (0,)) is not None
    pushed = (0, 1) if is_asked else (0,) if acts else ()
    outcomes = game.values(pushed)  # in the order of weak_orders(2): tie, win, loss
    shares = np.array([table.ties, table.wins, table.losses]) / table.showdowns
    return HeadsUp(
        table.pairs / table.pairs.sum(),
        np.einsum("os,oij->sij", outcomes, shares),
        game.values((0,))[0] if is_asked else np.zeros(2),
        game.values(())[0] if acts else np.zeros(2),
        acts + is_asked,
    )


def equilibrium(game: HeadsUp) -> Equilibrium:
    """An equilibrium: exact where both values add up to a constant, else by CFR.

    Where the big blind is all-in, or need not call, the small blind's best response is one.
    """
    if game.decisions < 2:
        return _with_one_decision(game)
    sums = (game.called.sum(axis=0), game.uncalled.sum(), game.folded.sum())
    varies = max(float(np.max(np.abs(payoffs - sums[2]))) for payoffs in sums)
    if varies <= _CONSTANT:
        return measured(game, *_by_linear_programme(game), 0)
    return _by_cfr(game)


def _with_one_decision(game: HeadsUp) -> Equilibrium:
    """Solve games where the big blind always calls, or nobody decides."""
    every, none = np.ones(NUM_CLASSES), np.zeros(NUM_CLASSES)
    shown = (game.weights * game.called).sum(axis=2)  # [2, 169]: by the small blind's class
    if not game.decisions:
        return Equilibrium(every, every, _both(shown.sum(axis=1)), (0.0, 0.0), none, none, 0)
    held = game.weights.sum(axis=1)
    gains = shown[0] - held * game.folded[0]
    push = (gains > 0).astype(np.float64)
    values = shown @ push + float((1 - push) @ held) * game.folded
    return Equilibrium(push, every, _both(values), (0.0, 0.0), gains / held, none, 0)


def _both(values: FloatArray) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def measured(game: HeadsUp, push: FloatArray, call: FloatArray, iterations: int) -> Equilibrium:
    """The values of two strategies, and what best responses gain."""
    of_push, of_call, facing = _values(game, push, call)
    held = game.weights.sum(axis=1)
    push_gains = of_push - held * game.folded[0]
    call_gains = of_call - facing * game.uncalled[1]
    value = game.folded[0] + float(push @ push_gains)
    other = float((1 - push) @ held) * game.folded[1] + float(
        facing.sum() * game.uncalled[1] + call @ call_gains
    )
    best = np.maximum(push_gains, 0).sum() - push @ push_gains
    best_call = np.maximum(call_gains, 0).sum() - call @ call_gains
    return Equilibrium(
        push,
        call,
        (float(value), float(other)),
        (_gain(game, float(best)), _gain(game, float(best_call))),
        push_gains / held,
        np.divide(call_gains, facing, out=np.zeros(NUM_CLASSES), where=facing > 0),
        iterations,
    )


def _gain(game: HeadsUp, difference: float) -> float:
    """A gain of a best response; 0 where rounding hides whether it is more."""
    largest = max(float(np.abs(array).max()) for array in (game.called, game.uncalled, game.folded))
    return difference if difference > ROUNDING * largest else 0.0


def _values(
    game: HeadsUp, push: FloatArray, call: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """By class, times its probability: pushing, calling, and how often a call is considered."""
    of_push = (game.weights * game.called[0]) @ call + game.weights @ (1 - call) * game.uncalled[0]
    of_call = push @ (game.weights * game.called[1])
    return of_push, of_call, push @ game.weights


def _by_linear_programme(game: HeadsUp) -> tuple[FloatArray, FloatArray]:
    """The small blind's push frequencies, and as their dual values the big blind's calls.

    The small blind maximises what is left when the big blind answers each class as it is best for
    that class: variables are the push frequencies and, for each class of the big blind, that value.
    Daphne Koller, Nimrod Megiddo and Bernhard von Stengel, Efficient computation of equilibria for
    extensive two-person games (1996). Rows are divided by the probability of the class.
    """
    held = game.weights.sum(axis=1)
    conditional = (game.weights / game.weights.sum(axis=0)).T  # [big blind's class, small blind's]
    cost = np.concatenate([held * game.folded[0], -held])
    values = np.eye(NUM_CLASSES)
    folds = np.hstack([-conditional * game.uncalled[0], values])
    calls = np.hstack([-conditional * game.called[0].T, values])
    optimum = minimise(
        cost,
        np.vstack([folds, calls]),
        np.zeros(2 * NUM_CLASSES),
        np.zeros((0, 2 * NUM_CLASSES)),
        np.zeros(0),
        [(0.0, 1.0)] * NUM_CLASSES + [(None, None)] * NUM_CLASSES,
    )
    if optimum.status != 0:
        raise EquilibristError(f"the linear programme was not solved: {optimum.message}")
    push = _cleaned(optimum.x[:NUM_CLASSES])
    answers = -optimum.ineqlin.marginals.reshape(2, NUM_CLASSES)
    return push, _cleaned(answers[1] / answers.sum(axis=0))


def _cleaned(frequencies: FloatArray, least: float = _TOLERANCE) -> FloatArray:
    """Frequencies without what is left near 0 and 1 by rounding, or by early iterations."""
    near: FloatArray = np.clip(frequencies, 0.0, 1.0)
    near[near < least] = 0.0
    near[near > 1 - least] = 1.0
    return near


def _by_cfr(game: HeadsUp) -> Equilibrium:
    """CFR+ with alternating updates and linear averaging (Tammelin 2014)."""
    regrets = np.zeros((2, 2, NUM_CLASSES))
    sums = np.zeros((2, NUM_CLASSES))
    call = np.full(NUM_CLASSES, 0.5)
    held = game.weights.sum(axis=1)
    best = None
    for iteration in range(1, _MOST_ITERATIONS + 1):
        push = _matched(regrets[0])
        of_push, _, _ = _values(game, push, call)
        _add(regrets[0], push, of_push - held * game.folded[0])
        push = _matched(regrets[0])
        _, of_call, facing = _values(game, push, call)
        _add(regrets[1], call, of_call - facing * game.uncalled[1])
        sums += iteration * np.array([push, call])
        call = _matched(regrets[1])
        if iteration % _CHECKED_EVERY == 0:
            average = _cleaned(sums * 2 / (iteration * (iteration + 1)), _NEGLIGIBLE)
            now = measured(game, average[0], average[1], iteration)
            if best is None or sum(now.gains) < sum(best.gains):
                best = now
            if sum(now.gains) <= _TARGET:
                break
    assert best is not None
    return best


def _matched(regrets: FloatArray) -> FloatArray:
    """The frequency of the second action by regret matching."""
    total = regrets.sum(axis=0)
    share: FloatArray = np.divide(
        regrets[1], total, out=np.full(NUM_CLASSES, 0.5), where=~(total <= 0)
    )
    return share


def _add(regrets: FloatArray, played: FloatArray, gain: FloatArray) -> None:
    """Add the regrets of fold and all-in where all-in gains so much over a fold."""
    regrets[0] = np.maximum(regrets[0] - played * gain, 0)
    regrets[1] = np.maximum(regrets[1] + (1 - played) * gain, 0)
