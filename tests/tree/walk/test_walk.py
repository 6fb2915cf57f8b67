"""The walk over the rules: its columns, and the error for each way in which rules can be wrong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import GameError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.tree.walk.histories import CHANCE_MARK, TERMINAL_MARK, action_path, history_labels
from equilibrist.tree.walk.walk import walk_game
from tests.refusals import refuses
from tests.small_games import Written
from tests.tree.checks.broken_rules import kuhn

COIN = ("chance", {("heads", 0.25): (1.0, -1.0), ("tails", 0.75): (0.0, 0.0)})
MATCH = (0, "first", {"left": (1, "second", {"x": (1.0, -1.0), "y": (0.0, 0.0)}), "right": COIN})


def deciding(labels):
    """Actions of Kuhn poker that are `labels` wherever a player decides."""
    plain = load_game("kuhn")
    return lambda state: plain.actions(state) if len(state[0]) < 2 else labels


def test_columns_of_a_small_game() -> None:
    w = walk_game(Written(MATCH, 2))
    assert w.parent.tolist() == [-1, 0, 1, 1, 0, 4, 4]
    t = TERMINAL_MARK
    assert w.infoset.tolist() == [0, 1, t, t, CHANCE_MARK, t, t]
    assert w.chance_count.tolist() == [2]
    assert w.chance_probability.tolist() == [0.25, 0.75]
    assert w.payoff.tolist() == [[1.0, -1.0], [0.0, 0.0], [1.0, -1.0], [0.0, 0.0]]
    assert w.keys == ["first", "second"]
    assert w.owner.tolist() == [0, 1]
    assert w.labels == [("left", "right"), ("x", "y")]
    assert w.num_players == 2


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "random_tree(seed=4,depth=7,chance=0.4)"])
def test_every_node_can_be_reached_again_by_its_path(spec: str) -> None:
    game = load_game(spec)
    w = walk_game(game)
    generator = np.random.default_rng(0)
    leaves = np.cumsum(w.infoset == TERMINAL_MARK) - 1
    for node in generator.integers(0, len(w.parent), 50).tolist():
        path = action_path(w.parent, node)
        state = game.initial_state()
        for action in path:
            state = game.next(state, action)
        if w.infoset[node] >= 0:
            assert game.infoset(state) == w.keys[w.infoset[node]]
            assert game.player(state) == w.owner[w.infoset[node]]
        elif w.infoset[node] == TERMINAL_MARK:
            assert list(game.payoffs(state)) == w.payoff[leaves[node]].tolist()
        assert len(history_labels(game, path)) == len(path)


def test_history_labels_name_the_moves() -> None:
    game = load_game("kuhn")
    w = walk_game(game)
    bettor = w.infoset.tolist().index(w.keys.index("1pb"))
    assert history_labels(game, action_path(w.parent, bettor)) == ("1", "2", "pass", "bet")


def test_progress_receives_the_count() -> None:
    seen: list[int] = []
    walk_game(load_game("leduc(ranks=5)"), on_walk=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 55361


# --- rules that contradict the protocol -----------------------------------------------------


CONTRADICTIONS: dict[str, tuple[dict[str, Any], str, object]] = {
    "too few payoffs": (dict(payoffs=lambda s: (1.0,)), "payoffs", 1),
    "too many payoffs": (dict(payoffs=lambda s: (1.0, 0.0, -1.0)), "payoffs", 3),
    "payoffs without a length": (dict(payoffs=lambda s: 1.0), "payoffs", 1.0),
    "payoffs that are text": (dict(payoffs=lambda s: ("1", "-1")), "payoffs", "1"),
    "a player beyond the last": (
        dict(player=lambda s: 2 if len(s[0]) == 2 else -1),
        "players",
        2,
    ),
    "a player that is no number": (dict(player=lambda s: None), "players", None),
    "a player below the marks": (dict(player=lambda s: -3), "players", -3),
    "keys that are no text": (dict(infoset=lambda s: 7), "key", 7),
    "one key for both players": (dict(infoset=lambda s: "same"), "owners", "same"),
    "no actions": (dict(actions=deciding(())), "labels", ()),
    "one text as actions": (dict(actions=deciding("pb")), "labels", "pb"),
    "numbers as actions": (dict(actions=deciding((0, 1))), "labels", 0),
    "the label 'bet' twice": (dict(actions=deciding(("bet", "bet"))), "labels", "bet"),
    "too few probabilities": (dict(chance=lambda s: (0.5, 0.5)), "probabilities", 2),
    "too many probabilities": (dict(chance=lambda s: (0.25,) * 4), "probabilities", 4),
    "keys that are half a character": (dict(infoset=lambda s: "\udc80"), "key", "\udc80"),
    "labels that are half a character": (
        dict(actions=lambda s: ("1", "2", "\ud800") if not s[0] else ("1", "2")),
        "labels",
        "\ud800",
    ),
    "no outcomes": (dict(chance=lambda s: ()), "probabilities", 0),
    "probabilities below 1": (dict(chance=lambda s: (0.25,) * 3), "probabilities", 0.75),
    "negative probabilities": (dict(chance=lambda s: (1.5, -0.5, 0.0)), "probabilities", 1.5),
    "probabilities that are not": (
        dict(chance=lambda s: (math.nan, 0.5, 0.5)),
        "probabilities",
        math.nan,
    ),
    "infinite probabilities": (dict(chance=lambda s: (math.inf,) * 3), "probabilities", math.inf),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_contradictions_are_named(name: str) -> None:
    methods, kind, given = CONTRADICTIONS[name]
    with refuses(GameError, kind=kind, given=given):
        compile_game(kuhn(**methods))


def test_the_place_of_a_contradiction_is_given() -> None:
    plain = load_game("kuhn")
    wrong = kuhn(payoffs=lambda s: (0.0,) if s == ((3, 1), "bp") else plain.payoffs(s))
    history = ("3", "1", "bet", "pass")
    with refuses(GameError, kind="payoffs", history=history, place="3 > 1 > bet > pass"):
        compile_game(wrong)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_payoffs_must_be_finite(bad: float) -> None:
    plain = load_game("kuhn")
    wrong = kuhn(payoffs=lambda s: (bad, 0.0) if s == ((2, 3), "pp") else plain.payoffs(s))
    history = ("2", "3", "pass", "pass")
    with refuses(GameError, kind="payoffs", given=bad, history=history):
        compile_game(wrong)


def test_actions_must_not_depend_on_what_is_hidden() -> None:
    def actions(state):
        dealt, _ = state
        if len(dealt) < 2:
            return plain.actions(state)
        return ("pass", "bet") if dealt[1] != 3 else ("pass", "raise")

    plain = load_game("kuhn")
    with refuses(GameError, kind="actions", option="infoset", given="1") as caught:
        compile_game(kuhn(actions=actions))
    assert caught.value.history == ("1", "3")


@pytest.mark.parametrize("count", [0, -1, 128, 2.0, "2", None])
def test_numbers_of_players(count) -> None:
    game = kuhn()
    game.num_players = count
    with refuses(GameError, kind="players", given=count):
        compile_game(game)


def test_lists_will_do_for_tuples() -> None:
    plain = load_game("kuhn")
    game = kuhn(
        actions=lambda s: list(plain.actions(s)),
        payoffs=lambda s: list(plain.payoffs(s)),
        chance=lambda s: np.array(plain.chance(s)),
    )
    assert compile_game(game).action_labels == compile_game(plain).action_labels
