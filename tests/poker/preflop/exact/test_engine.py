"""The engine against the core's own CFR on the same game, hand by hand."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable, Sequence
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
import pytest

from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.kernels.exact_holdem.arrays import VALUE
from equilibrist.poker.betting.chips import ChipScale
from equilibrist.poker.cards.combos import COMBO_INDEX
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.menu import HandMenu
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.lookup import BoardLookup
from equilibrist.poker.preflop.exact.number_layout import matched
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.run.state import SolverState
from equilibrist.solvers.variants.registry import get_variant
from equilibrist.tree.compile import GameTree
from tests.oracle import flat, rows
from tests.poker.preflop.exact.plain_holdem import PlainHoldem, deals_of


def limit(board: Sequence[int], lowest: int, cap: int = 1, last: int | None = None) -> ExactGame:
    bets = (2, *[2] * (len(board) - 1))
    return ExactGame(
        HoldemRules(
            (100, 100),
            (1, 2),
            limit="limit",
            bets=bets,
            raise_cap=cap,
            board=tuple(board),
            lowest_rank=lowest,
            last_street=last,
        )
    )


def no_limit(board: Sequence[int], lowest: int, last: int) -> ExactGame:
    rules = HoldemRules(
        (400, 600), (50, 100), (10, 10), board=tuple(board), lowest_rank=lowest, last_street=last,
        scale=ChipScale(100),
    )  # fmt: skip
    return ExactGame(rules, HandMenu.read(rules, "a", "a", 1))


GAMES = {
    "no-board": lambda: limit((0,), 11),
    "one-card": lambda: limit((0, 1), 11, 0),
    "flop": lambda: limit((0, 3), 11, 0),
    "two-streets": lambda: limit((0, 1, 1), 11, 0),
    "card-to-come": lambda: limit((0, 1, 1), 11, 0, last=1),
    "cards-to-come": lambda: limit((0, 1, 2), 11, 0, last=1),
    "no-limit": lambda: no_limit((0, 1, 1), 11, 1),
    "no-limit-flop": lambda: no_limit((0, 3, 1), 11, 1),
}


def test_parts_share_out_all_boards() -> None:
    """Of more boards than there are parts."""
    engine = Engine(limit((0, 3), 8, 0))
    parts, first = engine._parts, np.flatnonzero(engine.table.street == 1)
    assert (parts[0], parts[-1]) == (first[0], len(engine.table.rows))
    assert np.isin(parts[:-1], first).all()
    assert (np.diff(parts) > 0).all()
    assert 30 < len(parts) - 1 < len(first)


def places_of(engine: Engine, tree: GameTree) -> dict[str, tuple[int, int, int, int]]:
    """Board, node, row and player of each infoset with a choice of the plain game."""
    lookup = BoardLookup(engine.table, engine.rows)
    found = {}
    for key, labels in zip(tree.infoset_keys, tree.action_labels, strict=True):
        if len(labels) > 1:
            player, hand, dealt, node = key.split("|")
            place = lookup.find(literal_eval(dealt))
            row = int(lookup.rows(place)[COMBO_INDEX[literal_eval(hand)]])
            found[key] = place.board, int(node), row, int(player)
    return found


class Both:
    """The engine and the core's CFR on one game, in the same random state.

    Iterates from the uniform strategy have regrets of exactly 0, and the next strategy hangs on
    how they are rounded; a random state has none.
    """

    def __init__(self, name: str, variant: str, seed: int = 0) -> None:
        self.game = GAMES[name]()
        self.engine = engine = Engine(self.game, real=np.float64)
        self.core = CFR(compile_game(PlainHoldem(self.game)), get_variant(variant))
        generator = np.random.default_rng(seed)
        rule: Any = self.core.variant
        floor = rule.floor
        for array in engine.regrets:
            array[:] = np.maximum(generator.normal(size=len(array)), floor)
        for array in engine.totals:
            array[:] = generator.random(len(array))
        engine.iteration = 7
        scales = self.by_infoset(lambda board, node: self.scale(board))
        tree, form = self.core.tree, self.core.tree.sequence_form
        regrets = self.rows(engine.regrets)
        state = (
            {key: (row * scales[key]).tolist() for key, row in regrets.items()},
            {key: matched(row[:, None])[:, 0].tolist() for key, row in regrets.items()},
            {key: row.tolist() for key, row in self.rows(engine.totals).items()},
        )
        regret, behaviour, strategy_sum = [
            form.to_engine(flat(tree, table, forced))
            for table, forced in zip(state, (0.0, 1.0, 1.0), strict=True)
        ]
        self.core.restore(SolverState(regret, behaviour, strategy_sum, 7, {}))

    def scale(self, board: int) -> float:
        """What the engine's values on a board count in the core: chance, and how many hands."""
        cards = 52 - 4 * self.game.rules.lowest_rank
        share, dealt = 1.0 / deals_of(self.game), 0
        for count in self.game.dealt[1 : int(self.engine.table.street[board]) + 1]:
            share /= comb(cards - 4 - dealt, count)
            dealt += count
        return share

    def by_infoset(self, number: Callable[[int, int], Any]) -> dict[str, Any]:
        """Numbers by the keys of the core, from a board and a node."""
        return {key: number(board, node) for key, (board, node, _, _) in self.places.items()}

    @cached_property
    def places(self) -> dict[str, tuple[int, int, int, int]]:
        """Board, node, row and player of each infoset with a choice."""
        return places_of(self.engine, self.core.tree)

    def rows(self, arrays: Any) -> dict[str, np.ndarray]:
        """The engine's regrets or strategy sums by the keys of the core."""
        numbers = {
            (board, player): self.engine.numbers(arrays, board, player)
            for board in range(len(self.engine.table.rows))
            for player in (0, 1)
        }
        return {
            key: numbers[board, player][node][:, row]
            for key, (board, node, row, player) in self.places.items()
        }

    def run(self) -> None:
        self.engine.run(self.core.variant.table(self.core.iteration + 1, 1))
        self.core.run(1)

    def distance(self) -> float:
        """The largest difference of a regret or a strategy sum, relative to the largest one."""
        state, form = self.core.state, self.core.tree.sequence_form
        scales = self.by_infoset(lambda board, node: self.scale(board))
        found = 0.0
        for arrays, theirs, scaled in (
            (self.engine.regrets, state.regret, True),
            (self.engine.totals, state.strategy_sum, False),
        ):
            wanted = rows(self.core.tree, form.to_public(theirs))
            for key, row in self.rows(arrays).items():
                other = np.array(wanted[key]) / (scales[key] if scaled else 1.0)
                found = max(found, float(np.abs(row - other).max() / (1.0 + np.abs(other).max())))
        return found


