"""Small games from papers on correlated equilibrium."""

from __future__ import annotations

from typing import Any

from tests.small_games import Written

_PAYOFFS_1 = ((2, 2), (3, 1), (2, 2), (0, 2), (0, 0), (3, 0), (0, 0), (3, 0))
_PAYOFFS_2 = ((2, 2), (0, 2), (2, 2), (2, 2), (0, 0), (0, 0), (0, 0), (3, 0))


def _greenwald_sarfati(payoffs: tuple[tuple[float, ...], ...], name: str) -> Written:
    """Player 0 goes left or right, player 1 answers unseen, player 0 moves again."""
    at = iter([tuple(map(float, pair)) for pair in payoffs])
    tree: dict[str, Any] = {}
    for side, key in (("L", "left"), ("R", "right")):
        answers = {a: (0, key, {b: next(at) for b in ("l", "r")}) for a in ("A", "B")}
        tree[side] = (1, "P2", answers)
    return Written((0, "root", tree), 2, name)


GREENWALD_SARFATI = (
    _greenwald_sarfati(_PAYOFFS_1, "greenwald_sarfati_1"),
    _greenwald_sarfati(_PAYOFFS_2, "greenwald_sarfati_2"),
)


def _extended_shapley() -> Written:
    """Shapley's game, where player 0 then bets on whether player 1 plays rock, for a trifle.

    Morrill et al., Hindsight and sequential rationality of correlated play, AAAI 2021.
    """
    wins = {("R", "s"), ("P", "r"), ("S", "p")}
    loses = {("R", "p"), ("P", "s"), ("S", "r")}
    bonus = {"PR": {"r": 0.003}, "PNR": {"p": 0.001, "s": 0.001}}
    tree: dict[str, Any] = {}
    for own in ("R", "P", "S"):
        says: dict[str, Any] = {}
        for said, extra in bonus.items():
            ends = {}
            for theirs in ("r", "p", "s"):
                win = 1.0 if (own, theirs) in wins else 0.0
                lose = 1.0 if (own, theirs) in loses else 0.0
                ends[theirs] = (win + extra.get(theirs, 0.0), lose)
            says[said] = (1, "P2", ends)
        tree[own] = (0, f"P1 {own}", says)
    return Written((0, "root", tree), 2, "extended_shapley")


EXTENDED_SHAPLEY = _extended_shapley()
