"""Hands that were read from files: PokerKit's `HandHistory` of each, whose they are, and where.

`equilibrist.protocols.hand_files.read_hands` opens files of any kind to them; it stands above this
package, as logs of matches do.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from equilibrist.errors import EquilibristError, UnsupportedError
from equilibrist.formatting.amounts import counted
from equilibrist.formatting.brief import brief_repr
from equilibrist.play.histories.faults import HandError, LeftOut

HERO: Final = "_hero"
"""The field of a history that names the player whose hand it is."""
PERSON: Final = "you"
"""What the command line and the browser call the person who plays."""
RAKE: Final = "_rake"
"""The field with what the house took of the pots, in the unit of the amounts."""
ADDED: Final = "_added_to_pot"
"""The field with what the house put into the pots."""
BOARDS: Final = "_boards"
"""The field with all boards of a hand whose board was run more than once, that of PHH first."""
_SHORT_DECK: Final = "NS"
"""The variant of PHH without deuces to fives."""
_NOT_SHORT: Final = "2345"
UNKNOWN: Final = "?"
"""What stands for each sign of a card that is not known."""
HOLE_CARDS: Final = {"NT": 2, "FT": 2, "NS": 2, "PO": 4, "FO/8": 4}
"""How many hole cards hold'em and Omaha have, by the names of their variants in PHH."""


