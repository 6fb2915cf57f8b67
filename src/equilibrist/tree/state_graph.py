"""The graph of a game's states: histories that lead to equal states share a node."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from equilibrist.errors import GameError, MemoryBudgetError, MismatchError
from equilibrist.formatting.brief import brief_repr
from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.tree.compile import GameTree
from equilibrist.tree.forms.chance import cumulative
from equilibrist.tree.walk.answers import (
    read_key,
    read_labels,
    read_num_players,
    read_payoffs,
    read_player,
    read_probabilities,
)
from equilibrist.tree.walk.budget import default_memory
from equilibrist.tree.walk.protocol import complete_rules
from equilibrist.tree.walk.user_errors import asked
from equilibrist.typing import FloatArray, Int32Array, Int64Array

Value = TypeVar("Value")

_BYTES_PER_STATE = 1_000
"""Approximate bytes of a state and its moves while the graph is built."""


class GraphArrays(NamedTuple):
    """What kernels read; N states, E moves, U outcomes of chance, Z kinds of ends, P players.

    States are numbered so that every move leads to a higher number. `node` holds per state its
    first move, its base, its number of moves and its player (-1 chance, -2 terminal). The base of
    a decision is the index of its infoset's first action, of a chance state the index of its first
    outcome, of a terminal its row of payoffs. `level` is the length of the longest way to a state.
    """

    node: Int32Array  # [N, 4]
    level: Int32Array  # [N]
    child: Int32Array  # [E]
    chance_cumulative: FloatArray  # [U]: see `chance.cumulative`
    payoff: FloatArray  # [Z, P]


@dataclass(frozen=True, eq=False)
class StateGraph:
    """The distinct states of a game, I infosets with Q actions.

    `build_state_graph` makes it of rules, `share_states` of a tree. Flat arrays over actions at
    infosets have `action_offset[infoset] + action` as their index.

    Attributes:
        game: The rules.
        arrays: What kernels read.
        infoset_keys: The keys of the infosets.
        action_labels: The labels of the actions of each.
        action_offset: int64[I + 1], where the actions of each infoset begin.
    """

    game: Game[Any]
    arrays: GraphArrays
    infoset_keys: tuple[str, ...]
    action_labels: tuple[tuple[str, ...], ...]
    action_offset: Int64Array

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def num_players(self) -> int:
        """Number of players."""
        return int(self.arrays.payoff.shape[1])

    @property
    def num_states(self) -> int:
        """Number of states N, chance states and ends included."""
        return len(self.arrays.node)

    @property
    def num_actions(self) -> int:
        """Number of actions at all infosets Q."""
        return int(self.action_offset[-1])

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over states, moves, chance, payoffs, keys and labels."""
        digest = hashlib.sha256()
        for array in self.arrays:
            digest.update(str(array.shape).encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        for key, legal in zip(self.infoset_keys, self.action_labels, strict=True):
            digest.update("\x1f".join((key, *legal, "\x1e")).encode())
        return digest.hexdigest()

    def places_in(self, tree: GameTree) -> Int64Array:
        """For each action of `tree`, in its flat order, the index of the same action here.

        Args:
            tree: This game compiled, or the game with perfect recall.

        Returns:
            int64[Q].

        Raises:
            MismatchError: The two have other moves, or an infoset of the tree knows too little to
                tell which infoset of the graph it is.
        """
        ours, theirs = self.arrays, tree.history_tree.arrays.node
        places = np.full(int(tree.action_offset[-1]), -1, dtype=np.int64)
        node, state = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        while len(node):
            here, there = ours.node[state], theirs[node]
            acting = here[:, 3] >= 0
            if (here[:, 3] != there[:, 3]).any() or (here[:, 2] != there[:, 2])[
                here[:, 3] != TERMINAL
            ].any():
                raise self._other_moves(tree)
            at, action = _spread(there[acting, 1], here[acting, 2]), here[acting, 2]
            wanted = _spread(here[acting, 1], action)
            known = places[at]
            places[at] = wanted
            if ((known >= 0) & (known != wanted)).any() or (places[at] != wanted).any():
                raise MismatchError(
                    f"an infoset of {tree.name} stands for several of {self.game.name}",
                    option="infosets",
                    given=tree.name,
                    expected=self.game.name,
                    remedy=(
                        "what a player knows there is not enough to play a "
                        f"strategy of {self.game.name}"
                    ),
                )
            moving = here[:, 3] != TERMINAL
            node = _spread(there[moving, 0], here[moving, 2])
            state = ours.child[_spread(here[moving, 0], here[moving, 2])].astype(np.int64)
        self._check_labels(tree, places)
        return places

    def _check_labels(self, tree: GameTree, places: Int64Array) -> None:
        number = np.searchsorted(self.action_offset, places[tree.action_offset[:-1]], "right") - 1
        for mine, legal in zip(number.tolist(), tree.action_labels, strict=True):
            if self.action_labels[mine] != legal:
                raise self._other_moves(tree)

    def _other_moves(self, tree: GameTree) -> MismatchError:
        return MismatchError(
            f"{tree.name} has other moves than {self.game.name}",
            option="game",
            given=tree.name,
            expected=self.game.name,
            remedy=("the game of full recall must have the same histories, move by move"),
        )


def _spread(first: Int32Array, count: Int32Array) -> Int64Array:
    """The numbers first, first + 1, ... of each range, one range after the other."""
    total = int(count.sum())
    start = np.cumsum(count, dtype=np.int64) - count
    spread: Int64Array = np.repeat(first.astype(np.int64) - start, count) + np.arange(total)
    return spread


def build_state_graph(game: Game[Any], max_states: int | None = None) -> StateGraph:
    """Walk the distinct states of `game`, each once.

    Raises GameError for rules that contradict themselves, raise or return to a state,
    MemoryBudgetError for more than `max_states` states (by default what half of the machine's
    memory holds), GameSpecError for anything but a game.
    """
    limit = default_memory() // _BYTES_PER_STATE if max_states is None else max_states
    return _Walk(complete_rules(game), limit).run()


@dataclass
class _Frame:
    """A state whose moves are being followed: `done` of `following`."""

    number: int
    following: list[Any]
    done: int = 0


@dataclass
class _Walk:
    """The columns of a walk, by order of discovery."""

    game: Game[Any]
    limit: int
    path: list[_Frame] = field(default_factory=list)
    labels: list[Sequence[str]] = field(default_factory=list)
    """The labels of each state's actions, for the messages."""
    node: list[tuple[int, int, int, int]] = field(default_factory=list)
    child: list[int] = field(default_factory=list)
    finished: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    probability: list[float] = field(default_factory=list)
    rows: dict[tuple[float, ...], int] = field(default_factory=dict)
    infosets: dict[str, int] = field(default_factory=dict)
    legal: list[tuple[str, ...]] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)
    offset: list[int] = field(default_factory=lambda: [0])
    players: int = 0

    def run(self) -> StateGraph:
        self.players = self._ask("num_players", read_num_players)
        numbers: dict[Any, int] = {}
        done: set[int] = set()
        self._enter(self._ask("initial_state", None), numbers)
        while self.path:
            top = self.path[-1]
            if top.done == len(top.following):
                self.path.pop()
                self.finished.append(top.number)
                done.add(top.number)
                continue
            state, edge = top.following[top.done], self.node[top.number][0] + top.done
            top.done += 1
            known = self._number_of(state, numbers)
            if known is not None and known not in done:
                raise GameError(
                    "a loop: a state returns on its own path, so that the states "
                    "have no order in which to pass them",
                    self._history(),
                    kind="loop",
                    remedy="put what makes the game end into the state",
                )
            self.child[edge] = len(self.node) if known is None else known
            if known is None:
                self._enter(state, numbers)
        return self._graph()

    def _number_of(self, state: Any, numbers: dict[Any, int]) -> int | None:
        try:
            return numbers.get(state)
        except TypeError:
            raise GameError(
                f"a state of type {type(state).__name__} is not hashable",
                self._history(),
                kind="unhashable",
                given=type(state).__name__,
                remedy="use tuples, strings, numbers or frozen dataclasses",
            ) from None

    def _enter(self, state: Any, numbers: dict[Any, int]) -> None:
        """Number a new state, and read its moves."""
        numbers[state] = number = len(self.node)
        if number >= self.limit:
            raise MemoryBudgetError(
                f"{self.game.name} has over {self.limit:,} states, which exceeds the limit",
                number,
                remedy="Raise max_states, or choose smaller parameters, such as a shorter memory",
                option="max_states",
                given=self.limit,
            )
        player = self._ask("player", lambda answer: read_player(answer, self.players), state)
        count, base = 0, 0
        if player == TERMINAL:
            row = self._ask("payoffs", lambda answer: read_payoffs(answer, self.players), state)
            base = self.rows.setdefault(tuple(row), len(self.rows))
            legal: tuple[str, ...] = ()
        else:
            legal = self._ask("actions", lambda a: read_labels(a, player != CHANCE), state)
            count = len(legal)
            if player == CHANCE:
                base = len(self.probability)
                self.counts.append(count)
                read = self._ask("chance", lambda a: read_probabilities(a, legal), state)
                self.probability += read
            else:
                base = self._infoset(state, player, legal)
        self.node.append((len(self.child), base, count, player))
        self.labels.append(legal)
        self.child += [-1] * count
        following = [self._ask("next", None, state, a) for a in range(count)]
        self.path.append(_Frame(number, following))

    def _infoset(self, state: Any, player: int, legal: tuple[str, ...]) -> int:
        """The index of the first action of the state's infoset."""
        key = self._ask("infoset", read_key, state)
        known = self.infosets.setdefault(key, len(self.legal))
        if known == len(self.legal):
            self.legal.append(legal)
            self.owner.append(player)
            self.offset.append(self.offset[-1] + len(legal))
        elif self.legal[known] != legal or self.owner[known] != player:
            raise GameError(
                f"infoset {key!r} has another player or other actions at another state",
                self._history(),
                kind="actions",
                option="infoset",
                given=key,
                remedy="both must follow from what its player knows",
            )
        return self.offset[known]

    def _ask(self, method: str, read: Callable[[Any], Any] | None, *arguments: Any) -> Any:
        """The result of a method as parsed by `read`; GameError if it is invalid."""

        def call() -> Any:
            answer = getattr(self.game, method)
            return answer(*arguments) if callable(answer) else answer

        return asked(self.game, self._history, method, call, read)

    def _history(self) -> tuple[str, ...]:
        return tuple(self.labels[f.number][f.done - 1] for f in self.path if f.done)

    def _graph(self) -> StateGraph:
        """Renumber, those that were finished last first, and freeze."""
        order = np.array(self.finished[::-1], dtype=np.int64)
        number = np.empty(len(order), dtype=np.int32)
        number[order] = np.arange(len(order), dtype=np.int32)
        node = np.array(self.node, dtype=np.int32)[order]
        child = number[np.array(self.child, dtype=np.int64)]
        counts = np.array(self.counts, dtype=np.int32)
        arrays = GraphArrays(
            node=node,
            level=levels_of(node, child),
            child=child,
            chance_cumulative=cumulative(counts, np.array(self.probability)),
            payoff=np.array(list(self.rows)).reshape(-1, self.players),
        )
        for array in arrays:
            array.flags.writeable = False
        offset = np.array(self.offset, dtype=np.int64)
        return StateGraph(self.game, arrays, tuple(self.infosets), tuple(self.legal), offset)


def levels_of(node: Int32Array, child: Int32Array) -> Int32Array:
    """The length of the longest way to each state; moves lead to higher numbers."""
    level = [0] * len(node)
    following = child.tolist()
    for number, (first, _, count, _) in enumerate(node.tolist()):
        for successor in following[first : first + count]:
            level[successor] = max(level[successor], level[number] + 1)
    return np.array(level, dtype=np.int32)
