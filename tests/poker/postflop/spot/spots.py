"""Spots that several tests use."""

from __future__ import annotations

from typing import Any

from equilibrist.poker.postflop.spot.spot import Spot

TURN: dict[str, Any] = {
    "board": "Td9d6hQc",
    "oop": "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "ip": "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
    "pot": 200,
    "stack": 900,
    "bets": "60%, e, a",
    "raises": "2.5x",
    "add_all_in": 1.5,
    "force_all_in": 0.15,
    "merge": 0.1,
}
"""The turn spot of the speed measurements, as keys."""
FLOP = TURN | {"board": "Td9d6h", "bets": "60%"}
"""The flop spot."""
SMALL: dict[str, Any] = {
    "board": "AsKsQs",
    "oop": "TT,98s",
    "ip": "JJ",
    "pot": 60,
    "stack": 100,
}
"""A flop without bets."""
RIVER = Spot(
    board="Td9d6hQc2s",
    oop="QJs,T8s:0.5,99,A5s",
    ip="KTs:0.25,JTs,98s,66,A2s",
    pot=100,
    stack=300,
    bets="50%, a",
    raises="60%",
)
"""A river small enough for games of hand against hand."""
