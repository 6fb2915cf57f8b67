"""Why hands of files are left out: a code each, what it names, and the sentence in English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from equilibrist.formatting.escaping import shorten

LeftOutCode = Literal["unreadable", "other-game", "unfinished", "impossible", "no-stacks", "end"]
HandFaultCode = Literal[
    "action-not-allowed",
    "acts-without-seat",
    "all-in-left",
    "amount-missing",
    "amount-too-large",
    "amount-unknown",
    "board-too-long",
    "button-missing",
    "call-amount",
    "cap",
    "card-not-in-deck",
    "card-twice",
    "cards-missing",
    "cards-of-hand",
    "cards-of-street",
    "cards-shown",
    "cards-unknown",
    "check-to-call",
    "chips-missing",
    "chips-unknown",
    "collected-more",
    "date-unknown",
    "end-not-reviewed",
    "field-missing",
    "fields-missing",
    "fields-wrong",
    "first-line-missing",
    "game-missing",
    "game-not-read",
    "hand-wrong",
    "has-not-acted",
    "hole-card-count",
    "hole-cards-count",
    "json",
    "key-missing",
    "list-expected",
    "no-action-of-holdem",
    "no-blinds",
    "no-hand-game",
    "no-move-of-holdem",
    "no-phh",
    "no-seats",
    "no-spot-action",
    "no-table",
    "nobody-to-act",
    "not-allowed",
    "not-allowed-here",
    "not-allowed-why",
    "not-in-turn",
    "not-over",
    "not-reviewed-game",
    "not-written",
    "not-written-ohh",
    "number-expected",
    "one-player",
    "other",
    "other-site",
    "phh-blinds",
    "phh-cards",
    "phh-limit",
    "phh-pot-limit",
    "phh-reopened",
    "phh-short-deck",
    "phh-three",
    "place-unknown",
    "player-unknown",
    "post-amount",
    "pot-amounts",
    "raise-without-total",
    "rounds",
    "same-seat",
    "seat-missing",
    "stacks-endless",
    "stacks-not-allowed",
    "stacks-unknown",
    "summary-missing",
    "text-expected",
    "time-unknown",
    "time-wrong",
    "toml",
    "two-seats",
    "unfinished",
    "value-kind",
    "variant-unknown",
    "version",
    "winner-missing",
    "winners-missing",
    "winnings",
    "would-end",
]


class HandFault(NamedTuple):
    """A fault of a hand.

    Attributes:
        kind: What kind of fault it is, as `LeftOut.code` has it.
        text: The sentence, with places for what it names. Pages have a text of their own.
    """

    kind: LeftOutCode
    text: str


HAND_FAULTS: Final[Mapping[HandFaultCode, HandFault]] = {
    "action-not-allowed": HandFault(
        "impossible",
        "PokerKit does not allow the action {action!r} where it stands",
    ),
    "acts-without-seat": HandFault("impossible", "{player!r} acts, and has no seat"),
    "all-in-left": HandFault("impossible", "{player!r} is said to be all-in, and has {left} left"),
    "amount-missing": HandFault("unreadable", "{player!r} {verb} without an amount"),
    "amount-too-large": HandFault("unreadable", "{text!r} is more than hands are played for"),
    "amount-unknown": HandFault("unreadable", "{text!r} is no amount"),
    "board-too-long": HandFault("other-game", "it deals more than five public cards"),
    "button-missing": HandFault("unreadable", "it does not say who has the button"),
    "call-amount": HandFault("impossible", "{player!r} calls {amount}, and is to call {due}"),
    "cap": HandFault("other-game", "PHH has no games with a cap on what a player can lose"),
    "card-not-in-deck": HandFault("impossible", "the card {card} is not in a short deck"),
    "card-twice": HandFault("impossible", "the card {card} comes twice"),
    "cards-missing": HandFault("unreadable", "the {street} has no cards"),
    "cards-of-hand": HandFault("unreadable", "{player!r} has the cards {cards!r}"),
    "cards-of-street": HandFault("unreadable", "the {street} has the cards {cards!r}"),
    "cards-shown": HandFault("unreadable", "{player!r} shows the cards {cards!r}"),
    "cards-unknown": HandFault("unreadable", "{text!r} are no cards"),
    "check-to-call": HandFault("impossible", "{player!r} checks, and is to call {due}"),
    "chips-missing": HandFault("impossible", "{player!r} has no chips"),
    "chips-unknown": HandFault("unreadable", "{value} is no amount of chips"),
    "collected-more": HandFault("impossible", "more is collected than was paid into its pots"),
    "date-unknown": HandFault("unreadable", "{text!r} is no date"),
    "end-not-reviewed": HandFault("end", "its end: {detail}"),
    "field-missing": HandFault("unreadable", "{field} is missing"),
    "fields-missing": HandFault("unreadable", "{fields} are missing"),
    "fields-wrong": HandFault("unreadable", "its fields are no hand: {detail}"),
    "first-line-missing": HandFault(
        "unreadable",
        "its first line, with the game and the blinds, is missing",
    ),
    "game-missing": HandFault("unreadable", "its first line names no game"),
    "game-not-read": HandFault("other-game", "PHH, or its reader here, has no {game}"),
    "hand-wrong": HandFault("unreadable", "it is no hand: {detail}"),
    "has-not-acted": HandFault("impossible", "{player!r} has not acted"),
    "hole-card-count": HandFault(
        "impossible",
        "{player} has 1 hole card ({cards}); hands of {variant} have {count}",
    ),
    "hole-cards-count": HandFault(
        "impossible",
        "{player} has {held} hole cards ({cards}); hands of {variant} have {count}",
    ),
    "json": HandFault("unreadable", "it is no JSON: {detail}"),
    "key-missing": HandFault(
        "unreadable",
        "it is no hand of this format: the key {key!r} is missing",
    ),
    "list-expected": HandFault("unreadable", "{field} is {value}; expected a list"),
    "no-action-of-holdem": HandFault("other-game", "the action {action!r} is none of hold'em"),
    "no-blinds": HandFault("unreadable", "nobody posts a blind or an ante"),
    "no-hand-game": HandFault("other-game", "PHH is for hold'em hands, and {game} is another game"),
    "no-move-of-holdem": HandFault("other-game", "{action!r} is no action of hold'em"),
    "no-phh": HandFault("unreadable", "it has no fields of PHH, the key phh"),
    "no-seats": HandFault("unreadable", "it has no line `Seat 1: ...`; texts are read in English"),
    "no-spot-action": HandFault("unreadable", "{action!r} is no action of a spot"),
    "no-table": HandFault("other-game", "{detail}"),
    "nobody-to-act": HandFault("impossible", "{player!r} {verb}, and nobody is to act"),
    "not-allowed": HandFault("impossible", "PokerKit does not allow it"),
    "not-allowed-here": HandFault(
        "impossible",
        "PokerKit does not allow {action!r} here: {detail}",
    ),
    "not-allowed-why": HandFault("impossible", "PokerKit does not allow it: {detail}"),
    "not-in-turn": HandFault("impossible", "{player!r} {verb}, and it is the turn of {other!r}"),
    "not-over": HandFault("unfinished", "it is not played to its end"),
    "not-reviewed-game": HandFault(
        "other-game",
        "it is no hold'em with or without limit (variant {variant})",
    ),
    "not-written": HandFault("other-game", "the text of {venue} is not written of {variant}"),
    "not-written-ohh": HandFault(
        "other-game",
        "the Open Hand History format is not written of {variant}",
    ),
    "number-expected": HandFault("unreadable", "{field} has {value}; expected a number"),
    "one-player": HandFault("impossible", "fewer than two players act in it"),
    "other": HandFault("unreadable", "{detail}"),
    "other-site": HandFault("other-game", "it is of another site, whose texts are not read"),
    "phh-blinds": HandFault("other-game", "PHH has no equal blinds of two seats"),
    "phh-cards": HandFault("other-game", "PHH has no hands with other cards than those of hold'em"),
    "phh-limit": HandFault(
        "other-game",
        "PHH has no limit hold'em with more than {raises} raises on a street",
    ),
    "phh-pot-limit": HandFault("other-game", "PHH has no pot-limit hold'em"),
    "phh-reopened": HandFault("other-game", "PHH has no raises that a short all-in reopens"),
    "phh-short-deck": HandFault(
        "other-game",
        "PHH has no short-deck hands with limits, or in which three of a kind beats a straight",
    ),
    "phh-three": HandFault(
        "other-game",
        "PHH is written of whole hands and of spots of two players, not of three",
    ),
    "place-unknown": HandFault("unreadable", "there is no player {place}"),
    "player-unknown": HandFault("unreadable", "the player {value} is none of the table's"),
    "post-amount": HandFault("impossible", "{player!r} posts {amount}, and by the blinds {due}"),
    "pot-amounts": HandFault(
        "impossible",
        "{paid} was paid into the pot, and {collected} collected with fees of {fees}",
    ),
    "raise-without-total": HandFault(
        "unreadable",
        "{player!r} raises, and it does not say to what",
    ),
    "rounds": HandFault("unreadable", "its rounds are no list"),
    "same-seat": HandFault("impossible", "two players have the same seat"),
    "seat-missing": HandFault("unreadable", "{player!r} has no seat"),
    "stacks-endless": HandFault("no-stacks", "its stacks have no end"),
    "stacks-not-allowed": HandFault(
        "impossible",
        "PokerKit does not allow its stacks and blinds: {detail}",
    ),
    "stacks-unknown": HandFault("no-stacks", "its stacks are not known"),
    "summary-missing": HandFault("unfinished", "it ends without its summary, the line `Total pot`"),
    "text-expected": HandFault("unreadable", "actions has something that is no text"),
    "time-unknown": HandFault("unreadable", "{text!r} is no time"),
    "time-wrong": HandFault("unreadable", "its time is none: {detail}"),
    "toml": HandFault("unreadable", "it is no TOML: {detail}"),
    "two-seats": HandFault("unreadable", "{player!r} has two seats"),
    "unfinished": HandFault(
        "unfinished",
        "it ends before its betting is over, or without its board",
    ),
    "value-kind": HandFault(
        "unreadable",
        "it is no hand of this format: a value is of another kind",
    ),
    "variant-unknown": HandFault("other-game", "variant is {value}; PokerKit has {known}"),
    "version": HandFault("unreadable", "it is of version {version}; expected {known}"),
    "winner-missing": HandFault("unfinished", "it does not say who collected its pot"),
    "winners-missing": HandFault("unfinished", "it does not say who won its pots"),
    "winnings": HandFault(
        "impossible",
        "{player!r} wins {amount} by the text, and {due} by the cards",
    ),
    "would-end": HandFault(
        "impossible",
        "PokerKit does not allow {action!r} here: it would end the hand",
    ),
}
"""What may be wrong with a hand, by its code.

