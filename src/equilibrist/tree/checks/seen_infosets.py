"""What `check_game` records per infoset: owner, actions, and whether recall is perfect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from equilibrist.tree.checks.asking import Path, Questioner, place

Move: TypeAlias = tuple[str, int] | None
"""An own infoset and the action taken there; None before the first."""


class PublicLine(NamedTuple):
    """The public states on the way to a history.

    Attributes:
        number: The same for histories whose states were the same, one after the other.
        state: The last of them.
    """

    number: int
    state: str


class PublicLines:
    """The lines of public states met so far."""

    def __init__(self) -> None:
        self._lines: dict[tuple[int, str], PublicLine] = {}

    def after(self, before: PublicLine | None, state: str) -> PublicLine:
        """The line that goes on with a public state, or stays as it is where that is the last."""
        if before is not None and state == before.state:
            return before
        key = (-1 if before is None else before.number, state)
        return self._lines.setdefault(key, PublicLine(len(self._lines), state))


@dataclass
class _Infoset:
    """The facts of an infoset at its first visit."""

    player: int
    labels: tuple[str, ...]
    past: Move
    path: Path
    public: PublicLine | None


class SeenInfosets:
    """The infosets met so far, and how often each lies on the current path."""

    def __init__(self, ask: Questioner) -> None:
        self.ask = ask
        self.known: dict[str, _Infoset] = {}
        self.on_path: dict[str, int] = {}

    @property
    def num_actions(self) -> int:
        """Pairs of infoset and action."""
        return sum(len(i.labels) for i in self.known.values())

    def enter(self, key: str) -> None:
        """Put a history of the infoset on the path."""
        self.on_path[key] = self.on_path.get(key, 0) + 1

    def leave(self, key: str) -> None:
        """Take a history of the infoset from the path."""
        self.on_path[key] -= 1

    def check(
        self, key: str, player: int, labels: tuple[str, ...], past: Move, public: PublicLine | None
    ) -> None:
        """Record how this history of infoset `key` disagrees with the first one.

        `past` is the latest own move of `player` on the current path, `public` the public
        states so far.
        """
        ask = self.ask
        known = self.known.get(key)
        if known is None:
            self.known[key] = _Infoset(player, labels, past, ask.path, public)
            return
        if known.player != player:
            ask.note(
                "owners",
                f"the infoset {key!r} belongs to player {player} here and to player "
                f"{known.player} at {place(known.path)}",
                "put the player's number into the key",
                key,
            )
            return
        if known.labels != labels:
            ask.note(
                "actions",
                f"the infoset {key!r} has the actions {list(labels)} here and "
                f"{list(known.labels)} at {place(known.path)}",
                "give the same labels in the same order, or tell the histories apart in the key",
                key,
            )
        if known.public != public:
            here, there = (None if p is None else p.state for p in (public, known.public))
            differ = f"it is {here!r} here and {there!r} at {place(known.path)}"
            if here == there:
                differ = f"other public states came before {here!r} here than at "
                differ += place(known.path)
            ask.note(
                "public",
                f"in the infoset {key!r} player {player} does not know what is public: {differ}",
                "put what is public into the key, or leave it out of public_state()",
                key,
            )
        if self.on_path.get(key):
            ask.note(
                "recall",
                f"player {player} meets the infoset {key!r} twice on one path",
                "put into the key how often the player has moved",
                key,
            )
        elif known.past != past:
            ask.note(
                "recall",
                f"in the infoset {key!r} player {player} forgets: its own move before was "
                f"{self._move(past)} here, but {self._move(known.past)} at {place(known.path)}",
                "put all that the player has seen and done into the key",
                key,
            )

    def _move(self, past: Move) -> str:
        if past is None:
            return "none"
        key, index = past
        known = self.known.get(key)
        if known is None or index >= len(known.labels):
            return f"number {index} at {key!r}"
        return f"{known.labels[index]!r} at {key!r}"
