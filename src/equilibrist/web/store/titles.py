"""What titles of stored solutions are made of: numbers and codes, from the headers of files."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from equilibrist.storage.kinds.file_kinds import CHARTS, SPOT_SOLUTION, THREE_SPOT

_PERCENT: Final = re.compile(r"(\d+(?:\.\d+)?)\s*%")
_STREETS: Final = 3
_BLINDS: Final = [0.5, 1.0]
"""In big blinds, as stacks are without blinds of their own."""


def title_facts(kind: str | None, solves: str | None) -> dict[str, Any]:
    """Take from a header what its title is made of.

    Args:
        kind: The kind of the file.
        solves: What the file solves, as `Entry.solves` has it.

    Returns:
        Of a spot `board`, `pot`, `stack`, `bets` (sizes on its first street as shares of the pot),
        `oop` and `ip` (positions whose preset the range is), `has_locks`, `has_folded` (ranges of
        players who folded) and `rake`; of three players `middle` and `stacks`, too; of charts
        `stacks`, `has_blinds` (of their own: stacks are chips), and `ante`, `big_blind_ante` and
        `payouts` where there are any. Nothing of others,
        nor where the text cannot be read.
    """
    if solves is None:
        return {}
    try:
        if kind == SPOT_SOLUTION:
            return _spot(tomllib.loads(solves))
        if kind == THREE_SPOT:
            return _three(tomllib.loads(solves))
        if kind in CHARTS:
            return chart_facts(json.loads(solves)[0])
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        pass
    return {}


def _spot(keys: dict[str, Any]) -> dict[str, Any]:
    board = str(keys["board"])
    first = len(board.replace(" ", "")) // 2 - _STREETS
    lists = [keys.get(name, keys.get("bets", "")) for name in ("oop_bets", "ip_bets")]
    positions = _positions()
    return {
        "board": board,
        "pot": float(keys["pot"]),
        "stack": float(keys["stack"]),
        "bets": _shares(lists, first),
        "oop": positions.get(str(keys["oop"])),
        "ip": positions.get(str(keys["ip"])),
        "has_locks": bool(keys.get("locks")),
        "has_folded": bool(keys.get("folded")),
        "rake": _share(keys.get("rake", 0.0)),
    }


def _three(keys: dict[str, Any]) -> dict[str, Any]:
    stacks = [float(stack) for stack in keys.get("stacks") or [keys["stack"]] * 3]
    alike = stacks[0] if len(set(stacks)) == 1 else None
    middle = _positions().get(str(keys["middle"]))
    return {**_spot({**keys, "stack": 0.0}), "stack": alike, "stacks": stacks, "middle": middle}


def _shares(lists: Iterable[object], first: int) -> list[float]:
    """The bets of a street that are shares of the pot, the least first."""
    shares = set()
    for sizes in lists:
        streets = str(sizes).split("|")
        text = streets[first] if len(streets) == _STREETS else streets[0]
        shares |= {float(percent) / 100.0 for percent in _PERCENT.findall(text)}
    return sorted(shares)


def _share(value: object) -> float:
    """A share of the pot as a number: `5%` and 0.05 are the same."""
    text = str(value)
    return float(text[:-1]) / 100.0 if text.endswith("%") else float(text)


@cache
def _positions() -> dict[str, str]:
    """Positions by the texts of their presets, where only one position has the range."""
    from equilibrist.poker.ranges.presets import PRESETS
    from equilibrist.poker.ranges.range import Range

    found: dict[str, set[str]] = {}
    for name in PRESETS:
        found.setdefault(str(Range(name)), set()).add(name.partition("-")[2])
    return {text: positions.pop() for text, positions in found.items() if len(positions) == 1}


def chart_facts(keys: dict[str, Any]) -> dict[str, Any]:
    """Stacks by seat, and what else tells hands before the flop from each other.

    Args:
        keys: The keys of a hand or of a push-or-fold game.
    """
    stacks = keys.get("stacks")
    if stacks is None:
        stacks = [keys["stack"]] * int(keys.get("seats", 2))
    added: dict[str, Any] = {
        name: float(keys[name]) for name in ("ante", "big_blind_ante") if keys.get(name)
    }
    if keys.get("payouts") is not None:
        added["payouts"] = [float(share) for share in keys["payouts"]]
    blinds = keys.get("blinds")
    if isinstance(blinds, str):
        blinds = [float(blind) for blind in blinds.split("/")]
    added["has_blinds"] = blinds is not None and list(blinds) != _BLINDS
    return {"stacks": [float(stack) for stack in stacks], **added}
