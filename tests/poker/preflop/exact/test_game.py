"""Games of hands: their trees, and the hands that are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker.hands.betting_tree import DEAL, betting_tree
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact.flops.solved import SolvedFlops
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.solving import solve_preflop
from tests.refusals import refuses, unchecked


def test_a_game_has_the_rules_and_sizes_of_the_hand() -> None:
    hand = Hand(stacks="15/20", bets="2.5x,a|50%,a", raises="a", ante=0.12, last_street="flop")
    game = ExactGame.of(hand, flops=40, seed=3)
    assert (game.rules, game.menu) == (hand.rules, hand.menu)
    assert (game.flops, game.seed) == (40, 3)
    assert (game.dealt, game.to_come, game.last_street) == ((0, 3), 2, "flop")


def test_betting_that_no_stack_reaches_is_none() -> None:
    """The big blind is all-in with it, and decides nothing: a flop has nobody who could bet."""
    hand = Hand(stacks="5/1", bets="a", last_street="flop")
    game = ExactGame.of(hand)
    assert (game.dealt, game.to_come, game.last_street) == ((0,), 5, "preflop")
    solution = solve_preflop(hand, iterations=3, keep_flops=16)
    plain = solve_preflop(Hand(stacks="5/1", bets="a", last_street="preflop"), iterations=3)
    np.testing.assert_array_equal(solution.at().strategy, plain.at().strategy)
    assert solution.measure_again().exploitability is not None
    with refuses(ConfigError, option="solution"):
        SolvedFlops(solution)
    with refuses(ConfigError, option="flops"):
        ExactGame.of(hand, flops=3)


def test_flop_holdem_has_the_published_tree() -> None:
    hand = Hand(stack=10_000, blinds="50/100", limit="limit", fixed_bets="100/100", board="3")
    game = ExactGame.of(hand)
    deals = game.tree.kind == DEAL
    assert sorted(game.tree.stake[deals][:, 0].tolist()) == [100, 200, 200, 300, 300, 400, 400]
    assert game.size.decisions == (8, 70)
    assert game.size.actions == (21, 182)


@pytest.mark.parametrize(
    ("keys", "option"),
    [
        ({}, "bets"),
        ({"limit": "pot-limit"}, "bets"),
        ({"bets": "a", "seats": 3}, "seats"),
        ({"bets": "a", "hole_cards": 1}, "hole_cards"),
        ({"bets": "a", "suits": 3}, "suits"),
        ({"bets": "a", "ante": 1, "ante_kind": "big-blind"}, "ante_kind"),
        ({"bets": "a", "flops": 0}, "flops"),
        ({"bets": "a", "flops": 1.5}, "flops"),
        ({"bets": "a", "seed": -1}, "seed"),
    ],
    ids=str,
)
def test_what_exact_solutions_are_not_for_is_named(keys: dict[str, Any], option: str) -> None:
    drawn = {key: keys.pop(key) for key in ("flops", "seed") if key in keys}
    with pytest.raises(ConfigError) as caught:
        ExactGame.of(Hand(stack=10, **keys), **drawn)
    assert caught.value.option == option
    assert caught.value.remedy or caught.value.expected


@pytest.mark.parametrize(
    ("stacks", "instead"), [("20/20", "20.5/19.5"), ("15/20", "15.5/19.5"), ("20/12", "20.5/11.5")]
)
def test_what_an_ante_of_the_big_blind_can_be_solved_as(stacks: str, instead: str) -> None:
    """Half of it from each seat, with that half taken from one stack to the other."""
    keys: dict[str, Any] = {"bets": "50%,a", "raises": "100%,a", "last_street": "turn"}
    hands = (
        Hand(stacks=stacks, ante=1, ante_kind="big-blind", **keys),
        Hand(stacks=instead, ante=0.5, **keys),
    )
    dead, each = (betting_tree(hand.rules, hand.menu) for hand in hands)
    for field in ("kind", "live", "parent", "player", "street"):
        np.testing.assert_array_equal(getattr(dead, field), getattr(each, field))
    half = hands[0].rules.big_blind // 2
    assert (dead.stake - each.stake == [-half, half]).all()


def test_what_is_no_hand_is_refused() -> None:
    with pytest.raises(ConfigError) as caught:
        ExactGame.of(unchecked("hand.toml"))
    assert caught.value.option == "hand"
