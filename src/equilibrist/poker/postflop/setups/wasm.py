"""Set-ups of WASM Postflop and Desktop Postflop, in JSON.

A set-up is `{"oopRange": ..., "ipRange": ..., "config": {"board": [...], "startingPot": 60, ...}}`.
A file of configurations, `{"version": 2, "name": "configurations", "data": [...]}`, has neither
ranges nor boards: they are given beside it, and FILE.json#NAME names one of several.

Percentages are bare numbers. Without `donkOption` donk bets have the ordinary sizes. All-in is
added to empty lists, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from shlex import quote
from typing import Any, Final

from equilibrist.errors import ConfigError, FileFormatError, UnknownNameError
from equilibrist.poker.betting.bet_sizes import EveryBet, Geometric, Sizes
from equilibrist.poker.cards.cards import NUM_CARDS, card_name, card_names
from equilibrist.poker.postflop.setups.expressing import (
    adds_to_sizes_alone,
    bad_size,
    check_rake,
    lists_of,
    refuse_keys,
    refuse_units,
)
from equilibrist.poker.postflop.setups.set_up import (
    ListKey,
    ListKind,
    Settings,
    SetUp,
    at_setting,
    bad_setting,
    decimal_text,
    percent,
    read_number,
    read_sizes,
)
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.storage.plain_file import parse_json

_FORM: Final = "a set-up of WASM Postflop"
PROGRAM: Final = "WASM Postflop"
_LIST_NAMES: Final[tuple[tuple[str, ListKind], ...]] = (
    ("Bet", "bets"),
    ("Raise", "raises"),
    ("Donk", "donks"),
)
_SIZES: Final[dict[str, ListKey]] = {
    f"{seat}{street}{what}": (seat, kind, number)
    for seat in ("oop", "ip")
    for number, street in enumerate(("Flop", "Turn", "River"))
    for what, kind in _LIST_NAMES
    if what != "Donk" or (seat == "oop" and number)
}
"""The keys of lists of sizes."""
_SHARES: Final = {
    "addAllInThreshold": ("add_all_in", 20),
    "forceAllInThreshold": ("force_all_in", 2),
    "mergingThreshold": ("merge", 1),
    "rakePercent": ("rake", 1),
}
"""Percentages, the keys that they become, and the largest values of those."""
_LINES: Final = {"addedLines": "added_lines", "removedLines": "removed_lines"}
_OTHERS: Final = ("board", "startingPot", "effectiveStack", "rakeCap", "donkOption")
_PLAIN: Final = frozenset(("version", "name", "oopRange", "ipRange", "config", "path", "isGroup"))
_SHOWN: Final = 40


def read_wasm(text: str, file: Path, changes: Mapping[str, Any], name: str | None = None) -> SetUp:
    """Read a set-up of WASM Postflop or Desktop Postflop as a spot.

    Args:
        text: The text of the file.
        file: The file, for errors.
        changes: Keys of the spot that override those of the file.
        name: The name of a configuration, with its folders: `SRP/100bb`; it may be left out where
            the file has a single one.

    Returns:
        The spot, and what it lacks.

    Raises:
        FileFormatError: It is not such a file; the error has the key and its line.
        UnknownNameError: There is no configuration of this name.
        ConfigError: A value is invalid or missing, and so are NotationErrors.
    """
    try:
        document = parse_json(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        place = f"{file}, line {line}" if line else f"{file}"
        raise FileFormatError(
            f"{place} is not JSON: {error}", file, option="file", place=place
        ) from None
    config, ranges = _parts(document, file, name)
    return _Config(file, text, config, ranges).read().finished(changes)


def _parts(document: Any, file: Path, name: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """The configuration, and the keys around it."""
    around = document if isinstance(document, dict) else {}
    if isinstance(around.get("data"), list):
        return _named(around["data"], file, name), {}
    if name is not None:
        raise ConfigError(
            f"{file} holds a single set-up, which has no name",
            option="name",
            given=name,
            remedy="leave out the name",
        )
    config = around.get("config", around)
    if not isinstance(config, dict):
        raise bad_setting(file, None, "config", str(config), "an object with the settings")
    return config, around


def _named(data: list[Any], file: Path, name: str | None) -> dict[str, Any]:
    """The configuration of a name, or the only one."""
    configs: dict[str, dict[str, Any]] = {}
    for k, entry in enumerate(data):
        keys = entry if isinstance(entry, dict) else {}
        if keys.get("isGroup") is True:
            continue
        path, value = keys.get("path"), keys.get("value")
        parts = [path] if isinstance(path, str) else path
        is_path = isinstance(parts, list) and all(isinstance(part, str) for part in parts)
        if not is_path or not isinstance(value, dict):
            raise bad_setting(file, None, f"data[{k}]", str(entry), "a path and a value")
        configs.setdefault("/".join(parts or ()), value)
    if name is None and len(configs) != 1:
        some = ", ".join([*configs][:10]) + (", ..." if len(configs) > 10 else "")
        raise ConfigError(
            f"{file} has {len(configs)} configurations" + (f": {some}" if configs else ""),
            option="name",
            given=len(configs),
            place=str(file),
            remedy=f"name one, as in {quote(f'{file}#{next(iter(configs))}')}"
            if configs
            else "give another file",
        )
    if name is not None and name not in configs:
        raise UnknownNameError("configuration", name, [*configs], option="name", place=str(file))
    return configs[next(iter(configs)) if name is None else name]


class _Config:
    """A configuration that is being read."""

    def __init__(
        self, file: Path, text: str, config: dict[str, Any], around: dict[str, Any]
    ) -> None:
        self.settings = Settings(file, PROGRAM)
        self.file, self.text = file, text
        self.config, self.around = config, around

    def read(self) -> Settings:
        """Read all keys."""
        settings, config = self.settings, self.config
        for key, seat in (("oopRange", "oop"), ("ipRange", "ip")):
            if key in self.around:
                text = self._text(self.around, key)
                if text.strip():
                    with at_setting(self.file, self._line(key), key):
                        settings.read_range(seat, text)
        if config.get("board") not in (None, [], ""):
            with at_setting(self.file, self._line("board"), "board"):
                settings.read_board(self._board())
        for key, name in (("startingPot", "pot"), ("effectiveStack", "stack")):
            if config.get(key) is not None:
                with at_setting(self.file, self._line(key), key):
                    settings.read_chips(name, decimal_text(self._number(key)))
        has_donks = bool(config.get("donkOption"))
        for key, (seat, kind, street) in _SIZES.items():
            if key in config and (kind != "donks" or has_donks):
                text = self._text(config, key)
                with at_setting(self.file, self._line(key), key):
                    sizes = read_sizes(text, raises=kind == "raises")
                settings.lists[seat, kind, street] = sizes
        self._read_shares()
        self._read_lines()
        for key, value in {**self.around, **config}.items():
            is_known = key in _PLAIN or key in _SIZES or key in _SHARES or key in _LINES
            if not is_known and key not in (*_OTHERS, "expectedBoardLength", "data") and value:
                settings.leave_out("setting", setting=f"{key} {str(value)[:_SHOWN]}")
        return settings

    def _read_shares(self) -> None:
        keys = self.settings.keys
        for key, (name, most) in _SHARES.items():
            share = self._number(key) / 100 if self.config.get(key) else Fraction(0)
            if share > most and name in ("merge", "rake"):
                raise bad_setting(
                    self.file, self._line(key), key, str(self.config[key]), "at most 100"
                )
            if share > most:
                self.settings.leave_out("beyond", setting=key, percent=f"{100 * most}")
            if share:
                keys[name] = float(min(share, Fraction(most)))
        if "add_all_in" in keys:
            keys["all_in_without_sizes"] = True
        if "rake" in keys and self.config.get("rakeCap") is not None:
            keys["rake_cap"] = float(self._number("rakeCap"))

    def _read_lines(self) -> None:
        """Lines, which were made for a board of a length."""
        length = self.config.get("expectedBoardLength")
        for key, name in _LINES.items():
            text = self._text(self.config, key) if key in self.config else ""
            lines = [line for line in re.split(r"[,;\s]+", text) if line]
            board = self.settings.keys.get("board")
            if lines and length and board and len(board) // 2 != length:
                self.settings.leave_out("board-length", setting=key, cards=f"{length}")
            elif lines:
                self.settings.keys[name] = lines

    def _board(self) -> str:
        """The board as text; cards may be numbers from 0, the twos first."""
        board = self.config["board"]
        if isinstance(board, str):
            return board
        cards = board if isinstance(board, list) else [board]
        names = []
        for card in cards:
            if isinstance(card, int) and not isinstance(card, bool) and 0 <= card < NUM_CARDS:
                names.append(card_name(card))
            elif isinstance(card, str):
                names.append(card)
            else:
                raise bad_setting(
                    self.file, self._line("board"), "board", str(board), "cards, as Qs, Jh, 2h"
                )
        return " ".join(names)

    def _text(self, keys: Mapping[str, Any], key: str) -> str:
        if isinstance(keys[key], str):
            return str(keys[key])
        raise bad_setting(self.file, self._line(key), key, str(keys[key]), "a text")

    def _number(self, key: str) -> Fraction:
        value = self.config[key]
        number = None
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            number = read_number(str(value))
        if number is None:
            raise bad_setting(self.file, self._line(key), key, str(value), "a number from 0 on")
        return number

    def _line(self, key: str) -> int | None:
        """The line of a key, from 1; None where several lines have it."""
        places = [match.start() for match in re.finditer(f'"{key}"\\s*:', self.text)]
        return None if len(places) != 1 else self.text.count("\n", 0, places[0]) + 1


def wasm_text(spot: Spot) -> str:
    """A spot as a set-up of Desktop Postflop, with ranges and board.

    Args:
        spot: The spot.

    Returns:
        The text of the file.

    Raises:
        ConfigError: The spot has what such a file cannot say.
    """
    refuse_keys(
        spot,
        _FORM,
        ("add_all_in", "all_in_without_sizes", "merge", "rake", "rake_cap", *_LINES.values()),
    )
    refuse_units(spot, _FORM)
    if not adds_to_sizes_alone(spot):
        raise ConfigError(
            f"add_all_in adds to empty lists, too, in {PROGRAM}, and in this spot it does not",
            option="add_all_in",
            given=spot.add_all_in,
            remedy="give `all_in_without_sizes`, or the size a in the lists in its place",
        )
    check_rake(spot, _FORM)
    lists = lists_of(spot)
    has_donks = any(kind == "donks" for _, kind, _ in lists)
    document = {
        "oopRange": str(spot.oop),
        "ipRange": str(spot.ip),
        "config": {
            "board": [card_names([card]) for card in spot.cards],
            "startingPot": spot.pot,
            "effectiveStack": spot.stack,
            "rakePercent": _percentage(spot.rake),
            "rakeCap": 0 if spot.rake_cap is None else _whole(spot.rake_cap),
            "donkOption": has_donks,
            **{
                key: _sizes(lists.get((seat, kind, street), lists[seat, "bets", street]))
                if kind != "donks" or has_donks
                else ""
                for key, (seat, kind, street) in _SIZES.items()
            },
            "addAllInThreshold": _percentage(spot.add_all_in),
            "forceAllInThreshold": _percentage(spot.force_all_in),
            "mergingThreshold": _percentage(spot.merge),
            "expectedBoardLength": len(spot.cards) if spot.added_lines or spot.removed_lines else 0,
            "addedLines": ",".join(spot.added_lines),
            "removedLines": ",".join(spot.removed_lines),
        },
    }
    return json.dumps(document, indent=2) + "\n"


def _percentage(share: float) -> float:
    return _whole(float(100 * Fraction(repr(share))))


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number


def _sizes(sizes: Sizes) -> str:
    for size in sizes:
        if isinstance(size, EveryBet) or (isinstance(size, Geometric) and size.most is not None):
            raise bad_size(size, _FORM)
    return ", ".join(percent(size) or str(size) for size in sizes)
