"""The engine against the core's own CFR on the same game, hand by hand."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest

from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.poker.betting.chips import ChipScale
from equilibrist.poker.cards.combos import COMBO_INDEX
from equilibrist.poker.exact.engine import Engine
from equilibrist.poker.exact.game import ExactGame
from equilibrist.poker.exact.lookup import BoardLookup
from equilibrist.poker.holdem.menu import HandMenu
from equilibrist.poker.holdem.rules import HoldemRules
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.variants.registry import get_variant
from tests.oracle import rows
from tests.poker.exact.plain_holdem import PlainHoldem


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
    return ExactGame(rules, HandMenu.read(rules, "50%, a", "a", 2))


GAMES = {
    "no-board": lambda: limit((0,), 11),
    "one-card": lambda: limit((0, 1), 11),
    "flop": lambda: limit((0, 3), 11),
    "two-streets": lambda: limit((0, 1, 1), 11),
    "card-to-come": lambda: limit((0, 1, 1), 11, last=1),
    "cards-to-come": lambda: limit((0, 1, 2), 11, last=1),
    "no-limit": lambda: no_limit((0, 1, 1), 11, 1),
    "no-limit-flop": lambda: no_limit((0, 3, 1), 11, 1),
}


class Both(NamedTuple):
    """The engine and the core's CFR on one game."""

    engine: Engine
    core: CFR

    def averages(self) -> tuple[np.ndarray, np.ndarray]:
        """The average strategies of both at all infosets, in the core's order."""
        tree = self.core.tree
        theirs = rows(tree, tree.sequence_form.to_public(self.core.average_behaviour()))
        engine = self.engine
        lookup = BoardLookup(engine.table, engine.rows)
        strategies = {
            (board, player): engine.strategies(board, player)
            for board in range(len(engine.table.rows))
            for player in (0, 1)
        }
        ours = []
        for key in theirs:
            player, hand, dealt, node = key.split("|")
            place = lookup.find(literal_eval(dealt))
            row = lookup.rows(place)[COMBO_INDEX[literal_eval(hand)]]
            ours += strategies[place.board, int(player)][int(node)][:, row].tolist()
        return np.array(ours), np.array([x for row in theirs.values() for x in row])


def both(name: str, variant: str, threads: int = 1) -> Both:
    game = GAMES[name]()
    tree = compile_game(PlainHoldem(game))
    return Both(Engine(game, threads, np.float64), CFR(tree, get_variant(variant)))


@pytest.mark.parametrize("name", GAMES)
def test_averages_are_those_of_the_core_iteration_by_iteration(name: str) -> None:
    pair = both(name, "lcfr")
    table = pair.core.variant.table(1, 6)
    for k in range(6):
        pair.engine.run(table[k : k + 1])
        pair.core.run(1)
        ours, theirs = pair.averages()
        assert np.abs(ours - theirs).max() < 1e-9


@pytest.mark.parametrize("variant", ["cfr+", "dcfr", "cfr"])
def test_variants_are_those_of_the_core(variant: str) -> None:
    pair = both("one-card", variant)
    pair.engine.run(pair.core.variant.table(1, 25))
    pair.core.run(25)
    ours, theirs = pair.averages()
    assert np.abs(ours - theirs).max() < 1e-9


@pytest.mark.parametrize("name", ["one-card", "no-limit-flop"])
def test_best_responses_are_those_of_the_core(name: str) -> None:
    pair = both(name, "dcfr")
    pair.engine.run(pair.core.variant.table(1, 10))
    pair.core.run(10)
    wanted = evaluate(pair.core.average_strategy())
    gains = pair.engine.gains()
    assert gains[:, 0] == pytest.approx(wanted.values, abs=1e-12)
    assert (gains[:, 1] - gains[:, 0]).sum() == pytest.approx(wanted.nash_conv, abs=1e-12)


@pytest.mark.parametrize("name", ["flop", "no-limit"])
def test_threads_change_no_bit(name: str) -> None:
    made = [Engine(GAMES[name](), threads) for threads in (1, 2, 3)]
    for engine in made:
        engine.run(get_variant("dcfr").table(1, 5))
    for engine in made[1:]:
        for one, other in zip(made[0].totals, engine.totals, strict=True):
            assert np.array_equal(one, other)
