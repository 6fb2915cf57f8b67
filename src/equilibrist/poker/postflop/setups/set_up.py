"""What set-ups of all programs share: the spot with what it lacks of the file, and its making."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from equilibrist.errors import EquilibristError, FileFormatError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.poker.betting.actions import Kind, line_text
from equilibrist.poker.betting.bet_size_parser import parse_sizes, sizes_text
from equilibrist.poker.betting.bet_sizes import STREETS, AllIn, BetSize, Sizes
from equilibrist.poker.betting.chips import read_chips
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState, Phase, sizes_at
from equilibrist.poker.cards.cards import parse_board
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.reading import check_keys, read_board
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range

ListKind = Literal["bets", "raises", "donks"]
ListKey = tuple[str, ListKind, int]
"""A list of sizes: whose it is (`oop`, `ip`), of what, and on which street (0 the flop)."""
LIST_KINDS: Final[tuple[ListKind, ...]] = ("bets", "raises", "donks")
_ALL_IN: Final = frozenset(("a", "ai", "allin", "all-in", "all_in"))
_MOST_ADDED: Final = 20
"""The largest `add_all_in` of a spot."""
_MOST_FORCED: Final = 2
"""The largest `force_all_in` of a spot."""
_MOST_VISITED: Final = 20_000
"""The most decisions at which such all-ins are looked for."""
_MOST_REMOVED: Final = 500
"""The most lines that are removed to leave out all-ins above a limit."""
_SIZE_KEYS: Final = ("bets", "raises")
_DECIMALS: Final = 7
_MOST_DECIMALS: Final = 13


OmissionCode = Literal[
    "setting",
    "prizes",
    "raise-cap",
    "rake",
    "target",
    "iterations",
    "threads",
    "out",
    "share",
    "beyond",
    "board-length",
    "all-in-limit",
    "all-in-threshold",
    "hand-cards",
    "hand-streets",
    "hand-streets-before",
    "hand-bets",
    "hand-rake",
]
OMISSIONS: Final[Mapping[OmissionCode, str]] = {
    "setting": "{setting}",
    "prizes": "prizes (ICM)",
    "raise-cap": "{setting} (see --raise-cap)",
    "rake": "{setting} (see --rake and --rake-cap)",
    "target": "{setting} (--target {value})",
    "iterations": "{setting} (--iterations {value})",
    "threads": "{setting} (--threads {value})",
    "out": "{setting} (see --out)",
    "share": "{setting} (a share of the stack: 67% is 0.67)",
    "beyond": "{setting} beyond {percent}%",
    "board-length": "{setting} (of a board of {cards} cards)",
    "all-in-limit": "the limit of {percent}% of the pot on all-ins that are added",
    "all-in-threshold": "the all-in threshold beyond {percent}% of the pot that a call leaves",
    "hand-cards": "the cards of {player} ({cards})",
    "hand-streets": "the streets before, which more than two players saw",
    "hand-streets-before": "the streets before the {street}, on which the board begins",
    "hand-bets": "its bets: it has no {street}; pot and stack are those of its {last}",
    "hand-rake": "the rake (see --rake and --rake-cap)",
}
"""What may be left out, as a phrase with places for what it names.

