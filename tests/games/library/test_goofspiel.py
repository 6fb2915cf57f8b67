"""Goofspiel: published sizes, what players see, and who is paid."""

from __future__ import annotations

import pytest

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games import load_game
from tests.games.walking import play, sizes

SECRET = "imp_info=true,points_order=descending"


@pytest.mark.parametrize(
    ("cards", "histories", "infosets"), [(3, 67, 16), (4, 1_077, 162), (5, 26_931, 2_124)]
)
def test_published_sizes(cards: int, histories: int, infosets: int) -> None:
    found = sizes(load_game(f"goofspiel(cards={cards},{SECRET})"))
    assert (found.histories, found.infosets) == (histories, infosets)


def test_secret_bids_tell_only_the_winner() -> None:
    game = load_game(f"goofspiel({SECRET})")
    first = play(game, "2")
    assert (game.player(first), game.infoset(first)) == (1, "1")
    assert game.infoset(play(game, "4", "2", "1")) == game.infoset(play(game, "3", "2", "4"))
    assert game.infoset(play(game, "4", "2")) == "0/4+"
    assert game.infoset(play(game, "4", "2", "1")) == "1/2-"
    assert game.infoset(play(game, "2", "2", "1")) == "1/2="


def test_open_bids_are_seen_after_the_round() -> None:
    game = load_game("goofspiel(points_order=descending)")
    assert game.infoset(play(game, "4")) == "1"
    assert game.infoset(play(game, "4", "2")) == "0/4,2"
    assert game.infoset(play(game, "4", "2", "1", "3")) == "0/4,2/1,3"


def test_open_bids_keep_the_order_of_ones_own_bids() -> None:
    game = load_game("goofspiel(points_order=descending)")
    one = play(game, "1", "3", "2", "4")
    other = play(game, "2", "3", "1", "4")
    assert game.infoset(one) != game.infoset(other)


def test_winner_is_named_among_three() -> None:
    game = load_game(f"goofspiel(players=3,{SECRET})")
    state = play(game, "1", "2", "4")
    assert game.infoset(state) == "0/1-2"
    assert game.infoset(play(game, "1", "2", "4", "2", "1")) == "2/4+"


def test_random_prizes_are_drawn_and_seen() -> None:
    game = load_game("goofspiel(cards=3)")
    root = game.initial_state()
    assert game.player(root) == CHANCE
    assert game.actions(root) == ("1", "2", "3")
    assert game.chance(root) == pytest.approx((1 / 3,) * 3)
    assert game.infoset(play(game, "3")) == "0/3:"
    later = play(game, "3", "2", "1", "1")
    assert game.infoset(later) == "0/3:2,1/1:"


def test_last_round_plays_itself() -> None:
    game = load_game("goofspiel(cards=2,points_order=descending)")
    # Player 0 wins the prize 2 with its 2, then loses the prize 1 with its 1.
    state = play(game, "2", "1")
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == (1, -1)


@pytest.mark.parametrize(
    ("returns_type", "payoffs"),
    [
        ("win_loss", (-0.5, -0.5, 1)),
        ("point_difference", (-2 / 3, -2 / 3, 4 / 3)),
        ("total_points", (0, 0, 2)),
    ],
)
def test_what_is_paid(returns_type: str, payoffs: tuple[float, ...]) -> None:
    game = load_game(
        f"goofspiel(cards=2,players=3,points_order=descending,returns_type={returns_type})"
    )
    # The prize 2 goes to player 2; the prize 1 to nobody, as players 0 and 1 both bid their 2.
    state = play(game, "1", "1", "2")
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == pytest.approx(payoffs)


def test_first_place_can_be_shared() -> None:
    game = load_game("goofspiel(players=3,points_order=ascending)")
    # Prize 1 goes to player 0, 2 to player 0, 3 to player 2, and 4 is thrown away: 3, 0, 3 points.
    state = play(game, "4 3 3 3 2 1 1 1 2")
    assert game.payoffs(state) == (0.5, -1, 0.5)
    nobody = play(game, "1 1 1 2 2 2 3 3 3")
    assert game.payoffs(nobody) == (0, 0, 0)
