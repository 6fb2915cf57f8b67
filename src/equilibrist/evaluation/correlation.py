"""What measuring a mixture of profiles finds: its gap from correlated equilibrium."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Trigger:
    """Where one player best begins to deviate, and what that alone gains.

    Attributes:
        player: The player.
        infoset: The infoset; None for a decision before play begins (nfcce).
        action: The recommendation that is disobeyed (efce), else None.
        gain: The expected gain, in payoff units, over the whole of play; negative where even the
            best deviation loses.
    """

    player: int
    infoset: str | None
    action: str | None
    gain: float

    @property
    def words(self) -> str:
        """Who deviates where: `player 0 at '2pb', told to bet`."""
        if self.infoset is None:
            return f"player {self.player} before play"
        recommendation = "" if self.action is None else f", told {self.action!r}"
        return f"player {self.player} at {self.infoset!r}{recommendation}"


@dataclass(frozen=True)
class Gap:
    """How far a mixture of profiles is from an equilibrium of one concept.

    Attributes:
        concept: `efce`, `efcce` or `nfcce`.
        players: What each player gains by the best combination of deviations, in payoff units. For
            nfcce it may be negative: then even the best deviation loses.
        total: Their sum; an equilibrium has at most 0.
        largest: The single trigger with the largest gain; None where nobody ever has a choice.
        values: What each player gets if all follow the recommendations.
    """

    concept: str
    players: tuple[float, ...]
    total: float
    largest: Trigger | None
    values: tuple[float, ...]