@pytest.mark.by_default(1)
@pytest.mark.parametrize("name", GAMES)
def test_iterations_are_those_of_the_core(name: str) -> None:
    pair = Both(name, "lcfr")
    assert pair.distance() < 1e-9
    for _ in range(3):
        pair.run()
        assert pair.distance() < 1e-9


@pytest.mark.by_default(1)
@pytest.mark.parametrize("variant", ["cfr+", "dcfr", "cfr"])
def test_variants_are_those_of_the_core(variant: str) -> None:
    pair = Both("one-card", variant, seed=1)
    pair.run()
    assert pair.distance() < 1e-9


@pytest.mark.by_default(1)
@pytest.mark.parametrize("name", ["one-card", "no-limit-flop"])
def test_best_responses_are_those_of_the_core(name: str) -> None:
    pair = Both(name, "dcfr", seed=2)
    wanted = evaluate(pair.core.average_strategy())
    gains = pair.engine.gains()
    assert gains[:, 0] == pytest.approx(wanted.values, abs=1e-9)
    assert (gains[:, 1] - gains[:, 0]).sum() == pytest.approx(wanted.nash_conv, abs=1e-9)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("name", ["flop", "no-limit"])
def test_threads_change_no_bit(name: str) -> None:
    made = [Engine(GAMES[name](), threads) for threads in (1, 2, 3)]
    for engine in made:
        engine.run(get_variant("dcfr").table(1, 5))
    for engine in made[1:]:
        for one, other in zip(made[0].totals, engine.totals, strict=True):
            assert np.array_equal(one, other)


def test_sums_of_many_equal_numbers_do_not_drift_in_single_precision() -> None:
    """Uniform strategies, whose reach is the same for all hands: plain sums are off by 5e-6."""
    hand = Hand(stack=100, limit="limit", fixed_bets="1/1", board="3")
    engine = Engine(ExactGame.of(hand, flops=3))
    single, double = engine.values(VALUE, np.float32), engine.values(VALUE, np.float64)
    assert np.abs(single - double).max() < 5e-7 * np.abs(double).max()
