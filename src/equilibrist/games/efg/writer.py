"""Writes any game as a .efg file, Gambit's format."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from equilibrist.errors import GameSpecError
from equilibrist.game import CHANCE, TERMINAL, Game

_SIMPLE = 1_000_000
"""Probabilities are written as fractions with denominators up to this where that is exact."""


def efg_text(game: Game[Any]) -> str:
    """The whole tree of a game in Gambit's format, one line per history.

    The names of infosets are their keys. Equal payoffs are one outcome. Every mention repeats the
    whole definition, which some programs need. Probabilities are fractions that add up to exactly 1
    (Gambit requires it) and round to those of the game, if these add up to 1 as closely as floats
    can; payoffs are decimals with all their digits.

    Args:
        game: A game whose rules `check_game` accepts, of a size that can be written out.

    Returns:
        The text of a file, which `load_game` reads as the same game.

    Raises:
        GameSpecError: If a name ends in a backslash, which the format cannot hold.
    """
    writer = _Writer(game)
    lines = [*writer.heading(), *writer.lines()]
    return "\n".join(lines) + "\n"


class _Writer:
    """Writes the tree, and keeps the numbers of infosets and outcomes written so far."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.infosets: dict[tuple[int, str], int] = {}
        self.met = [0] * game.num_players
        self.outcomes: dict[tuple[float, ...], int] = {}
        self.events = 0

    def heading(self) -> list[str]:
        game = self.game
        count = game.num_players
        names = getattr(game, "player_names", [f"Player {p + 1}" for p in range(count)])
        players = " ".join(map(quoted, names))
        comment = getattr(game, "comment", "")
        title = quoted(getattr(game, "title", game.name))
        return [f"EFG 2 R {title} {{ {players} }}", *([quoted(comment)] if comment else []), ""]

    def lines(self) -> list[str]:
        lines: list[str] = []
        states: list[Any] = [self.game.initial_state()]
        while states:
            state = states.pop()
            player = self.game.player(state)
            if player == TERMINAL:
                lines.append(self.end(self.game.payoffs(state)))
                continue
            labels = self.game.actions(state)
            states += [self.game.next(state, a) for a in reversed(range(len(labels)))]
            if player == CHANCE:
                lines.append(self.event(labels, self.game.chance(state)))
            else:
                lines.append(self.decision(player, self.game.infoset(state), labels))
        return lines

    def event(self, labels: Sequence[str], odds: Sequence[float]) -> str:
        self.events += 1
        pairs = zip(map(quoted, labels), _fractions([float(p) for p in odds]), strict=True)
        return f'c "" {self.events} "" {{ {" ".join(f"{a} {p}" for a, p in pairs)} }} 0'

    def decision(self, player: int, key: str, labels: Sequence[str]) -> str:
        if (player, key) not in self.infosets:
            self.met[player] += 1
            self.infosets[player, key] = self.met[player]
        number = self.infosets[player, key]
        actions = " ".join(map(quoted, labels))
        return f'p "" {player + 1} {number} {quoted(key)} {{ {actions} }} 0'

    def end(self, payoffs: Sequence[float]) -> str:
        values = tuple(float(x) for x in payoffs)
        number = self.outcomes.setdefault(values, len(self.outcomes) + 1)
        return f't "" {number} "" {{ {", ".join(map(decimal, values))} }}'


def quoted(text: str) -> str:
    """A name as Gambit's files have it; GameSpecError where they cannot."""
    if text.endswith("\\"):
        raise GameSpecError(
            f"{text!r} ends in a backslash, which Gambit's files cannot hold",
            option="name",
            given=text,
            remedy="change that name",
        )
    return '"' + text.replace('"', '\\"') + '"'


def decimal(value: float) -> str:
    """Write a number with all its digits, without an exponent."""
    if value == int(value):
        return "0" if value == 0 else f"{int(value)}"
    return f"{Decimal(repr(value)):f}"


def _fractions(odds: Sequence[float]) -> list[Fraction]:
    """Fractions that add up to 1 and, where possible, round to the given floats."""
    exact = [Fraction(p) for p in odds]
    simple = [p.limit_denominator(_SIMPLE) for p in exact]
    if sum(simple) == 1 and _same(simple, odds):
        return simple
    # The remainder to 1 is shared out in proportion to how far each may move and still round back.
    steps = [Fraction(math.ulp(p)) for p in odds]
    missing = 1 - sum(exact)
    moved = [p + missing * step / sum(steps) for p, step in zip(exact, steps, strict=True)]
    if min(moved) >= 0 and _same(moved, odds):
        return moved
    return [p / sum(exact) for p in exact]


def _same(fractions: Sequence[Fraction], floats: Sequence[float]) -> bool:
    return all(float(f) == p for f, p in zip(fractions, floats, strict=True))
