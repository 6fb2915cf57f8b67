"""Leduc hold'em: keys, betting rules, splits and parameters."""

from __future__ import annotations

import pytest

from equilibrist.errors import GameSpecError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games import load_game
from equilibrist.games.library.leduc import Leduc
from tests.games.walking import moments, play, sizes
from tests.refusals import refuses


def test_published_sizes() -> None:
    assert sizes(load_game("leduc")) == (9_457, 5_520, 936, 2_186)
    assert sizes(load_game("leduc(suit_isomorphism=true)")) == (1_939, 1_116, 288, 674)


def test_forgetting_suits_changes_no_value() -> None:
    with_suits = moments(load_game("leduc"))
    without = moments(load_game("leduc(suit_isomorphism=true)"))
    assert with_suits[0] == pytest.approx(without[0], abs=1e-12)
    assert with_suits[1] == pytest.approx(without[1], abs=1e-10)


def test_keys() -> None:
    game = load_game("leduc")
    assert game.infoset(play(game, "Js", "Qh")) == "Js"
    assert game.infoset(play(game, "Js", "Qh", "raise")) == "Qh:r"
    board = play(game, "Js", "Qh", "raise", "call")
    assert game.player(board) == CHANCE
    assert game.actions(board) == ("Jh", "Qs", "Ks", "Kh")
    assert game.infoset(play(game, "Js", "Qh", "raise", "call", "Kh")) == "Js:rc/Kh"
    assert game.infoset(play(game, "Js", "Qh", "raise", "call", "Kh", "raise")) == "Qh:rc/Kh:r"
    short = load_game("leduc(suit_isomorphism=true)")
    assert short.infoset(play(short, "J", "J", "call", "call", "K", "raise")) == "J:cc/K:r"


def test_chance_weighs_ranks_by_the_cards_left() -> None:
    game = load_game("leduc(suit_isomorphism=true)")
    assert game.chance(play(game, "J")) == pytest.approx((0.2, 0.4, 0.4))
    state = play(game, "J", "J", "call", "call")
    assert game.actions(state) == ("Q", "K")
    assert game.chance(state) == (0.5, 0.5)


def test_folding_needs_a_raise_and_raises_are_capped() -> None:
    game = load_game("leduc")
    assert game.actions(play(game, "Js", "Qh")) == ("call", "raise")
    assert game.actions(play(game, "Js", "Qh", "raise")) == ("fold", "call", "raise")
    assert game.actions(play(game, "Js", "Qh", "raise", "raise")) == ("fold", "call")
    endless = load_game("leduc(raise_cap=3)")
    assert endless.actions(play(endless, "Js", "Qh", "raise", "raise"))[-1] == "raise"
    limped = load_game("leduc(raise_cap=0)")
    assert limped.actions(play(limped, "Js", "Qh")) == ("call",)


@pytest.mark.parametrize(
    ("moves", "payoffs"),
    [
        ("Js Qh raise fold", (1, -1)),
        ("Js Qh raise call Jh call call", (3, -3)),
        ("Js Qh raise call Ks call call", (-3, 3)),
        ("Js Jh raise raise call Ks raise raise call", (0, 0)),
        ("Ks Qh raise raise call Qs raise raise call", (-13, 13)),
        ("Ks Qh call raise fold", (-1, 1)),
        ("Ks Qh call call Js raise raise fold", (-5, 5)),
    ],
)
def test_payoffs(moves: str, payoffs: tuple[float, ...]) -> None:
    game = load_game("leduc")
    state = play(game, *moves.split())
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == payoffs


def test_raises_of_the_pot_or_all_in() -> None:
    """DeepStack's game: stacks of 12 antes. An all-in that is called is the last bet."""
    game = load_game("leduc(stack=12,raise_cap=20)")
    assert game.actions(play(game, "Js", "Qh")) == ("call", "raise", "all-in")
    assert game.actions(play(game, "Js", "Qh", "raise")) == ("fold", "call", "raise", "all-in")
    # With a call there would be 18 chips in the pot, more than either has left.
    assert game.actions(play(game, "Js", "Qh", "raise", "raise")) == ("fold", "call", "all-in")
    assert game.actions(play(game, "Js", "Qh", "all-in")) == ("fold", "call")
    board = play(game, "Js", "Qh", "all-in", "call")
    assert game.player(board) == CHANCE
    end = play(game, "Js", "Qh", "all-in", "call", "Jh")
    assert game.player(end) == TERMINAL
    assert game.payoffs(end) == (12, -12)
    end = play(game, "Js", "Qh", "raise", "call", "Kh", "call", "raise", "fold")
    assert game.payoffs(end) == (-3, 3)
    state = play(game, "Js", "Qh", "raise", "call", "Kh", "call")
    leduc = Leduc(stack=12, raise_cap=20)
    assert dict(leduc.infoset_facts(game.infoset(state)))["round 1"] == "bet, call"
    assert leduc.action_words("Qh:", ["call", "raise", "all-in"])[0] == ("check", "call")
    assert leduc.sampled_as is None
    with refuses(GameSpecError, option="stack", given=1):
        load_game("leduc(stack=1)")


def test_three_players_split_and_fold() -> None:
    game = load_game("leduc(players=3)")
    assert game.actions(game.initial_state()) == ("Ts", "Th", "Js", "Jh", "Qs", "Qh", "Ks", "Kh")
    fold = play(game, "Ts Qs Qh raise call call Ks raise call call")
    assert game.payoffs(fold) == (-7, 3.5, 3.5)
    state = play(game, "Ts Qs Qh raise fold call Ks")
    assert game.player(state) == 0
    first_folded = play(game, "Ts Qs Qh call raise call fold Ks")
    assert (game.player(first_folded), game.infoset(first_folded)) == (1, "Qs:crcf/Ks")


def test_two_pairs_of_one_rank_split_in_a_deck_of_three_suits() -> None:
    game = load_game("leduc(suits=3)")
    assert game.payoffs(play(game, "Qs Qh call call Qd raise call")) == (0, 0)
    assert game.payoffs(play(game, "Qs Kh call call Qd raise call")) == (5, -5)


def test_chips_are_parameters() -> None:
    game = load_game("leduc(ante=2,bets=[3,5])")
    assert game.payoffs(play(game, "Ks Qh raise call Js raise call")) == (10, -10)


def test_big_leduc_is_as_large_as_published() -> None:
    # Twelve ranks, two suits, six raises: some 6.2 million histories; the betting alone is counted.
    game = load_game("leduc(ranks=12,raise_cap=6)")
    assert game.actions(game.initial_state())[:4] == ("2s", "2h", "3s", "3h")
    assert len(game.actions(game.initial_state())) == 24


@pytest.mark.parametrize("bets", ["[2]", "[2,0]", "[2,-1]", "[a,b]", "[2,4,8]", "[[1],2]"])
def test_bad_bets(bets: str) -> None:
    with refuses(GameSpecError, option="bets"):
        load_game(f"leduc(bets={bets})")


def test_deck_must_be_large_enough() -> None:
    with refuses(GameSpecError, option="ranks", given=2):
        load_game("leduc(players=4,ranks=2)")
