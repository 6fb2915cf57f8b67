"""Enumerates the rules of a game for a command, within the user's limits and with progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from equilibrist.cli.text.progress import LiveLine
from equilibrist.game import DEFAULT_MAX_DEPTH

if TYPE_CHECKING:
    from equilibrist.game import Game
    from equilibrist.tree.compile import GameTree


@dataclass(frozen=True)
class Limits:
    """Limits on the size of a game: histories, bytes of memory, moves in one line of play.

    None is `compile_game`'s default. With `quiet` no progress is shown.
    """

    max_histories: int | None = None
    memory: int | None = None
    max_depth: int = DEFAULT_MAX_DEPTH
    quiet: bool = False

    def at_most(self, histories: int) -> Limits:
        """The same limits with at most that many histories."""
        if self.max_histories is not None:
            histories = min(histories, self.max_histories)
        return replace(self, max_histories=histories)

    def compile(self, game: Game[Any]) -> GameTree:
        """Compile `game`; a long enumeration reports its progress on standard error.

        Raises as `compile_game` does.
        """
        from equilibrist.game_loading import compile_game

        with told_walk(quiet=self.quiet) as on_walk:
            return compile_game(
                game,
                max_histories=self.max_histories,
                memory=self.memory,
                max_depth=self.max_depth,
                on_walk=on_walk,
            )


@contextmanager
def told_walk(*, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """The callback that reports the count of histories on standard error."""
    with LiveLine(quiet=quiet) as live:
        live.stage("walking the rules", aloud=False)
        yield live.walked
