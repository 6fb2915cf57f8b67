"""What else stands in the texts of poker sites: odd names, chat, comings and goings."""

from __future__ import annotations

from random import Random

from tests.play.histories.site_texts import Played, stars

ODD_NAMES = [
    "calls",
    "folds",
    "raises $5",
    "a",
    "a: bets $5",
    "a: b",
    "Seat 4",
    "Dealt to",
    "said",
    'x said, "y',
    "Mr. (BB)",
    "x (button)",
    "[Ah Kd]",
    "x [Ah]",
    "x [Ah Kd]",
    "Покер 7",
    "漢字 仮名",
    "spade♠😀",
    "collected $5",
    "won ($5)",
    "mucked [2c]",
    "showed [2c 3d]",
    "small blind",
    "($9 in chips)",
    "*** FLOP ***",
    "Hand #1",
    "'quoted'",
    "run it twice",
    "İ e\u0301",
    "no\u00a0break",
    "sep\u2028arate",
    "Uncalled bet",
    "100%",
    "1,000.50",
    "Total pot $5",
    "Board",
    "returned to a",
    "a from pot",
    "is all-in",
    "posts",
    "and is all-in",
    "out of hand",
    "a: folds",
    "$tack €",
    "''' \"",
    "Table 7",
    "Table 'T'",
    "end\u00a0",
    "\u200fleft",
    "a:",
    "Button",
    "Poker Hand",
    "Hand was run",
    "\\d+ (.*",
]
_SAID = [
    "run it twice?",
    "nh [Ah Kd]",
    "*** FLOP *** [Ah Kh 2c]",
    "*** SUMMARY ***",
    "Uncalled bet ($5) returned to me",
    "x collected $5 from pot",
    "Total pot $5 | Rake $1",
    "PokerStars Hand #5: what a cooler",
    "all-in?",
    "«gg» ツ \x85 \u2028 end",
]
_OF_PLAYERS = [
    "has timed out",
    "has timed out while disconnected",
    "is disconnected",
    "is connected",
    "has returned",
    "is sitting out",
]
_OF_OTHERS = [
    "joins the table at seat #10",
    "leaves the table",
    "will be allowed to play after the button",
    "was removed from the table for failing to post",
    "re-buys and receives 1500 chips for $5.00",
    "has requested TIME",
]
_AT_THE_END = [
    "finished the tournament in 4th place and received $15.00.",
    "wins the tournament and receives $25.00 - congratulations!",
    "wins the $2.50 bounty for eliminating {other}",
    "wins $1.25 for eliminating {other} and their own bounty increases by $1.25 to $6.25",
]


def renamed(played: Played, random: Random) -> Played:
    """The hand with other names."""
    played.names[:] = random.sample(ODD_NAMES, len(played.names))
    return played


def noisy(played: Played, random: Random, *, gg: bool = False) -> str:
    """The hand as the site prints it, among lines that are no part of it."""
    lines = stars(played, gg=gg).split("\n")
    free = next(seat for seat in range(1, 11) if seat not in played.seats)
    end = lines.index("*** SUMMARY ***")
    cards = lines.index("*** HOLE CARDS ***")
    first = next(k for k, line in enumerate(lines) if k > 1 and not line.startswith("Seat "))
    out = [*lines[:first]]
    if random.random() < 0.5:
        kind = random.choice(
            ["is sitting out", "out of hand (moved from another table into small blind)"]
        )
        out.append(f"Seat {free}: sitter ($20 in chips) {kind}")
    for place, line in enumerate(lines[first:end], first):
        is_block = line.startswith("*** SHOW") or place <= cards
        if random.random() < 0.4 and not is_block:
            out.append(_remark(played, random))
        out.append(line)
        if place == cards - 1:
            out.append("sitter: sits out ")
    if played.is_tournament:
        name, other = random.sample(played.names, 2)
        out.append(f"{name} {random.choice(_AT_THE_END).format(other=other)}")
    return "\n".join([*out, *lines[end:]]) + "\n\n\n"


def _remark(played: Played, random: Random) -> str:
    name = random.choice(played.names)
    match random.randrange(4):
        case 0:
            return f'{name} said, "{random.choice(_SAID)}"'
        case 1:
            return f'railbird [observer] said, "{name}: {random.choice(["folds", "calls $5"])}"'
        case 2:
            return f"{name} {random.choice(_OF_PLAYERS)}"
        case _:
            return f"newcomer {random.choice(_OF_OTHERS)}"
