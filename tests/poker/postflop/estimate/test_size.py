"""Sizes of spots against a count that deals every card and walks every line."""

from __future__ import annotations

from itertools import permutations
from typing import Any, Literal

import pytest

from equilibrist.errors import MemoryBudgetError
from equilibrist.poker import estimate
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState, Phase
from equilibrist.poker.cards.isomorphism import CARD_IMAGES, symmetries
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from tests.poker.postflop.spot.spots import FLOP, SMALL, TURN
from tests.refusals import refuses


def classes(spot: Spot) -> list[set[tuple[int, ...]]]:
    """Deals of each street that are not the image of one that comes before them."""
    group = symmetries(spot.cards, [each.weights for each in spot.ranges])
    left = set(range(52)) - set(spot.cards)
    return [
        {min(tuple(CARD_IMAGES[k, list(deal)]) for k in group) for deal in permutations(left, n)}
        for n in range(6 - len(spot.cards))
    ]


def places(held: Range, deal: tuple[int, ...]) -> int:
    """Places for hands: those that the deal leaves, filled up to a multiple of sixteen."""
    live = sum(weight > 0 for weight in held.without(deal).weights)
    return live + -live % 16 or 16


def walk(rules: BettingRules, state: BettingState, found: list[tuple[int, int, int]]) -> None:
    """(street, player, actions) of every decision."""
    actions = rules.actions(state)
    if actions:
        found.append((state.street, state.player, len(actions)))
    for action in actions:
        walk(rules, rules.next(state, action), found)
    if state.phase is Phase.DEAL:
        walk(rules, rules.deal(state), found)


@pytest.mark.parametrize(
    "keys",
    [
        TURN,
        TURN | {"donks": "||50%", "raise_cap": 1},
        TURN | {"board": "Td9d6hQc2s"},
        TURN | {"board": "TdTc6h6s", "oop": "22+,AhKh,AsKs"},
        FLOP | {"added_lines": ["B50", "X-X|B50"], "removed_lines": ["X-B120"]},
        FLOP | {"board": "AhKh2h", "bets": "60%|none|none", "oop": "QQ,JhTh:0.5"},
        SMALL,
    ],
)
def test_the_size_is_what_a_walk_counts(keys: dict[str, Any]) -> None:
    spot = Spot(**keys)
    size = estimate(spot)
    hands = [sum(weight > 0 for weight in each.weights) for each in spot.ranges]
    deals, found = classes(spot), list[tuple[int, int, int]]()
    boards = [len(street) for street in deals]
    walk(spot.rules(), spot.rules().root(), found)
    assert size.hands == tuple(hands)
    assert [street.boards for street in size.streets] == boards
    for k, street in enumerate(size.streets):
        here = [(player, actions) for s, player, actions in found if s == spot.first_street + k]
        assert street.betting_nodes == len(here)
        assert street.action_nodes == boards[k] * len(here)
        room = [sum(places(each, deal) for deal in deals[k]) for each in spot.ranges]
        entries = sum(actions * room[player] for player, actions in here)
        assert (street.entries, street.float32_bytes) == (entries, 8 * entries)
    assert size.action_nodes == sum(street.action_nodes for street in size.streets)
    assert size.float32_bytes == 8 * size.entries
    assert size.int16_bytes == 4 * size.entries + 8 * size.action_nodes


def test_the_turn_spot() -> None:
    size = estimate(Spot(**TURN))
    assert (size.hands, size.symmetries) == ((167, 250), 1)
    assert [street.all_boards for street in size.streets] == [1, 48]
    assert [street.betting_nodes for street in size.streets] == [18, 58]
    assert size.float32_bytes == 11_117_568  # 11.1 MB of hands that a card takes, or not


def test_the_flop_spot_and_its_symmetry() -> None:
    size = estimate(Spot(**FLOP))
    assert size.symmetries == 2
    assert [street.all_boards for street in size.streets] == [1, 49, 49 * 48]
    assert [street.boards for street in size.streets] == [1, 36, 1429]
    assert size.int16_bytes < 0.55 * size.float32_bytes
    lopsided = estimate(Spot(**FLOP | {"ip": "AcQc:0.5," + FLOP["ip"]}))
    assert lopsided.symmetries == 1
    assert [street.boards for street in lopsided.streets] == [1, 49, 49 * 48]


def test_huge_spots_are_counted_and_endless_ones_refused() -> None:
    huge = FLOP | {"stack": 5000, "bets": "33%, 75%, 150%", "raises": "50%, 100%"}
    assert estimate(Spot(**huge)).float32_bytes > 40e9
    endless = FLOP | {"stack": 10**6, "bets": "1c", "raises": "1c", "force_all_in": 0}
    with refuses(MemoryBudgetError, option="actions", given=100):
        estimate(Spot(**endless))


@pytest.mark.by_default(1)
@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize("predicts", [False, True])
@pytest.mark.parametrize(
    ("keys", "threads"),
    [
        (TURN, 1),
        (TURN, 2),
        (TURN | {"locks": ["B120: Fold 25%", "X-X|: X 10%", "X-X|8h: B120 10%"]}, 1),
        (TURN | {"board": "TdTc6h6s", "oop": "22+,AhKh,AsKs", "bets": "none|50%|a, 30%"}, 2),
        (TURN | {"board": "Td9d6hQc2s"}, 1),
        (FLOP | {"oop": "QQ,JhTh:0.5", "ip": "KK,T8s", "stack": 300}, 2),
    ],
)
def test_the_estimate_covers_all_memory(
    keys: dict[str, Any], threads: int, predicts: bool, storage: Literal["float32", "int16"]
) -> None:
    spot = Spot(**keys)
    size, engine = (
        estimate(spot),
        Engine(holdem_game(spot), storage, threads=threads, predicts=predicts),
    )
    # What is not there has arrays of one number or none.
    arena = sum(array.nbytes for array in engine.arena.arrays if array.size > 1)
    learnt = sum(street.solver_state_bytes(storage, predicts=predicts) for street in size.streets)
    assert learnt + size.overhead.locks == arena
    estimated = size.memory_bytes(storage, predicts=predicts, threads=threads)
    assert engine.memory_bytes <= estimated <= 1.06 * engine.memory_bytes


@pytest.mark.parametrize("spot", ["turn", "flop"])
def test_the_estimate_of_the_measured_spots(spot: str) -> None:
    """The arena itself, and all that is held within two percent."""
    keys = {"turn": TURN | {"donks": "||50%"}, "flop": FLOP}[spot]
    size = estimate(Spot(**keys))
    engine = Engine(holdem_game(Spot(**keys)), "int16")
    assert engine.arena.nbytes - size.int16_bytes < 20
    assert engine.memory_bytes <= size.memory_bytes("int16") <= 1.025 * engine.memory_bytes


def test_most_memory_is_solver_state() -> None:
    engine = Engine(holdem_game(Spot(**TURN)))
    assert engine.memory_bytes <= 1.05 * engine.arena.nbytes
