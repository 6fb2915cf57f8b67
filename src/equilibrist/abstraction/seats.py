"""Texts with one part for each seat: `0:cards(JQ.K);1:none`."""

from __future__ import annotations

import re

from equilibrist.parsing.arguments import bad_argument

_SEAT = re.compile(r"\s*(?P<seat>\d+)\s*:\s*(?P<rest>.*)", re.DOTALL)


def part_of_each_seat(
    text: str, num_players: int, *, option: str, example: str, nothing: str
) -> tuple[str, ...]:
    """The part for each player: the whole text, where it names no seats.

    A seat that is left out has `nothing`. Raises ConfigError for `option` where a seat is missing
    before a part (`example` shows one), is named twice, or is none of the game's.
    """
    parts = text.split(";")
    seats = [_SEAT.fullmatch(part) for part in parts]
    if len(parts) == 1 and seats[0] is None:
        return (text,) * num_players
    found: dict[int, str] = {}
    for part, seat in zip(parts, seats, strict=True):
        if seat is None:
            raise bad_argument(option, part, f"a seat before each source: {example}")
        number = int(seat["seat"]) if len(seat["seat"]) < 10 else num_players
        if number >= num_players or number in found:
            seats_text = f"0 to {num_players - 1}"
            raise bad_argument(
                option, part, f"each seat at most once; the game has seats {seats_text}"
            )
        found[number] = seat["rest"]
    return tuple(found.get(player, nothing) for player in range(num_players))
