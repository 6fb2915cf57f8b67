"""Limits on the size of a game, within which its rules are walked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from equilibrist.game import DEFAULT_MAX_DEPTH

if TYPE_CHECKING:
    from equilibrist.game import Game
    from equilibrist.tree.compile import GameTree


@dataclass(frozen=True)
class Limits:
    """Limits on the size of a game, and who is told how far the walk of its rules is.

    Attributes:
        max_histories: The most histories that are enumerated; None for no limit but `memory`.
        memory: The most bytes that the compiled game may take; half of the machine's by default.
        max_depth: A line of play of more moves than this counts as endless.
        report: Makes the context of a walk, which gives the callback that is called with the
            number of histories walked so far.
    """

    max_histories: int | None = None
    memory: int | None = None
    max_depth: int = DEFAULT_MAX_DEPTH
    report: Callable[[], AbstractContextManager[Callable[[int], None] | None]] = field(
        default=nullcontext, compare=False
    )

    def at_most(self, histories: int) -> Limits:
        """Lower the limit of histories to at most that many; all other limits stay."""
        if self.max_histories is not None:
            histories = min(histories, self.max_histories)
        return replace(self, max_histories=histories)

    def compile(self, game: Game[Any]) -> GameTree:
        """Compile `game` and report the walk; raises as `compile_game` does."""
        from equilibrist.game_loading import compile_game

        with self.report() as on_walk:
            return compile_game(
                game,
                max_histories=self.max_histories,
                memory=self.memory,
                max_depth=self.max_depth,
                on_walk=on_walk,
            )
