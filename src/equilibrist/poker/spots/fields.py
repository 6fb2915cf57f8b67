"""The keys of a spot; the command line reads them without loading `Spot`."""

from __future__ import annotations

from typing import Final, Literal

SEATS: Final = ("oop", "ip")
"""The names of player 0 and player 1."""
Storage = Literal["float32", "int16"]
"""How regrets and strategy sums are stored."""
SPOT_KEYS: Final = {
    "board": "3, 4 or 5 cards: the spot begins on the flop, the turn or the river",
    "oop": "range of the player out of position, who acts first",
    "ip": "range of the player in position",
    "pot": "chips in the middle",
    "stack": "chips that each player has behind; the smaller stack if they differ",
    "bets": "bets of both players: 60%, or by street 52%|55%|70%",
    "raises": "raises of both players: 2.5x, or by street",
    "oop_bets": "bets of the player out of position, in place of bets",
    "oop_raises": "raises of the player out of position, in place of raises",
    "ip_bets": "bets of the player in position, in place of bets",
    "ip_raises": "raises of the player in position, in place of raises",
    "donks": "donk bets, out of position after calling on the previous street: ||50%",
    "add_all_in": "add all-in where it is at most this share of the pot: 150%",
    "force_all_in": "make a bet all-in if a call leaves at most this share of the pot: 15%",
    "merge": "drop sizes that are this close to a larger one: 10%",
    "raise_cap": "maximum number of raises on a street",
    "min_bet": "smallest bet in chips",
    "rake": "share of the pot that the house takes: 5%",
    "rake_cap": "maximum rake in chips",
    "added_lines": "lines without cards whose actions are added to the sizes: X-B150",
    "removed_lines": "lines without cards whose last action is removed",
    "locks": "node locks: B120: AA,KK = Call 100%; frequency = Fold 25%",
}
"""A description of each key."""
NEEDED_KEYS: Final = {
    "board": "3 to 5 cards, such as QsJh2h",
    "oop": "the range of the player who acts first",
    "ip": "the range of the player who acts last",
    "pot": "the chips in the middle",
    "stack": "the chips that each player has behind",
}
"""The required keys, and what to give for them."""
