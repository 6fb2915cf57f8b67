"""Grades of choices: from the EV loss, as a share of the pot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from equilibrist.parsing.arguments import instance
from equilibrist.play.coach import Advice
from equilibrist.play.score import Score, Tally
from equilibrist.play.words import Facts
from equilibrist.strategy import Strategy
from equilibrist.tree.payoff_scale import PayoffScale


class Grade(StrEnum):
    """How good a choice was, the best first."""

    BEST = "best"
    CORRECT = "correct"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


MOST_LOSS: Final = {
    Grade.BEST: 0.0005,
    Grade.CORRECT: 0.005,
    Grade.INACCURACY: 0.035,
    Grade.MISTAKE: 0.1,
    Grade.BLUNDER: math.inf,
}
"""The greatest EV loss of each grade, as a share of the stake; that of `BEST` is rounding."""
_SELDOM: Final = 0.02
"""What is played less often is not played: ranges are rounded."""
PLAYED: Final = 0.1
"""What the solution plays as often as this is correct, unless it costs more than an inaccuracy."""


@dataclass(frozen=True)
class Stake:
    """What EV losses are held against.

    Attributes:
        amount: In payoff units.
        name: `pot`; in games that do not say what the pot is `payoff range`, or, where some payoffs
            are far from those that play meets, `scale of payoffs in play`.
    """

    amount: float
    name: str = "pot"

    @classmethod
    def in_play(cls, strategy: Strategy) -> Stake | None:
        """Choose what EV losses are held against where nothing says what the pot is.

        Args:
            strategy: The solution.

        Returns:
            The scale of the payoffs that it meets; None if all payoffs are equal.
        """
        scale = PayoffScale(strategy.tree)
        met = scale.at(strategy.probabilities)
        if not met:
            return None
        return cls(met, "payoff range" if met == scale.span else "scale of payoffs in play")

    @classmethod
    def of(cls, facts: Facts, usual: Stake | None = None, chips: float = 1.0) -> Stake | None:
        """The stake at an infoset.

        Args:
            facts: The infoset in words; a fact `pot` is the pot, bets on the table included.
            usual: What is taken where there is none, as `in_play` gives it.
            chips: What a payoff of 1 is in the chips of the pot; of prizes, what a percent of the
                prize pool is worth in chips.

        Returns:
            The stake; None where neither is known.
        """
        for name, text in facts:
            if name == "pot":
                try:
                    amount = float(text.replace(",", ""))
                except ValueError:
                    continue
                if 0.0 < amount < math.inf:
                    return cls(amount / chips)
        return usual


@dataclass(frozen=True)
class Judgement:
    """What a choice is graded.

    Attributes:
        grade: The grade.
        ev_loss: The EV loss in payoff units.
        stake: What it is held against.
    """

    grade: Grade
    ev_loss: float
    stake: Stake

    @property
    def share(self) -> float:
        """The EV loss as a share of the stake."""
        return self.ev_loss / self.stake.amount


def judge(advice: Advice, stake: Stake | None, error: float = 0.0) -> Judgement | None:
    """Grade a choice.

    The grade is the first whose `MOST_LOSS` the EV loss does not pass. Correct at least is a loss
    that is within the error of the solution, and an inaccuracy that the solution plays with a
    probability of `PLAYED`: a solution mixes actions of equal EV, but for its error.

    Args:
        advice: What the coach says.
        stake: What the loss is held against.
        error: The exploitability of the coach's strategy, in payoff units.

    Returns:
        The grade; None where the coach has no EVs, or the stake is unknown.
    """
    instance("advice", advice, Advice, "what a coach says, an Advice")
    if stake is not None:
        instance("stake", stake, Stake, "a Stake, or None")
    loss = advice.ev_loss
    if loss is None or stake is None:
        return None
    share = loss / stake.amount
    grade = next(grade for grade, most in MOST_LOSS.items() if share <= most)
    played = bool(advice.mixture) and advice.mixture[advice.chosen] >= PLAYED
    forgiven = loss <= error or (grade is Grade.INACCURACY and played)
    if forgiven and grade is not Grade.BEST:
        grade = Grade.CORRECT
    return Judgement(grade, loss, stake)


def uncertainty(advice: Advice) -> float:
    """The EV loss below which the best action and the chosen one are not told apart.

    Args:
        advice: What the coach says.

    Returns:
        Half of the 95 % interval of the loss, as of estimates that do not depend on each other; 0
        where the EVs are exact.
    """
    if advice.errors is None or advice.best is None:
        return 0.0
    return math.hypot(advice.errors[advice.best], advice.errors[advice.chosen])


def grade_by_mixture(advice: Advice) -> Grade | None:
    """Grade a choice by how often the solution makes it, where its EVs are not known.

    Best is what is played most often, correct what is played with a probability of `PLAYED`, an
    inaccuracy what is played at all.

    Args:
        advice: What the coach says.

    Returns:
        The grade; None where the coach says nothing of the hand.
    """
    if not advice.mixture:
        return None
    share = advice.mixture[advice.chosen]
    if share >= max(advice.mixture):
        return Grade.BEST
    if share >= PLAYED:
        return Grade.CORRECT
    return Grade.INACCURACY if share >= _SELDOM else Grade.MISTAKE


@dataclass
class Grades:
    """The grades of many choices, and what they cost.

    Attributes:
        counts: How many choices had each grade.
    """

    counts: dict[Grade, int] = field(default_factory=lambda: dict.fromkeys(Grade, 0))
    _losses: Tally = field(default_factory=lambda: Tally(2))

    def add(self, judgement: Judgement) -> None:
        """Count a choice.

        Args:
            judgement: Its grade.
        """
        self.counts[judgement.grade] += 1
        self._losses.add((judgement.ev_loss, judgement.share))

    @property
    def choices(self) -> int:
        """How many were counted."""
        return sum(self.counts.values())

    @property
    def right(self) -> float | None:
        """The share of choices that were best or correct; None before the first."""
        good = self.counts[Grade.BEST] + self.counts[Grade.CORRECT]
        return good / self.choices if self.choices else None

    @property
    def losses(self) -> Score:
        """EV losses: place 0 in payoff units, place 1 as shares of the stake."""
        return self._losses.score


def worst(judgements: Sequence[Judgement], most: int) -> list[int]:
    """The places of the choices that cost most of their stake.

    Args:
        judgements: The choices.
        most: How many at most.

    Returns:
        The places of those that are not best, the worst first.
    """
    bad = [k for k, judgement in enumerate(judgements) if judgement.grade is not Grade.BEST]
    return sorted(bad, key=lambda k: (-judgements[k].share, k))[:most]