@dataclass(frozen=True)
class PlayedHand:
    """A hand of a file.

    Attributes:
        history: The hand, a `pokerkit.HandHistory` that PokerKit has replayed. Players are p1, p2
            and so on; p1 posts the small blind, with two seats the big blind. Amounts are chips,
            or money as the file counts it, whole numbers or decimals.
        number: Its place in the file, from 1; hands that were left out count.
        line: The line of the file on which it begins, from 1.
        hero: The index in `players` of whose file it is; None where the file does not say.
    """

    history: Any
    number: int
    line: int
    hero: int | None = None

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def name(self) -> str:
        """What the hand is called: its number at the site, else that in the file."""
        given = self.history.hand
        return str(self.number if given in (None, "") else given)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, p1 first; `p1` and so on where there are none."""
        count = len(self.history.starting_stacks)
        names = list(self.history.players or ())[:count]
        return tuple(
            str(names[k]) if k < len(names) and names[k] else f"p{k + 1}" for k in range(count)
        )

    @property
    def dealt(self) -> tuple[str, ...]:
        """The hole cards of each player that are known when they are dealt; else ``."""
        known = [""] * len(self.history.starting_stacks)
        for words in action_words(self.history):
            if words[:2] == ["d", "dh"] and len(words) == 4:
                known[_index(words[2])] += words[3]
        return tuple("" if UNKNOWN in cards else cards for cards in known)

    @property
    def cards(self) -> tuple[str, ...]:
        """The hole cards of each player as far as they are known, as `AhKh` or `Ah??`; else ``."""
        known = [""] * len(self.history.starting_stacks)
        for words in action_words(self.history):
            match words:
                case ["d", "dh", place, dealt]:
                    seat = _index(place)
                    known[seat] = known[seat] + dealt
                case [place, "sm", shown] if _is_shown(shown):
                    known[_index(place)] = shown
                case _:
                    pass
        return tuple("" if set(dealt) <= {UNKNOWN} else dealt for dealt in known)

    @property
    def is_over(self) -> bool:
        """Whether the hand was played to its end."""
        return not self.last_state().status

    def last_state(self) -> Any:
        """The state after the last action.

        Returns:
            A `pokerkit.State`. For those in between go through `history`, which yields one and the
            same object as it changes.
        """
        return replay(self.history)[0]


class ReadHands(NamedTuple):
    """What a file of hands holds.

    Attributes:
        form: What the file is: `phh`, `jsonl` (a log of ours), `histories` (JSON lines of
            `hands convert`), `acpc`, `pokerstars`, `ggpoker` or `ohh`.
        hands: The hands, in their order.
        left_out: The hands that were left out, and why.
    """

    form: str
    hands: tuple[PlayedHand, ...]
    left_out: tuple[LeftOut, ...]


class TooManyHandsError(UnsupportedError):
    """A file has more hands than are taken."""

    @classmethod
    def of(cls, most: int, line: int) -> TooManyHandsError:
        """The error of a file.

        Args:
            most: How many hands are taken.
            line: The line on which the next one begins.
        """
        return cls(
            f"there are more than {counted(most, 'hand')}",
            option="hands",
            expected=f"at most {counted(most, 'hand')}",
            place=f"line {line}",
            remedy="give them in parts",
        )


class Collector:
    """The hands of a file as they are read, and those that are left out.

    Args:
        form: What the file is.
        most: Hands that it may have; None for any number.
    """

    def __init__(self, form: str, most: int | None = None) -> None:
        self.form, self._most = form, most
        self.hands: list[PlayedHand] = []
        self.left_out: list[LeftOut] = []

    def add(self, line: int, name: str, read: Callable[[], tuple[Any, int | None]]) -> None:
        """Read a hand, or take down why it cannot be read.

        Args:
            line: Where it begins.
            name: What it is called.
            read: Reads it: a replayed history, and the index of the hero.

        Raises:
            TooManyHandsError: There were as many as may be; nothing more is read.
        """
        number = len(self.hands) + len(self.left_out) + 1
        if self._most is not None and number > self._most:
            raise TooManyHandsError.of(self._most, line)
        try:
            history, hero = read()
        except HandError as error:
            self.left_out.append(LeftOut.of(number, line, name, error))
        except EquilibristError as error:
            fault = HandError("other", detail=error)
            self.left_out.append(LeftOut.of(number, line, name, fault))
        else:
            self.hands.append(PlayedHand(history, number, line, hero))

    def result(self) -> ReadHands:
        """What was read.

        Returns:
            The hands, and those that were left out.
        """
        return ReadHands(self.form, tuple(self.hands), tuple(self.left_out))


def action_words(history: Any) -> Iterator[list[str]]:
    """The words of each action of a history, without comments; none for a comment alone."""
    for action in history.actions:
        words = str(action).partition("#")[0].split()
        if words:
            yield words


def hero_of(history: Any) -> int | None:
    """Whose hand it is.

    Args:
        history: The hand.

    Returns:
        The index of the player whom the field `_hero` names or, where there is none, of the one
        who is called `you`, or the only one whose cards are known when they are dealt; else None.
    """
    players = [str(name) for name in history.players or ()]
    for name in (history.user_defined_fields.get(HERO), PERSON):
        if players.count(str(name)) == 1:
            return players.index(str(name))
    known = [
        _index(words[2])
        for words in action_words(history)
        if words[:2] == ["d", "dh"] and len(words) == 4 and UNKNOWN not in words[3]
    ]
    return known[0] if len(set(known)) == 1 and len(history.starting_stacks) > 1 else None


def replay(history: Any) -> tuple[Any, int]:
    """Let PokerKit play a hand, and do what the file leaves out, such as burning cards.

    Args:
        history: The hand.

    Returns:
        The last state, and how many actions were played.

    Raises:
        HandError: PokerKit does not allow an action, or the hand itself.
    """
    played, last = 0, None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of cards that came before: `check_cards` refuses them
            for state, action in history.state_actions:
                last = state
                played += action is not None
    except Exception as error:  # whatever PokerKit raises
        if last is None or played >= len(history.actions):
            raise HandError("not-allowed-why", detail=_first_sentence(error)) from None
        raise HandError("action-not-allowed", action=history.actions[played]) from None
    return last, played


_IMPLIED: Final = {"CheckingOrCalling": "cc", "Folding": "f", "HoleCardsShowingOrMucking": "sm"}
"""Operations by which PokerKit does what a file leaves out, as actions."""


def with_all_actions(history: Any) -> Any:
    """The history with the checks, folds and showdowns that its file leaves out.

    PokerKit does them while it plays, but shows no cards then, so that nobody wins.

    Args:
        history: The hand.

    Returns:
        A `pokerkit.HandHistory`: the same one if nothing is left out, or cannot be put in.

    Raises:
        HandError: PokerKit does not allow an action, or the hand itself.
    """
    try:
        actions = _all_actions(history)
    except Exception:  # whatever PokerKit raises; this names the action
        replay(history)
        raise
    if len(actions) == len(history.actions):
        return history
    whole = replace(history, actions=actions)
    try:
        replay(whole)
    except HandError:  # a game with draws, where not all cards that were dealt are held
        return history
    return whole


def _all_actions(history: Any) -> list[str]:
    """The actions, with those that PokerKit does by itself where they belong."""
    at_showdown = {words[0] for words in action_words(history) if words[1] == "sm"}
    dealt: dict[str, str] = {}
    actions: list[str] = []
    seen = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of cards that came before: `check_cards` refuses them
        for state, action in history.state_actions:
            if action is not None:
                actions.append(action)
                words = str(action).partition("#")[0].split()
                if words[:2] == ["d", "dh"] and len(words) == 4:
                    dealt[words[2]] = dealt.get(words[2], "") + words[3]
            for operation in state.operations[seen:] if action is None else ():
                code = _IMPLIED.get(type(operation).__name__)
                place = f"p{operation.player_index + 1}" if code else ""
                cards = dealt.get(place, UNKNOWN)
                if code == "sm" and UNKNOWN not in cards and place not in at_showdown:
                    at_showdown.add(place)
                    actions.append(f"{place} sm {cards}")
                elif code and code != "sm":
                    actions.append(f"{place} {code}")
            seen = len(state.operations)
    return actions


def check_cards(history: Any) -> None:
    """Refuse a hand with cards that it cannot have; HandError.

    They come twice, its deck lacks them, or a player has more or fewer than the variant gives.
    """
    holes: dict[int, str] = {}
    board = ""
    for words in action_words(history):
        match words:
            case ["d", "dh", place, dealt]:
                holes[_index(place)] = holes.get(_index(place), "") + dealt
            case ["d", "db", dealt]:
                board += dealt
            case [place, "sm", shown] if _is_shown(shown):
                holes[_index(place)] = shown
            case _:
                pass
    _check_counts(history.variant, holes)
    every = "".join((*holes.values(), board))
    cards = [every[k : k + 2] for k in range(0, len(every), 2)]
    twice = sorted({card for card in cards if UNKNOWN not in card and cards.count(card) > 1})
    if twice:
        raise HandError("card-twice", card=twice[0])
    absent = [card for card in cards if history.variant == _SHORT_DECK and card[0] in _NOT_SHORT]
    if absent:
        raise HandError("card-not-in-deck", card=absent[0])


def _check_counts(variant: str, holes: Mapping[int, str]) -> None:
    """Refuse players with another number of hole cards than the variant gives; HandError."""
    count = HOLE_CARDS.get(variant)
    for seat, cards in sorted(holes.items()):
        if count is None or len(cards) == 2 * count:
            continue
        held = len(cards) // 2
        values = {"player": f"p{seat + 1}", "cards": cards, "variant": variant, "count": count}
        if held == 1:
            raise HandError("hole-card-count", **values)
        raise HandError("hole-cards-count", held=held, **values)


def _index(place: str) -> int:
    return int(place[1:]) - 1


def _is_shown(cards: str) -> bool:
    """Whether what follows `sm` names a card."""
    return cards != "-" and not set(cards) <= {UNKNOWN}


def _first_sentence(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text[:200]


def with_hero(hand: PlayedHand) -> Any:
    """The history of a hand, with a field that names the hero where it would not be known else.

    Args:
        hand: The hand.

    Returns:
        A `pokerkit.HandHistory`.
    """
    history = hand.history
    if hand.hero is None or hero_of(history) == hand.hero:
        return history
    fields = {**history.user_defined_fields, HERO: hand.players[hand.hero]}
    return replace(history, user_defined_fields=fields)


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