`{detail}` is what another program says, in English, `{verb}` one of `folds`, `checks`, `calls`,
`bets` and `raises`, and `{street}` the name of a street.
"""


class HandError(Exception):
    """What is wrong with a hand; it is left out.

    Args:
        code: Which of `HAND_FAULTS` it is.
        line: The line of the file; None for that on which the hand begins.
        values: What the sentence names, by its places.

    Attributes:
        code: Which of `HAND_FAULTS` it is.
        line: The line of the file; None for that on which the hand begins.
        values: What the sentence names, by its places, as texts.
    """

    def __init__(self, code: HandFaultCode, line: int | None = None, /, **values: object) -> None:
        self.code, self.line = code, line
        self.values = {name: shorten(str(value)) for name, value in values.items()}
        super().__init__(HAND_FAULTS[code].text.format_map(self.values))


class LeftOut(NamedTuple):
    """A hand of a file that could not be read, or not to its end.

    Attributes:
        number: Its place in the file, from 1.
        line: The line on which it begins, or the one that is at fault.
        name: What it is called, such as its number at the site; empty if it has none.
        reason: Why, in words.
        code: Why, as a code: `unreadable` text; `other-game` or site, of which none are read;
            `unfinished`, without an end or without who won; `impossible` play, amounts or cards;
            `no-stacks`, as they are not known; only its `end` is left out.
        fault: Why, more exactly: which of `HAND_FAULTS` it is.
        values: What `reason` names, by the places of the fault's text.
    """

    number: int
    line: int
    name: str
    reason: str
    code: LeftOutCode
    fault: HandFaultCode
    values: Mapping[str, str]

    @classmethod
    def of(cls, number: int, line: int, name: str, error: HandError) -> LeftOut:
        """Leave out a hand.

        Args:
            number: Its place in the file, from 1.
            line: The line on which it begins.
            name: What it is called.
            error: What is wrong with it.

        Returns:
            The hand, with why it is left out.
        """
        where = line if error.line is None else error.line
        kind = HAND_FAULTS[error.code].kind
        return cls(number, where, name, f"{error}", kind, error.code, error.values)

    def __str__(self) -> str:
        return f"hand {self.name or self.number}, line {self.line}: {self.reason}"
