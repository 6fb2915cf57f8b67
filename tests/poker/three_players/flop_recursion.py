"""An oracle: plain recursion over the betting, the turns and the rivers of a flop, deal by deal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations

import numpy as np

from equilibrist.poker.cards.combos import COMBO_MASKS, NUM_COMBOS
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.hands.betting_tree import DEAL, DECISION, FOLDED
from equilibrist.poker.three_players.profile import HandsAndGames
from equilibrist.typing import FloatArray
from tests.poker.three_players.recursion import Recursion, random_strategies

Cards = tuple[int, ...]
Deals = list[tuple[tuple[int, int, int], float]]
"""Places of hands in the three lists, and what they weigh."""
BOARDS = {0: 43 * 42, 1: 42}
"""By how many cards are dealt after the flop, the ways to deal the others to three hands."""


class FlopStrategies:
    """What three seats play on the flop, on every turn and on every river."""

    def __init__(
        self, laid_out: HandsAndGames, first: Sequence[FloatArray], later: Sequence[FloatArray]
    ) -> None:
        self.laid_out, self.first, self.later = laid_out, first, later

    @classmethod
    def random(cls, laid_out: HandsAndGames, seed: int) -> FlopStrategies:
        """Strategies at random, of which some actions are never taken."""
        random, later = np.random.default_rng(seed), []
        for shape in laid_out.later_shapes:
            weights = random.random(shape)
            later.append(weights * (random.random(shape) > 1 / 3))
        return cls(laid_out, random_strategies(laid_out, seed), later)

    def shares(self, seat: int, first: int, count: int, place: int, cards: Cards) -> list[float]:
        """How often a seat takes each action of a decision, whose first row is given."""
        laid_out, combo = self.laid_out, int(self.laid_out.hands[seat][place])
        if not cards:
            return [float(share) for share in self.first[seat][first : first + count, place]]
        number, images = laid_out.runouts.find(cards[0])
        runouts, weights, row = laid_out.runouts, self.later[seat][number], first
        assert images[combo] == combo  # suits are not merged
        if len(cards) > 1:
            begin, runouts = int(laid_out.river_begins[number]), laid_out.rivers[number]
            number, _ = runouts.find(cards[1])
            weights = self.later[3 + seat][begin + number]
            row = first - laid_out.later[1][seat].num_entries
        column = np.searchsorted(runouts.hands[number][seat], combo)
        taken = weights[row : row + count, column]
        total = taken.sum()
        return [float(w / total) if total else 1 / count for w in taken]


class FlopRecursion(Recursion):
    """Values and best responses by definition, for few hands and few lines."""

    def __init__(self, laid_out: HandsAndGames) -> None:
        super().__init__(laid_out)
        self.first_row = {
            int(node): int(first)
            for games in (laid_out.games, *laid_out.later)
            for game in games
            for node, first in zip(game.node, game.first, strict=False)
        }
        self.strengths_on = lru_cache(None)(
            lambda cards: combo_strengths((*self.spot.cards, *sorted(cards))).astype(int)
        )
        self.left = lru_cache(None)(self._left)

    def _left(self, places: tuple[int, int, int]) -> list[int]:
        """The cards that are neither on the flop nor in a hand."""
        taken = np.bitwise_or.reduce(
            [COMBO_MASKS[self.laid_out.hands[seat][place]] for seat, place in enumerate(places)]
        )
        return [c for c in range(52) if c not in self.spot.cards and not int(taken) >> c & 1]

    def won(self, node: int, places: tuple[int, int, int], cards: Cards) -> FloatArray:
        """What each seat wins at an end, over the cards that are not dealt yet."""
        if self.betting.kind[node] == FOLDED:
            self.strengths = np.zeros(NUM_COMBOS, int)
            return np.array(self.payoffs(node, places))
        unseen = [card for card in self.left(places) if card not in cards]
        total, ways = np.zeros(3), 0
        paid: dict[tuple[int, ...], list[float]] = {}
        for rest in permutations(unseen, 2 - len(cards)):
            strengths = self.strengths_on(frozenset((*cards, *rest)))
            mine = tuple(
                int(strengths[self.laid_out.hands[seat][place]])
                for seat, place in enumerate(places)
            )
            order = tuple(np.searchsorted(sorted(set(mine)), mine).tolist())
            if order not in paid:
                self.strengths = strengths
                paid[order] = self.payoffs(node, places)
            total += paid[order]
            ways += 1
        assert ways == BOARDS.get(len(cards), 1)
        return total / ways

    def values_of(self, strategies: FlopStrategies) -> list[float]:
        """What each seat wins on average."""
        totals, weight_of_all = np.zeros(3), 0.0
        for places, weight in self.deals():
            totals += weight * self._follow(0, places, (), strategies)
            weight_of_all += weight
        return [float(value) for value in totals / weight_of_all]

    def _follow(
        self, node: int, places: tuple[int, int, int], cards: Cards, strategies: FlopStrategies
    ) -> FloatArray:
        if self.betting.kind[node] == DEAL:
            (child,) = self.betting.children(node)
            unseen = [card for card in self.left(places) if card not in cards]
            below = [self._follow(child, places, (*cards, c), strategies) for c in unseen]
            return np.sum(below, axis=0) / len(unseen)
        if self.betting.kind[node] != DECISION:
            return self.won(node, places, cards)
        seat, children = int(self.betting.player[node]), self.betting.children(node)
        first, count = self.first_row[node], len(children)
        shares = strategies.shares(seat, first, count, places[seat], cards)
        total = np.zeros(3)
        for share, child in zip(shares, children, strict=True):
            if share:
                total += share * self._follow(child, places, cards, strategies)
        return total

    def best_value_of(self, seat: int, strategies: FlopStrategies) -> float:
        """What the best response of a seat wins on average, hand by hand."""
        total = weight_of_all = 0.0
        by_hand: dict[int, Deals] = {}
        for places, weight in self.deals():
            by_hand.setdefault(places[seat], []).append((places, weight))
            weight_of_all += weight
        for deals in by_hand.values():
            total += self._best_of(seat, 0, deals, (), strategies)
        return total / weight_of_all

    def _best_of(
        self, seat: int, node: int, deals: Deals, cards: Cards, strategies: FlopStrategies
    ) -> float:
        if not deals:
            return 0.0
        if self.betting.kind[node] == DEAL:
            (child,) = self.betting.children(node)
            ways = 43 - len(cards)
            return sum(
                self._best_of(
                    seat,
                    child,
                    [(p, w / ways) for p, w in deals if card in self.left(p)],
                    (*cards, card),
                    strategies,
                )
                for card in range(52)
                if card not in cards
            )
        if self.betting.kind[node] != DECISION:
            return float(sum(w * self.won(node, p, cards)[seat] for p, w in deals))
        player, children = int(self.betting.player[node]), self.betting.children(node)
        if player == seat:
            return max(self._best_of(seat, child, deals, cards, strategies) for child in children)
        first, count = self.first_row[node], len(children)
        taken = [strategies.shares(player, first, count, p[player], cards) for p, _ in deals]
        return sum(
            self._best_of(
                seat,
                child,
                [(p, w * s[k]) for (p, w), s in zip(deals, taken, strict=True) if s[k]],
                cards,
                strategies,
            )
            for k, child in enumerate(children)
        )
