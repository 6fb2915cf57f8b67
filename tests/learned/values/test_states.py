"""Public states as rows of numbers: classes of states, names of hands."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.learned.values.states import ValueStates, pair_chances
from equilibrist.learned.values.targets import random_range
from equilibrist.search import Subgames
from tests.search.trunks import LEDUC, search_game


def class_named(states: ValueStates, name: str) -> int:
    """The class of the public state with this name."""
    public = states.search.public
    return int(states.class_of[public.names.index(name)])


@pytest.mark.parametrize("sides", [3, 4])
def test_in_liars_dice_the_last_bid_and_the_turn_are_all_that_matters(sides: int) -> None:
    """The lines that lead to a bid do not: two classes for each bid but the first and last."""
    states = ValueStates.of(search_game(f"liars_dice(sides={sides})"))
    assert class_named(states, "??/1-1/1-3") == class_named(states, "??/1-2/1-3")
    assert class_named(states, "??/1-1/1-2/1-3") != class_named(states, "??/1-2/1-3")
    assert class_named(states, "??/1-3") == class_named(states, "??/1-1/1-2/1-3")
    bids = 2 * sides
    assert states.num_classes == 1 + (2 * bids - 1)  # 1-1 is the first bid or none
    assert states.names[0] == ("", *map(str, range(1, sides + 1)))


def test_in_leduc_bets_and_boards_tell_states_apart() -> None:
    """Two lines with the same bets are one class; a pair of jacks is not one of queens."""
    states = ValueStates.of(search_game(LEDUC))
    assert class_named(states, "??:rc") == class_named(states, "??:crc")
    assert class_named(states, "??:cc") != class_named(states, "??:rc")
    assert class_named(states, "??:cc/J:cr") != class_named(states, "??:cc/Q:cr")
    spread = states.spread[class_named(states, "??:cc")]
    assert states.unit == 13.0
    np.testing.assert_allclose(spread, [-9 / 13, 9 / 13])
    stakes = [states.stake[class_named(states, name)] * 13 for name in ("??:cc", "??:crrc")]
    np.testing.assert_allclose(stakes, [1.0, 5.0])


@pytest.mark.parametrize("game", ["goofspiel(cards=3)", "dudo(sides=2)"])
def test_hands_whose_names_go_by_the_line_are_known_by_place(game: str) -> None:
    """There are no more of them than hands at a node."""
    states = ValueStates.of(search_game(game))
    level = Subgames.below(states.search, [states.nodes[-1]])
    for player, hands in enumerate(states.hands_at(level)):
        assert states.names[player][0] == "#0"
        np.testing.assert_array_equal(hands.name, np.arange(len(level.hands[player])))


def test_inputs_are_ranges_payoffs_and_the_class() -> None:
    """In this order; the network of zero-sum outputs relies on the ranges' coming first."""
    states = ValueStates.of(search_game("kuhn"))
    ranges = np.arange(8.0)[None]
    number = class_named(states, "??b")
    row = states.inputs(np.array([number]), ranges)[0]
    np.testing.assert_allclose(row[:8], ranges[0])
    np.testing.assert_allclose(row[8:10], states.spread[number])
    assert row[10:].sum() == row[10 + number] == 1.0


def test_chance_is_measured_by_its_likeliest_pair() -> None:
    """In Kuhn poker all pairs of different cards are alike."""
    level = Subgames.of(search_game("kuhn"), ["??p", "??b"])
    np.testing.assert_allclose(pair_chances(level), 1 / 6)


def test_random_ranges_share_out_one() -> None:
    """Halves of halves: each half of the hands has a uniform share on average half of it."""
    random = np.random.default_rng(0)
    order = np.array([2, 0, 3, 1, 4])
    ranges = np.array([random_range(order, random) for _ in range(4000)])
    np.testing.assert_allclose(ranges.sum(axis=1), 1.0)
    weaker = ranges[:, [2, 0]].sum(axis=1)
    assert weaker.mean() == pytest.approx(0.5, abs=0.02)
    assert weaker.std() == pytest.approx(12**-0.5, abs=0.01)
