"""Training as a run: limits, checkpoints, results with networks."""

from __future__ import annotations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    MismatchError,
    UnknownNameError,
    UnsupportedError,
)
from equilibrist.learned import training
from equilibrist.learned.algorithms.deep_cfr import SingleDeepCFR
from equilibrist.learned.algorithms.registry import ALGORITHMS, get_neural
from equilibrist.learned.files import NetworkFile
from equilibrist.learned.training import train
from tests.refusals import refuses, unchecked

TABLE = "sd-cfr(walks=60,learner=table)"
QUICK = "(walks=60,steps=40,batch=64,width=16,depth=2)"


def same(first, second):
    assert np.array_equal(first.strategy.probabilities, second.strategy.probabilities)
    assert [p.measure for p in first.trace] == [p.measure for p in second.trace]
    assert first.notes[-1] == second.notes[-1]  # histories visited
    if first.networks is not None:
        for name, weights in first.networks.weights.items():
            assert np.array_equal(weights, second.networks.weights[name])
        assert first.networks.losses == second.networks.losses


def resumed(algorithm, tmp_path, game="kuhn"):
    whole = train(game, algorithm, iterations=11, seed=3)
    file = tmp_path / "run.ckpt"
    # One iteration is left: what only the other player learned comes from the checkpoint.
    train(game, algorithm, iterations=10, seed=3, checkpoint=file)
    same(whole, train(game, algorithm, iterations=11, seed=3, resume=file))
    return whole


def test_a_table_is_trained_and_measured_without_torch(tmp_path):
    result = resumed(TABLE, tmp_path)
    assert result.algorithm == TABLE
    assert result.iterations == 11
    assert result.networks is None
    assert result.exploitability == eq.evaluate(result.strategy).exploitability
    with refuses(UnsupportedError, option="networks"):
        NetworkFile.of(result)
    better = train("kuhn", TABLE, iterations=400, seed=3)
    assert better.exploitability < 0.02 < result.exploitability


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_trains_a_table(name):
    result = train("kuhn", f"{name}(learner=table,walks=9)", iterations=2)
    assert result.networks is None
    assert result.iterations == 2


def test_a_target_ends_a_run():
    result = train("kuhn", TABLE, target=0.05, seed=3)
    assert result.stopped_by == "target"
    assert result.exploitability <= 0.05


@pytest.mark.nets
@pytest.mark.parametrize("name", ["sd-cfr", "deep-cfr"])
def test_networks_resume_to_the_same_bits(name, tmp_path):
    spec = name + QUICK if name == "sd-cfr" else name + QUICK[:-1] + ",policy_steps=50)"
    result = resumed(spec, tmp_path)
    file = result.save(tmp_path / "net.safetensors")
    stored = eq.load_result(file)
    same(result, stored)
    networks = NetworkFile.of(stored).networks
    count = 4 if name == "deep-cfr" else 2
    assert len(networks) == count
    assert all(network.sizes[1:-1] == (16, 16) for network in networks.values())


@pytest.mark.nets
def test_networks_learn_kuhn():
    for spec in ("sd-cfr", "deep-cfr"):
        numbers = "walks=200,steps=100,width=32,merge=true"
        numbers += ",policy_steps=400" * (spec == "deep-cfr")
        result = train("kuhn", f"{spec}({numbers})", iterations=40, seed=1)
        assert result.exploitability < 0.06  # uniform play: 0.458


def test_runs_of_something_else_are_refused(tmp_path):
    file = tmp_path / "run.ckpt"
    train("kuhn", TABLE, iterations=2, seed=3, checkpoint=file)
    with refuses(CheckpointError, option="algorithm", expected="sd-cfr(walks=61,learner=table)"):
        train("kuhn", "sd-cfr(walks=61,learner=table)", iterations=4, seed=3, resume=file)
    with refuses(CheckpointError, option="seed", given=3, expected=4):
        train("kuhn", TABLE, iterations=4, seed=4, resume=file)
    with refuses(CheckpointError, option="game"):
        train("leduc", TABLE, iterations=4, seed=3, resume=file)
    other = SingleDeepCFR(learner="table").solver(eq.compile_game("kuhn"), 1)
    with refuses(MismatchError, option="seed"):
        SingleDeepCFR(learner="table").solver(eq.compile_game("kuhn"), 2).restore(other.state)


