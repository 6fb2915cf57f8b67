"""The keys of a hand as a model of Pydantic: what each is read from, and what it becomes."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field, field_validator, model_validator

from equilibrist.parsing.arguments import check_bool, whole_number
from equilibrist.poker.betting.chips import ChipScale
from equilibrist.poker.cards.decks import read_deck
from equilibrist.poker.hands.fields import ANTE_KINDS, HAND_KEYS
from equilibrist.poker.hands.reading import (
    check_hand_keys,
    read_amount_or_zero,
    read_amounts,
    read_board_cards,
    read_cap,
    read_choice,
    read_text,
)
from equilibrist.poker.hands.rules import LIMIT_KINDS, MOST_SEATS, STREET_NAMES
from equilibrist.poker.postflop.spot.keyed import Keyed


class HandKeys(Keyed):
    """The keys of `Hand`, each read for itself; whether they fit together, `Hand` checks."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seats: int = Field(default=2, description=HAND_KEYS["seats"])
    stack: int | float | None = Field(default=None, description=HAND_KEYS["stack"])
    stacks: tuple[int | float, ...] | None = Field(default=None, description=HAND_KEYS["stacks"])
    blinds: tuple[int | float, ...] | None = Field(default=None, description=HAND_KEYS["blinds"])
    button_blind: int | float = Field(default=0, description=HAND_KEYS["button_blind"])
    ante: int | float = Field(default=0, description=HAND_KEYS["ante"])
    ante_kind: str = Field(default="each", description=HAND_KEYS["ante_kind"])
    straddle: tuple[int | float, ...] = Field(default=(), description=HAND_KEYS["straddle"])
    limit: str = Field(default="no-limit", description=HAND_KEYS["limit"])
    fixed_bets: tuple[int | float, ...] | None = Field(
        default=None, description=HAND_KEYS["fixed_bets"]
    )
    bets: str = Field(default="", description=HAND_KEYS["bets"])
    raises: str = Field(default="", description=HAND_KEYS["raises"])
    raise_cap: int | tuple[int | None, ...] | None = Field(
        default=None, description=HAND_KEYS["raise_cap"]
    )
    last_street: str | None = Field(default=None, description=HAND_KEYS["last_street"])
    short_all_in_reopens: bool = Field(default=False, description=HAND_KEYS["short_all_in_reopens"])
    first_short_all_in_reopens: bool = Field(
        default=True, description=HAND_KEYS["first_short_all_in_reopens"]
    )
    unit: int | float | None = Field(default=None, description=HAND_KEYS["unit"])
    deck: str = Field(default="2", description=HAND_KEYS["deck"])
    suits: int = Field(default=4, description=HAND_KEYS["suits"])
    hole_cards: int = Field(default=2, description=HAND_KEYS["hole_cards"])
    board: tuple[int, ...] = Field(default=(3, 1, 1), description=HAND_KEYS["board"])

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, keys: Any) -> Any:
        return check_hand_keys(keys)

    @field_validator("seats", mode="before")
    @classmethod
    def _seats(cls, value: object) -> int:
        return whole_number("seats", value, 2, MOST_SEATS)

    @field_validator("suits", "hole_cards", mode="before")
    @classmethod
    def _small_number(cls, value: object, info: Any) -> int:
        return whole_number(info.field_name, value, 1, 4 if info.field_name == "suits" else 2)

    @field_validator("stack", "ante", "button_blind", mode="before")
    @classmethod
    def _amount(cls, value: object, info: Any) -> float | None:
        return None if value is None else read_amount_or_zero(info.field_name, value)

    @field_validator("blinds", "fixed_bets", mode="before")
    @classmethod
    def _pair(cls, value: object, info: Any) -> tuple[float, ...] | None:
        return None if value is None else read_amounts(info.field_name, value, 2, "50/100")

    @field_validator("stacks", "straddle", mode="before")
    @classmethod
    def _list(cls, value: object, info: Any) -> tuple[float, ...] | None:
        if value is None or value in ((), [], ""):
            return () if info.field_name == "straddle" else None
        return read_amounts(info.field_name, value, None, "200/400")

    @field_validator("limit", "ante_kind", "last_street", mode="before")
    @classmethod
    def _choice(cls, value: object, info: Any) -> str | None:
        if value is None and info.field_name == "last_street":
            return None
        choices = {"limit": LIMIT_KINDS, "ante_kind": ANTE_KINDS, "last_street": STREET_NAMES}
        return read_choice(info.field_name, value, choices[info.field_name])

    @field_validator("bets", "raises", mode="before")
    @classmethod
    def _sizes(cls, value: object, info: Any) -> str:
        return read_text(info.field_name, value, "50%, a")

    @field_validator("raise_cap", mode="before")
    @classmethod
    def _cap(cls, value: object) -> int | tuple[int | None, ...] | None:
        return read_cap(value)

    @field_validator("short_all_in_reopens", "first_short_all_in_reopens", mode="before")
    @classmethod
    def _switch(cls, value: object, info: Any) -> bool:
        return check_bool(info.field_name, value)

    @field_validator("unit", mode="before")
    @classmethod
    def _unit(cls, value: object) -> float | None:
        return None if value is None else ChipScale.of(value).unit

    @field_validator("deck", mode="before")
    @classmethod
    def _deck(cls, value: object) -> str:
        return read_deck(value).name

    @field_validator("board", mode="before")
    @classmethod
    def _board(cls, value: object) -> tuple[int, ...]:
        return read_board_cards(value)
