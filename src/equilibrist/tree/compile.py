"""Compiled games: `build_tree` walks the rules once, `GameTree` holds the arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import RecallError, UnknownNameError
from equilibrist.game import DEFAULT_MAX_DEPTH, SUM_TOLERANCE, Game, is_constant_sum
from equilibrist.parsing.arguments import (
    bad_argument,
    function,
    optional_whole_number,
    whole_number,
)
from equilibrist.tree.walk.histories import Walk, action_path, history_labels
from equilibrist.tree.walk.protocol import complete_rules, full_recall_of, recalls
from equilibrist.tree.walk.walk import walk_game
from equilibrist.typing import FloatArray, Int8Array, Int64Array

ROUNDING: Final = float(8.0 * np.finfo(np.float64).eps)
"""What rounding may hide, as a share of the largest payoff: eight units in the last place."""

if TYPE_CHECKING:
    from equilibrist.tree.forms.history_tree import HistoryTree
    from equilibrist.tree.forms.link import Linked
    from equilibrist.tree.forms.sequence_form import SequenceForm
    from equilibrist.tree.walk.public_states import PublicStates


def build_tree(
    game: Game[Any],
    *,
    max_histories: int | None = None,
    memory: int | None = None,
    on_walk: Callable[[int], None] | None = None,
    max_depth: int = DEFAULT_MAX_DEPTH,
) -> GameTree:
    """Walk the rules of `game` once and return the compiled game.

    `max_histories` bounds the walk, `memory` (bytes; default half of the machine's) its cost;
    `on_walk` is called with the number of histories seen so far. A line of play of more than
    `max_depth` moves counts as endless.

    Raises GameError for rules that contradict themselves or raise (with the history),
    MemoryBudgetError for a game beyond the budget (with an estimate of its size),
    GameSpecError for anything but a game, ConfigError for a bad limit.
    """
    if isinstance(game, GameTree):
        raise bad_argument(
            "game", game, "rules to compile: this game is compiled already, use it as is"
        )
    optional_whole_number("max_histories", max_histories, 1)
    optional_whole_number("memory", memory, 1)
    whole_number("max_depth", max_depth, 1)
    if on_walk is not None:
        function("on_walk", on_walk)
    rules = complete_rules(game)
    walk = walk_game(
        rules,
        max_histories=max_histories,
        memory=memory,
        on_walk=on_walk,
        max_depth=max_depth,
    )
    return GameTree(rules, walk)


class _PayoffBounds(NamedTuple):
    """Bounds of the payoffs that chance lets be reached, and of their sums over players."""

    low: FloatArray  # [P]
    high: FloatArray  # [P]
    least_sum: float
    largest_sum: float
    least_upper: float  # the least sum plus its rounding: see `is_constant_sum`
    largest_lower: float  # the largest sum less its rounding


class GameTree:
    """A compiled game: N histories, I infosets, Q actions at infosets, Z terminals, P players.

    Infosets are numbered by player, then by first visit of a depth-first walk ("public order");
    flat arrays over actions at infosets have `action_offset[infoset] + action` as their index.
    `compile_game` makes them.

    Args:
        game: The rules.
        walk: Their histories.

    Raises:
        ConfigError: `walk` is not one.
    """

    def __init__(self, game: Game[Any], walk: Walk) -> None:
        if not isinstance(walk, Walk):
            raise bad_argument("walk", walk, "that of a game: use compile_game(game)")
        self.game = game
        self.walk = walk
        order = np.argsort(walk.owner, kind="stable")
        public_of_walk = np.empty(len(order), dtype=np.int64)
        public_of_walk[order] = np.arange(len(order))
        self.public_of_walk: Int64Array = public_of_walk
        """int64[I]: the public number of each infoset of `walk`, which counts by first visit."""
        self._depth = -1
        keys, labels = walk.keys, walk.labels
        self.infoset_keys: tuple[str, ...] = tuple(keys[i] for i in order)
        self.action_labels: tuple[tuple[str, ...], ...] = tuple(labels[i] for i in order)
        self.infoset_player: Int8Array = np.array(walk.owner[order])
        counts = np.array([len(a) for a in self.action_labels], dtype=np.int64)
        self.action_offset: Int64Array = np.concatenate(([0], np.cumsum(counts)))
        for array in (self.infoset_player, self.action_offset, self.public_of_walk):
            array.flags.writeable = False

    @property
    def name(self) -> str:
        """The game's name, as `load_game` takes it."""
        return self.game.name

    @property
    def num_players(self) -> int:
        """Number of players P."""
        return self.walk.num_players

    @property
    def num_nodes(self) -> int:
        """Number of histories N, terminals and chance nodes included."""
        return len(self.walk.parent)

    @property
    def num_terminals(self) -> int:
        """Number of terminal histories Z."""
        return len(self.walk.payoff)

    @property
    def num_infosets(self) -> int:
        """Number of infosets I of all players."""
        return len(self.infoset_keys)

    @property
    def num_sequences(self) -> int:
        """Pairs of infoset and action, plus one empty sequence per player."""
        return int(self.action_offset[-1]) + self.num_players

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays held now (keys and labels not counted)."""
        w = self.walk
        columns = (w.parent, w.infoset, w.chance_count, w.chance_probability, w.payoff)
        public = (w.public_event, w.event_state)
        total = sum(a.nbytes for a in (*columns, *public) if a is not None)
        forms = (self.__dict__.get("sequence_form"), self.__dict__.get("history_tree"))
        return total + sum(int(form.nbytes) for form in forms if form is not None)

    @cached_property
    def _payoff_bounds(self) -> _PayoffBounds:
        payoff = self.walk.possible_payoffs()
        if not len(payoff):
            zero = np.zeros(self.num_players)
            return _PayoffBounds(zero, zero, 0.0, 0.0, 0.0, 0.0)
        total = payoff.sum(axis=1)
        slack = SUM_TOLERANCE / 2 * np.abs(payoff).max(axis=1)
        return _PayoffBounds(
            low=payoff.min(axis=0),
            high=payoff.max(axis=0),
            least_sum=float(total.min()),
            largest_sum=float(total.max()),
            least_upper=float((total + slack).min()),
            largest_lower=float((total - slack).max()),
        )

    @property
    def min_payoff(self) -> FloatArray:
        """Least payoff of each player that chance lets be reached, float64[P]."""
        return self._payoff_bounds.low.copy()

    @property
    def max_payoff(self) -> FloatArray:
        """Greatest payoff of each player that chance lets be reached, float64[P]."""
        return self._payoff_bounds.high.copy()

    @property
    def payoff_range(self) -> float:
        """The largest spread between a player's greatest and least payoff, as `min_payoff`."""
        return float(self.payoff_ranges.max())

    @cached_property
    def rounding(self) -> float:
        """The NashConv below which rounding hides whether it is 0, in payoff units.

        Gains are differences of sums of payoffs in double precision; this is eight units in the
        last place of the largest payoff, of which a large common offset does not count.
        """
        return float(ROUNDING * self.payoff_sizes.max())

    @cached_property
    def payoff_sizes(self) -> FloatArray:
        """float64[P]: the size of each player's largest payoff.

        A common offset that dwarfs their differences does not count. Players may be paid in
        different units: what is rounding for one is a payoff for another.
        """
        from equilibrist.tree.forms.payoff_cells import common_offset

        low, high = self._payoff_bounds.low, self._payoff_bounds.high
        offset = common_offset(low, high)
        return np.maximum(np.abs(low - offset), np.abs(high - offset))

    @cached_property
    def payoff_ranges(self) -> FloatArray:
        """float64[P]: the spread between each player's greatest and least payoff."""
        return self._payoff_bounds.high - self._payoff_bounds.low

    @property
    def constant_sum(self) -> float | None:
        """What the players' payoffs add up to at every terminal, or None if that varies.

        Terminals that chance lets nobody reach do not count.
        """
        bounds = self._payoff_bounds
        largest = max(float(np.abs(bounds.low).max()), float(np.abs(bounds.high).max()))
        if not is_constant_sum(bounds.least_upper, bounds.largest_lower, largest):
            return None
        mean = float(np.mean([bounds.least_sum, bounds.largest_sum]))
        return min(max(mean, bounds.largest_lower), bounds.least_upper)

    @property
    def is_constant_sum(self) -> bool:
        """Whether payoffs add up to the same number at every terminal."""
        return self.constant_sum is not None

    @cached_property
    def _index(self) -> dict[str, int]:
        return {key: i for i, key in enumerate(self.infoset_keys)}

    def index(self, key: str) -> int:
        """The public number of an infoset.

        Args:
            key: Its key.

        Returns:
            Its number, from 0.

        Raises:
            UnknownNameError: If the game has no such infoset; it suggests others.
            ConfigError: If `key` is not a text.
        """
        if not isinstance(key, str):
            raise bad_argument("infoset", key, f"the key of an infoset of {self.name}, a text")
        try:
            return self._index[key]
        except KeyError:
            nearby = self.infoset_keys[:5000]
            kind = f"infoset of {self.name}"
            raise UnknownNameError(kind, key, nearby, option="infoset") from None

    def actions_of(self, infoset: int) -> slice:
        """The place of one infoset in flat arrays over actions.

        Args:
            infoset: Its public number.

        Returns:
            A slice of arrays of length Q.

        Raises:
            ConfigError: If there is no such infoset.
        """
        whole_number("infoset", infoset, 0, self.num_infosets - 1)
        return slice(int(self.action_offset[infoset]), int(self.action_offset[infoset + 1]))

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over structure, keys, labels, chance and payoffs: equal games, equal prints."""
        digest = hashlib.sha256()
        w = self.walk
        columns = (w.parent, w.infoset, w.owner, w.chance_count, w.chance_probability, w.payoff)
        for array in columns:
            digest.update(str(array.shape).encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        for key, legal in zip(self.infoset_keys, self.action_labels, strict=True):
            digest.update("\x1f".join((key, *legal, "\x1e")).encode())
        return digest.hexdigest()

    def _link(self) -> Linked:
        from equilibrist.tree.forms.link import link_walk

        linked = link_walk(self.walk)
        self._depth = linked.depth
        return linked

    @property
    def depth(self) -> int:
        """Moves (chance included) in the longest history."""
        if self._depth < 0:
            self._link()
        return self._depth

    @cached_property
    def sequence_form(self) -> SequenceForm:
        """What full traversals read; raises RecallError unless every player recalls their past."""
        from equilibrist.tree.forms.layout import build_sequence_form

        linked = self._link()
        if linked.bad_node >= 0:
            self._raise_recall(linked.bad_node)
        return build_sequence_form(self.walk, linked, self.public_of_walk)

    @property
    def has_perfect_recall(self) -> bool:
        """Whether no player forgets what they knew or did."""
        return self._link().bad_node < 0

    @cached_property
    def history_tree(self) -> HistoryTree:
        """The form samplers walk; games of imperfect recall have one too."""
        from equilibrist.tree.forms.history_tree import build_history_tree

        return build_history_tree(self.walk, self.action_offset, self.public_of_walk)

    @cached_property
    def public_states(self) -> PublicStates:
        """What everybody knows at each history; ConfigError if the game does not say.

        The rules are played once more for it.
        """
        from equilibrist.tree.walk.public_states import read_public_states

        return read_public_states(self.game, self.walk)

    def _raise_recall(self, node: int) -> None:
        key = self.walk.keys[int(self.walk.infoset[node])]
        remedy = "put what the player has seen and done into the key"
        if not recalls(self.game):
            measured = full_recall_of(self.game).name
            if self.num_players == 2 and self.is_constant_sum:
                remedy = f"use fsicfr, which evaluates its strategy in {measured}"
            else:
                remedy = (
                    "only two players who forget can be solved for, whose payoffs have a constant "
                    f"sum; solve the rules that `full_recall` gives, of {measured}"
                )
        raise RecallError(
            f"infoset {key!r} has imperfect recall: it is reached after different own actions or "
            f"infosets. Full traversals and best responses need perfect recall",
            key,
            history_labels(self.game, action_path(self.walk.parent, node)),
            remedy=remedy,
        )

    def __repr__(self) -> str:
        return (
            f"GameTree({self.name!r}, players={self.num_players}, histories={self.num_nodes:,}, "
            f"infosets={self.num_infosets:,}, sequences={self.num_sequences:,})"
        )


def checked_tree(value: object) -> GameTree:
    """`value`, which must be a compiled game; ConfigError says how to get one."""
    if isinstance(value, GameTree):
        return value
    raise bad_argument("tree", value, "a compiled game, as compile_game('kuhn') gives it")
