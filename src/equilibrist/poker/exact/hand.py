"""`HandSpec`: a hand as it is written in options, files and Python."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self, cast

from equilibrist.errors import ConfigError, FileFormatError, UnknownNameError
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.poker.betting.chips import read_chips, scale_for
from equilibrist.poker.cards.cards import RANKS
from equilibrist.poker.exact.game import ExactGame
from equilibrist.poker.holdem.menu import HandMenu
from equilibrist.poker.holdem.reading import at_key
from equilibrist.poker.holdem.rules import LIMIT_KINDS, STREET_NAMES, HoldemRules, Limit
from equilibrist.storage.plain_file import read_plain_file

_BLINDS: Final = (0.5, 1)
_LIMIT_CAP: Final = 3
_HOLDEM: Final = (0, 3, 1, 1)


@dataclass(frozen=True, kw_only=True)
class HandSpec:
    """A hand of two players, from the deal on; keys as the command line and files have them.

    Args:
        stack: The stack of both players before anything is posted, in big blinds; in chips where
            `blinds` are given.
        stacks: Both stacks in place of `stack`, that of the small blind first.
        blinds: The blinds in chips; by default 0.5 and 1.
        ante: What both players post besides.
        limit: `no-limit`, `pot-limit` or `limit`.
        limit_bets: With limit, the size of a bet or raise by street.
        last_street: The last street with betting; by default the flop, where there is one.
        board: Board cards before each street, the first number 0.
        lowest: The lowest rank in the deck.
        bets: Sizes of the first bet of a street, before the flop of the first raise.
        raises: Sizes of later raises.
        raise_cap: The most raises on a street, not counting the first bet: one number, or one a
            street as `1|0`.
        boards: How many flops are drawn; None for all.
        seed: The seed of that draw.

    Raises:
        ConfigError: A key is missing or wrong; has the option, what was given and the remedy.
        BetSizeSyntaxError: A size cannot be read.
    """

    stack: float | str | None = None
    stacks: Sequence[float] | str | None = None
    blinds: Sequence[float] | str | None = None
    ante: float | str | None = None
    limit: str = "no-limit"
    limit_bets: Sequence[float] | str | None = None
    last_street: str | None = None
    board: Sequence[int] | str | None = None
    lowest: str = "2"
    bets: str = ""
    raises: str = ""
    raise_cap: int | str | Sequence[int] | None = None
    boards: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("stacks", "blinds", "limit_bets"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _amounts(name, value))
        for name in ("stack", "ante"):
            value = getattr(self, name)
            if value is not None and not (name == "ante" and value in (0, "0")):
                object.__setattr__(self, name, read_chips(name, value))
        if self.board is not None:
            object.__setattr__(self, "board", _counts("board", self.board, "/", "0/3/1/1"))
        if self.raise_cap is not None and not isinstance(self.raise_cap, int):
            object.__setattr__(self, "raise_cap", _counts("raise_cap", self.raise_cap, "|", "1|0"))
        self.game  # noqa: B018 - what is wrong shows now

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str], **changes: Any) -> Self:
        """Read a file.

        Args:
            path: A file of keys and values, such as `stack = 15` and `bets = "2.5x,a|50%,a"`.
            **changes: Keys that override those of the file.

        Returns:
            The hand.

        Raises:
            FileFormatError: The file is not TOML.
            UnknownNameError: It has an unknown key.
            ConfigError: A key is wrong.
        """
        content = read_plain_file(Path(path))
        try:
            keys = tomllib.loads(content.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise FileFormatError(
                f"{path} is not a hand in TOML: {error}",
                path,
                option="file",
                expected="a hand file",
                remedy='its lines are keys and values, such as stack = 15 and bets = "50%,a"',
            ) from None
        return cls.from_keys(keys | changes)

    @classmethod
    def from_keys(cls, keys: dict[str, Any]) -> Self:
        """Make a hand from its keys.

        Args:
            keys: The keys and their values.

        Returns:
            The hand.

        Raises:
            UnknownNameError: A key is not known.
            ConfigError: A key is wrong.
        """
        known = [field.name for field in fields(cls)]
        for key in keys:
            if key not in known:
                raise UnknownNameError("key of a hand", str(key), known, option=str(key))
        return cls(**keys)

    def to_toml(self) -> str:
        """Write the keys that differ from their defaults as TOML.

        Returns:
            The text of a file, which `from_toml` reads.
        """
        return "".join(f"{key} = {json.dumps(value)}\n" for key, value in self.to_dict().items())

    def to_dict(self) -> dict[str, Any]:
        """Give the keys that differ from their defaults.

        Returns:
            Plain values by key.
        """
        found = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                found[field.name] = list(value) if isinstance(value, tuple) else value
        return found

    def replace(self, **changes: Any) -> Self:
        """Change some keys.

        Args:
            **changes: Keys and their new values.

        Returns:
            The new hand.
        """
        return replace(self, **changes)

    @cached_property
    def game(self) -> ExactGame:
        """The rules and the sizes."""
        board = cast("tuple[int, ...]", self.board or _HOLDEM)
        last = self._last(len(board))
        blinds = cast("tuple[float, ...]", self.blinds or _BLINDS)
        if len(blinds) != 2:
            raise bad_argument("blinds", blinds, "two amounts, such as 50/100")
        stacks = self._stacks()
        bets = self._limit_bets(len(board), blinds[1])
        ante = self.ante or 0
        amounts = [*blinds, *stacks, *bets, ante] if ante else [*blinds, *stacks, *bets]
        finest = scale_for(amounts)  # type: ignore[arg-type]
        # Sizes of a share of the pot need a unit below the blinds.
        scale = finest if self.limit == "limit" or self.blinds is not None else _hundredths()
        units = scale.units
        caps = self._caps(last + 1)
        rules = HoldemRules(
            tuple(units(stack) for stack in stacks),
            tuple(units(blind) for blind in blinds),
            (units(ante),) * 2 if ante else (),  # type: ignore[arg-type]
            limit=cast("Limit", self._choice("limit", LIMIT_KINDS)),
            bets=tuple(units(bet) for bet in bets),
            raise_cap=caps[0] if self.limit == "limit" else None,
            last_street=last,
            board=board,
            lowest_rank=self._lowest(),
            scale=scale,
        )
        menu = None
        if self.limit != "limit":
            if not self.bets:
                raise ConfigError(
                    "no sizes of bets",
                    option="bets",
                    remedy="give some, such as 50%,a or by street 2.5x,a|50%,a",
                )
            for key in ("bets", "raises"):
                with at_key(key):
                    HandMenu.read(rules, **{key: getattr(self, key)})
            menu = HandMenu.read(rules, self.bets, self.raises, caps)
        elif self.bets or self.raises:
            raise ConfigError(
                "limit has one size of bets",
                option="bets" if self.bets else "raises",
                given=self.bets or self.raises,
                remedy="leave it out, or give limit_bets",
            )
        return ExactGame(rules, menu, self.boards, self.seed)

    def _caps(self, streets: int) -> tuple[int | None, ...]:
        """The most raises on each street with betting."""
        given = self.raise_cap
        if isinstance(given, tuple):
            if len(given) != streets:
                raise bad_argument("raise_cap", given, f"one number, or {streets}, one a street")
            if self.limit == "limit" and len({*given}) > 1:
                raise bad_argument("raise_cap", given, "one number for all streets of limit")
            return given
        if given is None:
            return (_LIMIT_CAP if self.limit == "limit" else None,) * streets
        return (whole_number("raise_cap", given, 0, 100),) * streets

    def _stacks(self) -> tuple[float, ...]:
        if (self.stack is None) == (self.stacks is None):
            raise ConfigError(
                "no stacks" if self.stack is None else "stack and stacks are both given",
                option="stack",
                remedy="give stack, that of both players, or stacks",
            )
        if self.stacks is None:
            return (cast("float", self.stack),) * 2
        return cast("tuple[float, ...]", self.stacks)

    def _last(self, streets: int) -> int:
        names = STREET_NAMES[:streets]
        if self.last_street is None:
            return min(1, streets - 1)
        return names.index(self._choice("last_street", names))

    def _choice(self, name: str, choices: Sequence[str]) -> str:
        given = getattr(self, name)
        if given not in choices:
            raise bad_argument(name, given, f"one of {', '.join(choices)}")
        return str(given)

    def _lowest(self) -> int:
        text = str(self.lowest).upper()
        if len(text) != 1 or text not in RANKS:
            raise bad_argument("lowest", self.lowest, f"one of the ranks {RANKS}")
        return RANKS.index(text)

    def _limit_bets(self, streets: int, big: float) -> tuple[float, ...]:
        if self.limit != "limit":
            if self.limit_bets is not None:
                raise ConfigError(
                    f"limit_bets are of limit, not of {self.limit}",
                    option="limit_bets",
                    given=self.limit_bets,
                    remedy='leave it out, or give limit = "limit"',
                )
            return ()
        if self.limit_bets is None:
            return tuple(big if street < 2 else 2 * big for street in range(streets))
        found = cast("tuple[float, ...]", self.limit_bets)
        if len(found) != streets:
            raise bad_argument("limit_bets", found, f"{streets} amounts, one a street")
        return found


def _hundredths() -> Any:
    from equilibrist.poker.betting.chips import SCALES

    return SCALES[-1]


def _amounts(name: str, given: object) -> tuple[float, ...]:
    parts: Sequence[Any]
    if isinstance(given, str):
        parts = given.replace("/", ",").split(",")
    elif isinstance(given, Sequence):
        parts = given
    else:
        raise bad_argument(name, given, "a list of amounts, such as 50/100")
    return tuple(
        read_chips(name, part.strip() if isinstance(part, str) else part) for part in parts
    )


def _counts(name: str, given: object, between: str, example: str) -> tuple[int, ...]:
    parts = given.split(between) if isinstance(given, str) else given
    if not isinstance(parts, Sequence) or not all(str(part).strip().isdecimal() for part in parts):
        raise bad_argument(name, given, f"whole numbers, one a street, such as {example}")
    return tuple(int(str(part)) for part in parts)
