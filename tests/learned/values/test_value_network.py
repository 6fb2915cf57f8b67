"""Value networks: what they answer, files, refusals, and a table in their place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import equilibrist as eq
from equilibrist.errors import ConfigError, FileFormatError, MismatchError
from equilibrist.learned.files import NetworkFile
from equilibrist.learned.network import new_network
from equilibrist.learned.values import ValueNetwork, ValueStates, ValueTraining, climb
from equilibrist.learned.values.network import unit_name
from equilibrist.learned.values.targets import ClassSolver
from equilibrist.search import LeafState, Subgames, resolve
from equilibrist.search.leaf_values import HandPair
from equilibrist.storage.kinds.file_kinds import VALUE_NETWORK
from tests.search.trunks import LEDUC, search_game

BELOW = 12
"""Iterations of the solve below a leaf."""


class ExactTable:
    """Answers rows as a network does, by solving them."""

    def __init__(self, states: ValueStates, unit: str = "most") -> None:
        self.states, self.unit = states, unit

    def predict(self, x: NDArray[Any], /) -> NDArray[Any]:
        """Value rows of inputs."""
        wide = sum(self.states.num_hands)
        classes = np.argmax(x[:, wide + 2 :], axis=1)
        out = np.zeros((len(x), wide))
        for number in np.unique(classes).tolist():
            here = classes == number
            ranges = np.asarray(x[here, :wide], dtype=np.float64)
            out[here] = ClassSolver.of(self.states, number).solved(ranges, BELOW).targets
        return out / self.states.stake[classes][:, None] if self.unit == "stake" else out


def random_network(game: str) -> ValueNetwork:
    """A network with random weights."""
    states = ValueStates.of(search_game(game))
    sizes = (states.num_inputs, 16, sum(states.num_hands))
    return ValueNetwork(states, new_network(sizes, 3, zero_output=False), made={"depth": 2})


@pytest.mark.parametrize(
    ("game", "unit"),
    [("kuhn", "most"), ("kuhn(ante=2)", "stake"), ("liars_dice(sides=2)", "most")],
)
@pytest.mark.by_default(2)
def test_a_table_of_exact_values_in_place_of_a_network_gives_the_exact_ladder(
    game: str, unit: str
) -> None:
    """Features, ranges, chance, units and the zero-sum layer lose nothing but float32 digits."""
    states = ValueStates.of(search_game(game))
    network = ValueNetwork(states, ExactTable(states, unit), unit=unit)
    ladder = climb(states.search, network, depth=1, iterations=10, tables=2, exact=BELOW)
    rungs = {rung.name: rung.exploitability for rung in ladder.rungs}
    assert [*rungs] == ["uniform", "zero leaves", "net", "exact leaves", "full solve"]
    assert rungs["net"] == pytest.approx(rungs["exact leaves"], abs=1e-5)
    assert rungs["net"] != pytest.approx(rungs["zero leaves"], abs=1e-5)


@pytest.mark.parametrize("game", ["kuhn", LEDUC, "liars_dice(sides=3)"])
def test_answers_are_zero_sum(game: str) -> None:
    """For any weights and ranges, at every public state."""
    network = random_network(game)
    random = np.random.default_rng(2)
    for node in network.states.nodes[:: max(len(network.states.nodes) // 8, 1)]:
        subgame = Subgames.below(network.states.search, [node])
        ranges = [random.uniform(size=len(hands)) for hands in subgame.hands]
        state = LeafState(subgame, HandPair(ranges[0], ranges[1]))
        first, second = network(state)
        assert ranges[0] @ first + ranges[1] @ second == pytest.approx(0.0, abs=1e-6)
        nobody = LeafState(subgame, HandPair(0.0 * ranges[0], ranges[1]))
        assert not network(nobody)[1].any()


def test_a_network_stands_at_the_leaves_of_a_gadget_game() -> None:
    """It is a value function like others."""
    network = random_network("kuhn")
    tree = network.states.search.tree
    resolved = resolve(
        eq.Strategy.uniform(tree),
        roots="",
        leaves=["??p", "??b"],
        values=network,
        method="unsafe",
        algorithm="cfr+",
        iterations=5,
    )
    assert resolved.bound == (None, None)
    with pytest.raises(MismatchError) as refused:
        random_network(LEDUC)(
            LeafState(Subgames.of(search_game("kuhn"), "??b"), HandPair(np.ones(3), np.ones(3)))
        )
    assert refused.value.option == "values"
    assert "leduc" in str(refused.value.given)
    assert refused.value.expected == "kuhn"


def test_leaves_that_come_after_others_before_a_decision_are_refused() -> None:
    """After the board nobody has acted since the state before it, which is the one to ask about."""
    network = random_network(LEDUC)
    subgame = Subgames.of(network.states.search, "??:cc/J:")
    hands = [np.ones(len(each)) for each in subgame.hands]
    with pytest.raises(MismatchError) as refused:
        network(LeafState(subgame, HandPair(hands[0], hands[1])))
    assert refused.value.given == "??:cc/J:"


@pytest.mark.parametrize("unit", ["most", "stake"])
def test_files_keep_all(tmp_path: Path, unit: str) -> None:
    """Weights, losses, the unit and how it was made."""
    network = replace(random_network("kuhn"), unit=unit)
    file = network.save(tmp_path / "kuhn.safetensors")
    again = ValueNetwork.load(file, network.states)
    classes, ranges = np.arange(4), np.random.default_rng(1).dirichlet(np.ones(8), 4)
    np.testing.assert_array_equal(again.values(classes, ranges), network.values(classes, ranges))
    assert (again.made, again.unit) == ({"depth": 2}, unit)
    assert again.path == file


@pytest.mark.parametrize(
    ("changed", "option"),
    [
        ({"features": "public-state/2"}, "features"),
        ({"game": "leduc", "fingerprint": "0"}, "game"),
        ({"unit": "5 payoff units"}, "unit"),
        ({"sizes": (13, 16, 8)}, "inputs"),
        ({"sizes": (14, 16, 7)}, "outputs"),
    ],
    ids=["features", "game", "unit", "inputs", "outputs"],
)
def test_files_of_something_else_are_refused(
    tmp_path: Path, changed: dict[str, Any], option: str
) -> None:
    """Both are named."""
    search = search_game("kuhn")
    sizes = changed.pop("sizes", (14, 16, 8))
    kept: dict[str, Any] = {
        "networks": {"values": new_network(sizes, 1)},
        "features": "public-state/1",
        "game": search.tree.name,
        "fingerprint": search.tree.fingerprint,
        "unit": unit_name(ValueStates.of(search)),
    }
    file = NetworkFile(**{**kept, **changed}).save(tmp_path / "net.safetensors", VALUE_NETWORK)
    with pytest.raises(MismatchError) as refused:
        ValueNetwork.load(file, search)
    assert refused.value.option == option
    assert refused.value.given is not None
    assert refused.value.expected is not None


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A file of another kind, and one without the network."""
    solution = tmp_path / "kuhn.safetensors"
    eq.solve("kuhn", "cfr+", iterations=2).save(solution)
    with pytest.raises(FileFormatError):
        ValueNetwork.load(solution, search_game("kuhn"))


@pytest.mark.parametrize(
    ("name", "value"),
    [("targets", "guess"), ("depth", -1), ("hidden", (0,)), ("learning_rate", 0.0), ("seed", -1)],
)
def test_wrong_options_of_trainings_are_refused(name: str, value: Any) -> None:
    """Each by its name."""
    with pytest.raises(ConfigError) as refused:
        ValueTraining(**{name: value})
    assert refused.value.option == name
