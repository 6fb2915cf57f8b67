"""Who sits where: names and seats of a hand for formats that need them all, each once."""

from __future__ import annotations

from equilibrist.play.histories.played import PlayedHand


def distinct_names(hand: PlayedHand) -> list[str]:
    """The names of the players; of equal ones all but the first get a number."""
    names: list[str] = []
    for name in hand.players:
        distinct, count = name, 1
        while distinct in names:
            count += 1
            distinct = f"{name} ({count})"
        names.append(distinct)
    return names


def seats_of(hand: PlayedHand) -> list[int]:
    """The places at the table, in the order of the players, of whom the last has the button.

    Those of the history, if they go around the table in that order; else 1, 2 and so on.
    """
    count = len(hand.history.starting_stacks)
    seats = list(hand.history.seats or ())
    if len(seats) == count and len(set(seats)) == count and all(isinstance(s, int) for s in seats):
        falls = sum(after < before for before, after in zip(seats, seats[1:], strict=False))
        if falls <= 1 and (not falls or seats[-1] < seats[0]) and min(seats) > 0:
            return seats
    return list(range(1, count + 1))
