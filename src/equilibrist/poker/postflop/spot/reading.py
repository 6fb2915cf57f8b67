"""Readers of spot fields: each takes a given value and returns the checked one.

All raise ConfigError, and errors of notation with the key and the position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from equilibrist.errors import ConfigError, EquilibristError, UnknownNameError
from equilibrist.parsing.arguments import bad_argument, real_number
from equilibrist.poker.betting.bet_size_parser import parse_donk_sizes, parse_street_sizes
from equilibrist.poker.betting.bet_sizes import CappedChips, Chips, PotShare
from equilibrist.poker.betting.chips import ChipScale, read_chips, read_units, scale_for
from equilibrist.poker.betting.faults import check_menus
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.betting.state import Menus
from equilibrist.poker.cards.cards import card_names, parse_board
from equilibrist.poker.cards.decks import FULL_DECK, Deck, read_deck
from equilibrist.poker.equities.folded import read_folded
from equilibrist.poker.postflop.spot.fields import NEEDED_KEYS, SEATS
from equilibrist.poker.postflop.spot.lock import Lock, as_lock
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.ranges.range_files import named_file, range_or_file
from equilibrist.poker.text_span import read_share
from equilibrist.poker.tournaments.prizes import written_amounts

_OTHER_GAMES: Final = frozenset(
    {"players", "game", "variant", "blinds", "small_blind", "big_blind", "antes", "ante",
     "straddle", "positions", "dead_cards"}
)  # fmt: skip
"""Keys of games other than heads-up hold'em from the flop on."""
_LARGEST: Final = {"rake": 1.0, "add_all_in": 20.0, "force_all_in": 2.0, "merge": 1.0}
"""Shares of the pot above which a number is taken for a percentage by mistake."""
_SCOPE: Final = "a spot is heads-up hold'em from the flop, the turn or the river on"


def check_keys(keys: Any, known: list[str]) -> Any:
    """The table of keys itself; UnknownNameError for a key that is not known."""
    if not isinstance(keys, dict):
        raise bad_argument("spot", keys, "a table of keys")
    if "middle" in keys:
        raise ConfigError(
            "middle is the third range of a spot with three players",
            option="middle",
            remedy="solve it with `equilibrist postflop solve`, or poker.solve_three of a "
            "poker.ThreeSpot; leave it out for two players",
        )
    for key in keys:
        if key not in known:
            if key in _OTHER_GAMES:
                raise ConfigError(
                    f"{key} is not a key of a spot: {_SCOPE}", option="key", given=key
                )
            raise UnknownNameError("key of a spot", str(key), known, option=str(key))
    for key, what in NEEDED_KEYS.items():
        if keys.get(key) is None:
            raise ConfigError(f"{key} is missing", option=key, remedy=f"give {what}")
    return keys


def with_smaller_stack(keys: Any) -> Any:
    """The keys of a spot with the effective stack, if only both stacks are given."""
    if not isinstance(keys, dict) or "middle" in keys:  # which is refused elsewhere
        return keys
    if keys.get("stacks") is None or keys.get("stack") is not None:
        return keys
    return keys | {"stack": min(read_stacks(keys["stacks"]))}


def read_stacks(stacks: object) -> tuple[float, float]:
    """The chips that two players have behind, also as text."""
    given = written_amounts("stacks", stacks)
    if not isinstance(given, list | tuple) or len(given) != len(SEATS):
        raise bad_argument("stacks", stacks, "two numbers of chips, OOP first, such as 900/400")
    oop, ip = (read_chips("stacks", stack) for stack in given)
    return oop, ip


def read_board(text: object) -> str:
    """The names of the cards, in one spelling."""
    if not isinstance(text, str):
        raise bad_argument("board", text, "text, such as 'QsJh2h'")
    if not text.strip():
        raise ConfigError(
            "board has no cards", option="board", given=text, remedy=f"give 3 to 5: {_SCOPE}"
        )
    with at_place("board"):
        return card_names(parse_board(text))


def read_range(name: str, value: object, deck: str | Deck = FULL_DECK) -> Range:
    """A range, also as text; `15%` is of the hands of the deck."""
    if isinstance(value, Range):
        return value
    if not isinstance(value, str):
        raise bad_argument(name, value, "a range, such as '88+,A5s-A2s:0.5'")
    with _at_key(name):
        return Range(value, deck=deck)


def read_folded_ranges(value: object, deck: str | Deck) -> tuple[Range, ...]:
    """The ranges of players who folded, of a deck; `none` takes away those of a file."""
    texts = [value] if isinstance(value, str) else value
    if isinstance(texts, list | tuple) and len(texts) == 1 and str(texts[0]) == "none":
        return ()
    with _at_key("folded"):
        return read_folded(value, deck=read_deck(deck))


def with_ranges_of_deck(keys: Any) -> Any:
    """The keys of a spot with the ranges that its deck makes of their texts, if it names one."""
    if not isinstance(keys, dict) or "deck" not in keys:
        return keys
    deck = read_deck(keys["deck"])
    texts = {seat: keys[seat] for seat in SEATS if isinstance(keys.get(seat), str)}
    return keys | {seat: read_range(seat, text, deck) for seat, text in texts.items()}


