"""`equilibrist preflop count`: the size of a hand as a game."""

from __future__ import annotations

from typing import Any, Final

from equilibrist.cli.commands.holdem.hand_input import HandFile, hand_of
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.text.output import show, show_facts, show_json, show_table
from equilibrist.poker.hands.fields import HAND_OPTIONS

_LONGEST: Final = 10**15
"""Counts below this stand in the table with all digits."""
HELP: Final = """Count the decisions, information sets and states of a hand, without building it.

A sequence is a decision with the cards left open. Information sets are sequences times what a
player may hold with the board; with classes, hands that differ by the names of suits alone count
once, which loses nothing. Without --bets and --raises, or with `--bets all`, every amount is
offered: two players with 20,000 chips and blinds of 50/100 take a second. All numbers are exact;
the table has six digits of long ones, --json and the lines below it all.

\\b
Examples:
  equilibrist preflop count --stack 20000 --blinds 50/100
  equilibrist preflop count --stack 24 --limit limit
  equilibrist preflop count "royal(bets=all)" --json
"""


@takes(HAND_OPTIONS, "hand")
def count_hand(file: HandFile = None, *, hand: dict[str, Any], json: options.Json = False) -> None:
    """Count, print."""
    from equilibrist.poker.preflop import game_size

    count = game_size.count_hand(hand_of(file, hand))
    if json:
        show_json(count.to_dict())
        return
    columns = ("street", "sequences", "actions", "hands", "classes", "deals")
    rows = [
        [name, *("" if number is None else _short(number) for number in numbers)]
        for name, *numbers in count.streets
    ]
    show_table(columns, rows)
    show()
    facts = [("infosets", count.infosets), ("infoset-actions", count.infoset_actions)]
    if count.class_infosets is not None and count.class_infoset_actions is not None:
        facts += [
            ("of classes: infosets", count.class_infosets),
            ("infoset-actions", count.class_infoset_actions),
        ]
    facts.append(("states", count.states))
    show_facts([(name, f"{number:,}") for name, number in facts], "")


def _short(number: int) -> str:
    """All digits of short numbers, six of long ones."""
    if number < _LONGEST:
        return f"{number:,}"
    digits = str(number)
    rounded = round(number, 6 - len(digits))
    return f"{str(rounded)[0]}.{str(rounded)[1:6]}e{len(str(rounded)) - 1}"
