"""Games in normal form: the classics, payoff tables of any size, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import GameSpecError
from equilibrist.games import MatrixGame, load_game
from tests.games.walking import play, sizes
from tests.refusals import refuses


def row_table(spec: str, player: int = 0) -> list[list[float]]:
    game = load_game(spec)
    return [
        [game.payoffs((row, column))[player] for column in range(len(game.actions((row,))))]
        for row in range(len(game.actions(())))
    ]


def test_players_move_in_turn_without_seeing() -> None:
    game = load_game("rps")
    assert game.actions(()) == ("rock", "paper", "scissors")
    assert [game.player(state) for state in ((), (0,), (0, 1))] == [0, 1, -2]
    assert game.infoset(()) == "row"
    assert {game.infoset((index,)) for index in range(3)} == {"column"}


@pytest.mark.parametrize(
    ("spec", "row", "column"),
    [
        ("rps", [[0, -1, 1], [1, 0, -1], [-1, 1, 0]], None),
        ("brps", [[0, -25, 50], [25, 0, -5], [-50, 5, 0]], None),
        ("matching_pennies", [[1, -1], [-1, 1]], None),
        ("bos", [[3, 0], [0, 2]], [[2, 0], [0, 3]]),
        ("shapley", [[0, 0, 1], [1, 0, 0], [0, 1, 0]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
        ("chicken", [[0, 7], [2, 6]], [[0, 2], [7, 6]]),
        ("gibson", [[1, 0], [0, 2], [-1, 1]], [[0, 0], [0, 0], [0, 0]]),
        ("pd", [[3, 0], [5, 1]], [[3, 5], [0, 1]]),
        ("stag_hunt", [[4, 0], [3, 3]], [[4, 3], [0, 3]]),
        ("hawk_dove", [[-1, 2], [0, 1]], [[-1, 0], [2, 1]]),
        ("coordination", [[1, 0], [0, 1]], [[1, 0], [0, 1]]),
        ("penalty_kick", [[58.3, 94.97], [92.92, 69.92]], None),
    ],
)
def test_classics(spec: str, row: list[list[float]], column: list[list[float]] | None) -> None:
    assert row_table(spec) == row
    zero_sum = [[-value for value in values] for values in row]
    assert row_table(spec, player=1) == (column or zero_sum)


def test_textbook_regrets_of_rock_paper_scissors() -> None:
    game = load_game("rps")
    labels = game.actions(())

    def against(other: str) -> dict[str, float]:
        return {label: game.payoffs(play(game, label, other))[0] for label in labels}

    values = against("paper")
    assert {a: values[a] - values["rock"] for a in labels} == {"rock": 0, "scissors": 2, "paper": 1}
    values = against("scissors")
    regrets = {a: values[a] - values["paper"] for a in labels}
    assert (regrets["scissors"], regrets["rock"]) == (1, 2)


def test_one_table_is_zero_sum() -> None:
    game = load_game("matrix(payoffs=[[1,2.5,-3],[0,4,5]])")
    assert sizes(game) == (9, 6, 2, 7)
    assert game.payoffs((0, 1)) == (2.5, -2.5)
    assert game.actions((0,)) == ("0", "1", "2")
    assert game.name == "matrix(payoffs=[[1,2.5,-3],[0,4,5]])"


def test_two_tables_and_labels() -> None:
    spec = "matrix(payoffs=[[[1,0],[0,2]],[[3,0],[0,4]]],labels=[[up,down],['left hand',right]])"
    game = load_game(spec)
    assert game.payoffs((1, 1)) == (2, 4)
    assert game.actions((0,)) == ("left hand", "right")
    assert game.name == spec
    assert load_game(game.name) == game


def test_three_players() -> None:
    tables = [np.arange(8).reshape(2, 2, 2) + 10 * player for player in range(3)]
    game = MatrixGame.from_tables(tables)
    assert game.num_players == 3
    assert [game.infoset(state) for state in ((), (0,), (0, 1))] == [
        "player 0",
        "player 1",
        "player 2",
    ]
    assert game.payoffs((1, 0, 1)) == (5, 15, 25)
    assert load_game(game.name) == game


def test_arrays_and_one_table_from_python() -> None:
    zero_sum = MatrixGame.from_tables([np.array([[1.0, -1.0], [-1.0, 1.0]])])
    assert zero_sum.name == "matrix(payoffs=[[1.0,-1.0],[-1.0,1.0]])"
    assert load_game("matrix", payoffs=[[1, 2]], labels=(["only"], ["a", "b"])).payoffs((0, 1)) == (
        2,
        -2,
    )


def test_default_labels_are_left_out_of_the_name() -> None:
    game = load_game("matrix(payoffs=[[1,2]],labels=[[0],[0,1]])")
    assert game.name == "matrix(payoffs=[[1,2]])"


@pytest.mark.parametrize(
    ("payoffs", "fields"),
    [
        ("[]", dict(option="payoffs", given="()")),
        ("[1,2]", dict(option="payoffs", given="(1, 2)")),
        ("[[]]", dict(option="payoffs", given="((),)")),
        ("[[1,2],[3]]", dict(option="payoffs", given="((1, 2), (3,))")),
        ("[[1,2],3]", dict(option="payoffs", given="((1, 2), 3)")),
        ("[[[1,2]],[[1],[2]]]", dict(option="payoffs", given="(((1, 2),), ((1,), (2,)))")),
        ("[[[1,0],[0,2]]]", dict(option="payoffs", given=1, expected=2)),
        (
            "[[[1,0],[0,2]],[[1,0],[0,2]],[[1,0],[0,2]]]",
            dict(option="payoffs", given=3, expected=2),
        ),
        ("[[1,x]]", dict(option="payoffs", given="x")),
        ("[[1,true]]", dict(option="payoffs", given=True)),
        ("7", dict(option="payoffs", given=7)),
    ],
)
def test_bad_tables(payoffs: str, fields: dict[str, Any]) -> None:
    with refuses(GameSpecError, **fields):
        load_game(f"matrix(payoffs={payoffs})")


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_payoffs_must_be_finite(value: float) -> None:
    with refuses(GameSpecError, option="payoffs", given=value):
        MatrixGame.from_tables([[[1, value]]])


@pytest.mark.parametrize("labels", ["[[a,b]]", "[[a],[b]]", "[[a,a],[b]]", "[a,b]", "[['',b],[c]]"])
def test_bad_labels(labels: str) -> None:
    with refuses(GameSpecError, option="labels"):
        load_game(f"matrix(payoffs=[[1],[2]],labels={labels})")


def test_payoffs_are_required() -> None:
    with refuses(GameSpecError, option="payoffs"):
        load_game("matrix")
