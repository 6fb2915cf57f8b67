"""Tables of Kuhn poker in the other notations of the literature, read as ours.

Ours is `1`, `1p`, `1b`, `1pb` with the actions pass and bet. Elsewhere a move is named by what it
does: check (K), bet (B), fold (F), call (C); or C is check and fold, B is bet and call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from equilibrist.tree.compile import GameTree

_ACTIONS: Final = {
    **dict.fromkeys(("pass", "check", "fold", "p", "k", "f"), "pass"),
    **dict.fromkeys(("bet", "call", "b", "c"), "bet"),
}


def in_our_notation(
    tree: GameTree, table: Mapping[str, Mapping[str, float]]
) -> Mapping[str, Mapping[str, float]]:
    """`table` with infosets and actions renamed if it is of Kuhn poker, else as it was.

    What cannot be read as Kuhn's is kept, so that the error about it names what was written.
    """
    if tree.name.partition("(")[0] != "kuhn" or all(key in tree.infoset_keys for key in table):
        return table
    return {
        _key(key): dict(zip(_actions(list(row)), row.values(), strict=True))
        for key, row in table.items()
    }


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
