"""Training of value networks: targets, resuming, and what search with the network loses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from equilibrist.errors import CheckpointError
from equilibrist.learned.network import Network, new_network
from equilibrist.learned.values import (
    ValueCheckpoint,
    ValueNetwork,
    ValueStates,
    ValueTraining,
    climb,
    train_values,
)
from equilibrist.learned.values.play import WalkedPlay
from equilibrist.learned.values.targets import (
    LANES,
    ClassSolver,
    RangeSource,
    ValueRows,
    played_plans,
    solved_rows,
)
from equilibrist.search import EquilibriumValues, LeafState
from equilibrist.search.leaf_values import HandPair
from tests.search.trunks import LEDUC, search_game

KINDS = {
    "solve": ValueTraining(rows=3 * LANES, solve_iterations=20, steps=20, hidden=(16,)),
    "bootstrap": ValueTraining(
        targets="bootstrap", solve_iterations=8, walks=4, steps=5, hidden=(16,), batch_size=32
    ),
    "every iterate": ValueTraining(
        targets="bootstrap",
        every_iterate=True,
        solve_iterations=8,
        walks=2,
        steps=5,
        hidden=(16,),
        batch_size=32,
    ),
}
ITERATIONS = 4


def weights(network: ValueNetwork) -> np.ndarray:
    """The weights of a trained network."""
    assert isinstance(network.network, Network)
    return network.network.weights


def test_steps_by_default_are_those_of_one_fit_or_of_one_of_many() -> None:
    """From play there is a fit after every iteration, on some hundred new rows."""
    assert ValueTraining().steps == 10_000
    played = ValueTraining(targets="bootstrap")
    assert (played.steps, played.walks) == (200, 256)
    assert ValueTraining(targets="bootstrap", steps=0).steps == 0


@pytest.mark.parametrize("game", ["kuhn", LEDUC, "liars_dice(sides=3)"])
def test_solved_rows_are_zero_sum(game: str) -> None:
    """Ranges add up to 1 for each player, and targets weighed by them to 0."""
    states = ValueStates.of(search_game(game))
    source = RangeSource(states, played_plans(states, 0)[:20], 1)
    rows = ValueRows.joined(solved_rows(source, 3, 15, 1))
    assert len(rows.classes) == 3 * LANES
    wide = states.num_hands[0]
    np.testing.assert_allclose(rows.ranges[:, :wide].sum(axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(rows.ranges[:, wide:].sum(axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose((rows.ranges * rows.targets).sum(axis=1), 0.0, atol=1e-6)
    assert not rows.targets[~states.held[rows.classes]].any()


def test_solved_rows_tend_to_values_of_equilibria() -> None:
    """In Kuhn poker after a bet, by linear programmes, for hands that come."""
    search = search_game("kuhn")
    states = ValueStates.of(search)
    number = int(states.class_of[search.public.names.index("??b")])
    solver = ClassSolver.of(states, number)
    ranges = np.array([solver.random(np.random.default_rng(k)) for k in range(2)])
    rows = solver.solved(ranges, 300)
    for row, target in zip(ranges, rows.targets, strict=True):
        held = HandPair(row[solver.columns[0]], row[solver.columns[1]])
        values = EquilibriumValues()(LeafState(solver.region.subgames, held))
        for columns, worth in zip(solver.columns, values, strict=True):
            expected = worth / (solver.deal * states.unit)
            np.testing.assert_allclose(row[columns] * (target[columns] - expected), 0.0, atol=4e-3)


def test_rows_of_play_begin_at_the_start_and_are_zero_sum() -> None:
    """Each walk gives a row for each solve; rows of every iterate are one more for each."""
    states = ValueStates.of(search_game("liars_dice(sides=3)"))
    sizes = (states.num_inputs, 8, sum(states.num_hands))
    network = ValueNetwork(states, new_network(sizes, 0, zero_output=False))
    play = WalkedPlay(states, 2, 6)
    found = {}
    for every in (False, True):
        parts = play.rows(network, 5, np.random.default_rng(3), every_iterate=every)
        rows = found[every] = ValueRows.joined(parts)
        assert (rows.classes[:5] == states.class_of[0]).all()
        np.testing.assert_allclose((rows.ranges * rows.targets).sum(axis=1), 0.0, atol=1e-6)
    assert len(found[True].classes) > 3 * len(found[False].classes)


@pytest.mark.nets
@pytest.mark.parametrize("kind", [*KINDS])
def test_a_training_that_is_cut_short_resumes_to_the_same_bits(tmp_path: Path, kind: str) -> None:
    """After any iteration, from its checkpoint."""
    states, training = ValueStates.of(search_game("kuhn")), KINDS[kind]
    whole = weights(train_values(states, training, iterations=ITERATIONS))
    assert np.array_equal(whole, weights(train_values(states, training, iterations=ITERATIONS)))
    file = tmp_path / "run.ckpt"
    stopped = train_values(states, training, iterations=2, checkpoint=file)
    assert ValueCheckpoint(file).iteration == 2
    assert train_values(states, iterations=2, resume=file).losses == stopped.losses
    resumed = train_values(states, iterations=ITERATIONS, resume=file)
    assert np.array_equal(whole, weights(resumed))
    other = train_values(states, replace(training, seed=1), iterations=ITERATIONS)
    assert not np.array_equal(whole, weights(other))


@pytest.mark.nets
def test_other_runs_are_not_resumed(tmp_path: Path) -> None:
    """Another game, or other options; and no run is overwritten."""
    training, file = KINDS["solve"], tmp_path / "run.ckpt"
    train_values(search_game("kuhn"), training, iterations=1, checkpoint=file)
    with pytest.raises(CheckpointError) as refused:
        train_values(search_game(LEDUC), resume=file)
    assert refused.value.option == "game"
    with pytest.raises(CheckpointError) as refused:
        train_values(search_game("kuhn"), replace(training, steps=7), resume=file)
    assert (refused.value.option, refused.value.given) == ("steps", 7)
    with pytest.raises(CheckpointError):
        train_values(search_game("kuhn"), training, iterations=1, checkpoint=file)


@pytest.mark.nets
@pytest.mark.parametrize("unit", ["most", "stake"])
def test_values_of_any_unit_come_near_to_what_was_solved(tmp_path: Path, unit: str) -> None:
    """In payoff units, also from a file, though stakes are 1 and 3 of at most 13."""
    states = ValueStates.of(search_game(LEDUC))
    training = ValueTraining(depth=0, rows=640, solve_iterations=20, steps=400, unit=unit)
    file = train_values(states, training).save(tmp_path / "net.safetensors")
    network = ValueNetwork.load(file, states)
    source = RangeSource(states, played_plans(states, 0), 0)
    rows = ValueRows.joined(solved_rows(source, 10, 20, 0))
    told = network.values(rows.classes, np.asarray(rows.ranges, dtype=np.float64))
    held = states.held[rows.classes]
    wrong = np.abs(told - rows.targets * states.unit)[held]
    assert wrong.mean() < 0.5 * np.abs(rows.targets * states.unit)[held].mean()


@pytest.mark.nets
def test_search_with_a_trained_network_is_far_better_than_with_none() -> None:
    """In a small game of liar's dice, after seconds."""
    search = search_game("liars_dice(sides=3)")
    training = ValueTraining(rows=2000, solve_iterations=100, steps=1500, hidden=(64,))
    network = train_values(search, training)
    assert network.losses["validation"] < 0.2
    ladder = climb(search, network, iterations=64, tables=16, exact=0)
    assert ladder["net"].exploitability < 0.3 * ladder["zero leaves"].exploitability
