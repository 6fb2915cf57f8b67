"""The graph of states: what meets, in which order, what is refused, and its place in a tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import GameError, MemoryBudgetError, MismatchError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.tree.state_graph import build_state_graph
from tests.altered_games import Hooked
from tests.refusals import refuses

GAMES = [
    "kuhn",
    "leduc",
    "dudo(sides=3,memory=1)",
    "dudo(dice=[2,1],sides=2,memory=2)",
    "liar_die(sides=4)",
    "liar_die(sides=5,memory=1)",
    "random_tree(seed=3,depth=6)",
    "rock_paper_scissors",
]


@pytest.mark.parametrize("name", GAMES)
def test_every_state_is_there_once_and_moves_lead_on(name: str) -> None:
    game = load_game(name)
    graph = build_state_graph(game)
    arrays = graph.arrays
    states: dict[Any, int] = {}
    waiting = [(game.initial_state(), 0)]
    longest = [0] * graph.num_states
    edges = 0
    for state, number in waiting:
        if state in states:
            assert states[state] == number
            continue
        states[state] = number
        first, base, count, player = arrays.node[number].tolist()
        assert player == game.player(state)
        if player == TERMINAL:
            assert arrays.payoff[base].tolist() == [float(u) for u in game.payoffs(state)]
            continue
        assert count == len(game.actions(state))
        edges += count
        if player == CHANCE:
            sums = np.cumsum(game.chance(state))
            assert arrays.chance_cumulative[base : base + count - 1] == pytest.approx(sums[:-1])
            assert np.isinf(arrays.chance_cumulative[base + count - 1])
        else:
            infoset = graph.infoset_keys.index(game.infoset(state))
            assert graph.action_offset[infoset] == base
            assert graph.action_labels[infoset] == tuple(game.actions(state))
        for action in range(count):
            following = int(arrays.child[first + action])
            assert following > number
            waiting.append((game.next(state, action), following))
    assert len(states) == graph.num_states == len(set(states.values()))
    assert edges == len(arrays.child)
    for number in range(graph.num_states):  # parents come first
        first, _, count, _ = arrays.node[number].tolist()
        for following in arrays.child[first : first + count].tolist():
            longest[following] = max(longest[following], longest[number] + 1)
    assert arrays.level.tolist() == longest


@pytest.mark.parametrize(
    ("name", "states"), [("kuhn", 58), ("liar_die(sides=4)", 1253), ("dudo(memory=1)", 873)]
)
def test_histories_meet_where_states_are_equal(name: str, states: int) -> None:
    """Kuhn's states hold everything; in the others ends meet, and claims are forgotten.

    In the last: a start, 6 second rolls, 36 deals with 24 pairs of player and last claim, 2 ends.
    """
    assert build_state_graph(load_game(name)).num_states == states


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_places_in_the_tree_of_full_recall(name: str) -> None:
    game = load_game(name)
    graph = build_state_graph(game)
    full = game.full_recall() if hasattr(game, "full_recall") else game
    tree = compile_game(full)
    places = graph.places_in(tree)
    offset = graph.action_offset
    waiting = [(game.initial_state(), full.initial_state())]
    for state, other in waiting:
        player = game.player(state)
        if player == TERMINAL:
            continue
        if player != CHANCE:
            here = offset[graph.infoset_keys.index(game.infoset(state))]
            there = tree.action_offset[tree.index(full.infoset(other))]
            count = len(game.actions(state))
            assert places[there : there + count].tolist() == list(range(here, here + count))
        moves = range(len(game.actions(state)))
        waiting.extend((game.next(state, a), full.next(other, a)) for a in moves)


def test_a_tree_that_does_not_fit_is_refused() -> None:
    graph = build_state_graph(load_game("dudo(sides=3)"))
    with refuses(MismatchError, option="game", given="dudo(sides=2)", expected="dudo(sides=3)"):
        graph.places_in(compile_game(load_game("dudo(sides=2)")))
    with refuses(
        MismatchError, option="game", given="liars_dice(sides=3)", expected="dudo(sides=3)"
    ):
        graph.places_in(compile_game(load_game("liars_dice(sides=3)")))  # other labels
    forgetful = compile_game(load_game("dudo(sides=3,memory=1)"))
    with refuses(
        MismatchError, option="infosets", given="dudo(sides=3,memory=1)", expected="dudo(sides=3)"
    ):
        graph.places_in(forgetful)


def test_an_infoset_that_spans_several_depths_is_refused() -> None:
    kuhn = load_game("kuhn")
    cards_alone = kuhn_with(infoset=lambda s: f"{len(s[1]) % 2}: {kuhn.infoset(s)[0]}")
    with refuses(MismatchError, option="infosets", given="hooked of kuhn", expected="kuhn"):
        build_state_graph(kuhn).places_in(compile_game(cards_alone))


def kuhn_with(**methods: Any) -> Hooked:
    return Hooked(load_game("kuhn"), **methods)


def test_states_that_return_have_no_order() -> None:
    kuhn = load_game("kuhn")
    again = kuhn_with(
        next=lambda s, a: ((1, 2), "") if s == ((1, 2), "p") and a == 0 else kuhn.next(s, a)
    )
    with refuses(GameError, kind="loop") as caught:
        build_state_graph(again)
    assert caught.value.history == ("1", "2", "pass", "pass")


@pytest.mark.parametrize(
    ("methods", "kind", "given"),
    [
        ({"next": lambda s, a: [s, a]}, "unhashable", "list"),
        ({"player": lambda s: 7}, "players", 7),
        ({"chance": lambda s: (0.5,) * 3}, "probabilities", 1.5),
        ({"payoffs": lambda s: 1 // 0}, "exception", "ZeroDivisionError"),
        ({"infoset": lambda s: "one"}, "actions", "one"),
        ({"infoset": lambda s: 3}, "key", 3),
    ],
)
def test_rules_that_cannot_be(methods: dict[str, Any], kind: str, given: object) -> None:
    with refuses(GameError, kind=kind, given=given):
        build_state_graph(kuhn_with(**methods))


def test_too_many_states_are_refused() -> None:
    assert build_state_graph(load_game("kuhn"), max_states=58).num_states == 58
    with refuses(MemoryBudgetError, option="max_states", given=57, histories=57):
        build_state_graph(load_game("kuhn"), max_states=57)


def test_fingerprints_tell_games_apart() -> None:
    names = ["kuhn", "kuhn(bet=2)", "dudo(sides=3)", "dudo(sides=3,memory=2)"]
    prints = [build_state_graph(load_game(name)).fingerprint for name in names]
    assert len(set(prints)) == len(names)
    assert prints[0] == build_state_graph(load_game("kuhn")).fingerprint
