"""Gambit's .efg files as games: `game.efg`, or `efg:` and the name of the file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from equilibrist.errors import FileFormatError, GameSpecError
from equilibrist.game import CHANCE, keep_source
from equilibrist.games.efg.parser import EfgFile, Move, parse_efg
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import (
    EMPTY,
    GAME,
    TEXT,
    place_in,
    remedy_for,
    words_of,
)
from equilibrist.storage.plain_file import read_text_file


@dataclass(frozen=True, eq=False)
class EfgGame:
    """A game from a Gambit .efg file; its states are node numbers, in the order of the file.

    `title`, `comment` and `player_names` are those of the file. The key of an infoset is its name,
    or `player 1, infoset 2 NAME` if it has no name or shares it with other infosets. Actions of an
    infoset that are unnamed or share a name are numbered. The payoffs of outcomes along a history
    are added exactly and rounded to floats once, at its end.

    Attributes:
        path: The path of the file.
        file: Its content.
    """

    path: str
    file: EfgFile
    _keys: dict[tuple[int, int], str] = field(init=False, repr=False)
    _labels: dict[tuple[int, int], tuple[str, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        moves = {
            (node.player, node.move.number): node.move
            for node in self.file.nodes
            if node.move is not None and node.player != CHANCE
        }
        object.__setattr__(self, "_keys", _keys(moves))
        labels = {place: _distinct(move.labels) for place, move in moves.items()}
        object.__setattr__(self, "_labels", labels)

    @property
    def name(self) -> str:
        """The file, as `load_game` takes it."""
        return self.path if self.path.lower().endswith(".efg") else f"efg:{self.path}"

    @property
    def title(self) -> str:
        """The title of the game in the file."""
        return self.file.title

    @property
    def comment(self) -> str:
        """The comment of the file, possibly empty."""
        return self.file.comment

    @property
    def player_names(self) -> tuple[str, ...]:
        """The names of the players in the file."""
        return self.file.players

    @property
    def num_players(self) -> int:
        """The number of players."""
        return len(self.file.players)

    def initial_state(self) -> int:
        return 0

    def player(self, state: int, /) -> int:
        return self.file.nodes[state].player

    def actions(self, state: int, /) -> tuple[str, ...]:
        node = self.file.nodes[state]
        assert node.move is not None
        if node.player == CHANCE:
            return node.move.labels
        return self._labels[node.player, node.move.number]

    def chance(self, state: int, /) -> tuple[float, ...]:
        move = self.file.nodes[state].move
        assert move is not None
        return tuple(map(float, move.odds))

    def next(self, state: int, action_index: int, /) -> int:
        return self.file.nodes[state].children[action_index]

    def payoffs(self, state: int, /) -> tuple[float, ...]:
        return tuple(map(float, self.file.nodes[state].payoffs))

    def infoset(self, state: int, /) -> str:
        node = self.file.nodes[state]
        assert node.move is not None
        return self._keys[node.player, node.move.number]

    def infoset_facts(self, key: str, /) -> tuple[tuple[str, str], ...]:
        """The player to act, and the moves that all histories of the infoset share."""
        histories = [self._history(node) for node in self._nodes[key]]
        mover = self.file.nodes[self._nodes[key][0]].player
        facts = [("you are", self._mover(mover))]
        if len({len(history) for history in histories}) == 1:
            moves = [self._known(step) for step in zip(*histories, strict=True)]
            return (*facts, ("so far", "; ".join(moves) or "nothing"))
        own = {
            tuple(action for player, action in history if player == mover) for history in histories
        }
        own_moves = "; ".join(own.pop()) or "nothing" if len(own) == 1 else "forgotten"
        return (*facts, ("your moves", own_moves))

    def _history(self, node: int) -> list[tuple[int, str]]:
        """The player and the action of every move that leads to a node."""
        steps: list[tuple[int, str]] = []
        while node:
            node, index = self._parents[node]
            steps.append((self.file.nodes[node].player, self.actions(node)[index]))
        return steps[::-1]

    def _known(self, step: Sequence[tuple[int, str]]) -> str:
        """A move as several histories share it; `?` where their actions differ."""
        players, actions = ({*column} for column in zip(*step, strict=True))
        mover = self._mover(step[0][0]) if len(players) == 1 else "somebody"
        return f"{mover}: {step[0][1] if len(actions) == 1 else '?'}"

    def _mover(self, player: int) -> str:
        if player == CHANCE:
            return "chance"
        return self.player_names[player] or f"player {player + 1}"

    @cached_property
    def _nodes(self) -> dict[str, list[int]]:
        """The nodes of each infoset."""
        nodes: dict[str, list[int]] = {}
        for number, node in enumerate(self.file.nodes):
            if node.player >= 0:
                nodes.setdefault(self.infoset(number), []).append(number)
        return nodes

    @cached_property
    def _parents(self) -> dict[int, tuple[int, int]]:
        """The parent of every node except the root, and the number of the action in between."""
        return {
            child: (number, index)
            for number, node in enumerate(self.file.nodes)
            for index, child in enumerate(node.children)
        }


def load_efg(path: str) -> EfgGame:
    """Read a Gambit .efg file.

    Raises GameSpecError if it is missing, is not UTF-8 text, or violates the format (with line
    and column).
    """
    file = Path(path).expanduser()
    if not os.path.isfile(file):  # noqa: PTH113 - no error
        what = "is not a file" if os.path.exists(file) else "does not exist"  # noqa: PTH110
        raise GameSpecError(
            f"the file {path!r} {what}",
            path,
            option="file",
            given=path,
            remedy=f"give the path from {Path.cwd()}",
        )
    try:
        text = read_text_file(file, None)
    except FileFormatError as error:
        kind = file_kind(file)
        if kind is not None and kind not in (GAME, EMPTY, TEXT):
            raise _another_kind(path, file, kind) from None
        raise GameSpecError(
            error.problem,
            path,
            option="file",
            given=path,
            remedy=error.remedy,
        ) from None
    try:
        game = EfgGame(path, parse_efg(text, path))
        keep_source(game, path if file.suffix.lower() == ".efg" else f"efg:{path}")
        return game
    except GameSpecError as error:
        kind = file_kind(file)
        if kind is None or kind in (GAME, EMPTY, TEXT):  # else it was meant to be another file
            raise
        raise _another_kind(path, file, kind, error.place) from None


def _another_kind(path: str, file: Path, kind: str, place: str | None = None) -> GameSpecError:
    """The error for a file of another kind that was named as a game."""
    return GameSpecError(
        f"{path} is not a game, but {words_of(kind)}",
        path,
        option="file",
        given=kind,
        place=place or place_in(file, kind),
        remedy=remedy_for(file, kind, "give a game of Gambit's (.efg)"),
    )


def _keys(moves: dict[tuple[int, int], Move]) -> dict[tuple[int, int], str]:
    """A unique key for every infoset."""
    names = Counter(move.name for move in moves.values())
    keys: dict[tuple[int, int], str] = {}
    for (player, number), move in moves.items():
        numbered = f"player {player + 1}, infoset {number} {move.name}".rstrip()
        while numbered in names:  # somebody's name: no key may be used twice
            numbered += "'"
        keys[player, number] = move.name if move.name and names[move.name] == 1 else numbered
    return keys


def _distinct(labels: Iterable[str]) -> tuple[str, ...]:
    """The labels, those that are empty or not the only ones with their number behind them."""
    originals = list(labels)
    counts = Counter(originals)
    names: list[str] = []
    for number, label in enumerate(originals, start=1):
        own = label
        if not label or counts[label] > 1:
            own = f"{label} #{number}".lstrip()
            while own in counts:
                own += "'"
        names.append(own)
    return tuple(names)
