"""What the lines of `messages.txt` take from here: files, games with one thing wrong, spots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from equilibrist.games import load_game
from equilibrist.poker import Spot
from tests.poker.postflop.spot.spots import SMALL
from tests.rules.own_rules import OWN
from tests.tree.checks.broken_rules import Coin, broken, kuhn

__all__ = ["OWN", "Coin", "broken", "efg", "kuhn", "spot", "write"]


def write(name: str, content: str | bytes) -> None:
    """Make a file in the working folder."""
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)


def efg(text: str) -> Any:
    """The game of a file of Gambit's with this text behind its heading."""
    write("game.efg", 'EFG 2 R "x" { "a" "b" }\n' + text)
    return load_game("game.efg")


def spot(**keys: Any) -> Spot:
    """A small flop spot with some keys replaced; None leaves a key out."""
    given = SMALL | keys
    return Spot(**{key: value for key, value in given.items() if value is not None})
