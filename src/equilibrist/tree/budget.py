"""When a walk must stop before its end: a budget is passed, or the game cannot end."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

from equilibrist.errors import GameError, MemoryBudgetError
from equilibrist.game import TERMINAL, Game
from equilibrist.tree.estimate import knuth_estimate
from equilibrist.tree.histories import action_path, history_labels

BYTES_PER_HISTORY = 60
"""What one history may cost at the peak of a build, without infoset keys."""
_DEEP = 1_000
"""From this depth on the walk looks for a state that repeats on its own path."""
_ENDLESS = 10_000
"""A path of more moves than this belongs to a game that does not end. States that hold all moves
so far cost the square of the depth, so it must be noticed early."""


def default_memory() -> int:
    """Bytes a build may take if the caller sets no budget: half of the machine's memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):
        return 4 << 30


class Budget:
    """How many histories, and how many bytes, the walk of one game may take."""

    def __init__(self, game: Game[Any], max_histories: int | None, memory: int | None) -> None:
        self.game = game
        self.max_histories = max_histories
        self.memory = default_memory() if memory is None else memory

    def check(self, histories: int, key_bytes: int, finished: bool) -> None:
        """Raise MemoryBudgetError if so many histories are too many.

        `finished` says that these are all histories of the game; otherwise the message gives a
        Knuth estimate of the whole, unless the estimate is not finite or the rules raise.
        """
        used = histories * BYTES_PER_HISTORY + key_bytes
        over_count = self.max_histories is not None and histories > self.max_histories
        if not over_count and used <= self.memory:
            return
        bound = (
            f"the limit of {self.max_histories:,} histories"
            if over_count
            else f"the memory budget of {self.memory / 2**30:.2f} GiB"
        )
        over = "" if finished else "over "
        message = f"{self.game.name} has {over}{histories:,} histories, which passes {bound}"
        estimate = float(histories) if finished else self._estimate()
        if estimate is not None and not finished:
            message += (
                f"; a Knuth estimate of the whole is {estimate:,.0f} histories, about "
                f"{estimate * BYTES_PER_HISTORY / 2**30:.2f} GiB"
            )
        message += ". Raise --max-histories or --memory, or choose smaller parameters"
        raise MemoryBudgetError(message, histories, estimate)

    def _estimate(self) -> float | None:
        try:
            estimate = knuth_estimate(self.game)
        except (Exception, SystemExit):  # rules that raise further down: the budget matters now
            return None
        return estimate if math.isfinite(estimate) else None


def check_ends(game: Game[Any], parent: Sequence[int], node: int) -> None:
    """Raise GameError if the path to `node` is so long that the game cannot end."""
    depth = _depth(parent, node)
    if depth > _DEEP:
        _check_loop(game, action_path(parent, node))
    if depth > _ENDLESS:
        raise GameError(
            f"after {depth:,} moves the game has not ended, though no state has repeated; "
            f"let player() give TERMINAL ({TERMINAL}) on every path",
            history_labels(game, action_path(parent, node)),
        )


def _depth(parent: Sequence[int], node: int) -> int:
    depth = 0
    while (node := parent[node]) >= 0:
        depth += 1
    return depth


def _check_loop(game: Game[Any], path: Sequence[int]) -> None:
    state = game.initial_state()
    seen = {state: 0}
    for step, action in enumerate(path, start=1):
        state = game.next(state, action)
        if state in seen:
            raise GameError(
                f"a loop: after {step} moves the state of move {seen[state]} returns, so the "
                f"game never ends; put what makes it end (a move counter, say) into the state",
                history_labels(game, path[:step]),
            )
        seen[state] = step
