"""Tables of games in normal form, and the way of CFR through them."""

from __future__ import annotations

import pytest

from equilibrist.errors import UnsupportedError
from equilibrist.games import load_game
from equilibrist.reference.cfr import ReferenceCFR
from equilibrist.reference.matrix_play import Table, table_of, trajectory
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.algorithm import get_algorithm


def _cfr() -> Variant:
    found = get_algorithm("cfr")
    assert isinstance(found, Variant)
    return found


def test_the_table_of_rock_paper_scissors() -> None:
    table = table_of(load_game("rps"))
    assert table.keys == ("row", "column")
    assert [[cell[0] for cell in row] for row in table.payoffs] == [
        [0, -1, 1],
        [1, 0, -1],
        [-1, 1, 0],
    ]
    assert all(cell[0] == -cell[1] for row in table.payoffs for cell in row)
    # Against rock alone, paper wins and scissors lose, for either player.
    for player in (0, 1):
        assert table.action_values(player, [1.0, 0.0, 0.0]) == [0.0, 1.0, -1.0]


def test_values_of_columns_are_the_second_player_s() -> None:
    table = table_of(load_game("battle_of_the_sexes"))
    payoffs = table.payoffs
    assert table.action_values(1, [1.0, 0.0]) == [payoffs[0][0][1], payoffs[0][1][1]]
    assert table.action_values(0, [0.0, 1.0]) == [payoffs[0][1][0], payoffs[1][1][0]]


@pytest.mark.parametrize("alternating", [True, False])
def test_the_trajectory_is_that_of_the_reference(alternating: bool) -> None:
    game = load_game("biased_rps")
    moments = trajectory(game, _cfr(), 7, alternating=alternating)
    assert [one.iteration for one in moments] == list(range(8))
    solver = ReferenceCFR(game, _cfr(), alternating)
    solver.run(7)
    average = solver.average_strategy()
    assert moments[7].current == (tuple(solver.strategy["row"]), tuple(solver.strategy["column"]))
    assert moments[7].average == (tuple(average["row"]), tuple(average["column"]))
    assert moments[0].average[0] == (1 / 3, 1 / 3, 1 / 3)
    assert moments[7].average != moments[6].average


def test_players_may_begin_with_an_action() -> None:
    game = load_game("rps")
    still = trajectory(game, _cfr(), 20)
    assert {one.current for one in still} == {still[0].current}  # uniform play is stable
    moved = trajectory(game, _cfr(), 300, begin=(0, 0))
    assert moved[0].current == ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert len({one.current for one in moved}) > 10
    assert moved[300].average[0] == pytest.approx((1 / 3, 1 / 3, 1 / 3), abs=0.06)


@pytest.mark.parametrize("game", ["kuhn", "signalling", "random_tree(seed=1)"])
def test_other_games_are_no_tables(game: str) -> None:
    with pytest.raises(UnsupportedError) as refused:
        table_of(load_game(game))
    assert refused.value.option == "game"


@pytest.mark.parametrize("unit", [1e-13, 1e-6, 1.0, 1e9])
def test_best_actions_in_any_unit(unit: float) -> None:
    def table(rows: list[list[float]]) -> Table:
        return table_of(load_game(f"matrix(payoffs={[[unit * x for x in row] for row in rows]})"))

    far = table([[1, 4], [3, 2], [1, 3], [0.1, -1e3]])
    assert far.best_actions(0, (0.5, 0.5)) == [0, 1]
    assert far.best_actions(0, (0.3, 0.7)) == [0]
    assert far.best_actions(1, (0.5, 0.5, 0.0, 0.0)) == [0]
    rocks = table([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert rocks.best_actions(0, (1 / 3, 1 / 3, 1 / 3)) == [0, 1, 2]
