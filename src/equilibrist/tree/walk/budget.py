"""The limits of a walk: histories, memory, depth, and games that cannot end."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from statistics import fmean
from typing import Any, NoReturn

import numpy as np

from equilibrist.errors import EquilibristError, GameError, MemoryBudgetError
from equilibrist.game import DEFAULT_MAX_DEPTH, TERMINAL, Game
from equilibrist.parsing.control_groups import memory_limit
from equilibrist.parsing.user_code import pass_interrupts
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import load_rules
from equilibrist.tree.walk.estimate import MemoryWatch, estimate_histories
from equilibrist.tree.walk.histories import action_path, history_labels
from equilibrist.typing import Int32Array

_UNKNOWN = 4 << 30
"""Bytes a build may take where the system does not say how much memory it has."""
_BYTES_PER_HISTORY = 60
"""Bytes per history at the peak of a build, without infoset keys."""
RULES_HISTORIES = 100_000
"""Histories of a rules module that are walked unless the caller says otherwise: larger ones are for
sampling without a tree."""
_LARGEST_MACHINE = 1 << 38
"""Bytes that few machines have: where a game takes more, nobody is told to raise the budget."""
_SLACK = 32 << 20
"""Bytes that the process may grow beyond the budget, for what is not of the walk."""
_FIRST_COUNT = 1 << 10
"""The count is held against the limits from here on."""
_LOOK_AHEAD = 1 << 18
"""After so many histories of a walk its end is estimated, once."""
_VERY_LONG = 10.0
"""Or after so many seconds: rules may be slow."""
_LONG = 0.2
"""After so many seconds there is a first, narrow estimate; it goes on later if it takes long."""
_UNTHINKABLE = 1e15
"""From here on an estimate is given as an order of magnitude."""
_ESTIMATES = 20
_PATIENCE = 1.0
"""Seconds after which the estimate of a refusal stops: rules may be slow, and their games long."""
_GLANCE = 1.0
"""Seconds for the estimates of a look ahead; then as many for the walk, before it goes on."""
_EXCESS = 2.0
"""A game is refused in mid-walk if each of so many estimates is so many times beyond the budget. An
estimate is never negative and right on average, so it is twice too high with a chance of at most
1/2 however lopsided the game is (Markov), and all twenty are with at most one in a million."""
_WIDTH = 1_024
_NARROW = 64
_DEPTH = 300
"""The time of one such estimate: a fraction of that of the walk so far."""
_DEEP = 1_000
"""From this depth on the walk looks for a state that repeats on its own path."""


def default_memory() -> int:
    """Bytes a build may take if the caller sets no budget: half of the machine's memory.

    In a container it is half of what the container may take.
    """
    most = memory_limit()
    with suppress(AttributeError, ValueError, OSError):
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        most = whole if most is None else min(whole, most)
    return _UNKNOWN if most is None else most // 2


class Budget:
    """How many histories, bytes and moves in one line of play the walk of one game may take."""

    def __init__(
        self,
        game: Game[Any],
        max_histories: int | None,
        memory: int | None,
        max_depth: int = DEFAULT_MAX_DEPTH,
    ) -> None:
        self.game = game
        if max_histories is None and isinstance(game, RulesGame):
            max_histories = RULES_HISTORIES
        self.max_histories = max_histories
        self.max_depth = max_depth
        self.memory = default_memory() if memory is None else memory
        self.estimate: float | None = None
        self._judged = False
        self._next_glance = _LONG
        self._beyond: int | None = 0
        self._watch = MemoryWatch(self.memory + _SLACK)
        self._begun = time.monotonic()

    def check(self, histories: int, key_bytes: int, finished: bool, depth: int = 0) -> None:
        """Raise MemoryBudgetError if so many histories are too many, or many more must follow.

        At a great depth a game that does not end is a likelier reason than one that is too large,
        and its error tells more: the first look ahead waits for it. `finished` says that these are
        all histories of the game; otherwise the message estimates the whole, unless that is not
        finite or the rules raise.
        """
        used = histories * _BYTES_PER_HISTORY + key_bytes
        over_count = self.max_histories is not None and histories > self.max_histories
        if (over_count or used > self.memory) and (finished or histories >= _FIRST_COUNT):
            over = "" if finished else "over "
            bound = self._bound(over_count)
            problem = f"{self.game.name} has {over}{histories:,} histories, which exceeds {bound}"
            estimate = float(histories) if finished else self._estimate(self.max_depth)
            if estimate is not None and not finished:
                problem += f"; the estimated total is {_about(estimate)}"
            raise self._error(problem, histories, estimate, over_count)
        if self._watch.is_over:
            raise self._error(
                f"{self.game.name} took {_size_text(self._watch.grown)} of memory in walking "
                f"{histories:,} histories, which exceeds {self._bound(False)}",
                histories,
                None,
                False,
            )
        if finished or self._judged:
            return
        elapsed = time.monotonic() - self._begun
        if histories >= _LOOK_AHEAD or elapsed >= _VERY_LONG:
            self._judged = True
            self._look_ahead(histories, 0, _WIDTH, _ESTIMATES * _PATIENCE)
        elif elapsed >= self._next_glance and depth <= _DEEP:
            self._beyond = self._look_ahead(histories, self._beyond or 0, _NARROW, _GLANCE)
            spent = time.monotonic() - self._begun
            self._next_glance = math.inf if self._beyond is None else spent + _GLANCE

    def _look_ahead(self, histories: int, seed: int, width: int, seconds: float) -> int | None:
        """Raise the same error now if the walk could only end in it; else note an estimate.

        Its estimates, from the given seed on, are of that width and take so many seconds. Returns
        the seed to go on with if time was over while all were beyond the budget, else None.
        """
        deadline = time.monotonic() + seconds
        most = self._most
        over_count = self.max_histories is not None and self.max_histories <= most
        depth = min(_DEPTH, self.max_depth)
        while seed < _ESTIMATES:
            left = min(deadline - time.monotonic(), _PATIENCE)
            least = self._estimate(depth, width, seed, _EXCESS * most, left) if left > 0.0 else None
            if least is None or least <= _EXCESS * most:
                mean = None if least is None else self._mean_estimate(depth, width)
                self.estimate = math.inf if mean is None else max(mean, float(histories))
                return seed if least is None and seed else None
            seed += 1
        estimate = self._mean_estimate(depth, width)
        size = f"over {_EXCESS * most:.1e} histories" if estimate is None else _about(estimate)
        bound = self._bound(over_count)
        problem = f"{self.game.name} has {size}, which exceeds {bound}"
        raise self._error(problem, histories, estimate, over_count)

    def _bound(self, over_count: bool) -> str:
        if over_count:
            return f"the limit of {self.max_histories:,} histories"
        return f"the memory budget of {_size_text(self.memory)}"

    @property
    def _most(self) -> int:
        """The histories that both limits allow."""
        most = self.memory // _BYTES_PER_HISTORY
        return most if self.max_histories is None else min(most, self.max_histories)

    def _error(
        self, problem: str, histories: int, estimate: float | None, over_count: bool
    ) -> MemoryBudgetError:
        remedy = "Choose smaller parameters"
        if estimate is None or estimate * _BYTES_PER_HISTORY <= _LARGEST_MACHINE:
            stops = " and ".join(self._exceeded(max(histories, estimate or 0.0), over_count))
            remedy = f"Raise {stops}, or choose smaller parameters"
        rules = _sampled_as(self.game)
        if rules is not None:
            call = f"solve({rules!r}, sampling='external', seconds=60)"
            remedy += f"; or sample it without a tree: `{call}`"
        return MemoryBudgetError(
            problem,
            histories,
            estimate,
            option="max_histories" if over_count else "memory",
            given=self.max_histories if over_count else self.memory,
            expected=f"a game of at most {self._most:,} histories",
            remedy=remedy,
        )

    def _exceeded(self, histories: float, over_count: bool) -> list[str]:
        """The limits that stop a game of so many histories; one is known to be passed."""
        most = math.inf if self.max_histories is None else self.max_histories
        is_over = {
            "`max_histories`": over_count or histories > most,
            "`memory`": not over_count or histories * _BYTES_PER_HISTORY > self.memory,
        }
        return [name for name, over in is_over.items() if over]

    def _mean_estimate(self, depth: int, width: int) -> float | None:
        estimates: list[float] = []
        deadline = time.monotonic() + _GLANCE
        while len(estimates) < _ESTIMATES and (left := deadline - time.monotonic()) > 0.0:
            estimate = self._estimate(depth, width, len(estimates), seconds=left)
            if estimate is None:
                break
            estimates.append(estimate)
        return fmean(estimates) if estimates else None

    def _estimate(
        self,
        depth: int,
        width: int = 256,
        seed: int = 0,
        enough: float = math.inf,
        seconds: float | None = None,
    ) -> float | None:
        limit = _PATIENCE if seconds is None else seconds
        try:
            estimate = estimate_histories(self.game, width, depth, seed, limit, enough, self._watch)
        except BaseException as error:  # rules that raise below: the budget error comes first
            pass_interrupts(error)
            return None
        return estimate if math.isfinite(estimate) else None


def _sampled_as(game: Game[Any]) -> str | None:
    """The rules that can be sampled in place of a game's tree; None if there are none."""
    if isinstance(game, RulesGame):
        return game.name
    text = getattr(game, "sampled_as", None)
    if not isinstance(text, str):
        return None
    try:
        return load_rules(text).name
    except EquilibristError:  # parameters for which infosets cannot be packed
        return None


