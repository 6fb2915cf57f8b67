"""What surrounds a spot: how the opponent comes to its root, learnt beside the spot itself.

In formulas p is the seat that is re-solved, o the other one, h a hand of o's at the root, r own
reach, w_h the weight of p's hands that share no card with h. Values of o's hands are
counterfactual: sums over p's hands with r_p. As regrets of o and p inside the spot do not depend on
o's own reach of the root, any reach will do there, and it may change from pass to pass: the spot is
solved as if the choices of the gadget were a part of it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from equilibrist.search.methods import SearchMethod
from equilibrist.typing import BoolArray, FloatArray

_POSITIVE, _NEGATIVE, _FLOOR, _LOOKAHEAD, _PREDICTION, _DECAY, _WEIGHT = range(7)


class RootGadget:
    """The choices of o before a spot, and their regrets.

    o's reach of the root is what is forced on it, r_o, if the method optimises against that range,
    and what it chooses: to enter with each hand or to leave for its alternative, or, for margins,
    which hand to hold.

    Args:
        method: What is optimised; gifts are in the alternatives already.
        alternatives: float64[n]: what o may count on with each hand; -inf has it enter always,
            inf never.
        weight: float64[n]: w_h.
        reach: float64[n]: r_o.

    Attributes:
        method: The method.
        present: bool[n]: the hands that the method counts.
    """

    def __init__(
        self,
        method: SearchMethod,
        alternatives: FloatArray,
        weight: FloatArray,
        reach: FloatArray,
    ) -> None:
        """Surround a spot; the class describes the arguments."""
        self.method = method
        self._weight = weight
        self._forced = reach if method.goal == "range" else np.zeros(len(weight))
        self.is_fixed: Final = method.goal == "range" and not method.capped
        """Whether o has no choice."""
        self.present: BoolArray = (weight > 0.0) & (alternatives < np.inf)
        if self.is_fixed:
            self.present = (weight > 0.0) & (reach > 0.0)
        self._by_hand = method.goal == "margin"
        self._always = alternatives == -np.inf
        self._alternatives = np.where(np.isfinite(alternatives), alternatives, 0.0)
        self._unit = weight if method.scale == "normalised" else np.ones(len(weight))
        self._unit = np.where(self.present, self._unit, 1.0)
        self._mass = method.mass if method.capped else 1.0
        self._regret = np.zeros((int(self.present.sum()), 1) if self._by_hand else (2, len(weight)))
        self._total = np.zeros_like(self._regret)
        self._played = self._matched(self._regret)

    def reach(self, *, average: bool = False) -> FloatArray:
        """How o comes to the root with each hand.

        Args:
            average: On average over the iterations, instead of in the next one.

        Returns:
            float64[n].
        """
        return self._forced + self._chosen(average=average)

    def update(self, values: FloatArray, coefficients: FloatArray) -> None:
        """Learn from one iteration.

        Args:
            values: float64[n]: what each hand was worth in the spot.
            coefficients: float64[7], those of the iteration.
        """
        if self.is_fixed:
            return
        if self._by_hand:
            earned = self._lead(values)[self.present][:, None]
        else:
            earned = np.stack([values, self._alternatives])
        instant = earned - (self._played * earned).sum(axis=0)
        c, regret = coefficients, self._regret
        discounted = np.where(regret > 0.0, c[_POSITIVE], c[_NEGATIVE]) * regret
        self._regret = np.maximum(discounted + instant, c[_FLOOR])
        self._total = c[_DECAY] * self._total + c[_WEIGHT] * self._played
        self._played = self._matched(c[_LOOKAHEAD] * self._regret + c[_PREDICTION] * instant)

    def objective(self, best: FloatArray) -> float:
        """What the method optimises, for a play of p's.

        Args:
            best: float64[n]: u_h, what o's best response is worth with each hand.

        Returns:
            The sum of r_o u_h, the sum of what is larger of u_h and the alternative, or the margin.
        """
        if self.method.goal == "range":
            return float((self._forced * best)[self.present].sum())
        if self._by_hand:
            return self.margin(best)
        return self._excess(best)

    def margin(self, best: FloatArray) -> float:
        """The least that o's best response stays below the alternatives, in the method's scale.

        Args:
            best: float64[n]: u_h.

        Returns:
            The margin; inf where no alternative is finite, NaN where o has no choice.
        """
        if self.is_fixed:
            return np.nan
        counted = self.present & ~self._always
        return float(-self._lead(best)[counted].max(initial=-np.inf))

    def gap(self, best: FloatArray, answered: float, pot: float) -> float:
        """How much better best responses are than the average play, of both sides together.

        Args:
            best: float64[n]: u_h, against p's average play.
            answered: What p's best response to o's average play wins, with o's average reach.
            pot: What both players' payoffs add up to.

        Returns:
            What separates the bounds of the method's optimum, in its units: in counterfactual
            chips, for margins in chips.
        """
        chosen = self._chosen(average=True)
        entering = self._forced + chosen
        earned = pot * float((entering * self._weight).sum()) - answered
        forced = float((self._forced * best)[self.present].sum())
        if self._by_hand:
            paid = float((chosen * self._alternatives).sum())
            return -self.margin(best) - (earned - paid)
        if self.is_fixed:
            return forced - earned
        leaving = np.where(self.present, self._mass - chosen, 0.0)
        left = float((leaving * self._alternatives).sum())
        return forced + self._mass * self._excess(best) - (earned + left)

    def _lead(self, values: FloatArray) -> FloatArray:
        """float64[n]: what values exceed the alternatives by, in the method's scale."""
        return (values - self._alternatives) / self._unit

    def _excess(self, best: FloatArray) -> float:
        either = np.where(self._always, best, np.maximum(best, self._alternatives))
        return float(either[self.present].sum())

    def _matched(self, regret: FloatArray) -> FloatArray:
        """float64[A, K]: probabilities in proportion to positive regrets."""
        positive = np.maximum(regret, 0.0)
        total = positive.sum(axis=0)
        uniform = 1.0 / max(len(regret), 1)
        shares = np.where(total > 0.0, positive / np.where(total > 0.0, total, 1.0), uniform)
        if not self._by_hand:
            shares[:, self._always] = [[1.0], [0.0]]
        return shares

    def _chosen(self, *, average: bool) -> FloatArray:
        """float64[n]: how o comes by its own choice."""
        if self.is_fixed:
            return np.zeros(len(self._weight))
        shares = self._played
        if average:
            total = self._total.sum(axis=0)
            shares = np.where(total > 0.0, self._total / np.where(total > 0.0, total, 1.0), shares)
        chosen = np.zeros(len(self._weight))
        if self._by_hand:
            chosen[self.present] = shares[:, 0]
            return chosen / self._unit
        chosen[self.present] = shares[0, self.present]
        return self._mass * chosen
