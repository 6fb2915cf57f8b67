"""A table follows the rules, shows each player only their own information, and refuses the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, GameError, GameSpecError, UnknownNameError
from equilibrist.games.library.kuhn import Kuhn
from equilibrist.play import HandGame, SpotGame, Table
from equilibrist.play.table import drawn_index
from equilibrist.poker import Hand, Spot, parse_combo
from tests.refusals import refuses, unchecked
from tests.small_games import Written

GAMES = [
    "kuhn",
    "kuhn(players=3)",
    "kuhn(cards=4)",
    "leduc",
    "leduc(players=3,ranks=2)",
    "liars_dice(sides=3)",
    "liars_dice(dice=2,sides=2)",
    "liars_dice(sides=10,dice=[1,1])",
    "goofspiel(cards=3)",
    "goofspiel(cards=3,imp_info=true)",
    "goofspiel(cards=3,points_order=descending)",
    "goofspiel(cards=3,points_order=ascending,imp_info=true)",
    "goofspiel(cards=3,players=3,imp_info=true)",
    "rps",
    "random_tree(seed=1)",
    "rules:liars_dice(sides=2)",
]


def random_hand(table: Table, generator: np.random.Generator) -> list[Table]:
    tables = [table]
    while not table.over:
        count = len(table.actions)
        row = table.chance if table.player < 0 else (1.0 / count,) * count
        table = table.draw(row, generator)
        tables.append(table)
    return tables


@pytest.mark.parametrize("name", GAMES)
def test_hands_are_those_of_the_rules(name: str) -> None:
    game: Any = eq.load_game(name)
    generator = np.random.default_rng(1)
    for _ in range(30):
        tables = random_hand(Table.start(game), generator)
        state = game.initial_state()
        for table, move in zip(tables, tables[-1].moves, strict=False):
            assert table.player == game.player(state)
            assert table.actions == tuple(game.actions(state))
            if table.player >= 0:
                assert table.infoset == game.infoset(state) == move.infoset
            state = game.next(state, move.index)
        assert tables[-1].payoffs == tuple(game.payoffs(state))


@pytest.mark.parametrize("name", GAMES)
def test_facts_are_equivalent_to_the_infoset(name: str) -> None:
    """Different infosets read differently, and every infoset always reads the same."""
    game = eq.load_game(name)
    generator = np.random.default_rng(2)
    words: dict[str, tuple[tuple[str, str], ...]] = {}
    for _ in range(300):
        for table in random_hand(Table.start(game), generator)[:-1]:
            if table.player >= 0:
                assert words.setdefault(table.infoset, table.facts) == table.facts
    told = [facts for facts in words.values() if facts]
    assert len(set(told)) == len(told)
    assert bool(told) is not name.startswith("random")


def test_kuhn_and_leduc_in_words() -> None:
    table = Table.start(eq.load_game("kuhn")).play("2").play("3").play("pass").play("bet")
    assert table.facts == (
        ("your card", "2 (Q)"),
        ("pot", "3"),
        ("moves", "pass, bet"),
    )
    table = Table.start(eq.load_game("leduc")).play("Ks").play("Js").play("raise").play("call")
    assert table.play("Kh").play("call").play("raise").facts == (
        ("your card", "Ks"),
        ("round 1", "bet, call"),
        ("board", "Kh"),
        ("round 2", "check, bet"),
        ("pot", "10"),
        ("to call", "4"),
    )


def test_what_is_not_legal_changes_nothing() -> None:
    table = Table.start(eq.load_game("kuhn"))
    with refuses(UnknownNameError, option="action", name="4"):
        table.play("4")
    for index in (-1, 3, True, 1.0):
        with pytest.raises(ConfigError):
            table.play(unchecked(index))
    with pytest.raises(ConfigError):
        _ = table.infoset
    with pytest.raises(ConfigError):
        _ = table.payoffs
    dealt = table.play("1").play("2")
    with pytest.raises(ConfigError):
        _ = dealt.chance
    over = dealt.play("pass").play("pass")
    assert over.payoffs == (-1.0, 1.0)
    with refuses(ConfigError, option="action", given=0):
        over.play(0)
    assert table.moves == ()
    with pytest.raises(GameSpecError):
        Table.start(unchecked("kuhn"))


def test_outcomes_of_chance_with_one_name_are_taken_by_their_index() -> None:
    ends = {("o", 0.5): (1.0,), ("o", 0.25): (2.0,), ("x", 0.25): (3.0,)}
    table = Table.start(Written(("chance", ends), 1))
    with refuses(ConfigError, option="action", given="o"):
        table.play("o")
    assert [table.play(action).payoffs for action in (0, 1, "x")] == [(1.0,), (2.0,), (3.0,)]


def test_rules_that_fail_are_named_with_the_history() -> None:
    class Bad(Kuhn):
        def payoffs(self, state: Any, /) -> Any:
            raise ValueError("no pot")

        def chance(self, state: Any, /) -> Any:
            return [0.5] if state[0] else super().chance(state)

        def infoset_facts(self, key: str, /) -> Any:
            raise KeyError(key)

    table = Table.start(Bad()).play("1")
    with refuses(GameError, kind="probabilities", given=1):
        _ = table.chance
    with refuses(GameError, kind="exception", option="infoset_facts", given="KeyError"):
        _ = table.play("2").facts
    with refuses(GameError, kind="exception", option="payoffs", given="ValueError"):
        _ = table.play("2").play("pass").play("pass").payoffs


def test_draws_follow_their_probabilities_and_never_take_what_cannot_be() -> None:
    generator = np.random.default_rng(3)
    row = (0.0, 0.2, 0.0, 0.5, 0.3, 0.0)
    counts = np.bincount([drawn_index(row, generator) for _ in range(20_000)], minlength=6)
    assert counts[[0, 2, 5]].tolist() == [0, 0, 0]
    expected = 20_000 * np.array(row)
    spread = 4 * np.sqrt(20_000 * np.array(row) * (1 - np.array(row)))
    assert (np.abs(counts - expected) <= spread).all()

    class Highest:
        def random(self) -> float:
            return 1.0

    assert drawn_index(row, unchecked(Highest())) == 4


@pytest.mark.parametrize(
    ("first", "second", "flop"),
    [
        ("SB AhKh", "BB 2d2c", "Qs"),
        ("sb KhAh", "bb 2c2d", "flop Qs"),
        ("SB K♥A♥", "BB 2c 2d", "Qs"),
    ],
)
def test_cards_are_dealt_by_name_in_any_order(first: str, second: str, flop: str) -> None:
    hand = HandGame(Hand(stack=20, bets="a"))
    table = Table.start(hand).play(first).play(second).play("C").play("X")
    assert table.state.hands == (parse_combo("AhKh"), parse_combo("2d2c"))
    table = table.play(flop if " " in flop else f"flop {flop}")
    assert table.moves[-1].action == "flop Qs"


@pytest.mark.parametrize("word", ["BB AhQd", "BB 2c2x", "CO 2c2d", "BB 2c2c", "BB", ""])
def test_no_other_cards_are_suggested(word: str) -> None:
    table = Table.start(HandGame(Hand(stack=20))).play("SB AhKh")
    with refuses(UnknownNameError, option="action", name=word) as caught:
        table.play(word)
    assert caught.value.suggestions == ()
    assert "'BB 2d2c'" in str(caught.value)


def test_hands_of_a_spot_are_dealt_in_any_order() -> None:
    spot = Spot(board="Qs9h4s7c2d", oop="AhKh,JsJc", ip="AsAd", pot=10, stack=10, bets="a")
    table = Table.start(SpotGame(spot)).play("oop KhAh").play("IP AdAs")
    assert [move.action for move in table.moves] == ["OOP AhKh", "IP AsAd"]
    game = Table.start(Hand(stack=4, blinds="1/2", deck="K", board="2").game())
    game = game.play("KcAc").play("AhKd").play("C").play("X").play("KsAs")
    assert [game.moves[k].action for k in (0, 1, 4)] == ["AcKc", "AhKd", "AsKs"]