def _about(histories: float) -> str:
    """An estimate rounded to its accuracy, and the memory of so many histories."""
    if histories >= _UNTHINKABLE:
        return f"about {histories:.1e} histories"
    rounded = float(f"{histories:.2g}")
    return f"about {rounded:,.0f} histories, {_size_text(rounded * _BYTES_PER_HISTORY)}"


def _size_text(count: float) -> str:
    return f"{count / 2**20:.3g} MiB" if count < 2**30 else f"{count / 2**30:,.2f} GiB"


def too_deep(max_depth: int) -> tuple[str, str]:
    """The message and remedy for a history of more than `max_depth` moves."""
    problem = f"a line of play is longer than {max_depth:,} moves, and no state has repeated"
    remedy = (
        f"let every path end (player() returns TERMINAL, {TERMINAL}, there); if the game does end, "
        f"allow longer lines with `max_depth`"
    )
    return problem, remedy


def check_ends(game: Game[Any], parent: Sequence[int], node: int, max_depth: int) -> int:
    """The depth of `node`; raises GameError if its path is so long that the game cannot end.

    For use during the walk, which calls it periodically; `check_depth` misses nothing.
    """
    depth = _depth(parent, node)
    if depth > _DEEP:
        _check_loop(game, action_path(parent, node))
    if depth > max_depth:
        _raise_too_deep(game, action_path(parent, node), max_depth)
    return depth


