"""Reads tables of Kuhn poker strategies in other notations of the literature.

Ours is `1`, `1p`, `1b`, `1pb` with the actions pass and bet. Elsewhere a move is named by what it
does: check (K), bet (B), fold (F), call (C); or C is check and fold, B is bet and call. Cards are
ranks, `J`, `Qb`, `Kpb`, or numbered from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from equilibrist.errors import ConfigError

Row = Mapping[str, float] | Sequence[float]
"""Probabilities of the actions by name, or in order."""

_KEY: Final = re.compile(r"([0-9]+|[TJQKAtjqka])[ :|/-]*([A-Za-z]*)")
_RANKS: Final = "TJQKA"
_ACTIONS: Final = {
    **dict.fromkeys(("pass", "check", "fold", "p", "k", "f"), "pass"),
    **dict.fromkeys(("bet", "call", "b", "c"), "bet"),
}


def in_our_notation(table: Mapping[str, Row], known: Mapping[str, Sequence[str]]) -> dict[str, Row]:
    """`table` with infosets and actions renamed, in the same order.

    `known` are the infosets of the game with their actions. What cannot be read as Kuhn's is kept,
    so that the error about it names what was written. Raises ConfigError if two names mean the
    same infoset or action.
    """
    keys = _our_keys(table, known)
    return {
        keys[key]: _row(key, row, known[keys[key]]) if keys[key] in known else row
        for key, row in table.items()
    }


def _our_keys(table: Iterable[str], known: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The infosets of `table`, each with the game's own key for it if it has one."""
    ours = all(key in known for key in table)
    cards = {} if ours else _cards(table, known)
    keys = {key: key if ours else _key(key, cards) for key in table}
    _check_distinct("infosets", keys)
    return keys


def _row(key: str, row: Row, known: Sequence[str]) -> Row:
    """The row with its actions renamed, unless they are those of the game, or have no names."""
    if not isinstance(row, Mapping) or set(row) <= set(known):
        return row
    labels = dict(zip(row, _actions(list(row)), strict=True))
    _check_distinct(f"actions at infoset {key!r}", labels)
    return {labels[label]: probability for label, probability in row.items()}


def _check_distinct(what: str, renamed: Mapping[str, str]) -> None:
    seen: dict[str, str] = {}
    for theirs, ours in renamed.items():
        if ours in seen:
            raise ConfigError(
                f"the table has two {what} that mean the same: {seen[ours]!r} and "
                f"{theirs!r} are both {ours!r}",
                option=what.split(maxsplit=1)[0].removesuffix("s"),
                given=theirs,
                expected=ours,
                remedy="keep one of them",
            )
        seen[ours] = theirs


def _cards(table: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """The game's numbers of cards by what the table calls them, where that is something else."""
    used = {match[1].upper() for match in map(_KEY.fullmatch, table) if match is not None}
    numbers = sorted({int(match[1]) for match in map(_KEY.fullmatch, known) if match is not None})
    by_rank = sorted(used & {*_RANKS}, key=_RANKS.index)
    if used == {*by_rank} and len(by_rank) == len(numbers):
        return dict(zip(by_rank, map(str, numbers), strict=True))
    if used == {str(number - 1) for number in numbers}:
        return {str(number - 1): str(number) for number in numbers}
    return {}


def _key(key: str, cards: Mapping[str, str]) -> str:
    match = _KEY.fullmatch(key)
    if match is None or not (match[1].isdigit() or cards):
        return key
    line = ""
    for letter in match[2].lower():
        before_a_bet = "b" not in line
        if letter in "pkf" or (letter == "c" and before_a_bet):
            line += "p"
        elif letter in "bc":
            line += "b"
        else:
            return key
    return cards.get(match[1].upper(), match[1]) + line


def _actions(labels: list[str]) -> list[str]:
    words = [label.strip().lower() for label in labels]
    check = {"c": "pass"} if "b" in words else {}
    return [{**_ACTIONS, **check}.get(w, label) for w, label in zip(words, labels, strict=True)]
