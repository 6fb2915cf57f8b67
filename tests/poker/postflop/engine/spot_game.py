"""Spots as games of the core: hand against hand, card by card, for small ranges and late streets.

Nothing of public trees is used here, only the betting rules. Without rake the sum of the payoffs is
the pot, and `solve_lp` finds the equilibrium; with rake it varies, which a linear programme for
constant sums refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.poker.betting.state import BettingState, Phase
from equilibrist.poker.cards.cards import NUM_CARDS, card_name
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, SECOND_CARD, combo_name
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solvers.matrix.lp import LinearSolution, solve_lp
from equilibrist.typing import UInt16Array


class SpotState(NamedTuple):
    """Where a hand stands; no combos before they are dealt."""

    combos: tuple[int, ...]
    dealt: tuple[int, ...]
    betting: BettingState


def put_in(state: BettingState) -> list[float]:
    """What each player has paid since the root, added up from the actions of the line."""
    paid: list[float] = [0, 0]
    for street in state.line:
        bets: list[float] = [0, 0]
        for number, action in enumerate(street):
            if action.amount:
                bets[number % 2] = action.amount
            elif action.code == "C":
                bets[number % 2] = max(bets)
        paid = [paid[0] + bets[0], paid[1] + bets[1]]
    return paid


@dataclass(frozen=True)
class SpotGame:
    """The game of a spot. Payoffs are chips at the end less the stack."""

    spot: Spot
    num_players: int = 2
    lowest_rank: int = 0
    """That of the deck from which later cards come."""

    @property
    def name(self) -> str:
        return f"spot({self.spot.board})"

    @cached_property
    def _deals(self) -> dict[tuple[int, int], float]:
        """How likely each pair of combos is."""
        oop, ip = (each.weights for each in self.spot.ranges)
        pairs = {
            (first, second): float(oop[first] * ip[second])
            for first in np.flatnonzero(oop).tolist()
            for second in np.flatnonzero(ip).tolist()
            if not COMBO_MASKS[first] & COMBO_MASKS[second]
        }
        total = sum(pairs.values())
        return {pair: weight / total for pair, weight in pairs.items()}

    @cached_property
    def _strengths(self) -> dict[tuple[int, ...], UInt16Array]:
        return {}

    def initial_state(self) -> SpotState:
        return SpotState((), (), self.spot.rules().root())

    def player(self, state: SpotState, /) -> int:
        phase = state.betting.phase
        if not state.combos or phase is Phase.DEAL:
            return CHANCE
        if phase is Phase.SHOWDOWN and self._to_come(state):
            return CHANCE
        return state.betting.player if phase is Phase.DECISION else TERMINAL

    def _to_come(self, state: SpotState) -> int:
        return 5 - len(self.spot.cards) - len(state.dealt)

    def _cards(self, state: SpotState) -> list[int]:
        held = {int(cards[c]) for c in state.combos for cards in (FIRST_CARD, SECOND_CARD)}
        gone = {*self.spot.cards, *state.dealt, *held}
        return [card for card in range(4 * self.lowest_rank, NUM_CARDS) if card not in gone]

    def actions(self, state: SpotState, /) -> Sequence[str]:
        if not state.combos:
            return [f"{combo_name(first)} {combo_name(second)}" for first, second in self._deals]
        if self.player(state) == CHANCE:
            return [card_name(card) for card in self._cards(state)]
        return [str(action) for action in self.spot.rules().actions(state.betting)]

    def chance(self, state: SpotState, /) -> Sequence[float]:
        if not state.combos:
            return list(self._deals.values())
        cards = self._cards(state)
        return [1 / len(cards)] * len(cards)

    def next(self, state: SpotState, action_index: int, /) -> SpotState:
        rules = self.spot.rules()
        if not state.combos:
            return state._replace(combos=list(self._deals)[action_index])
        betting = state.betting
        if self.player(state) == CHANCE:
            dealt = (*state.dealt, self._cards(state)[action_index])
            if betting.phase is Phase.DEAL:
                betting = rules.deal(betting)
            return SpotState(state.combos, dealt, betting)
        return state._replace(betting=rules.next(betting, rules.actions(betting)[action_index]))

    def payoffs(self, state: SpotState, /) -> tuple[float, float]:
        paid = put_in(state.betting)
        called = min(paid)
        pot = self.spot.pot + 2 * called
        pot -= self.spot.rules().rake(cast(int, pot))
        share = self._share(state)
        return pot * share - called, pot * (1 - share) - called

    def _share(self, state: SpotState) -> float:
        """What player 0 wins of the pot."""
        if state.betting.phase is Phase.FOLD:
            return float(state.betting.player)
        board = (*self.spot.cards, *sorted(state.dealt))
        if board not in self._strengths:
            self._strengths[board] = combo_strengths(board)
        first, second = self._strengths[board][list(state.combos)].tolist()
        return 0.5 if first == second else float(first > second)

    def infoset(self, state: SpotState, /) -> str:
        cards = "".join(card_name(card) for card in state.dealt)
        combo = combo_name(state.combos[state.betting.player])
        return f"{combo} {cards} {state.betting}"


def equilibrium(spot: Spot) -> LinearSolution:
    """The equilibrium of a small spot without rake; `values` are the EVs of OOP and IP in chips."""
    return solve_lp(compile_game(SpotGame(spot)))
