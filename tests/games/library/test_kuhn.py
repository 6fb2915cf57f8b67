"""Kuhn poker: the textbook's sizes, keys and values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from equilibrist.errors import GameSpecError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.tree.shown_names import shown_names
from tests.games.walking import moments, play, sizes
from tests.refusals import refuses


def keys(spec: str) -> list[str]:
    game = load_game(spec)
    found: dict[str, None] = {}
    stack = [game.initial_state()]
    while stack:
        state = stack.pop()
        if game.player(state) == TERMINAL:
            continue
        if game.player(state) != CHANCE:
            found[game.infoset(state)] = None
        stack += [game.next(state, index) for index in range(len(game.actions(state)))]
    return sorted(found)


def test_textbook_sizes_and_keys() -> None:
    assert sizes(load_game("kuhn")) == (58, 30, 12, 26)
    letters = ("", "b", "p", "pb")
    assert keys("kuhn") == sorted(f"{card}{line}" for card in "123" for line in letters)


@pytest.mark.parametrize(("players", "infosets"), [(2, 12), (3, 48), (4, 160)])
def test_sizes_for_n_players(players: int, infosets: int) -> None:
    found = sizes(load_game(f"kuhn(players={players})"))
    deals = 1
    for card in range(2, players + 2):
        deals *= card
    assert found.infosets == infosets == players * (players + 1) * 2 ** (players - 1)
    assert found.terminals == deals * (players * 2 ** (players - 1) + 1)


def test_uniform_values() -> None:
    assert moments(load_game("kuhn"), uniform=True)[0] == pytest.approx([1 / 8, -1 / 8])
    exact = [Fraction(15, 64), Fraction(-3, 64), Fraction(-3, 16)]
    three = moments(load_game("kuhn(players=3)"), uniform=True)[0]
    assert three == pytest.approx([float(value) for value in exact], abs=1e-14)


@pytest.mark.parametrize(
    ("moves", "payoffs"),
    [
        ("13pp", (-1, 1)),
        ("13bp", (1, -1)),
        ("13bb", (-2, 2)),
        ("31pbp", (-1, 1)),
        ("31pbb", (2, -2)),
    ],
)
def test_payoffs(moves: str, payoffs: tuple[float, ...]) -> None:
    words = {"p": "pass", "b": "bet"}
    game = load_game("kuhn")
    state = play(game, *(words.get(letter, letter) for letter in moves))
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == payoffs


def test_three_players_deal_1_3_4() -> None:
    game = load_game("kuhn(players=3)")
    state = play(game, "1", "3", "4", "pass", "bet", "pass")
    assert (game.player(state), game.infoset(state)) == (0, "1pbp")
    assert game.payoffs(play(game, "1", "3", "4", "pass", "bet", "pass", "pass")) == (-1, 2, -1)
    assert game.payoffs(play(game, "1", "3", "4", "pass", "bet", "bet", "bet")) == (-2, -2, 4)


def test_ante_and_bet_are_parameters() -> None:
    game = load_game("kuhn(ante=3,bet=0.5)")
    assert game.payoffs(play(game, "2", "1", "bet", "bet")) == (3.5, -3.5)
    assert game.payoffs(play(game, "2", "1", "pass", "pass")) == (3, -3)


def test_keys_of_large_decks_stay_apart() -> None:
    found = keys("kuhn(cards=12)")
    assert len(found) == 48
    assert {"1", "10", "1p", "10p", "11pb", "12b"} <= set(found)


def test_chance_deals_every_card_once() -> None:
    game = load_game("kuhn(cards=5)")
    state = play(game, "3")
    assert game.actions(state) == ("1", "2", "4", "5")
    assert game.chance(state) == (0.25,) * 4
    assert play(game, "3", "4")[0] == (3, 4)
    assert play(game, "3", "2")[0] == (3, 2)


def test_deck_must_be_large_enough() -> None:
    with refuses(GameSpecError, option="cards", given=3):
        load_game("kuhn(players=3,cards=3)")


@pytest.mark.parametrize("spec", ["kuhn", "kuhn_bets", "kuhn(cards=4)", "kuhn(players=3)"])
def test_three_cards_are_shown_as_letters(spec: str) -> None:
    """Every infoset and every card has another name, in which only the card is another."""
    game: Any = load_game(spec)
    tree = compile_game(game)
    names = shown_names(game)
    if "(" in spec:
        assert names == {}
        return
    assert set(names) == set(tree.infoset_keys)
    letters = dict(zip("123", "JQK", strict=True))
    assert all(names[key] == letters[key[0]] + key[1:] for key in names)
