"""An oracle: plain recursion over the betting of three seats, with ends summed over all deals."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from equilibrist.poker.cards.combos import COMBO_MASKS
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.hands.betting_tree import DECISION, SHOWDOWN
from equilibrist.poker.three_players.profile import HandsAndGames
from equilibrist.typing import FloatArray

SEATS = range(3)


class Recursion:
    """Values and best responses by definition, for few hands."""

    def __init__(self, laid_out: HandsAndGames) -> None:
        self.laid_out, self.spot = laid_out, laid_out.spot
        self.betting = self.spot.betting
        self.strengths = combo_strengths(self.spot.cards).astype(int)
        self.row_of = [
            {int(node): int(first) for node, first in zip(game.node, game.first, strict=False)}
            for game in laid_out.games
        ]

    def deals(self) -> Iterator[tuple[tuple[int, int, int], float]]:
        """The deals: places of the hands in the three lists, and their weight."""
        hands, weights = self.laid_out.hands, self.laid_out.weights
        first, second, third = (range(len(held)) for held in hands)
        for places in product(first, second, third):
            masks = [int(COMBO_MASKS[hands[seat][places[seat]]]) for seat in SEATS]
            if masks[0] & masks[1] or masks[0] & masks[2] or masks[1] & masks[2]:
                continue
            yield places, float(np.prod([weights[seat][places[seat]] for seat in SEATS]))

    def payoffs(self, node: int, places: tuple[int, int, int]) -> list[float]:
        """What each seat wins at an end, less the chips that it has put in from the spot on."""
        stake = self.betting.stake[node].tolist()
        paid = [a - b for a, b in zip(stake, self.spot.dead_money, strict=True)]
        live = [seat for seat in SEATS if int(self.betting.live[node]) >> seat & 1]
        strengths = [int(self.strengths[self.laid_out.hands[seat][places[seat]]]) for seat in SEATS]
        if self.betting.kind[node] != SHOWDOWN:
            assert len(live) == 1
        total = sum(stake)
        kept = 1 - self.spot.rake_of(total) / total
        won = [-float(chips) for chips in paid]
        contested = {chip: [s for s in live if paid[s] > chip] for chip in range(max(paid))}
        piles = [(sum(self.spot.dead_money), live)]
        piles += [(sum(chips > chip for chips in paid), able) for chip, able in contested.items()]
        for pile, able in piles:  # chip by chip
            best = max(strengths[seat] for seat in able)
            winners = [seat for seat in able if strengths[seat] == best]
            for seat in winners:
                won[seat] += pile * kept / len(winners)
        return [chips / self.spot.scale.per_chip for chips in won]

    def values(self, strategies: list[FloatArray]) -> list[float]:
        """What each seat wins on average."""
        totals, weight_of_all = np.zeros(3), 0.0
        for places, weight in self.deals():
            totals += weight * np.array(self._played(0, places, strategies))
            weight_of_all += weight
        return [float(value) for value in totals / weight_of_all]

    def _played(
        self, node: int, places: tuple[int, int, int], strategies: list[FloatArray]
    ) -> FloatArray:
        if self.betting.kind[node] != DECISION:
            return np.array(self.payoffs(node, places))
        seat = int(self.betting.player[node])
        first = self.row_of[seat][node]
        return np.sum(
            [
                strategies[seat][first + k, places[seat]] * self._played(child, places, strategies)
                for k, child in enumerate(self.betting.children(node))
            ],
            axis=0,
        )

    def best_value(self, seat: int, strategies: list[FloatArray]) -> float:
        """What the best response of a seat wins on average, hand by hand."""
        total = weight_of_all = 0.0
        by_hand: dict[int, list[tuple[tuple[int, int, int], float]]] = {}
        for places, weight in self.deals():
            by_hand.setdefault(places[seat], []).append((places, weight))
            weight_of_all += weight
        for deals in by_hand.values():
            total += self._best(seat, 0, deals, strategies)
        return total / weight_of_all

    def _best(
        self,
        seat: int,
        node: int,
        deals: list[tuple[tuple[int, int, int], float]],
        strategies: list[FloatArray],
    ) -> float:
        if self.betting.kind[node] != DECISION:
            return sum(weight * self.payoffs(node, places)[seat] for places, weight in deals)
        player, children = int(self.betting.player[node]), self.betting.children(node)
        if player == seat:
            return max(self._best(seat, child, deals, strategies) for child in children)
        first = self.row_of[player][node]
        total = 0.0
        for k, child in enumerate(children):
            shares = strategies[player][first + k]
            reached = [(places, weight * float(shares[places[player]])) for places, weight in deals]
            total += self._best(seat, child, [d for d in reached if d[1]], strategies)
        return total


def random_strategies(laid_out: HandsAndGames, seed: int) -> list[FloatArray]:
    """Strategies at random; a third of the actions are never taken, if others are."""
    random = np.random.default_rng(seed)
    strategies = []
    for game, held in zip(laid_out.games, laid_out.hands, strict=True):
        strategy = np.ones((game.num_rows, len(held)))
        for d in range(game.num_decisions):
            rows = slice(game.first[d], game.first[d + 1])
            drawn = random.random((game.first[d + 1] - game.first[d], len(held)))
            drawn *= random.random(drawn.shape) > 1 / 3
            drawn[:, drawn.sum(axis=0) == 0] = 1.0
            strategy[rows] = drawn / drawn.sum(axis=0)
        strategies.append(strategy)
    return strategies
