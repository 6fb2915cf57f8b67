"""Liar's dice: published sizes, the wild face, keys, several dice and players."""

from __future__ import annotations

import pytest

from equilibrist.errors import GameSpecError
from equilibrist.game import TERMINAL
from equilibrist.games import load_game
from tests.games.walking import play, sizes
from tests.refusals import refuses


@pytest.mark.parametrize("sides", [2, 3, 4, 5, 6])
def test_sizes_follow_the_formulas(sides: int) -> None:
    found = sizes(load_game(f"liars_dice(sides={sides})"))
    bids = 2 ** (2 * sides)
    assert found.histories == 1 + sides + sides**2 * (bids + bids - 1)
    assert found.infosets == sides * bids
    assert found.terminals == sides**2 * (bids - 1)


def test_six_sides_have_the_sequences_of_the_literature() -> None:
    assert sizes(load_game("liars_dice")) == (294_883, 147_420, 24_576, 49_142)


@pytest.mark.parametrize(
    ("moves", "payoffs"),
    [
        ("1 2 1-2 liar", (1, -1)),  # there is a two
        ("1 2 2-1 liar", (-1, 1)),  # only one one
        ("1 6 2-1 liar", (1, -1)),  # the six is wild
        ("6 6 2-3 liar", (1, -1)),
        ("1 6 2-6 liar", (-1, 1)),  # a bid on the wild face counts that face only
        ("1 2 1-1 1-3 liar", (1, -1)),  # player 1 bid, player 0 called
    ],
)
def test_payoffs(moves: str, payoffs: tuple[float, ...]) -> None:
    game = load_game("liars_dice")
    state = play(game, *moves.split())
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == payoffs


def test_bids_rise_and_the_last_forces_the_call() -> None:
    game = load_game("liars_dice(sides=2)")
    assert game.actions(play(game, "1", "2")) == ("1-1", "1-2", "2-1", "2-2")
    assert game.actions(play(game, "1", "2", "1-2")) == ("2-1", "2-2", "liar")
    assert game.actions(play(game, "1", "2", "2-2")) == ("liar",)


def test_keys() -> None:
    game = load_game("liars_dice(dice=2)")
    state = play(game, "5", "2", "6", "1", "1-3", "2-5")
    assert (game.player(state), game.infoset(state)) == (0, "25/1-3/2-5")
    assert game.infoset(play(game, "2", "5", "6", "1")) == "25"
    many = load_game("liars_dice(dice=2,sides=12)")
    assert many.infoset(play(many, "12", "1", "1", "2")) == "1.12"


def test_dice_can_differ_between_players() -> None:
    game = load_game("liars_dice(dice=[2,1],sides=2)")
    assert game.name == "liars_dice(dice=[2,1],sides=2)"
    state = play(game, "1", "1", "2")
    assert (game.player(state), game.infoset(state)) == (0, "11")
    assert game.actions(state)[-1] == "3-2"
    assert game.payoffs(play(game, "1", "1", "2", "3-1", "liar")) == (1, -1)
    assert load_game("liars_dice(dice=[2,2])").name == "liars_dice(dice=2)"


def test_three_players_settle_between_bidder_and_caller() -> None:
    game = load_game("liars_dice(players=3,sides=3)")
    assert game.payoffs(play(game, "1", "1", "2", "1-1", "2-2", "liar")) == (0, -1, 1)
    assert game.payoffs(play(game, "1", "1", "2", "1-1", "2-1", "liar")) == (0, 1, -1)
    last = play(game, "1", "1", "2", "1-1", "1-2", "1-3", "liar")
    assert game.payoffs(last) == (1, 0, -1)


@pytest.mark.parametrize(
    "dice", ["[1,1,1]", "[1]", "[]", "0", "11", "[1,0]", "[1,a]", "1.5", "many"]
)
def test_bad_dice(dice: str) -> None:
    with refuses(GameSpecError, option="dice"):
        load_game(f"liars_dice(dice={dice})")
