"""The spots that hold'em solvers are timed on, and the same with ranges changed by a hair."""

from __future__ import annotations

from typing import Any

import numpy as np

from equilibrist.poker import Spot
from equilibrist.poker.ranges.range import Range

_OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
_IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
_THRESHOLDS: dict[str, Any] = {"add_all_in": "150%", "force_all_in": "15%", "merge": "10%"}

TURN = Spot(
    board="Td9d6hQc", oop=_OOP, ip=_IP, pot=200, stack=900, bets="60%, e, a", raises="2.5x",
    donks="||50%", **_THRESHOLDS,
)  # fmt: skip
FLOP = Spot(
    board="Td9d6h", oop=_OOP, ip=_IP, pot=200, stack=900, bets="60%", raises="2.5x", **_THRESHOLDS
)
HEADLINE = Spot(
    board="QsJh2h",
    oop="88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,"
    "JTo:0.25,T8s+,T7s:0.45,97s+,96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,"
    "64s:0.5,63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,42s:0.45,32s:0.45",
    ip="AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,"
    "86s+,85s:0.5,75s+,74s:0.5,64s+,63s:0.5,54s,53s:0.5,43s",
    pot=180,
    stack=910,
    bets="52%|55%|70%",
    raises="45%",
)
SPOTS = {"turn": TURN, "flop": FLOP, "headline": HEADLINE}


def perturbed(spot: Spot, seed: int) -> Spot:
    """The spot with each hand class's weight less by up to 0.1 %: suits stay alike.

    Convergence is chaotic, so that figures are medians over several of these.
    """
    rng = np.random.default_rng(seed)
    oop, ip = (_slightly_less(held, rng) for held in (spot.oop, spot.ip))
    return spot.replace(oop=oop, ip=ip)


def _slightly_less(held: Range, rng: np.random.Generator) -> Range:
    from equilibrist.poker.cards.combos import CLASS_OF_COMBO, NUM_CLASSES

    factors = 1 - 1e-3 * rng.random(NUM_CLASSES)
    return Range.from_weights(held.weights * factors[CLASS_OF_COMBO])
