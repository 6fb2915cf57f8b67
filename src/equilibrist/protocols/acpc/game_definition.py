"""Game definitions of the ACPC: seats, blinds, limits, streets and cards, as their files have them.

    GAMEDEF
    nolimit
    numPlayers = 2
    numRounds = 4
    stack = 20000 20000
    blind = 100 50
    firstPlayer = 2 1 1 1
    numSuits = 4
    numRanks = 13
    numHoleCards = 2
    numBoardCards = 0 3 1 1
    END GAMEDEF

Positions are numbered from 0 here and in match states; `firstPlayer` counts from 1 in files.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Final

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.parsing.arguments import bad_argument, file_name, instance, whole_number
from equilibrist.poker.betting.chips import MOST_CHIPS
from equilibrist.poker.cards.cards import RANKS
from equilibrist.poker.cards.decks import STANDARD
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.rules import MOST_SEATS
from equilibrist.storage.archive import file_kind, folder_error
from equilibrist.storage.atomic import resolved, write_bytes
from equilibrist.storage.kinds.file_kinds import (
    BINARY,
    EMPTY,
    MATCH_GAME,
    TEXT,
    another_kind,
    words_of,
)
from equilibrist.storage.plain_file import read_text_file
from equilibrist.storage.replaceable import foreign_file

BEGIN: Final = "GAMEDEF"
END: Final = "END GAMEDEF"
LIMIT: Final = "limit"
NO_LIMIT: Final = "nolimit"
NO_CAP: Final = 255
"""The largest `max_raises`, which stands for none."""
_MOST_STREETS: Final = 4
_MOST_LINES: Final = 1000


@dataclass(frozen=True)
class GameDefinition:
    """A game as the dealer and its clients know it. Amounts are whole chips.

    Attributes:
        betting: `limit` or `nolimit`.
        stacks: The chips of each position before the blinds, 2 to 10 positions.
        blinds: What each position posts.
        raise_sizes: With limit, the size of bets and raises by street; else empty.
        first_players: The position that acts first, by street.
        max_raises: The most bets and raises, by street.
        num_suits: Suits in the deck, from clubs on.
        num_ranks: Ranks in the deck, from deuces on.
        num_hole_cards: Cards of each position, 1 or 2.
        num_board_cards: The board cards dealt before each street.

    Raises:
        ConfigError: A value is out of range, or the values do not fit together.
    """

    betting: str
    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    raise_sizes: tuple[int, ...] = ()
    first_players: tuple[int, ...] = ()
    max_raises: tuple[int, ...] = ()
    num_suits: int = 4
    num_ranks: int = 13
    num_hole_cards: int = 2
    num_board_cards: tuple[int, ...] = (0, 3, 1, 1)

    def __post_init__(self) -> None:
        if self.betting not in (LIMIT, NO_LIMIT):
            raise bad_argument("betting", self.betting, f"{LIMIT} or {NO_LIMIT}")
        board = instance("numBoardCards", self.num_board_cards, tuple, "a number a street")
        seats, streets = len(self.stacks), len(board)
        if not 2 <= seats <= MOST_SEATS:
            raise bad_argument("numPlayers", seats, f"2 to {MOST_SEATS}")
        if not 1 <= streets <= _MOST_STREETS:
            raise bad_argument("numRounds", streets, f"1 to {_MOST_STREETS}")
        for name, default in (("first_players", 0), ("max_raises", NO_CAP)):
            if getattr(self, name) == ():
                object.__setattr__(self, name, (default,) * streets)
        _check("stack", self.stacks, seats, 1, MOST_CHIPS)
        _check("blind", self.blinds, seats, 0, MOST_CHIPS)
        _check("firstPlayer", self.first_players, streets, 0, seats - 1)
        _check("maxRaises", self.max_raises, streets, 0, NO_CAP)
        if self.betting == LIMIT:
            _check("raiseSize", self.raise_sizes, streets, 1, MOST_CHIPS)
        for seat, (stack, blind) in enumerate(zip(self.stacks, self.blinds, strict=True)):
            if blind > stack:
                raise bad_argument("blind", blind, f"at most the stack {stack}", place=_seat(seat))
        if not any(self.blinds):
            raise bad_argument("blind", 0, "a blind of at least one position")
        self._check_cards()

    def _check_cards(self) -> None:
        whole_number("numSuits", self.num_suits, 1, 4)
        whole_number("numRanks", self.num_ranks, 1, 13)
        whole_number("numHoleCards", self.num_hole_cards, 1, 2)
        if self.num_board_cards[0] != 0:
            raise bad_argument("numBoardCards", self.num_board_cards[0], "0 before the first round")
        for cards in self.num_board_cards[1:]:
            whole_number("numBoardCards", cards, 1, 5)
        needed = self.seats * self.num_hole_cards + sum(self.num_board_cards)
        deck = self.num_suits * self.num_ranks
        if deck < needed:
            raise bad_argument("numRanks", self.num_ranks, f"a deck of at least {needed} cards")
        if self.num_hole_cards + sum(self.num_board_cards) > 7:
            raise bad_argument("numBoardCards", sum(self.num_board_cards), "at most 7 cards a hand")

    @property
    def seats(self) -> int:
        """How many positions."""
        return len(self.stacks)

    @property
    def streets(self) -> int:
        """How many streets."""
        return len(self.num_board_cards)

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The cards, ascending, `4 * rank + suit`."""
        return tuple(4 * rank + s for rank in range(self.num_ranks) for s in range(self.num_suits))

    @property
    def big_blind(self) -> int:
        """The largest blind, in which winnings are reported."""
        return max(self.blinds)

    @classmethod
    def read(cls, text: str, place: str = "the game definition") -> GameDefinition:
        """Read a game definition.

        Args:
            text: The text of its file.
            place: What errors call it.

        Returns:
            The game definition, validated.

        Raises:
            FileFormatError: A line is none of a game definition, or a value is missing or out of
                range; has the line.
        """
        return _Reader(text, place).read()

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> GameDefinition:
        """Read a file.

        Args:
            path: The file.

        Returns:
            The game definition, validated.

        Raises:
            FileFormatError: It cannot be read, or is none.
        """
        file = Path(path)
        try:
            return cls.read(read_text_file(file), str(path))
        except FileFormatError:
            if file.is_dir():
                raise folder_error(file, words_of(MATCH_GAME), (MATCH_GAME,)) from None
            kind = file_kind(file)
            if kind is None or kind in (MATCH_GAME, TEXT, EMPTY, BINARY):
                raise
            raise another_kind(file, kind, MATCH_GAME, option="file") from None

    def text(self) -> str:
        """Write the file.

        Returns:
            Its text; reading it gives an equal game definition.
        """
        rows: list[tuple[str, tuple[int, ...]]] = [
            ("numPlayers", (self.seats,)),
            ("numRounds", (self.streets,)),
            ("stack", self.stacks),
            ("blind", self.blinds),
            ("raiseSize", self.raise_sizes if self.betting == LIMIT else ()),
            ("firstPlayer", tuple(first + 1 for first in self.first_players)),
            ("maxRaises", self.max_raises if min(self.max_raises) < NO_CAP else ()),
            ("numSuits", (self.num_suits,)),
            ("numRanks", (self.num_ranks,)),
            ("numHoleCards", (self.num_hole_cards,)),
            ("numBoardCards", self.num_board_cards),
        ]
        lines = [f"{key} = {' '.join(map(str, values))}" for key, values in rows if values]
        return "\n".join([BEGIN, self.betting, *lines, END, ""])

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a file, atomically. An earlier game definition is replaced, any other file is not.

        Args:
            path: The file.

        Returns:
            The file.

        Raises:
            OutputError: It cannot be written, or is none of a game definition.
        """
        file = file_name("path", path)
        target = resolved(file)
        if target.is_file() and target.stat().st_size:
            try:
                GameDefinition.from_file(target)
            except FileFormatError:
                raise foreign_file(file, "a game definition", "out") from None
        write_bytes(file, self.text().encode())
        return file

    @classmethod
    def of_hand(cls, hand: Hand) -> GameDefinition:
        """The game definition of a hand; of two seats position 0 is the big blind.

        Amounts in big blinds become chips of a hundredth of a big blind. Decks of game definitions
        begin with deuces: the lowest rank of a short deck becomes a deuce, and so on, which changes
        no hand's strength, as the ace is low in no straight without deuces.

        Args:
            hand: The hand.

        Returns:
            The game definition.

        Raises:
            ConfigError: Game definitions have no such hands: with antes, pot limit, short-deck
                rankings, or bets on the first streets alone.
        """
        rules = hand.rules
        reasons = {
            "ante": (any(rules.antes), "antes"),
            "limit": (rules.limit == "pot-limit", "pot limit"),
            "deck": (rules.ranking != STANDARD, "short-deck rankings"),
            "last_street": (rules.final_street != len(rules.board) - 1, "streets without betting"),
        }
        for option, (is_other, what) in reasons.items():
            if is_other:
                raise ConfigError(
                    f"game definitions of the ACPC have no {what}",
                    option=option,
                    given=getattr(hand, option),
                    remedy="give another hand",
                )
        order = rules.order
        place = {seat: position for position, seat in enumerate(order)}
        streets = len(rules.board)
        caps = [rules.most_wagers(street) for street in range(streets)]
        return cls(
            LIMIT if rules.limit == "limit" else NO_LIMIT,
            tuple(rules.stacks[seat] for seat in order),
            tuple(rules.blinds[seat] for seat in order),
            rules.bets if rules.limit == "limit" else (),
            (place[rules.opener], *[0] * (streets - 1)),
            tuple(NO_CAP if cap is None else cap for cap in caps),
            num_suits=rules.suits,
            num_ranks=len(RANKS) - rules.lowest_rank,
            num_hole_cards=rules.hole_cards,
            num_board_cards=rules.board,
        )


_LISTS: Final = {
    "stack": "stacks",
    "blind": "blinds",
    "raisesize": "raise_sizes",
    "firstplayer": "first_players",
    "maxraises": "max_raises",
    "numboardcards": "num_board_cards",
}
_NUMBERS: Final = {
    "numplayers": "players",
    "numrounds": "rounds",
    "numsuits": "num_suits",
    "numranks": "num_ranks",
    "numholecards": "num_hole_cards",
}
_REQUIRED: Final = ("numPlayers", "numRounds", "blind", "numSuits", "numRanks", "numHoleCards")


class _Reader:
    """Reads the lines of a game definition; keys in any case of letters, as the dealer does."""

    def __init__(self, text: str, place: str) -> None:
        self._lines = text.splitlines()[:_MOST_LINES]
        self._place = place
        self._values: dict[str, tuple[int, ...]] = {}
        self._where: dict[str, int] = {}
        self._betting = ""

    def read(self) -> GameDefinition:
        began = ended = False
        for number, line in enumerate(self._lines, 1):
            words = line.strip()
            if not words or words.startswith("#"):
                continue
            if not began:
                if words.casefold() != BEGIN.casefold():
                    raise self._error("GAMEDEF", words, "the line GAMEDEF first", number)
                began = True
            elif words.casefold() == END.casefold():
                ended = True
                break
            elif words.casefold() in (LIMIT, NO_LIMIT):
                self._betting = words.casefold()
            else:
                self._take(words, number)
        if not ended:
            raise self._error("END GAMEDEF", "", "the line END GAMEDEF at the end", None)
        return self._made()

    def _take(self, words: str, number: int) -> None:
        key, equals, values = words.partition("=")
        name = key.strip().casefold()
        if not equals or name not in _LISTS | _NUMBERS:
            raise self._error(
                key.strip(),
                words,
                "limit, nolimit, or one of the keys of a game definition",
                number,
            )
        texts = values.split()
        if not texts or not all(text.isascii() and text.isdigit() for text in texts):
            raise self._error(
                key.strip(), values.strip(), "whole numbers with blanks between", number
            )
        self._values[name] = tuple(int(text[:20]) for text in texts)
        self._where[name] = number

    def _made(self) -> GameDefinition:
        for key in _REQUIRED:
            if key.casefold() not in self._values:
                raise self._error(key, None, f"the line {key} = ...", None)
        if not self._betting:
            raise self._error("betting", None, f"a line {LIMIT} or {NO_LIMIT}", None)
        seats, rounds = self._one("numplayers"), self._one("numrounds")
        if not 2 <= seats <= MOST_SEATS:
            raise self._error("numPlayers", seats, f"2 to {MOST_SEATS}", self._where["numplayers"])
        if not 1 <= rounds <= _MOST_STREETS:
            raise self._error("numRounds", rounds, "1 to 4", self._where["numrounds"])
        keys: dict[str, object] = {"betting": self._betting}
        if "stack" not in self._values:
            self._values["stack"] = (MOST_CHIPS,) * seats  # chips without end, as the dealer has it
        self._values.setdefault("numboardcards", (0,) * rounds)
        counts = {"stack": seats, "blind": seats}
        for name, field in _LISTS.items():
            if name not in self._values:
                continue
            count = counts.get(name, rounds)
            values = self._values[name]
            if len(values) < count:
                raise self._error(
                    field, " ".join(map(str, values)), f"{count} numbers", self._where.get(name)
                )
            keys[field] = values[:count]
        if self._betting == NO_LIMIT:
            keys.pop("raise_sizes", None)
        if "first_players" in keys:
            keys["first_players"] = tuple(
                first - 1 for first in self._values["firstplayer"][:rounds]
            )
        if "max_raises" in keys:
            keys["max_raises"] = tuple(min(m, NO_CAP) for m in self._values["maxraises"][:rounds])
        keys["stacks"] = tuple(min(stack, MOST_CHIPS) for stack in self._values["stack"][:seats])
        for name in ("numsuits", "numranks", "numholecards"):
            keys[_NUMBERS[name]] = self._one(name)
        try:
            return GameDefinition(**keys)  # type: ignore[arg-type]
        except ConfigError as error:
            line = self._where.get(str(error.option).casefold())
            wrong = error.as_kind(FileFormatError)
            wrong.path = self._place
            wrong.place = self._at(line)
            wrong.args = (f"{self._at(line)}: {error}",)
            raise wrong from None

    def _one(self, name: str) -> int:
        return self._values[name][0]

    def _at(self, line: int | None) -> str:
        return self._place if line is None else f"{self._place}, line {line}"

    def _error(
        self, option: str, given: object, expected: str, line: int | None
    ) -> FileFormatError:
        message = f"{self._at(line)}: {option} is {'missing' if given is None else given!r}"
        return FileFormatError(
            f"{message}; expected {expected}",
            self._place,
            option=option,
            given=given,
            expected=expected,
            place=self._at(line),
            remedy="`equilibrist acpc game` writes such files",
        )


def _check(name: str, values: object, count: int, least: int, most: int) -> None:
    listed = instance(name, values, tuple, f"{count} whole numbers, as a tuple")
    if len(listed) != count:
        raise bad_argument(name, listed, f"{count} numbers", label=f"the list {name}")
    for value in listed:
        whole_number(name, value, least, most)


def _seat(seat: int) -> str:
    return f"position {seat}"


assert {field.name for field in fields(GameDefinition)} >= {*_LISTS.values()}