Pages have a text of their own for each code. `{setting}` is what the file says, as it is written.
"""


class Omission(NamedTuple):
    """What a file says and a spot does not have; as text it is a phrase.

    Attributes:
        code: Which of `OMISSIONS` it is.
        values: What the phrase names, by its places; `street` and `last` are names of streets.
        key: The key of a spot that says it in its place; empty for none.
    """

    code: OmissionCode
    values: Mapping[str, str]
    key: str = ""

    def __str__(self) -> str:
        return OMISSIONS[self.code].format_map(self.values)


@dataclass(frozen=True)
class SetUp:
    """A spot that a file of another program describes.

    Attributes:
        spot: The spot.
        program: Whose file it is, such as `PioSOLVER`.
        omissions: What else the file says, which a spot does not have: a code each, and what the
            file says of it.
    """

    spot: Spot
    program: str
    omissions: tuple[Omission, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """What was not taken over: a phrase each."""
        return tuple(map(str, self.omissions))

    @property
    def note(self) -> str:
        """What was not taken over, in one sentence; empty if that is nothing."""
        if not self.omissions:
            return ""
        texts = escape_control_chars(", ".join(self.left_out))
        return f"not taken over from {self.program}: {texts}"


@contextmanager
def at_setting(file: object, line: int | None, key: str) -> Iterator[None]:
    """Name the file, the line (from 1) and the key of a setting in errors on its value."""
    place = f"{file}, {key}" if line is None else f"{file}, line {line}, {key}"
    try:
        yield
    except EquilibristError as error:
        if error.place != place:
            error.add_place(place)
        error.option = key
        raise


def bad_setting(
    file: object, line: int | None, key: str, given: str, expected: str
) -> FileFormatError:
    """The error for the value of a setting, with file, line (from 1) and key as its place."""
    place = f"{file}, {key}" if line is None else f"{file}, line {line}, {key}"
    return FileFormatError(
        f"{place} is {given!r:.60}; expected {expected}",
        file,
        option=key,
        given=given,
        expected=expected,
        place=place,
    )


def read_sizes(text: str, *, raises: bool) -> Sizes:
    """A list of sizes as solvers write it: separated by commas or blanks, percentages bare.

    Sizes of 0 are none. Raises BetSizeSyntaxError.
    """
    pieces = re.split(r"[,;\s]+", re.sub(r"\s+%", "%", text.strip()))
    sizes = ["a" if piece.lower() in _ALL_IN else piece for piece in pieces if piece]
    return parse_sizes(
        ", ".join(size for size in sizes if not re.fullmatch(r"0+(?:\.0*)?%?", size)), raises=raises
    )


def read_number(text: str) -> Fraction | None:
    """A decimal number, perhaps with a percent sign, which is dropped; None if it is none."""
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*%?", text.strip(), re.ASCII)
    return None if match is None else Fraction(match[1])


def decimal_text(number: Fraction) -> str:
    """A number with at most 12 decimals, without trailing zeros."""
    return f"{float(number):.12f}".rstrip("0").rstrip(".")


@dataclass
class Settings:
    """The settings of a file, as far as they are read."""

    file: Path
    program: str
    keys: dict[str, Any] = field(default_factory=dict)
    """Keys of the spot that need nothing else."""
    lists: dict[ListKey, Sizes] = field(default_factory=dict)
    """Sizes. A list of donk bets that is missing means that the ordinary bets apply."""
    all_in: set[tuple[str, int]] = field(default_factory=set)
    """Whose lists get an all-in on which street, if they have sizes."""
    all_in_limit: Fraction | None = None
    """The most pots that such an all-in may be; None for no limit."""
    commits: Callable[[Fraction, Fraction], Fraction] | None = None
    """From pot and stack, how many chips since the root commit a player to all-in."""
    omissions: list[Omission] = field(default_factory=list)

    def leave_out(self, code: OmissionCode, key: str = "", **values: str) -> None:
        """Take down what a spot does not have.

        Args:
            code: What it is.
            key: The key of a spot that says it in its place, if one does.
            **values: What its phrase names.
        """
        self.omissions.append(Omission(code, values, key))

    def read_range(self, seat: str, text: str) -> None:
        """Take a range."""
        self.keys[seat] = Range(text)

    def read_board(self, text: str) -> None:
        """Take the board."""
        self.keys["board"] = read_board(text)

    def read_chips(self, key: str, text: str) -> None:
        """Take an amount of chips."""
        self.keys[key] = read_chips(key, text.strip())

    def finished(self, changes: Mapping[str, Any]) -> SetUp:
        """The spot of these settings.

        Args:
            changes: Keys that override them.

        Returns:
            The spot, and what it lacks.

        Raises:
            ConfigError: A key is missing, or the values do not fit together.
        """
        try:
            spot = self._spot(changes)
        except EquilibristError as error:
            if error.option not in changes and not str(error.place).startswith(f"{self.file}"):
                error.add_place(self.file)
            raise
        omissions = (omission for omission in self.omissions if omission.key not in changes)
        return SetUp(spot, self.program, tuple(omissions))

    def _spot(self, changes: Mapping[str, Any]) -> Spot:
        keys = check_keys(self.keys | dict(changes), list(Spot.model_fields))
        first = len(parse_board(read_board(keys["board"]))) - 3
        pot, stack = (Fraction(str(read_chips(name, keys[name]))) for name in ("pot", "stack"))
        made: dict[str, Any] = {}
        if self.commits is not None:
            made |= self._forced(self.commits(pot, stack), pot, stack)
        played = {key: sizes for key, sizes in self.lists.items() if key[2] >= first}
        listed = {key for key, sizes in played.items() if sizes}
        flagged = {key for key in listed if (key[0], key[2]) in self.all_in}
        limit = self.all_in_limit
        wanted = dict(played)
        is_limited = limit is not None and stack > limit * pot
        if flagged and limit is not None and flagged == listed and limit <= _MOST_ADDED:
            made["add_all_in"] = float(limit)
            flagged = set()
        for key in flagged:
            wanted[key] = _with_all_in(played[key])
        made |= size_keys(wanted, first, has_lines=bool(keys.get("added_lines")))
        spot = Spot(**_overridden(self.keys, made, changes))
        if not flagged or not is_limited or limit is None:
            return spot
        removed = _all_ins_above(limit, spot, played, flagged)
        if removed is None:
            self.leave_out("all-in-limit", percent=decimal_text(100 * limit))
            return spot
        return spot.replace(removed_lines=[*spot.removed_lines, *removed])

    def _forced(self, committed: Fraction, pot: Fraction, stack: Fraction) -> dict[str, float]:
        """`force_all_in` by which this many chips since the root become all-in.

        What is left after a call and the pot are functions of the chips that each player has put
        in, so one share of the pot says the same as one number of chips.
        """
        if committed >= stack:
            return {}
        share = forced_share(committed, pot, stack)
        if share > _MOST_FORCED:
            self.leave_out("all-in-threshold", percent=f"{100 * _MOST_FORCED}")
            share = _MOST_FORCED
        return {"force_all_in": share}


def forced_share(committed: Fraction, pot: Fraction, stack: Fraction) -> float:
    """What is left after a call, as a share of the pot, if this many chips commit to all-in.

    Rounded to 7 decimals, so that a share with a few comes back from the number that was written.
    """
    put_in = min(max(committed, Fraction(0)), stack)
    return round(float((stack - put_in) / (pot + 2 * put_in)), _DECIMALS)


def committing_chips(spot: Spot) -> Fraction:
    """How many chips since the root commit a player to all-in, the inverse of `forced_share`."""
    force = Fraction(repr(spot.force_all_in))
    pot, stack = Fraction(str(spot.pot)), Fraction(str(spot.stack))
    return (stack - force * pot) / (1 + 2 * force)


def committing_text(spot: Spot, exact: Fraction, commits: Callable[[Fraction], Fraction]) -> str:
    """The shortest decimal number that is read as the threshold of a spot.

    Args:
        spot: The spot.
        exact: The number.
        commits: From a number, how many chips since the root commit a player to all-in.
    """
    pot, stack = Fraction(str(spot.pot)), Fraction(str(spot.stack))
    for decimals in range(_MOST_DECIMALS):
        number = Fraction(f"{float(exact):.{decimals}f}")
        if forced_share(commits(number), pot, stack) == spot.force_all_in:
            return decimal_text(number)
    return decimal_text(exact)


def _overridden(
    keys: Mapping[str, Any], made: Mapping[str, Any], changes: Mapping[str, Any]
) -> dict[str, Any]:
    """All keys; a list of both players that is changed replaces those of each."""
    hidden = {f"{seat}_{kind}" for kind in _SIZE_KEYS if kind in changes for seat in SEATS}
    kept = {key: value for key, value in {**made, **keys}.items() if key not in hidden}
    return kept | dict(changes)


def _with_all_in(sizes: Sizes) -> Sizes:
    return sizes if AllIn() in sizes else (*sizes, AllIn())


def size_keys(lists: Mapping[ListKey, Sizes], first: int, *, has_lines: bool) -> dict[str, str]:
    """The keys of a spot that have these lists, without those of streets before the first."""
    keys = {}
    for kind in ("bets", "raises"):
        own = [_by_street(lists, seat, kind, first) for seat in SEATS]
        if own[0] == own[1]:
            if own[0] != "none":
                keys[kind] = own[0]
            continue
        keys |= {f"{seat}_{kind}": text for seat, text in zip(SEATS, own, strict=True)}
    donks = [lists.get(("oop", "donks", street)) if street > first else None for street in range(3)]
    other = [
        None if sizes == lists.get(("oop", "bets", street), ()) else sizes
        for street, sizes in enumerate(donks)
    ]
    reached = has_lines or any(
        lists.get(("ip", kind, street)) for kind in ("bets", "raises") for street in range(first, 3)
    )
    if reached and any(sizes is not None for sizes in other):
        keys["donks"] = "|".join("" if sizes is None else sizes_text(sizes) for sizes in other)
    return keys


def _by_street(lists: Mapping[ListKey, Sizes], seat: str, kind: ListKind, first: int) -> str:
    """The lists of a player as the value of a key; `none` if all are empty."""
    texts = [
        sizes_text(lists.get((seat, kind, street), ())) for street in range(first, len(STREETS))
    ]
    if len(set(texts)) == 1:
        return texts[0]
    return "|".join([""] * first + ["" if text == "none" else text for text in texts])


def _all_ins_above(
    limit: Fraction, spot: Spot, lists: Mapping[ListKey, Sizes], flagged: set[ListKey]
) -> list[str] | None:
    """The lines that end in an all-in which a flag added above its limit; None if too many.

    Along a line the pot grows and the stacks fall: below an all-in within the limit all are.
    """
    own = Spot(
        **{
            **{key: getattr(spot, key) for key in Spot.model_fields if key not in _LISTS},
            **size_keys(lists, spot.first_street, has_lines=bool(spot.added_lines)),
        }
    )
    rules, without = spot.rules(), own.rules()
    lines: list[str] = []
    states = [rules.root()]
    visited = 0
    while states:
        state = states.pop()
        visited += 1
        if visited > _MOST_VISITED:
            return None
        if state.phase is Phase.DEAL:
            states.append(rules.deal(state))
            continue
        if state.phase is not Phase.DECISION:
            continue
        bet = max(state.bets)
        if rules.all_in(state) - bet <= limit * (state.pot + 2 * bet):
            continue
        actions = rules.actions(state)
        plain = without.actions(state)
        added = [action for action in actions if action not in plain and action.kind is Kind.ALL_IN]
        if added and _list_at(state, rules) in flagged:
            lines.append(_continued(state, "A"))
            if len(lines) > _MOST_REMOVED:
                return None
        states += [rules.next(state, action) for action in actions if action not in added]
    return sorted(lines)


_LISTS: Final = frozenset(
    ("bets", "raises", "donks", "oop_bets", "oop_raises", "ip_bets", "ip_raises")
)


def _list_at(state: BettingState, rules: BettingRules) -> ListKey:
    """The list that offers sizes at a decision."""
    seat = SEATS[state.player]
    if max(state.bets):
        return seat, "raises", state.street
    menu = rules.menus[state.player][state.street]
    is_donk = sizes_at(state, rules.menus) is menu.donks and menu.donks is not None
    return seat, "donks" if is_donk else "bets", state.street


def _continued(state: BettingState, code: str) -> str:
    line = line_text(state.line)
    return code if not line else f"{line}{'' if line.endswith('|') else '-'}{code}"


def percent(size: BetSize) -> str | None:
    """A share of the pot as a bare percentage; None for another size."""
    text = str(size)
    return text.removesuffix("%") if re.fullmatch(r"[\d.]+%", text) else None
