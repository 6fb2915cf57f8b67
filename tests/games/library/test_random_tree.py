"""Random games: the same everywhere, of perfect recall, and with everything a test needs."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import check_game
from equilibrist.games import load_game
from tests.games.walking import moments, sizes


def test_the_same_game_on_every_machine() -> None:
    assert sizes(load_game("random_tree")) == (114, 64, 28, 62)
    means = moments(load_game("random_tree"))[0]
    assert means == pytest.approx([0.010340260412598362, -0.010340260412598362], abs=1e-14)


def test_seeds_and_parameters_make_different_games() -> None:
    specs = ["random_tree", "random_tree(seed=1)", "random_tree(seed=2)", "random_tree(players=3)"]
    assert len({tuple(moments(load_game(spec))[0]) for spec in specs}) == len(specs)


@given(
    seed=st.integers(0, 2**64 - 1),
    players=st.integers(1, 4),
    depth=st.integers(0, 6),
    branching=st.integers(1, 3),
    signals=st.integers(1, 3),
    zero_sum=st.booleans(),
)
def test_perfect_recall_and_sound_rules(
    seed: int, players: int, depth: int, branching: int, signals: int, zero_sum: bool
) -> None:
    game = load_game(
        "random_tree",
        seed=seed,
        players=players,
        depth=depth,
        branching=branching,
        signals=signals,
        zero_sum=zero_sum,
    )
    report = check_game(game)
    assert report.ok, str(report)
    assert report.depth <= depth
    if zero_sum:
        assert report.constant_sum == 0


def test_infosets_are_merged_forced_and_of_unequal_size() -> None:
    game = load_game("random_tree(depth=8)")
    histories: Counter[str] = Counter()
    widths: dict[str, int] = {}
    chance = 0
    stack = [game.initial_state()]
    while stack:
        state = stack.pop()
        player = game.player(state)
        if player == TERMINAL:
            continue
        actions = game.actions(state)
        if player == CHANCE:
            chance += 1
        else:
            histories[game.infoset(state)] += 1
            widths[game.infoset(state)] = len(actions)
        stack += [game.next(state, index) for index in range(len(actions))]
    assert max(histories.values()) > 1
    assert set(widths.values()) == {1, 2, 3}
    assert chance > 0


def test_options() -> None:
    assert sizes(load_game("random_tree(branching=1,chance=0)")).terminals == 1
    assert sizes(load_game("random_tree(depth=0)")) == (1, 1, 0, 2)
    full = sizes(load_game("random_tree(depth=5,branching=2,forced=0,stop=0,chance=0)"))
    assert (full.histories, full.terminals) == (63, 32)
    assert not check_game(load_game("random_tree(zero_sum=false)")).is_constant_sum


def test_imperfect_recall_on_request() -> None:
    report = check_game(load_game("random_tree(imperfect_recall=true,depth=8)"))
    assert not report.perfect_recall
    assert set(report.problem_counts) == {"recall"}