def check_depth(game: Game[Any], parent: Int32Array, max_depth: int) -> None:
    """Raise GameError if any of all histories has more than `max_depth` moves."""
    node = _first_deeper(parent, max_depth)
    if node >= 0:
        _raise_too_deep(game, action_path(parent, node), max_depth)


def _raise_too_deep(game: Game[Any], path: Sequence[int], max_depth: int) -> NoReturn:
    message, remedy = too_deep(max_depth)
    history = history_labels(game, path[: max_depth + 1])
    raise GameError(
        message, history, kind="endless", option="max_depth", given=max_depth, remedy=remedy
    )


def _first_deeper(parent: Int32Array, max_depth: int) -> int:
    """The first node in preorder with more than `max_depth` nodes above it, or -1.

    Its ancestor `max_depth + 1` steps above, found by repeated squaring of the step, exists.
    """
    if len(parent) <= max_depth + 1:
        return -1
    jump: Int32Array = np.append(parent, np.int32(-1))  # -1, the index of the last, stays -1
    ancestor: Int32Array | None = None
    steps = max_depth + 1
    while True:
        if steps & 1:
            ancestor = jump if ancestor is None else jump[ancestor]
        steps >>= 1
        if not steps:
            break
        jump = jump[jump]
        if jump.max() < 0:  # no history is that long: true of most games after a few rounds
            return -1
    assert ancestor is not None  # steps was not 0
    deeper = ancestor >= 0
    return int(np.argmax(deeper)) if deeper.any() else -1


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
                f"a loop: after {step} moves the state of move {seen[state]} "
                "returns, so the game never ends",
                history_labels(game, path[:step]),
                kind="loop",
                remedy="put what makes it end (a move counter, say) into the state",
            )
        seen[state] = step
