"""Public states of all histories: the rules played again, in the order of the walk."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.abstraction.actions.restricting import place_among_siblings, restrict
from equilibrist.abstraction.cutting import cut_improbable
from equilibrist.errors import ConfigError, GameError
from equilibrist.games import load_game
from tests.altered_games import Altered
from tests.refusals import refuses

GAMES = ["kuhn", "leduc", "liars_dice(sides=3)", "goofspiel(cards=4)", "rules:leduc"]


def texts(tree: eq.GameTree) -> list[str]:
    found = tree.public_states
    return [found.texts[number] for number in found.number.tolist()]


def replayed(tree: eq.GameTree) -> list[str]:
    """Each history from the beginning."""
    rules: Any = tree.game
    place, parent = place_among_siblings(tree.walk.parent), tree.walk.parent
    states: list[Any] = []
    for node, above in enumerate(parent.tolist()):
        state = rules.initial_state() if above < 0 else rules.next(states[above], int(place[node]))
        states.append(state)
    return [rules.public_state(state) for state in states]


@pytest.mark.by_default(2)
@pytest.mark.parametrize("game", GAMES)
def test_every_history_has_its_public_state(game: str) -> None:
    tree = eq.compile_game(game)
    assert texts(tree) == replayed(tree)
    assert len(set(tree.public_states.texts)) == len(tree.public_states.texts)
    assert tree.public_states is tree.public_states


@pytest.mark.parametrize("game", ["leduc", "liars_dice(sides=3)"])
def test_trees_with_fewer_actions(game: str) -> None:
    """Those left are found by their labels."""
    tree = eq.compile_game(game)
    kept = np.random.default_rng(3).random(int(tree.action_offset[-1])) < 0.7
    kept[tree.action_offset[:-1] + np.diff(tree.action_offset) // 2] = True
    small = restrict(tree, kept)
    full = texts(tree)
    assert texts(small.tree) == [full[node] for node in np.flatnonzero(small.kept_node).tolist()]


def test_trees_that_end_early() -> None:
    tree = eq.compile_game("leduc")
    small = cut_improbable(tree, 0.01).small
    assert small.num_nodes < tree.num_nodes
    assert set(texts(small)) <= set(texts(tree))


class Public(Altered):
    """Kuhn poker in which what is public is what a function says, where nobody moves any more."""

    def __init__(self, answer: Any) -> None:
        super().__init__(load_game("kuhn"), "public")
        self.answer = answer

    def public_state(self, state: Any, /) -> Any:
        if self.player(state) == -2:
            return self.answer(state)
        return "here"


def test_public_states_that_are_no_texts() -> None:
    tree = eq.compile_game(Public(lambda state: 3))
    with refuses(GameError, kind="key", given=3) as refused:
        tree.public_states  # noqa: B018
    assert refused.value.history == ("1", "2", "pass", "pass")


def test_public_states_that_raise() -> None:
    tree = eq.compile_game(Public(lambda state: state.missing))
    with refuses(GameError, kind="exception", option="public_state") as refused:
        tree.public_states  # noqa: B018
    assert refused.value.history == ("1", "2", "pass", "pass")


def test_games_that_say_nothing() -> None:
    tree = eq.compile_game(Altered(load_game("kuhn"), "silent"))
    with refuses(ConfigError, option="public_state") as refused:
        tree.public_states  # noqa: B018
    assert "public_state(state)" in str(refused.value.remedy)


def test_fingerprints_do_not_depend_on_what_is_public() -> None:
    kuhn = eq.compile_game("kuhn")
    assert eq.compile_game(Public(lambda state: "over")).fingerprint == kuhn.fingerprint
