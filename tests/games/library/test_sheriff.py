"""Sheriff: its payoffs by hand, and history by history against OpenSpiel."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.errors import GameSpecError
from equilibrist.game import TERMINAL
from equilibrist.games import load_game
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("state", "payoffs"),
    [
        ((3, 2, 0), (3 * 5 - 2, 2)),  # three items pass for a bribe of 2
        ((0, 1, 0), (-1, 1)),
        ((2, 3, 1), (-8, 8)),  # two items are found: the bribe is not paid
        ((0, 3, 1), (7, -7)),
    ],
)
def test_payoffs(state: tuple[int, ...], payoffs: tuple[float, float]) -> None:
    game = load_game("sheriff(rounds=1,value=5,penalty=4,compensation=7)")
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == payoffs


def test_what_the_players_know() -> None:
    game: Any = load_game("sheriff")
    assert game.infoset(()) == "smuggler"
    assert game.infoset((2, 1)) == game.infoset((0, 1)) == "sheriff:1"
    assert game.infoset((2, 1, 1)) == "smuggler/2:1n"
    assert game.infoset((2, 1, 1, 3)) == "sheriff:1n3"
    assert dict(game.infoset_facts("smuggler/2:1n3y")) == {
        "you are": "the smuggler",
        "your items": "2",
        "so far": "offer 1, would inspect; offer 3, would let pass",
    }
    assert dict(game.infoset_facts("smuggler"))["so far"] == "nothing"


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_same_tree_as_openspiel(rounds: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"sheriff(num_rounds={rounds})")
    ours = load_game(f"sheriff(rounds={rounds})")
    keys: dict[str, str] = {}
    pairs = [(theirs.new_initial_state(), ours.initial_state())]
    while pairs:
        a, b = pairs.pop()
        if a.is_terminal():
            assert ours.payoffs(b) == pytest.approx(a.returns(), abs=1e-12)
            continue
        assert a.current_player() == ours.player(b)
        actions = a.legal_actions()
        assert len(actions) == len(ours.actions(b))
        assert keys.setdefault(a.information_state_string(), ours.infoset(b)) == ours.infoset(b)
        pairs += [(a.child(x), ours.next(b, k)) for k, x in enumerate(actions)]
    assert len(set(keys.values())) == len(keys)


def test_what_is_refused() -> None:
    with refuses(GameSpecError, option="rounds", given=0):
        load_game("sheriff(rounds=0)")
