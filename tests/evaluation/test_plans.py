"""Reduced plans: against an enumeration by the rules, and their number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from equilibrist.errors import ConfigError, RecallError, UnsupportedError
from equilibrist.evaluation.plans import ReducedPlans, count_plans, enumerate_plans
from equilibrist.evaluation.sequences import Sequences
from equilibrist.game import TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.small_games import Written


def by_hand(tree: GameTree, player: int) -> set[frozenset[tuple[str, str]]]:
    """The choices that matter of every pure strategy, found by playing them."""
    game = tree.game
    mine = [i for i in range(tree.num_infosets) if tree.infoset_player[i] == player]
    found = set()
    for choice in product(*(range(len(tree.action_labels[i])) for i in mine)):
        strategy = {tree.infoset_keys[i]: a for i, a in zip(mine, choice, strict=True)}
        met, states = set(), [game.initial_state()]
        while states:
            state = states.pop()
            mover = game.player(state)
            if mover == TERMINAL:
                continue
            labels = game.actions(state)
            taken: Sequence[int] = range(len(labels))
            if mover == player:
                key = game.infoset(state)
                taken = [strategy[key]]
                met.add((key, labels[strategy[key]]))
            states += [game.next(state, a) for a in taken]
        found.add(frozenset(met))
    return found


@pytest.mark.parametrize(
    "spec",
    ["kuhn", "shapley", "matching_pennies", *(f"random_tree(seed={s})" for s in range(4))],
)
def test_plans_are_the_pure_strategies_that_play_differently(spec: str) -> None:
    tree = compile_game(spec)
    sequences = Sequences.of(tree)
    for player in range(tree.num_players):
        if np.prod([len(tree.action_labels[i]) for i in sequences.infosets(player)]) > 5_000:
            continue
        plans = enumerate_plans(sequences, player)
        found = [frozenset(plans.actions(k).items()) for k in range(len(plans))]
        assert len(set(found)) == len(found) == count_plans(sequences, player)
        assert set(found) == by_hand(tree, player)


def plans_of(spec: str, player: int) -> ReducedPlans:
    return enumerate_plans(Sequences.of(compile_game(spec)), player)


def test_numbers_of_plans() -> None:
    kuhn3 = Sequences.of(compile_game("kuhn(players=3)"))
    # With each of 4 cards: bet, or pass and one of two answers to each of 3 bets of others.
    assert [count_plans(kuhn3, p) for p in range(3)] == [9**4, 10**4, 16**4]
    leduc = Sequences.of(compile_game("leduc"))
    assert count_plans(leduc, 0) > 10**40


def test_a_plan_as_a_strategy_takes_one_action_everywhere() -> None:
    plans = plans_of("kuhn", 0)
    rows = plans.behaviour(np.arange(len(plans)))
    assert set(np.unique(rows)) == {0.0, 1.0}
    assert (rows.reshape(len(plans), -1, 2).sum(axis=2) == 1.0).all()
    assert (rows >= plans.plays).all()


def test_plans_play_their_sequences_and_the_empty_one() -> None:
    plans = plans_of("kuhn", 1)
    first = plans.own.start
    reach = plans.reaching(np.array([-1, first + 2]))
    assert reach[:, 0].all()
    assert (reach[:, 1] == plans.plays[:, 2]).all()


def test_a_player_who_never_acts_has_one_plan() -> None:
    tree = compile_game(Written((0, "a", {"l": (1, 0), "r": (0, 1)}), 2))
    sequences = Sequences.of(tree)
    assert count_plans(sequences, 1) == 1
    plans = enumerate_plans(sequences, 1)
    assert plans.plays.shape == (1, 0)
    assert plans.behaviour(np.array([0])).shape == (1, 0)


def test_what_is_refused() -> None:
    sequences = Sequences.of(compile_game("kuhn"))
    with refuses(UnsupportedError, option="plans", given=64, expected=50):
        enumerate_plans(sequences, 1, max_plans=50)
    with refuses(ConfigError, option="player", given=2):
        count_plans(sequences, 2)
    forgets = Written(
        (0, "a", {x: (0, "b", dict.fromkeys("lr", (1, 0))) for x in "lr"}), 2, "forgetful"
    )
    with refuses(RecallError, infoset="b"):
        Sequences.of(compile_game(forgets))
