"""Two-player hold'em as a `Game`: every hand and every board by itself, to check the engine by."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.poker.cards.combos import COMBO_INDEX
from equilibrist.poker.hands.betting_tree import DEAL, DECISION, FOLDED, SHOWDOWN
from equilibrist.poker.preflop.exact.boards import strengths_on
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.typing import Int32Array

Cards = tuple[int, ...]


@cache
def _strengths(board: Cards) -> Int32Array:
    return strengths_on(board)


class State(NamedTuple):
    hands: tuple[Cards, ...] = ()
    dealt: tuple[Cards, ...] = ()
    node: int = 0
    is_over: bool = False


class PlainHoldem:
    """Deals both hands, then boards one street at a time; runouts after the last betting too."""

    name = "plain-holdem"
    num_players = 2

    def __init__(self, game: ExactGame) -> None:
        self.game, self.tree = game, game.tree
        self.deck = tuple(range(4 * game.rules.lowest_rank, 52))

    @cached_property
    def deals(self) -> list[tuple[Cards, Cards]]:
        every = list(combinations(self.deck, 2))
        return [(a, b) for a in every for b in every if not {*a} & {*b}]

    def initial_state(self) -> State:
        return State()

    def player(self, state: State) -> int:
        if state.is_over:
            return TERMINAL
        if not state.hands:
            return CHANCE
        kind = self.tree.kind[state.node]
        if kind == DECISION:
            return int(self.tree.player[state.node])
        if kind == FOLDED:
            return TERMINAL
        return CHANCE if kind == DEAL or self._to_come(state) else TERMINAL

    def _to_come(self, state: State) -> int:
        return sum(self.game.rules.board) - sum(map(len, state.dealt))

    def _outcomes(self, state: State) -> list[Cards]:
        seen = {*state.hands[0], *state.hands[1], *(c for cards in state.dealt for c in cards)}
        left = [card for card in self.deck if card not in seen]
        is_deal = self.tree.kind[state.node] == DEAL
        count = self.game.rules.board[len(state.dealt) + 1] if is_deal else self._to_come(state)
        return list(combinations(left, count))

    def actions(self, state: State) -> Sequence[str]:
        if not state.hands:
            return [f"{a}{b}" for a, b in self.deals]
        if self.tree.kind[state.node] in (DEAL, SHOWDOWN):
            return [str(cards) for cards in self._outcomes(state)]
        return [self.tree.label(child) for child in self.tree.children(state.node)]

    def chance(self, state: State) -> Sequence[float]:
        count = len(self.deals) if not state.hands else len(self._outcomes(state))
        return [1.0 / count] * count

    def next(self, state: State, action: int) -> State:
        if not state.hands:
            return state._replace(hands=self.deals[action])
        kind = self.tree.kind[state.node]
        if kind == DECISION:
            return state._replace(node=self.tree.children(state.node)[action])
        dealt = (*state.dealt, self._outcomes(state)[action])
        if kind == DEAL:
            return state._replace(dealt=dealt, node=self.tree.children(state.node)[0])
        return state._replace(dealt=dealt)

    def payoffs(self, state: State) -> Sequence[float]:
        stake = float(self.tree.stake[state.node].min()) / self.game.big_blind
        if self.tree.kind[state.node] == FOLDED:
            won = stake if self.tree.live[state.node] & 1 else -stake
        else:
            strength = _strengths(tuple(sorted(card for cards in state.dealt for card in cards)))
            mine, theirs = (int(strength[COMBO_INDEX[hand]]) for hand in state.hands)
            won = stake * ((mine > theirs) - (mine < theirs))
        return won, -won

    def infoset(self, state: State) -> str:
        player = self.player(state)
        return f"{player}|{state.hands[player]}|{state.dealt}|{state.node}"


def deals_of(game: ExactGame) -> int:
    """How many ways there are to deal both hands."""
    cards = 52 - 4 * game.rules.lowest_rank
    return comb(cards, 2) * comb(cards - 2, 2)
