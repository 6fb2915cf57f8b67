"""One depth-first walk of the rules into flat columns: all that compiled games are made from.

Per history the walk keeps 8 bytes (parent and infoset) and per terminal one float64 per
player; the state objects themselves live only on the stack of the walk.
"""

from __future__ import annotations

import math
import os
from array import array
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from equilibrist.errors import EquilibristError, GameError, MemoryBudgetError
from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.tree.estimate import knuth_estimate
from equilibrist.tree.histories import (
    CHANCE_MARK,
    TERMINAL_MARK,
    Walk,
    action_path,
    history_labels,
)
from equilibrist.tree.user_errors import user_error

BYTES_PER_HISTORY = 60
"""What one history may cost at the peak of a build, without infoset keys."""
_FIRST_CHUNK = 1_024
_CHUNK = 65_536
"""Histories between two looks at the budget: at first few, then twice as many each time."""
_DEEP = 1_000
"""From this depth on the walk looks for a state that repeats on its own path."""
_ENDLESS = 10_000
"""A path of more moves than this belongs to a game that does not end. States that hold all moves
so far cost the square of the depth, so it must be noticed early."""
PROBABILITY_TOLERANCE = 1e-9
"""How far from 1 the probabilities of one chance node may add up."""


def default_memory() -> int:
    """Bytes a build may take if the caller sets no budget: half of the machine's memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):
        return 4 << 30


class _Walker:
    """The growing columns of a walk, and what turns a failure into an error with its place."""

    def __init__(
        self,
        game: Game[Any],
        max_histories: int | None,
        memory: int | None,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.game = game
        self.num_players = checked_num_players(game)
        self.max_histories = max_histories
        self.memory = default_memory() if memory is None else memory
        self.progress = progress
        self.parent = array("i")
        self.infoset = array("i")
        self.chance_count = array("i")
        self.chance_probability = array("d")
        self.payoff = array("d")
        self.ids: dict[str, int] = {}
        self.owner = array("b")
        self.labels: list[Sequence[str]] = []
        self.key_bytes = 0

    def run(self) -> None:
        try:
            self._loop()
        except EquilibristError:
            raise
        except MemoryError:
            raise MemoryBudgetError(
                f"out of memory after {len(self.parent):,} histories; lower --max-histories or "
                f"choose a smaller game",
                len(self.parent),
            ) from None
        except (Exception, SystemExit) as error:
            history = self.history(len(self.parent) - 1)
            method = _method_of(error)
            if method is None:  # not inside the user's rules: what they returned broke us
                raise GameError(f"unusable value from the rules: {error}", history) from error
            raise user_error(self.game, method, history, error) from error

    def _loop(self) -> None:
        game = self.game
        player, actions, infoset = game.player, game.actions, game.infoset
        chance, successor, payoffs = game.chance, game.next, game.payoffs
        add_parent, add_infoset = self.parent.append, self.infoset.append
        add_payoff, ids, labels, owner = self.payoff.extend, self.ids, self.labels, self.owner
        num_players = self.num_players
        states: list[Any] = [game.initial_state()]
        parents = [-1]
        node = -1
        chunk = _FIRST_CHUNK
        while states:
            for _ in range(chunk):
                if not states:
                    break
                state = states.pop()
                add_parent(parents.pop())
                node += 1
                acting = player(state)
                if acting >= 0:
                    key = infoset(state)
                    legal = actions(state)
                    count = len(legal)
                    known = ids.get(key, -1)
                    if known < 0:
                        known = self.new_infoset(node, key, acting, legal)
                    elif legal != labels[known] or acting != owner[known]:
                        self.check_repeat(node, key, known, acting, legal)
                    add_infoset(known)
                elif acting == TERMINAL:
                    add_infoset(TERMINAL_MARK)
                    value = payoffs(state)
                    if len(value) != num_players:
                        raise GameError(
                            f"payoffs() gave {len(value)} numbers for {num_players} players; "
                            f"give one per player",
                            self.history(node),
                        )
                    add_payoff(value)
                    continue
                elif acting == CHANCE:
                    add_infoset(CHANCE_MARK)
                    count = self.new_chance(node, chance(state))
                else:
                    raise GameError(
                        f"player() gave {acting!r}; expected 0..{num_players - 1}, CHANCE "
                        f"({CHANCE}) or TERMINAL ({TERMINAL})",
                        self.history(node),
                    )
                parents += [node] * count
                states += [successor(state, a) for a in range(count - 1, -1, -1)]
            self.check_budget(node)
            chunk = min(2 * chunk, _CHUNK)

    def new_infoset(self, node: int, key: Any, acting: int, legal: Sequence[str]) -> int:
        if not isinstance(key, str):
            raise GameError(
                f"infoset() gave {key!r} of type {type(key).__name__}; expected a str",
                self.history(node),
            )
        if acting >= self.num_players:
            raise GameError(
                f"player() gave {acting}, but num_players is {self.num_players}",
                self.history(node),
            )
        check_labels(key, legal, self.history, node)
        self.ids[key] = len(self.labels)
        self.labels.append(legal if isinstance(legal, tuple) else list(legal))
        self.owner.append(acting)
        self.key_bytes += len(key) + 150  # the string object, its dict slot, its list slots
        return len(self.labels) - 1

    def check_repeat(
        self, node: int, key: str, known: int, acting: int, legal: Sequence[str]
    ) -> None:
        if acting != self.owner[known]:
            raise GameError(
                f"infoset {key!r} belongs to player {self.owner[known]} and to player {acting}; "
                f"put the player into the key",
                self.history(node),
            )
        if tuple(legal) != tuple(self.labels[known]):
            raise GameError(
                f"infoset {key!r} has actions {list(legal)} here but {list(self.labels[known])} "
                f"at an earlier history; what a player can do must not depend on what they "
                f"cannot see",
                self.history(node),
            )

    def new_chance(self, node: int, probabilities: Sequence[float]) -> int:
        count = len(probabilities)
        if count == 0:
            raise GameError("chance() gave no outcomes", self.history(node))
        total = math.fsum(probabilities)
        if not abs(total - 1.0) <= PROBABILITY_TOLERANCE or min(probabilities) < 0:
            raise GameError(
                f"chance probabilities must be at least 0 and add up to 1 (within "
                f"{PROBABILITY_TOLERANCE:g}); got {_shortened(probabilities)}, sum {total!r}",
                self.history(node),
            )
        self.chance_count.append(count)
        self.chance_probability.extend(probabilities)
        return count

    def check_budget(self, node: int) -> None:
        count = node + 1
        if self.progress is not None:
            self.progress(count)
        depth = self.depth(node)
        if depth > _DEEP:
            self.check_loop(node)
        if depth > _ENDLESS:
            raise GameError(
                f"after {depth:,} moves the game has not ended, though no state has repeated; "
                f"let player() give TERMINAL ({TERMINAL}) on every path",
                self.history(node),
            )
        used = count * BYTES_PER_HISTORY + self.key_bytes
        over_count = self.max_histories is not None and count > self.max_histories
        if not over_count and used <= self.memory:
            return
        bound = (
            f"the limit of {self.max_histories:,} histories"
            if over_count
            else f"the memory budget of {self.memory / 2**30:.2f} GiB"
        )
        try:
            estimate = knuth_estimate(self.game)
        except Exception:  # rules that raise further down: the budget is what matters now
            estimate = math.nan
        message = f"{self.game.name} has over {count:,} histories, which passes {bound}"
        if math.isfinite(estimate):
            message += (
                f"; a Knuth estimate of the whole is {estimate:,.0f} histories, about "
                f"{estimate * BYTES_PER_HISTORY / 2**30:.2f} GiB"
            )
        message += ". Raise --max-histories or --memory, or choose smaller parameters"
        raise MemoryBudgetError(message, count, estimate)

    def depth(self, node: int) -> int:
        depth = 0
        while (node := self.parent[node]) >= 0:
            depth += 1
        return depth

    def check_loop(self, node: int) -> None:
        path = action_path(self.parent, node)
        state = self.game.initial_state()
        seen = {state: 0}
        for step, action in enumerate(path, start=1):
            state = self.game.next(state, action)
            if state in seen:
                history = history_labels(self.game, path[:step])
                raise GameError(
                    f"a loop: after {step} moves the state of move {seen[state]} returns, so the "
                    f"game never ends; put what makes it end (a move counter, say) into the state",
                    history,
                )
            seen[state] = step

    def history(self, node: int) -> tuple[str, ...]:
        if node < 0:
            return ()
        return history_labels(self.game, action_path(self.parent, node))


def walk_game(
    game: Game[Any],
    *,
    max_histories: int | None = None,
    memory: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Walk:
    """Walk all histories of `game`.

    `memory` is in bytes (default: half of the machine's), `progress` is called with the count
    so far about every 65,536 histories.

    Raises GameError where the rules contradict themselves or raise, and MemoryBudgetError with
    the count so far and an estimate of the whole where a budget is passed.
    """
    walker = _Walker(game, max_histories, memory, progress)
    walker.run()
    payoff = np.frombuffer(walker.payoff, np.float64).reshape(-1, walker.num_players)
    if not np.isfinite(payoff).all():
        leaf = int(np.argmax(~np.isfinite(payoff).all(axis=1)))
        node = int(np.flatnonzero(np.frombuffer(walker.infoset, np.int32) == TERMINAL_MARK)[leaf])
        raise GameError(
            f"payoffs() gave {payoff[leaf].tolist()}; every payoff must be finite",
            walker.history(node),
        )
    return Walk(
        parent=np.frombuffer(walker.parent, np.int32),
        infoset=np.frombuffer(walker.infoset, np.int32),
        chance_count=np.frombuffer(walker.chance_count or array("i"), np.int32),
        chance_probability=np.frombuffer(walker.chance_probability, np.float64),
        payoff=payoff,
        keys=list(walker.ids),
        owner=np.frombuffer(walker.owner, np.int8),
        labels=[tuple(legal) for legal in walker.labels],
        num_players=walker.num_players,
    )


def checked_num_players(game: Game[Any]) -> int:
    """`game.num_players`, refused with a GameError unless it is an int from 1 to 127."""
    count: Any = game.num_players
    if not isinstance(count, int) or not 1 <= count <= 127:
        raise GameError(f"num_players is {count!r}; expected an int from 1 to 127")
    return count


def check_labels(
    key: str,
    legal: Sequence[str],
    history: Callable[[int], tuple[str, ...]],
    node: int,
) -> None:
    """Refuse the actions of an infoset unless they are one or more different strings."""
    if len(legal) == 0:
        raise GameError(
            f"infoset {key!r} has no actions; give at least one, or end the game there",
            history(node),
        )
    if isinstance(legal, str) or not all(isinstance(label, str) for label in legal):
        raise GameError(
            f"actions() gave {legal!r} at infoset {key!r}; expected a tuple of str", history(node)
        )
    if len(set(legal)) != len(legal):
        raise GameError(
            f"infoset {key!r} has two actions of one name: {list(legal)}", history(node)
        )


def _method_of(error: BaseException) -> str | None:
    """The protocol method in which `error` arose, or None if it arose in this module."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return None if trace is None else trace.tb_frame.f_code.co_name


def _shortened(values: Sequence[float]) -> str:
    shown = ", ".join(repr(v) for v in values[:6])
    return f"[{shown}{', ...' if len(values) > 6 else ''}]"
