"""A spot that players come to with the weights of their ranges, as a game of the core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

import equilibrist as eq
from equilibrist.game import TERMINAL
from equilibrist.poker import Spot
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.ranges.range import Range
from tests.poker.postflop.engine.spot_game import SpotGame, SpotState

ROOT = "in in"


class EnteredState(NamedTuple):
    inside: SpotState
    entered: tuple[bool, ...]


@dataclass(frozen=True)
class EnteredSpot:
    """All pairs of hands are dealt alike; first each seat comes in, or leaves the other the pot."""

    spot: Spot
    num_players: int = 2
    name: str = "entered spot"
    lowest_rank: int = 0

    @cached_property
    def inside(self) -> SpotGame:
        """The spot with ranges of weights 1."""
        full = [Range.from_weights((held.weights > 0.0) * 1.0) for held in self.spot.ranges]
        spot = self.spot.replace(oop=full[0], ip=full[1])
        return SpotGame(spot, lowest_rank=self.lowest_rank)

    def initial_state(self) -> EnteredState:
        return EnteredState(self.inside.initial_state(), ())

    def _is_inside(self, state: EnteredState) -> bool:
        return not state.inside.combos or state.entered == (True, True)

    def player(self, state: EnteredState, /) -> int:
        if self._is_inside(state):
            return self.inside.player(state.inside)
        return TERMINAL if False in state.entered else len(state.entered)

    def actions(self, state: EnteredState, /) -> Sequence[str]:
        return self.inside.actions(state.inside) if self._is_inside(state) else ("out", "in")

    def chance(self, state: EnteredState, /) -> Sequence[float]:
        return self.inside.chance(state.inside)

    def next(self, state: EnteredState, action_index: int, /) -> EnteredState:
        if self._is_inside(state):
            return state._replace(inside=self.inside.next(state.inside, action_index))
        return state._replace(entered=(*state.entered, action_index == 1))

    def payoffs(self, state: EnteredState, /) -> tuple[float, float]:
        if self._is_inside(state):
            return self.inside.payoffs(state.inside)
        pot = float(self.spot.pot)
        return (pot, 0.0) if state.entered[0] else (0.0, pot)

    def infoset(self, state: EnteredState, /) -> str:
        if self._is_inside(state):
            return f"{self.inside.infoset(state.inside)}."
        return f"{combo_name(state.inside.combos[len(state.entered)])} in?"

    def public_state(self, state: EnteredState, /) -> str:
        if not state.inside.combos:
            return "deal"
        way = " ".join("in" if came else "out" for came in state.entered)
        return f"{way} {state.inside.betting}".strip()


def trunk_of(spot: Spot, seed: int, lowest_rank: int = 0) -> eq.Strategy:
    """Each hand comes in with its weight, and plays at random inside."""
    tree = eq.compile_game(EnteredSpot(spot, lowest_rank=lowest_rank))
    draws = np.random.default_rng(seed).exponential(size=int(tree.action_offset[-1]))
    totals = np.add.reduceat(draws, tree.action_offset[:-1])
    probabilities = draws / np.repeat(totals, np.diff(tree.action_offset))
    for infoset, key in enumerate(tree.infoset_keys):
        if key.endswith(" in?"):
            held = spot.ranges[int(tree.infoset_player[infoset])].weights
            weight = next(held[k] for k in np.flatnonzero(held) if combo_name(int(k)) == key[:-4])
            probabilities[tree.actions_of(infoset)] = [1.0 - weight, weight]
    return eq.Strategy(tree, probabilities)


def pairs(spot: Spot) -> int:
    """How many pairs of hands may be dealt."""
    return len(EnteredSpot(spot).inside.chance(EnteredSpot(spot).initial_state().inside))
