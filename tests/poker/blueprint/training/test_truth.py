"""Training against exact games: betting before the flop only, where 169 classes lose nothing."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from equilibrist.poker import AllInTable, Hand
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.training.trainer import Trainer
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, NUM_CLASSES
from equilibrist.poker.hands.state import DECISION, FOLDED
from tests.poker.blueprint.oracle import random_strategy


class Classes:
    """Card buckets of the first street only: the 169 classes."""

    counts = (NUM_CLASSES, 1, 1, 1)
    lowest_rank = 0

    def rows(self, street):
        assert street == 0
        return CLASS_OF_COMBO[None]


class ClassGame:
    """A hand without betting after the flop, exactly, by hand classes."""

    def __init__(self, game):
        self.game, self.tree = game, game.tree
        table = AllInTable.load()
        self.weight = table.pairs / table.pairs.sum()
        self.equity = table.equities

    def payoff(self, node):
        """What seat 0 wins in big blinds, times the weight of the classes."""
        stake = self.tree.stake[node] / max(self.game.hand.rules.blinds)
        if self.tree.kind[node] == FOLDED:
            return self.weight * (stake[1] if self.tree.live[node] == 1 else -stake[0])
        return self.weight * (self.equity * stake.sum() - stake[0])

    def values(self, strategy, node=0, reach=None, best=None):
        """What both seats win by class; seat `best` plays its best response."""
        tree = self.tree
        reach = [np.ones(NUM_CLASSES)] * 2 if reach is None else reach
        if tree.kind[node] != DECISION:
            payoff = self.payoff(node)
            return [payoff @ reach[1], -payoff.T @ reach[0]]
        seat = int(tree.player[node])
        shape = self.game.shape(node)
        begin = self.game.layout.slot[node]
        chances = strategy[begin : begin + shape[0] * shape[1]].reshape(shape)
        found, of_both = [], []
        for chance, child in zip(chances, tree.children(node), strict=True):
            below = list(reach)
            if seat != best:
                below[seat] = reach[seat] * chance
            of_both.append(self.values(strategy, child, below, best))
            found.append(of_both[-1][seat])
        result = [sum(one[p] for one in of_both) for p in (0, 1)]
        if seat == best:
            result[seat] = np.max(found, axis=0)
        else:
            result[seat] = (chances * found).sum(axis=0)
        return result

    def value(self, strategy):
        """What seat 0 wins, in mbb."""
        return 1000 * self.values(strategy)[0].sum()

    def gains(self, strategy):
        """What each seat gains by its best response, in mbb."""
        now = self.values(strategy)
        return [1000 * (self.values(strategy, best=p)[p].sum() - now[p].sum()) for p in (0, 1)]


@pytest.fixture(scope="module")
def jam_or_limp():
    """Ten big blinds: the small blind folds, limps or goes all-in."""
    hand = Hand(stack=10, bets="a", raises="a", last_street="preflop")
    game = AbstractGame(hand, Classes.counts)
    trainer = Trainer(game, cast(CardBuckets, Classes()), batch=48, threads=2)
    exact = ClassGame(game)
    gains = []
    for iterations in (25, 775):
        trainer.run(iterations)
        gains.append(exact.gains(trainer.strategy() / 65535.0))
    return trainer, exact, gains


@pytest.mark.slow
def test_exploitability_falls(jam_or_limp):
    _, _, (early, late) = jam_or_limp
    assert min(early + late) >= -1e-6
    assert sum(late) / 2 < 1.5
    assert sum(late) < sum(early) / 10


@pytest.mark.slow
def test_value_is_at_least_that_of_push_or_fold(jam_or_limp):
    trainer, exact, (_, gains) = jam_or_limp
    value = exact.value(trainer.strategy() / 65535.0)
    assert value + gains[0] >= -45.3708  # what push or fold alone wins
    assert value == pytest.approx(trainer.value, abs=12)


def test_sampled_value_of_a_strategy_is_the_exact_one(jam_or_limp):
    """Boards and hands are drawn without bias: the mean over boards is the exact value."""
    trainer, exact, _ = jam_or_limp
    game = trainer.game
    one = Trainer(game, cast(CardBuckets, Classes()), batch=4000, threads=2)
    one.sigma[:] = strategy = random_strategy(game, 5)
    one.run(1)
    assert one.value == pytest.approx(exact.value(strategy), abs=12)