def range_of_file(
    name: str, value: object, folder: Path | None = None, deck: object = FULL_DECK
) -> object:
    """The range in the file that a text names, from `folder` on; anything else is left as is."""
    if not isinstance(value, str) or named_file(value) is None:
        return value
    with _at_key(name):
        return range_or_file(value, folder=folder, deck=read_deck(deck))


def with_range_files(keys: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The keys of a spot file in `folder`, with the ranges of the files that it names."""
    named = {key: keys[key] for key in SEATS if key in keys}
    deck = keys.get("deck", FULL_DECK)
    read = {key: range_of_file(key, text, folder, deck) for key, text in named.items()}
    return keys | read | folded_of_files(keys, folder, deck)


def folded_of_files(
    keys: Mapping[str, Any], folder: Path | None = None, deck: object = FULL_DECK
) -> dict[str, Any]:
    """The key `folded` with the ranges of the files that it names, as `range_of_file`."""
    folded = keys.get("folded")
    if isinstance(folded, str):
        folded = [folded]
    if not isinstance(folded, list | tuple):
        return {key: keys[key] for key in ("folded",) if key in keys}
    return {"folded": [range_of_file("folded", text, folder, deck) for text in folded]}


def read_pot_share(name: str, value: object) -> float:
    """A share of the pot, also as text."""
    share = value
    most = _LARGEST[name]
    if isinstance(value, str):
        try:
            share = read_share(value)
        except ValueError:
            raise bad_argument(name, value, "a share of the pot, such as 5% or 0.05") from None
        if "%" in value and not 0 <= share <= most:
            raise bad_argument(name, value, f"a share of the pot from 0% to {most:.0%}")
    if isinstance(share, int | float) and most < share <= 100 * most:
        raise bad_argument(name, value, f"a fraction: {share:g}% or {share / 100:g}")
    return real_number(name, share, 0.0, most)


def check_sizes(name: str, text: object) -> str | None:
    """The text of a list of sizes, which can be read."""
    if text is None and name.startswith(SEATS):
        return None
    if not isinstance(text, str):
        raise bad_argument(name, text, "sizes as text, such as '50%, 2e, a'")
    with _at_key(name):
        lists = (
            parse_donk_sizes(text)
            if name == "donks"
            else parse_street_sizes(text, raises=name.endswith("raises"))
        )
    sizes = [size for sizes_of_street in lists for size in sizes_of_street or ()]
    if any(isinstance(size, PotShare) and not size.share for size in sizes):
        raise ConfigError(
            f"{name} contains the size 0%, which has no effect",
            option=name,
            given="0%",
            remedy="remove it",
        )
    return text


def read_amount(name: str, value: object) -> float | None:
    """An amount of chips; of the unit, also None."""
    if name != "unit":
        return read_chips(name, value)
    return None if value is None else ChipScale.of(value).unit


def unit_of(
    unit: float | None,
    amounts: Mapping[str, float],
    menus: tuple[Menus, Menus],
    lines: Iterable[str],
) -> float:
    """The unit that is given, or the largest of which all amounts of a spot are multiples.

    Raises ConfigError for amounts that are no multiples of the given one, and what `parse_line`
    raises.
    """
    if unit is not None:
        scale = ChipScale.of(unit)
        for name, amount in amounts.items():
            read_units(name, amount, scale)
        check_menus(menus, scale)
        return unit
    all_amounts = [*amounts.values()]
    for menu in (menu for menus_of_seat in menus for menu in menus_of_seat):
        sizes = (*menu.bets, *menu.raises, *(menu.donks or ()))
        all_amounts += [size.chips for size in sizes if isinstance(size, Chips | CappedChips)]
    with at_place("added_lines"):
        parts = [part for line in lines for part in parse_line(line)]
    all_amounts += [action.amount for part in parts for action in part.actions]
    return scale_for(all_amounts).unit


def read_lines(name: str, lines: object) -> tuple[str, ...]:
    """A list of lines; whether they can be played is checked with the rules."""
    if isinstance(lines, list | tuple) and all(isinstance(line, str) for line in lines):
        return tuple(lines)
    raise bad_argument(name, lines, "a list of lines, such as ['X-B150']")


def read_locks(value: object) -> tuple[Lock, ...]:
    """A list of locks, each also as text or as a table."""
    if not isinstance(value, list | tuple):
        raise bad_argument("locks", value, "a list of locks, such as ['B120: AA,KK = Call 100%']")
    with at_place("locks"):
        return tuple(as_lock(lock) for lock in value)


@contextmanager
def at_place(place: object) -> Iterator[None]:
    """Prefix errors with a place."""
    try:
        yield
    except EquilibristError as error:
        error.add_place(place)
        raise


@contextmanager
def _at_key(key: str) -> Iterator[None]:
    """Prefix errors with a key, and name it as the option that is at fault."""
    with at_place(key):
        try:
            yield
        except EquilibristError as error:
            error.option = key
            raise
