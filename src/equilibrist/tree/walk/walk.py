"""The depth-first walk of the rules into flat columns, from which games are compiled.

Per history the walk keeps 8 bytes (parent and infoset) and per terminal one float64 per
player; the state objects themselves live only on the stack of the walk.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, TypeVar, cast

import numpy as np

from equilibrist.errors import EquilibristError, GameError, MemoryBudgetError
from equilibrist.formatting import escaping
from equilibrist.game import CHANCE, DEFAULT_MAX_DEPTH, TERMINAL, Game, PublicGame
from equilibrist.parsing.user_code import pass_interrupts
from equilibrist.tree.walk import answers, budget
from equilibrist.tree.walk.answers import (
    LARGEST_PAYOFF,
    WrongAnswerError,
    read_key,
    read_labels,
    read_num_players,
    read_payoffs,
    read_player,
    read_probabilities,
)
from equilibrist.tree.walk.budget import Budget, check_depth, check_ends
from equilibrist.tree.walk.histories import (
    CHANCE_MARK,
    TERMINAL_MARK,
    Walk,
    Walked,
    action_path,
    history_labels,
)
from equilibrist.tree.walk.protocol import says_what_is_public
from equilibrist.tree.walk.user_errors import asked, user_error


class PublicEvents:
    """The public events found so far: each is a public state and its successor."""

    def __init__(self) -> None:
        self.event = array("i")
        """Per outcome, its event."""
        self.state = array("i")
        """Per event, the public state before it."""
        self._states: dict[str, int] = {}
        self._events: dict[tuple[int, str], int] = {}

    def add(self, before: str, after: Sequence[str]) -> None:
        """A chance node in public state `before`, whose outcomes lead to those in `after`."""
        state = self._states.setdefault(before, len(self._states))
        for key in after:
            event = self._events.setdefault((state, key), len(self._events))
            if event == len(self.state):
                self.state.append(state)
            self.event.append(event)


Value = TypeVar("Value")

_FIRST_LOOK = 64
"""After so many histories the memory of the process is looked at first."""
_FIRST_CHUNK = 1_024
_CHUNK = 65_536
"""Histories between two checks of the budget: few at first, doubled each time."""
_OFTEN = 0.25
"""Unless they take more seconds than this: then half as many."""
_PLAIN_ROWS = (tuple, list)
"""The hot loop takes these as they are; every other type goes through `answers`."""


class _GrowingWalk:
    """The growing columns of a walk, and what turns a failure into an error with its place."""

    def __init__(
        self,
        game: Game[Any],
        max_histories: int | None,
        memory: int | None,
        on_walk: Callable[[int], None] | None,
        max_depth: int,
    ) -> None:
        self.game = game
        self.num_players = self.num_players_of(game)
        self.budget = Budget(game, max_histories, memory, max_depth)
        self.on_walk = on_walk
        self.not_the_rules: BaseException | None = None
        """What `on_walk` raised."""
        self.parent = array("i")
        self.infoset = array("i")
        self.chance_count = array("i")
        self.chance_probability = array("d")
        self.payoff = array("d")
        self.ids: dict[str, int] = {}
        self.owner = array("b")
        self.labels: list[Sequence[str]] = []
        self.key_bytes = 0
        self.public = PublicEvents() if says_what_is_public(game) else None

    def run(self) -> None:
        try:
            self._loop()
        except EquilibristError:
            raise
        except MemoryError:
            raise MemoryBudgetError(
                f"out of memory after {len(self.parent):,} histories",
                len(self.parent),
                option="memory",
                remedy="Lower `max_histories`, or choose a smaller game",
            ) from None
        except BaseException as error:
            pass_interrupts(error)
            if error is self.not_the_rules:
                raise
            history = self.history(len(self.parent) - 1)
            method = _method_of(error)
            if method is None:  # raised outside the user's rules, by what they returned
                raise GameError(
                    f"unusable value from the rules: {error}",
                    history,
                    kind="exception",
                    given=type(error).__name__,
                ) from error
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
        chunk, began = _FIRST_LOOK, monotonic()
        while states:
            for _ in range(chunk):
                if not states:
                    break
                state = states.pop()
                add_parent(parents.pop())
                node += 1
                acting = player(state)
                # Exact built-in types need no check; this loop runs once per history.
                if type(acting) is not int:
                    acting = self.read(node, read_player, acting, num_players)
                if num_players > acting >= 0:
                    key = infoset(state)
                    if type(key) is not str:
                        key = self.read(node, read_key, key)
                    legal = actions(state)
                    if type(legal) not in _PLAIN_ROWS:
                        legal = self.read(node, read_labels, legal, True)
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
                    if type(value) not in _PLAIN_ROWS or len(value) != num_players:
                        value = self.read(node, read_payoffs, value, num_players)
                    for number in value:
                        if type(number) is not float and type(number) is not int:
                            value = self.read(node, read_payoffs, value, num_players)
                            break
                    try:
                        add_payoff(value)
                    except OverflowError:  # an int beyond all floats
                        self.read(node, read_payoffs, value, num_players)
                    continue
                elif acting == CHANCE:
                    add_infoset(CHANCE_MARK)
                    count = self.new_chance(node, chance(state), actions(state))
                    if self.public is not None:
                        following = [successor(state, a) for a in range(count)]
                        self.note_public(node, [state, *following])
                        parents += [node] * count
                        states += reversed(following)
                        continue
                else:
                    self.read(node, read_player, acting, num_players)
                parents += [node] * count
                # Backwards, so that action 0 is popped first: histories are numbered in preorder.
                states += [successor(state, a) for a in range(count - 1, -1, -1)]
            self.check_limits(node, not states)
            now = monotonic()
            slow = now - began >= _OFTEN
            chunk = self.next_chunk(chunk, node + 1, slow)
            began = now

    @staticmethod
    def next_chunk(chunk: int, walked: int, slow: bool) -> int:
        """Histories to walk until the limits are checked again."""
        if slow:
            return max(chunk // 2, 1)
        if walked < _FIRST_CHUNK:
            return walked
        return min(2 * max(chunk, _FIRST_CHUNK if walked == _FIRST_CHUNK else 1), _CHUNK)

    def num_players_of(self, game: Game[Any]) -> int:
        players: int = asked(game, tuple, "num_players", lambda: game.num_players, read_num_players)
        return players

    def read(self, node: int, reader: Callable[..., Value], answer: Any, *demands: Any) -> Value:
        """The result as parsed by `reader`; an invalid one is a GameError."""
        try:
            return reader(answer, *demands)
        except WrongAnswerError as wrong:
            raise wrong.at(self.history(node)) from None

    def new_infoset(self, node: int, key: str, acting: int, legal: Sequence[str]) -> int:
        labels = self.read(node, read_labels, legal, True)
        self.ids[self.read(node, read_key, key)] = len(self.labels)
        # Unconverted, since the next visit is compared with the same types.
        self.labels.append(labels if isinstance(legal, tuple) else list(labels))
        self.owner.append(acting)
        self.key_bytes += len(key) + 150  # the string object, its dict slot, its list slots
        return len(self.labels) - 1

    def check_repeat(
        self, node: int, key: str, known: int, acting: int, legal: Sequence[str]
    ) -> None:
        labels = self.read(node, read_labels, legal, True)
        if acting != self.owner[known]:
            raise GameError(
                f"infoset {key!r} belongs to player {self.owner[known]} and to player {acting}",
                self.history(node),
                kind="owners",
                option="infoset",
                given=key,
                remedy="put the player into the key",
            )
        if labels != tuple(self.labels[known]):
            raise GameError(
                f"infoset {key!r} has actions {list(labels)} here but "
                f"{list(self.labels[known])} at an earlier history",
                self.history(node),
                kind="actions",
                option="infoset",
                given=key,
                remedy="what a player can do must not depend on what they cannot see",
            )

    def new_chance(self, node: int, probabilities: Any, legal: Any) -> int:
        labels = self.read(node, read_labels, legal, False)
        values = self.read(node, read_probabilities, probabilities, labels)
        self.chance_count.append(len(values))
        self.chance_probability.extend(values)
        return len(values)

    def note_public(self, node: int, states: Sequence[Any]) -> None:
        """Record the public states at a chance node and after each of its outcomes."""
        public_state = cast(PublicGame[Any], self.game).public_state
        assert self.public is not None
        keys = [self.read(node, read_key, public_state(s), "public_state()") for s in states]
        self.public.add(keys[0], keys[1:])

    def check_limits(self, node: int, finished: bool) -> None:
        if self.on_walk is not None:
            try:
                self.on_walk(Walked.of(node + 1, self.budget.estimate))
            except BaseException as error:
                self.not_the_rules = error
                raise
        depth = check_ends(self.game, self.parent, node, self.budget.max_depth)
        self.budget.check(node + 1, self.key_bytes, finished, depth)

    def history(self, node: int) -> tuple[str, ...]:
        if node < 0:
            return ()
        return history_labels(self.game, action_path(self.parent, node))


def walk_game(
    game: Game[Any],
    *,
    max_histories: int | None = None,
    memory: int | None = None,
    on_walk: Callable[[int], None] | None = None,
    max_depth: int = DEFAULT_MAX_DEPTH,
) -> Walk:
    """Walk all histories of `game`.

    `memory` is in bytes (default: half of the machine's), `on_walk` is called with the count
    so far about every 65,536 histories. A line of play of more than `max_depth` moves counts as
    endless.

    Raises GameError where the rules contradict themselves or raise, and MemoryBudgetError with
    the count so far and an estimate of the whole where a budget is passed.
    """
    growing = _GrowingWalk(game, max_histories, memory, on_walk, max_depth)
    growing.run()
    check_depth(game, np.frombuffer(growing.parent, np.int32), max_depth)
    payoff = np.frombuffer(growing.payoff, np.float64).reshape(-1, growing.num_players)
    if not (payoff.min() >= -LARGEST_PAYOFF and payoff.max() <= LARGEST_PAYOFF):
        leaf = int(np.argmin((np.abs(payoff) <= LARGEST_PAYOFF).all(axis=1)))
        node = int(np.flatnonzero(np.frombuffer(growing.infoset, np.int32) == TERMINAL_MARK)[leaf])
        growing.read(node, read_payoffs, payoff[leaf].tolist(), growing.num_players)
    public = growing.public
    return Walk(
        parent=_frozen(growing.parent, np.int32),
        infoset=_frozen(growing.infoset, np.int32),
        chance_count=_frozen(growing.chance_count, np.int32),
        chance_probability=_frozen(growing.chance_probability, np.float64),
        payoff=_frozen(growing.payoff, np.float64).reshape(-1, growing.num_players),
        keys=list(growing.ids),
        owner=_frozen(growing.owner, np.int8),
        labels=[tuple(legal) for legal in growing.labels],
        num_players=growing.num_players,
        public_event=None if public is None else _frozen(public.event, np.int32),
        event_state=None if public is None else _frozen(public.state, np.int32),
    )


def _frozen(column: array[Any], dtype: type[np.generic]) -> Any:
    """The column as a read-only array that shares its memory."""
    values = np.frombuffer(column, dtype)
    values.flags.writeable = False
    return values


_OUR_FILES = (__file__, answers.__file__, escaping.__file__, budget.__file__)


def _method_of(error: BaseException) -> str | None:
    """The protocol method in which `error` arose, or None if it arose in the walk."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename in _OUR_FILES:
        trace = trace.tb_next
    return None if trace is None else trace.tb_frame.f_code.co_name
