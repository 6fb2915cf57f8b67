"""An oracle: plain recursion over the betting and the rivers of a turn, all deals one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from equilibrist.poker.cards.combos import COMBO_MASKS, NUM_COMBOS
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.hands.betting_tree import DEAL, DECISION, FOLDED
from equilibrist.poker.three_players.profile import HandsAndGames
from equilibrist.typing import FloatArray, Int64Array
from tests.poker.three_players.recursion import Recursion, random_strategies

Deals = list[tuple[tuple[int, int, int], float]]
"""Places of hands in the three lists, and what they weigh."""


class Strategies:
    """What three seats play on the turn and on every river."""

    def __init__(
        self, laid_out: HandsAndGames, first: Sequence[FloatArray], later: Sequence[FloatArray]
    ) -> None:
        self.laid_out, self.first, self.later = laid_out, first, later

    @classmethod
    def random(cls, laid_out: HandsAndGames, seed: int) -> Strategies:
        """Strategies at random, of which some actions are never taken."""
        runouts, random = laid_out.runouts, np.random.default_rng(seed)
        later = []
        for game, width in zip(laid_out.later[0], runouts.widths, strict=True):
            weights = random.random((runouts.count, game.num_rows, width))
            later.append(weights * (random.random(weights.shape) > 1 / 3))
        return cls(laid_out, random_strategies(laid_out, seed), later)

    def turn(self, seat: int, row: int, place: int) -> float:
        """How often a seat takes the action of a row on the turn."""
        return float(self.first[seat][row, place])

    def river(self, seat: int, first: int, rows: int, place: int, card: int) -> Int64Array:
        """How often it takes each action of a decision on a river."""
        runouts = self.laid_out.runouts
        board, images = runouts.find(card)
        combo = images[self.laid_out.hands[seat][place]]
        column = np.searchsorted(runouts.hands[board][seat], combo)
        weights = self.later[seat][board, first : first + rows, column].astype(np.float64)
        total = weights.sum()
        return weights / total if total else np.full(rows, 1 / rows)


class TurnRecursion(Recursion):
    """Values and best responses by definition, for few hands and few lines."""

    def __init__(self, laid_out: HandsAndGames) -> None:
        super().__init__(laid_out)
        self.games = laid_out.games, laid_out.later[0]
        self.place_of = [
            {
                int(node): (street, int(first))
                for street, games in enumerate(self.games)
                for node, first in zip(games[seat].node, games[seat].first, strict=False)
            }
            for seat in range(3)
        ]
        self.strengths_on = lru_cache(None)(
            lambda card: combo_strengths((*self.spot.cards, card)).astype(int)
        )

    def rivers(self, places: tuple[int, int, int]) -> list[int]:
        """The cards that a deal leaves."""
        taken = np.bitwise_or.reduce(
            [COMBO_MASKS[self.laid_out.hands[seat][place]] for seat, place in enumerate(places)]
        )
        left = [
            card for card in range(52) if card not in self.spot.cards and not int(taken) >> card & 1
        ]
        assert len(left) == 42
        return left

    def won(self, node: int, places: tuple[int, int, int], card: int | None) -> FloatArray:
        """What each seat wins at an end, over the rivers where none is dealt yet."""
        if self.betting.kind[node] == FOLDED:
            self.strengths = np.zeros(NUM_COMBOS, int)
            return np.array(self.payoffs(node, places))
        rivers = self.rivers(places) if card is None else [card]
        total = np.zeros(3)
        for river in rivers:
            self.strengths = self.strengths_on(river)
            total += self.payoffs(node, places)
        return total / len(rivers)

    def values_of(self, strategies: Strategies) -> list[float]:
        """What each seat wins on average."""
        totals, weight_of_all = np.zeros(3), 0.0
        for places, weight in self.deals():
            totals += weight * self.follow(0, places, None, strategies)
            weight_of_all += weight
        return [float(value) for value in totals / weight_of_all]

    def follow(
        self, node: int, places: tuple[int, int, int], card: int | None, strategies: Strategies
    ) -> FloatArray:
        """What each seat wins from a node on, less all that it has put in from the spot on."""
        if self.betting.kind[node] == DEAL:
            rivers, (child,) = self.rivers(places), self.betting.children(node)
            below = [self.follow(child, places, river, strategies) for river in rivers]
            return np.sum(below, axis=0) / len(rivers)
        if self.betting.kind[node] != DECISION:
            return self.won(node, places, card)
        seat = int(self.betting.player[node])
        shares = self._shares(seat, node, places[seat], card, strategies)
        total = np.zeros(3)
        for share, child in zip(shares, self.betting.children(node), strict=True):
            if share:
                total += share * self.follow(child, places, card, strategies)
        return total

    def comes(
        self,
        node: int,
        seat: int,
        places: tuple[int, int, int],
        card: int,
        strategies: Strategies,
    ) -> float:
        """How often a seat takes the actions that lead to a node of the river."""
        reach, child, dealt = 1.0, node, int(self.betting.street[node]) == 1
        while child:
            parent = int(self.betting.parent[child])
            if self.betting.kind[parent] == DEAL:
                dealt = False
            elif self.betting.player[parent] == seat:
                place = self.betting.children(parent).index(child)
                river = card if dealt else None
                reach *= self._shares(seat, parent, places[seat], river, strategies)[place]
            child = parent
        return reach

    def _shares(
        self, seat: int, node: int, place: int, card: int | None, strategies: Strategies
    ) -> list[float]:
        """How often each action is taken."""
        street, first = self.place_of[seat][node]
        count = len(self.betting.children(node))
        assert street == (card is not None)
        if card is None:
            return [strategies.turn(seat, first + k, place) for k in range(count)]
        return list(strategies.river(seat, first, count, place, card))

    def best_value_of(self, seat: int, strategies: Strategies) -> float:
        """What the best response of a seat wins on average, hand by hand."""
        total = weight_of_all = 0.0
        by_hand: dict[int, Deals] = {}
        for places, weight in self.deals():
            by_hand.setdefault(places[seat], []).append((places, weight))
            weight_of_all += weight
        for deals in by_hand.values():
            total += self._best_on(seat, 0, deals, None, strategies)
        return total / weight_of_all

    def _best_on(
        self, seat: int, node: int, deals: Deals, card: int | None, strategies: Strategies
    ) -> float:
        if not deals:
            return 0.0
        if self.betting.kind[node] == DEAL:
            (child,) = self.betting.children(node)
            total = 0.0
            for river in range(52):
                left = [(places, w / 42) for places, w in deals if river in self.rivers(places)]
                total += self._best_on(seat, child, left, river, strategies)
            return total
        if self.betting.kind[node] != DECISION:
            return float(sum(w * self.won(node, places, card)[seat] for places, w in deals))
        player, children = int(self.betting.player[node]), self.betting.children(node)
        if player == seat:
            return max(self._best_on(seat, child, deals, card, strategies) for child in children)
        total = 0.0
        taken = [self._shares(player, node, p[player], card, strategies) for p, _ in deals]
        for k, child in enumerate(children):
            reached = [
                (places, weight * shares[k])
                for (places, weight), shares in zip(deals, taken, strict=True)
                if shares[k]
            ]
            total += self._best_on(seat, child, reached, card, strategies)
        return total
