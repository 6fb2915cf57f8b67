"""Reads tables of Kuhn poker strategies in other notations of the literature.

Ours is `1`, `1p`, `1b`, `1pb` with the actions pass and bet. Elsewhere a move is named by what it
does: check (K), bet (B), fold (F), call (C); or C is check and fold, B is bet and call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from equilibrist.errors import ConfigError

Row = Mapping[str, float] | Sequence[float]
"""Probabilities of the actions by name, or in order."""

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
    keys = {key: key if ours else _key(key) for key in table}
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


def _key(key: str) -> str:
    match = re.fullmatch(r"([0-9]+)([A-Za-z]*)", key)
    if match is None:
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
    return match[1] + line


def _actions(labels: list[str]) -> list[str]:
    words = [label.strip().lower() for label in labels]
    check = {"c": "pass"} if "b" in words else {}
    return [{**_ACTIONS, **check}.get(w, label) for w, label in zip(words, labels, strict=True)]
