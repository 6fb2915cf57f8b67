"""Fitting networks with PyTorch, and what is said without it."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.learned.fit import Data, fit_network
from equilibrist.learned.network import new_network, zero_sum
from tests.refusals import refuses

INPUTS = np.eye(4, dtype=np.float32)
TARGETS = np.array([[1.0, -1.0], [0.5, 0.25], [-2.0, 3.0], [0.0, 0.0]], dtype=np.float32)
SETTINGS = {"steps": 400, "batch_size": 32, "learning_rate": 1e-2, "seed": 3}


def fitted(inputs=INPUTS, targets=TARGETS, sizes=(4, 16, 2), **changes):
    return fit_network(new_network(sizes, 1), inputs, targets, **{**SETTINGS, **changes})


@pytest.mark.nets
def test_a_fit_meets_its_targets_and_torch_and_the_kernel_agree():
    report = fitted(held_out=Data(INPUTS, TARGETS))
    assert np.abs(report.network.predict(INPUTS) - TARGETS).max() < 0.05
    assert report.losses[0] > 10 * report.losses[-1]
    squares = ((report.network.predict(INPUTS) - TARGETS) ** 2).sum(axis=1).mean()
    assert np.isclose(report.validation, squares, rtol=1e-3, atol=1e-9)
    assert report.steps == 400


@pytest.mark.nets
def test_equal_seeds_give_equal_bits():
    first, again, other = fitted(), fitted(), fitted(seed=4)
    assert np.array_equal(first.network.weights, again.network.weights)
    assert not np.array_equal(first.network.weights, other.network.weights)


@pytest.mark.nets
def test_outputs_that_do_not_count_are_left_alone():
    mask = np.array([[True, False]] * 4)
    spoilt = TARGETS.copy()
    spoilt[:, 1] = 1e6
    alone = fitted(mask=mask)
    assert np.array_equal(alone.network.weights, fitted(targets=spoilt, mask=mask).network.weights)
    assert np.abs(alone.network.predict(INPUTS)[:, 0] - TARGETS[:, 0]).max() < 0.05


@pytest.mark.nets
def test_rows_that_share_inputs_meet_at_their_weighted_mean():
    targets = np.array([[0.0, 3.0], [4.0, -3.0]], dtype=np.float32)
    report = fitted(
        targets=targets,
        weights=np.array([3.0, 1.0]),
        input_row=np.array([2, 2]),
        learning_rate=lambda step: 1e-2 if step < 200 else 1e-3,
    )
    assert np.abs(report.network.predict(INPUTS[2:3])[0] - [1.0, 1.5]).max() < 0.25


@pytest.mark.nets
def test_zero_sum_outputs_are_fitted_as_they_are_used():
    random = np.random.default_rng(0)
    ranges = random.dirichlet([1.0, 1.0], (64, 2)).reshape(64, 4).astype(np.float32)
    values = zero_sum(ranges, random.standard_normal((64, 4)).astype(np.float32))
    report = fitted(ranges, values, (4, 32, 4), output="zero-sum", loss="huber", steps=50)
    raw = report.network.predict(ranges)
    own = np.abs(zero_sum(ranges, raw) - values)
    assert np.isclose(
        np.mean(np.where(own < 1, own**2 / 2, own - 0.5).sum(axis=1)),
        fitted(
            ranges, values, (4, 32, 4), output="zero-sum", loss="huber", steps=50,
            held_out=Data(ranges, values),
        ).validation,
        rtol=1e-4,
    )  # fmt: skip


@pytest.mark.nets
@pytest.mark.parametrize(
    "options", [{"output": "softmax"}, {"loss": "cross-entropy"}], ids=["softmax", "cross-entropy"]
)
def test_policies_are_fitted_on_legal_actions(options):
    inputs, targets = np.eye(2, dtype=np.float32), np.array([[0.2, 0.8, 0.0], [0.0, 1.0, 0.0]])
    mask = np.array([[True, True, False], [False, True, False]])
    report = fitted(inputs, targets, (2, 16, 3), mask=mask, **options)
    logits = np.where(mask, report.network.predict(inputs), -np.inf)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert np.abs(shares - targets).max() < 0.05


@pytest.mark.nets
def test_a_fit_stops_when_it_is_asked_to_and_says_how_far_it_came():
    told = []
    report = fitted(progress=lambda step, loss: told.append(step), stop=lambda: len(told) >= 3)
    assert told == [20, 40, 60]
    assert report.steps == 64
    assert len(report.losses) == 4


@pytest.mark.nets
def test_shapes_that_do_not_fit_are_refused():
    with refuses(MismatchError, option="inputs", given=(4, 4), expected=(4, 3)):
        fitted(sizes=(3, 2))
    with refuses(MismatchError, option="weights", given=(3,), expected=(4,)):
        fitted(weights=np.ones(3))
    with refuses(ConfigError, option="loss", given="absolute"):
        fitted(loss="absolute")


def test_without_torch_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with refuses(ConfigError, option="package", given="torch"):
        fitted()


def test_a_torch_that_does_not_load_is_not_called_missing(monkeypatch, tmp_path):
    (tmp_path / "torch.py").write_text('raise ImportError("libfoo.so: no such file")\n')
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    with refuses(ConfigError, option="package", given="torch") as caught:
        fitted()
    assert "libfoo.so" in str(caught.value)
    assert "equilibrist[nets]" not in (caught.value.remedy or "")
