"""Hands of histories for reviews."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from equilibrist.play.histories.notation import import_notation, numbered
from equilibrist.play.histories.phh import read_phh
from equilibrist.play.review.review import table_hands
from equilibrist.play.review.table_hands import TableHand

TO_THE_RIVER = (
    "p2 cbr 10", "p1 cc", "d db 2dKs7h", "p1 cc", "p2 cbr 30", "p1 cc", "d db 3c", "p1 cc",
    "p2 cbr 60", "p1 cc", "d db 9s",
)  # fmt: skip
"""Two seats with blinds of 1 and 2 bring 200 chips to the river Ks7h2d3c9s."""
DEEP = {"blinds_or_straddles": [1, 2], "min_bet": 2, "starting_stacks": [500, 500]}


def history(*actions: str, **fields: Any) -> Any:
    """A hand of two seats with 10 big blinds of 100, unless `fields` say otherwise."""
    seats = len(fields.get("starting_stacks", (0, 0)))
    about: dict[str, Any] = {
        "variant": "NT",
        "antes": [0] * seats,
        "blinds_or_straddles": [50, 100] + [0] * (seats - 2),
        "min_bet": 100,
        "starting_stacks": [1000, 1000],
    }
    return import_notation().HandHistory(**(about | fields), actions=list(actions))


def text_of(histories: Sequence[Any]) -> str:
    """Hands as PHHS."""
    return "".join(numbered(number, each) for number, each in enumerate(histories, 1))


def hands_of(*histories: Any) -> list[TableHand]:
    """Hands as a review takes them; all of them must be readable."""
    hands, left_out = table_hands(read_phh(text_of(histories)))
    assert not left_out
    return hands


def on_river(*actions: str, oop: str = "AdAc", ip: str = "KdKc", **fields: Any) -> Any:
    """A hand that comes to the river of `TO_THE_RIVER`."""
    deal = (f"d dh p1 {oop}", f"d dh p2 {ip}")
    return history(*deal, *TO_THE_RIVER, *actions, **(DEEP | fields))