def test_texts_name_algorithms_with_their_numbers():
    method = get_neural("SD_CFR(walks=7)")
    assert method.spec == "sd-cfr(walks=7)"
    assert get_neural(method) is method
    for name in ALGORITHMS:
        row = get_neural(name)
        assert row.spec == name
        assert row.summary
        assert row.paper
        assert row.when


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        ("sd-cfr", "epsilon"),
        ("escher-net", "epsilon"),
        ("escher-net", "value_buffer"),
        *((name, "value_walks") for name in ("dream", "vr-deep-dcfr+", "vr-deep-pdcfr+")),
        *((name, "value_walks") for name in ("mmd-q", "ppo-q", "r-nad-q")),
        *((name, "fallback") for name in ("nfsp", "ppo", "r-nad", "mmd-q", "ppo-q", "r-nad-q")),
        *((name, "buffer") for name in ("mmd", "r-nad", "mmd-q", "ppo-q", "r-nad-q")),
        *((name, "steps") for name in ("ppo", "mmd", "r-nad")),
        *(("r-nad", parameter) for parameter in ("batch", "clip")),
    ],
)
def test_parameters_that_would_do_nothing_are_unknown(name, parameter):
    value = "uniform" if parameter == "fallback" else "1"
    with refuses(ConfigError, option=parameter, place=name):
        get_neural(f"{name}({parameter}={value})")


@pytest.mark.parametrize(
    ("name", "parameter"),
    [("ppo", "range"), ("ppo-q", "range"), ("r-nad", "limit"), ("r-nad-q", "limit")],
)
def test_numbers_with_which_a_policy_would_stand_still_are_refused(name, parameter):
    with refuses(ConfigError, option=parameter, given=0):
        get_neural(f"{name}({parameter}=0)")


def test_what_names_no_algorithm_is_refused():
    with refuses(UnknownNameError, option="algorithm", name="sd-cfrr") as caught:
        get_neural("sd-cfrr")
    assert str(caught.value).endswith("?")
    for name in ("cfr", "lp", "xfp"):
        with refuses(UnknownNameError, option="algorithm", name=name, suggestions=()) as caught:
            get_neural(f"{name}(learner=table)")
        assert "equilibrist solve" in str(caught.value)
    for parameter in ("walks=0", "rate=-1", "fallback=best", "learner=forest", "merge=1"):
        with refuses(ConfigError, option=parameter.partition("=")[0]):
            get_neural(f"sd-cfr({parameter})")
    with refuses(ConfigError, option="algorithm"):
        get_neural(unchecked(3))


def test_a_run_that_is_resumed_keeps_its_algorithm_and_seed(tmp_path):
    file = tmp_path / "run.ckpt"
    train("kuhn", TABLE, iterations=2, seed=3, checkpoint=file)
    whole = train("kuhn", TABLE, iterations=4, seed=3)
    same(whole, train("kuhn", iterations=4, resume=file))
    with refuses(CheckpointError):
        train("kuhn", iterations=4, seed=0, resume=file)


def test_a_network_that_is_too_large_is_refused_before_pytorch_is_loaded(monkeypatch):
    def load():
        raise AssertionError("PyTorch is loaded")

    monkeypatch.setattr("equilibrist.learned.training.load_torch", load)
    monkeypatch.setattr("equilibrist.learned.training.find_torch", lambda: None)
    with refuses(ConfigError):
        train("kuhn", "sd-cfr(width=1000000000)", iterations=2)


@pytest.mark.parametrize(
    ("name", "walks"),
    [
        ("sd-cfr", "external_walks"),
        ("mmd", "sample_ends"),
        ("mmd-q", "sample_ends"),
        ("nfsp", "sample_ends"),
    ],
)
def test_only_kernels_that_ran_are_marked_as_compiled(name, walks, monkeypatch):
    marked = []
    monkeypatch.setattr(training, "mark_warm", lambda kernel, kind: marked.append(kernel))
    result = train("kuhn", f"{name}(learner=table,walks=9)", iterations=2)
    assert [kernel.rpartition(".")[2] for kernel in marked] == [walks]
    assert "network" not in result.guarantee
