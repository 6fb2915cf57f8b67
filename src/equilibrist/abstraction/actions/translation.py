"""Translation: strategies of a game with fewer actions, carried to the full game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from equilibrist.abstraction.actions.action_abstraction import ActionAbstraction, checked_actions
from equilibrist.abstraction.actions.beliefs import Follower
from equilibrist.abstraction.actions.mappings import (
    BetMapping,
    Translate,
    UserMapping,
    get_mapping,
)
from equilibrist.errors import MismatchError
from equilibrist.options.defaults import TRANSLATION
from equilibrist.strategy import Strategy
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True)
class Beliefs:
    """For which infosets of the restricted game each infoset of the full game is taken.

    Attributes:
        infoset: int64[B], infosets of the full game, rising.
        believed: int64[B], infosets of the restricted game.
        weight: float64[B]; those of an infoset add up to 1 where own actions keep their labels.
    """

    infoset: Int64Array
    believed: Int64Array
    weight: FloatArray


@dataclass(frozen=True)
class Taken:
    """What an action that was left out is taken for.

    Attributes:
        infoset: Where it is played, the key of the player who plays it.
        action: Its label.
        shares: {label of a kept action: with which probability}.
    """

    infoset: str
    action: str
    shares: dict[str, float]


class Translation:
    """How a strategy of a restricted game is played in the full one.

    A player's strategy is mixed over *sequences*: what an own line of the restricted game is worth
    in the full game's realization plan is linear in its plan. So a bet that was taken for another
    one stays that bet for as long as the game lasts, and the weight of each line at an infoset is
    what the draws made it, times how often the strategy itself plays there along that line. To
    mix the probabilities at infosets by the draws alone would forget the latter.

    Args:
        actions: What is kept.
        mapping: How the rest is translated: a name such as `pseudo-harmonic`, a function
            `translate(label, kept, facts)` that returns one of the kept labels or their
            probabilities, or such a function of a file as `rules.py:translate`. Its facts are those
            of the infoset at which the action is played, with `key` and `player`.

    Raises:
        UnknownNameError: There is no such mapping.
        UnsupportedError: An action has no counterpart, or the translation would depend on what a
            player cannot see.
        GameSpecError: The game does not say what its bets are as shares of the pot.
    """

    def __init__(
        self,
        actions: ActionAbstraction,
        mapping: str | BetMapping | UserMapping | Translate = TRANSLATION,
    ) -> None:
        """Follow all lines of the game; the class says what may be raised."""
        self.actions = checked_actions(actions)
        self.tree = actions.tree
        resolved = get_mapping(mapping)
        self.name = resolved.name
        """The mapping's name."""
        follower = Follower(actions, resolved)
        number = np.full(self.tree.num_infosets, -1, dtype=np.int64)
        number[actions.infoset] = np.arange(len(actions.infoset))
        flat = np.full(int(self.tree.action_offset[-1]), -1, dtype=np.int64)
        flat[actions.action] = np.arange(len(actions.action))
        rows: list[tuple[int, int, float]] = []
        moves: list[tuple[int, int, int]] = []
        offset = self.tree.action_offset.tolist()
        for player in range(self.tree.num_players):
            for infoset, table in sorted(follower.beliefs(player).items()):
                for believed, weight in table.items():
                    for kept, played in follower.answers(infoset, believed).items():
                        there = int(flat[offset[believed] + kept])
                        moves.append((offset[infoset] + played, there, len(rows)))
                    rows.append((infoset, int(number[believed]), weight))
        self.taken: tuple[Taken, ...] = self._taken(follower)
        """What each action is taken for that was left out, infoset by infoset."""
        self.beliefs = _beliefs(rows)
        """What each infoset is taken for."""
        columns = np.array(moves, dtype=np.int64).reshape(-1, 3).T
        self._played, self._kept, self._belief = np.ascontiguousarray(columns)

    def _taken(self, follower: Follower) -> tuple[Taken, ...]:
        keys, labels = self.tree.infoset_keys, self.tree.action_labels
        return tuple(
            Taken(
                keys[here],
                labels[here][place],
                {labels[there][kept]: share for kept, share in shares.items()},
            )
            for (here, place, there), shares in sorted(follower.translated.items())
            if labels[here][place] not in [labels[there][kept] for kept in shares]
        )

    @property
    def is_identity(self) -> bool:
        """Whether every action is kept, so that there is nothing to translate."""
        return self.actions.is_identity

    @cached_property
    def matrix(self) -> csr_array:
        """The linear map from plans of the restricted game to plans of the full one.

        float64[Q, Q'] over flat actions in public order, without empty sequences, which are mapped
        to themselves.
        """
        shape = (int(self.tree.action_offset[-1]), len(self.actions.action))
        weight = self.beliefs.weight[self._belief]
        return csr_array((weight, (self._played, self._kept)), shape=shape)

    def believed(self, infoset: int) -> dict[int, float]:
        """For which infosets of the restricted game one of the full game is taken.

        Args:
            infoset: Its number in the full game.

        Returns:
            {number in the full game: weight}; empty where own play never leads.
        """
        rows = np.flatnonzero(self.beliefs.infoset == infoset)
        full = self.actions.infoset[self.beliefs.believed[rows]]
        return dict(zip(full.tolist(), self.beliefs.weight[rows].tolist(), strict=True))

    def lift(self, strategy: Strategy) -> Strategy:
        """The strategy of the full game.

        At infosets that own play does not lead to it is what the lines give by their draws alone,
        and uniform where there is no line.

        Args:
            strategy: A strategy of the restricted game, `actions.restricted`.

        Returns:
            A strategy of the full game.

        Raises:
            MismatchError: It is a strategy of another game.
        """
        small = self.actions.restricted
        if strategy.tree is not small and strategy.tree.fingerprint != small.fingerprint:
            raise MismatchError(
                f"this is no strategy of {small.name} with the actions {self.actions.name}",
                option="strategy",
                given=strategy.tree.name,
                expected=f"{small.name}, {self.actions.name}",
            )
        form = small.sequence_form
        reach = form.reach(form.to_engine(strategy.probabilities))[form.public_parent]
        beliefs, count = self.beliefs, self.tree.num_infosets
        drawn = beliefs.weight
        # What the draws made of each line, times how often the strategy plays along it; the draws
        # alone where it never does.
        both = drawn * reach[beliefs.believed]
        played = np.bincount(beliefs.infoset, both, count) > 0.0
        share = np.where(played[beliefs.infoset], both, drawn)
        total = np.bincount(beliefs.infoset, share, count)
        share = share / total[beliefs.infoset]
        values = np.bincount(
            self._played,
            share[self._belief] * strategy.probabilities[self._kept],
            int(self.tree.action_offset[-1]),
        )
        counts = np.diff(self.tree.action_offset)
        uniform = np.repeat(1.0 / counts, counts)
        return Strategy(self.tree, np.where(np.repeat(total > 0.0, counts), values, uniform))

    def restrict(self, strategy: Strategy) -> Strategy:
        """The part of a lifted strategy that stands at the infosets of the restricted game.

        Args:
            strategy: A strategy of the full game that `lift` has made.

        Returns:
            The strategy that was lifted.

        Raises:
            ConfigError: It plays actions that are not kept.
        """
        return Strategy(self.actions.restricted, strategy.probabilities[self.actions.action])

    def __repr__(self) -> str:
        return f"Translation({self.actions!r}, {self.name!r})"


def _beliefs(rows: list[tuple[int, int, float]]) -> Beliefs:
    infosets = np.array([row[0] for row in rows], dtype=np.int64)
    believed = np.array([row[1] for row in rows], dtype=np.int64)
    weight = np.array([row[2] for row in rows], dtype=np.float64)
    return Beliefs(infosets, believed, weight)
