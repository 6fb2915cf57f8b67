"""Liar Die: who may claim what, who wins a doubt, what is remembered, values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import equilibrist as eq
from equilibrist.errors import GameSpecError, RecallError, UnknownNameError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games import load_game
from tests.games.walking import play, sizes
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("moves", "payoffs"),
    [
        ("3 3 doubt", (1, -1)),
        ("4 3 doubt", (1, -1)),  # at least the claim
        ("2 3 doubt", (-1, 1)),
        ("1 3 accept 5 5 doubt", (-1, 1)),  # player 1 claimed, and it holds
        ("1 3 accept 4 5 doubt", (1, -1)),
    ],
)
@pytest.mark.parametrize("name", ["liar_die", "liar_die(memory=1)"])
def test_payoffs(name: str, moves: str, payoffs: tuple[float, ...]) -> None:
    game = load_game(name)
    state = play(game, *moves.split())
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == payoffs


def test_claims_rise_and_the_highest_is_doubted() -> None:
    game = load_game("liar_die(sides=4)")
    assert game.actions(play(game, "2")) == ("1", "2", "3", "4")
    assert game.actions(play(game, "2", "2")) == ("doubt", "accept")
    again = play(game, "2", "2", "accept")
    assert game.player(again) == CHANCE
    assert game.actions(play(game, "2", "2", "accept", "1")) == ("3", "4")
    assert game.actions(play(game, "2", "4")) == ("doubt",)


def test_keys() -> None:
    game = load_game("liar_die")
    moves = ["3", "1", "accept", "2", "2", "accept", "6", "4"]
    keys = [game.infoset(play(game, *moves[:n])) for n in (1, 2, 4, 5, 7, 8)]
    assert keys == ["3/", "/1", "2/1", "3/1-2", "3.6/1-2", "2/1-2-4"]
    short = load_game("liar_die(memory=1)")
    keys = [short.infoset(play(short, *moves[:n])) for n in (1, 2, 4, 5, 7, 8)]
    assert keys == ["0:3/", "1:/1", "1:2/1", "0:/1-2", "0:6/2", "1:/2-4"]


def test_memory_forgets_old_claims_and_rolls() -> None:
    game: Any = load_game("liar_die(memory=1)")
    one = play(game, "3", "1", "accept", "2", "2", "accept", "4", "3", "accept")
    assert one == play(game, "1", "1", "accept", "6", "2", "accept", "5", "3", "accept")
    assert one == (CHANCE, 1, (3,), ())
    assert game.full_recall().name == "liar_die"
    assert load_game("liar_die(sides=3,memory=2)").name == "liar_die(sides=3)"
    with pytest.raises(RecallError):
        eq.solve("liar_die(sides=4,memory=1)")


def test_perfect_recall_by_default() -> None:
    assert eq.check_game("liar_die(sides=4)").problems == ()


@pytest.mark.parametrize("sides", [2, 3, 4, 5])
def test_every_history_is_there(sides: int) -> None:
    def below(accepted: int) -> int:
        claims = range(accepted + 1, sides + 1)
        return 1 + sides * (1 + sum(2 + (below(c) if c < sides else 0) for c in claims))

    assert sizes(load_game(f"liar_die(sides={sides})")).histories == below(0)


def value_by_hand(sides: int) -> list[float]:
    """The value for who rolls after each accepted claim, one small programme per claim.

    After a new roll nothing before it matters, so that the game is a chain of matrix-like games:
    in each, the roller's plan x(roll, claim) meets the answerer's y(claim). An accepted claim is
    worth minus what the answerer gets who rolls next.
    """
    value = [0.0] * sides
    for last in range(sides - 1, -1, -1):
        claims = range(last + 1, sides + 1)
        columns = sides * len(claims)
        # Maximise the sum of t(claim), t(claim) <= payoff of either answer.
        cost = np.concatenate([np.zeros(columns), -np.ones(len(claims))])
        rows = []
        for k, claim in enumerate(claims):
            doubt = np.zeros(columns + len(claims))
            accept = np.zeros(columns + len(claims))
            for roll in range(1, sides + 1):
                doubt[(roll - 1) * len(claims) + k] = -(1.0 if roll >= claim else -1.0) / sides
                if claim < sides:
                    accept[(roll - 1) * len(claims) + k] = value[claim] / sides
            doubt[columns + k] = accept[columns + k] = 1.0
            rows.append(doubt)
            if claim < sides:
                rows.append(accept)
        plans = np.zeros((sides, columns + len(claims)))
        for roll in range(sides):
            plans[roll, roll * len(claims) : (roll + 1) * len(claims)] = 1.0
        bounds = [(0, None)] * columns + [(None, None)] * len(claims)
        found = linprog(
            cost, np.array(rows), np.zeros(len(rows)), plans, np.ones(sides), bounds=bounds
        )
        value[last] = -found.fun
    return value


@pytest.mark.parametrize("sides", [2, 3, 4, 5])
def test_the_value_is_that_of_a_chain_of_small_programmes(sides: int) -> None:
    """Two independent ways: the sequence form of all histories, and backward induction."""
    found = eq.solve(f"liar_die(sides={sides})", "lp").values[0]
    assert found == pytest.approx(value_by_hand(sides)[0], abs=1e-9)


@pytest.mark.parametrize("text", ["sides=1", "sides=101", "memory=0"])
def test_what_cannot_be_is_refused(text: str) -> None:
    with refuses(GameSpecError, option=text.partition("=")[0]):
        load_game(f"liar_die({text})")


def test_there_is_one_die() -> None:
    with refuses(UnknownNameError, option="parameter of liar_die", name="dice"):
        load_game("liar_die(dice=2)")


def test_what_a_player_is_told() -> None:
    game: Any = load_game("liar_die")
    facts = dict(game.infoset_facts("3.6/1-2"))
    assert facts == {"your rolls": "3, 6", "claims": "1, 2", "highest rank": "6"}
