"""Kuhn poker with several bets: its rules, Kuhn poker within it, and its values."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.errors import GameSpecError
from equilibrist.game import TERMINAL
from equilibrist.game_loading import check_game, compile_game
from equilibrist.games import load_game
from equilibrist.solving import solve
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("moves", "payoffs"),
    [
        ((0, 0), (-1, 1)),  # cards 1 against 3: a showdown for the ante
        ((3, 1), (-4, 4)),  # a bet of 3 is called
        ((2, 0), (1, -1)),  # a bet of 2 is folded to
        ((0, 1, 0), (-1, 1)),
        ((0, 2, 1), (-3, 3)),
    ],
)
def test_payoffs(moves: tuple[int, ...], payoffs: tuple[float, float]) -> None:
    game = load_game("kuhn_bets")
    assert game.player(((1, 3), moves)) == TERMINAL
    assert game.payoffs(((1, 3), moves)) == payoffs


def test_names_and_what_players_know() -> None:
    game: Any = load_game("kuhn_bets(sizes=[5,2])")
    assert game.name == "kuhn_bets(sizes=[2,5])"
    assert game.actions(((1, 3), ())) == ("check", "bet 2", "bet 5")
    assert game.actions(((1, 3), (0, 2))) == ("fold", "call")
    assert game.infoset(((1, 3), (0,))) == "3:k"
    assert game.infoset(((1, 3), (0, 2))) == "1:kb5"
    assert game.infoset_facts("1:kb5") == (
        ("your card", "1"),
        ("pot", "7"),
        ("moves", "check, bet 5"),
    )
    assert game.infoset_facts("12")[1:] == (("pot", "2"), ("moves", "none yet"))
    assert game.key_parts("12:kb5") == (("hand", "12"), ("move", "k"), ("move", "b5"))
    assert game.key_parts("3:b2") == (("hand", "3"), ("move", "b2"))


def test_rules_are_sound() -> None:
    assert check_game(load_game("kuhn_bets(cards=4,sizes=[1,7])")).ok


def test_one_size_is_kuhn_poker() -> None:
    """History by history: the same payoffs as Kuhn poker with that bet."""
    ours, kuhn = compile_game("kuhn_bets(cards=4,sizes=2)"), compile_game("kuhn(cards=4,bet=2)")
    assert ours.walk.parent.tolist() == kuhn.walk.parent.tolist()
    assert ours.walk.infoset.tolist() == kuhn.walk.infoset.tolist()
    assert ours.walk.payoff.tolist() == kuhn.walk.payoff.tolist()
    assert ours.walk.chance_probability.tolist() == kuhn.walk.chance_probability.tolist()


@pytest.mark.parametrize(
    ("game", "value"),
    [
        ("kuhn_bets", -1 / 18),
        ("kuhn_bets(sizes=[1,3])", -1 / 18),
        ("kuhn_bets(cards=5)", -0.066667),
        ("kuhn_bets(cards=5,sizes=[1,3])", -0.064848),
        ("kuhn_bets(cards=13)", -0.058718),
        ("kuhn_bets(cards=13,sizes=[1,3])", -0.056923),
    ],
)
def test_values(game: str, value: float) -> None:
    assert solve(game, "lp").values[0] == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize("sizes", ["[2,2]", "0", "[]", "[1,0.5]"])
def test_bad_sizes(sizes: str) -> None:
    with refuses(GameSpecError, option="sizes"):
        load_game(f"kuhn_bets(sizes={sizes})")
