"""The small trees: the payoffs that the papers and OpenSpiel's files print, leaf by leaf."""

from __future__ import annotations

import pytest

from equilibrist.game import TERMINAL
from equilibrist.games import load_game

# Of extended_shapleys.efg and the two greenwald_sarfati examples of OpenSpiel, top to bottom.
SHAPLEY = [
    *[(0.003, 0), (0, 1), (1, 0), (0, 0), (0.001, 1), (1.001, 0)],
    *[(1.003, 0), (0, 0), (0, 1), (1, 0), (0.001, 0), (0.001, 1)],
    *[(0.003, 1), (1, 0), (0, 0), (0, 1), (1.001, 0), (0.001, 0)],
]
FIRST = [(2, 2), (3, 1), (2, 2), (0, 2), (0, 0), (3, 0), (0, 0), (3, 0)]
SECOND = [(2, 2), (0, 2), (2, 2), (2, 2), (0, 0), (0, 0), (0, 0), (3, 0)]
# Of each pair of bits: stopping, then betting with answers 00, 01, 10, 11; -0.2 where they succeed.
BETS = [*[0, -0.2, 1, 1, -0.2] * 3, 0, 1, -0.2, -0.2, 1]
SIGNALS = [(4, 10), (0, 6), (4, 10), (0, 6), (6, 0), (0, 6), (6, 0), (0, 6)]


@pytest.mark.parametrize(
    ("spec", "payoffs"),
    [
        ("extended_shapley", SHAPLEY),
        ("greenwald_sarfati", FIRST),
        ("greenwald_sarfati(example=2)", SECOND),
        ("signalling", SIGNALS),
        ("outside_option", [(2, 2), (3, 1), (0, 0), (0, 0), (1, 3)]),
        ("chsh", [(paid, 0, 0) for paid in BETS]),
    ],
)
def test_payoffs(spec: str, payoffs: list[tuple[float, float]]) -> None:
    game = load_game(spec)
    found, states = [], [game.initial_state()]
    while states:
        state = states.pop()
        if game.player(state) == TERMINAL:
            found.append(game.payoffs(state))
        else:
            count = len(game.actions(state))
            states += [game.next(state, a) for a in reversed(range(count))]
    assert found == payoffs


def test_who_knows_what() -> None:
    game = load_game("signalling")
    assert game.chance(()) == (0.5, 0.5)
    assert [game.infoset(s) for s in ((0,), (1,))] == ["good", "bad"]
    assert game.infoset((0, 1)) == game.infoset((1, 1)) == "hears Y"
    game = load_game("extended_shapley")
    assert game.infoset((2, 0)) == game.infoset((0, 1)) == "column"
    assert game.infoset((2,)) == "after scissors"
    game = load_game("greenwald_sarfati")
    assert game.infoset((0,)) == game.infoset((1,))
    assert game.infoset((0, 0)) == game.infoset((0, 1)) != game.infoset((1, 0))
    game = load_game("outside_option")
    assert game.infoset((1, 0)) == game.infoset((1, 1)) == "column"
    game = load_game("chsh")
    assert game.num_players == 3
    assert game.chance(()) == (0.25,) * 4
    assert game.infoset((0,)) == game.infoset((3,)) == "bet"
    assert game.infoset((0, 1)) == game.infoset((1, 1)) != game.infoset((2, 1))  # sees the first
    assert game.infoset((0, 1, 0)) == game.infoset((2, 1, 1)) != game.infoset((1, 1, 0))
