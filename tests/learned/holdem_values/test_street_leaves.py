"""Networks asked for all leaves of a street at once say what they say leaf by leaf."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.errors import MemoryBudgetError
from equilibrist.learned.holdem_values import HoldemValues, NetworkLeaves
from equilibrist.learned.holdem_values.features import num_inputs, num_outputs
from equilibrist.learned.network import new_network
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.engine.leaf_engine import LeafEngine
from equilibrist.poker.postflop.engine.leaves import Leaves
from equilibrist.poker.postflop.solving.leaf_solver import LeafSolver
from equilibrist.poker.postflop.solving.variants import SPOT_VARIANT
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.typing import FloatArray
from tests.refusals import refuses

TURN = Spot(
    board="Td9d6hQc", oop="AA,TT,KQs,A5s,87s", ip="KK,99,QJs,AJs,54s,AA:0.3,QcJd", pot=200,
    stack=700, bets="60%", raises="a",
)  # fmt: skip
FLOP = TURN.replace(board="Td9d6h", oop="AcAd,TcTs,KhQh,8s7s", ip="KcKs,QdJd,Ac5c,5s4s:0.5")


class LeafByLeaf:
    """Leaf values without what they know of streets."""

    def __init__(self, leaves: NetworkLeaves) -> None:
        self.name, self.identity, self.num_cards = leaves.name, "", leaves.num_cards
        self._leaves = leaves

    def values(self, leaves: Leaves, ranges: FloatArray, /) -> FloatArray:
        return self._leaves.values(leaves, ranges)


def network_leaves(spot: Spot, *hidden: int) -> NetworkLeaves:
    """A network of the next street, with random weights in all layers."""
    street = {3: "turn", 4: "river"}[len(spot.cards)]
    sizes = (num_inputs(street), *hidden, num_outputs(street))
    return NetworkLeaves(
        HoldemValues(street, new_network(sizes, 3, zero_output=False), {}), "random.safetensors"
    )


@pytest.mark.parametrize(
    ("spot", "hidden"),
    [(TURN, ()), (TURN, (17, 9)), pytest.param(FLOP, (16,), marks=pytest.mark.slow)],
)
def test_values_are_those_of_leaves_one_by_one(spot: Spot, hidden: tuple[int, ...]) -> None:
    leaves, game = network_leaves(spot, *hidden), holdem_game(spot, isomorphism=False)
    together = LeafEngine(spot, game, leaves)
    one_by_one = LeafEngine(spot, game, LeafByLeaf(leaves))
    lines = len(together._lines.nodes)
    random = np.random.default_rng(4)
    reach = [
        weights * random.random((lines, len(weights))) * (random.random((lines, 1)) < 0.8)
        for weights in game.weights
    ]
    for player, range_ in enumerate(reach):
        range_[player] = 0.0  # nobody comes there, or not everybody
        range_[2, 1:] = 0.0
    for player in (0, 1):
        expected = one_by_one.line_values(player, reach)
        there = together.line_values(player, reach)
        np.testing.assert_allclose(there, expected, rtol=0, atol=2e-6 * np.abs(expected).max())


def test_a_street_is_solved_as_leaf_by_leaf() -> None:
    leaves, game = network_leaves(TURN, 8), holdem_game(TURN, isomorphism=True)
    engines = [LeafEngine(TURN, game, values) for values in (leaves, LeafByLeaf(leaves))]
    for engine in engines:
        engine.run(SPOT_VARIANT.table(1, 20))
    together, one_by_one = (engine.expected(0) for engine in engines)
    assert together == pytest.approx(one_by_one, abs=1e-4 * TURN.pot)
    assert engines[0].estimated_gain() == pytest.approx(engines[1].estimated_gain(), rel=0.01)


def test_tables_of_boards_are_counted_and_limited() -> None:
    leaves = network_leaves(TURN, 8)
    solver = LeafSolver(TURN, leaves)
    without = solver.memory_bytes - leaves.kept_bytes(
        solver.engine._boards, (solver.engine._combos[0], solver.engine._combos[1])
    )
    prepared = solver.engine._prepared
    assert prepared is not None
    kept = sum(array.nbytes for array in prepared.tables)  # type: ignore[attr-defined]
    assert solver.memory_bytes == without + kept
    needed = solver.memory_bytes
    LeafSolver(TURN, leaves, memory=needed)
    with refuses(MemoryBudgetError, option="memory", given=needed - 1, expected=needed):
        LeafSolver(TURN, leaves, memory=needed - 1)
