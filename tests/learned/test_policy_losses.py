"""Slopes of the losses of policies and values are those of finite differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from equilibrist.learned.policy_losses import (
    Choices,
    Loss,
    clipped_loss,
    clipped_value_loss,
    log_policy,
    magnetic_loss,
    replicator_loss,
    value_loss,
)
from equilibrist.typing import FloatArray

ROWS, WIDTH = 40, 3
RANDOM = np.random.default_rng(5)
LEGAL = RANDOM.random((ROWS, WIDTH)) < 0.8
LEGAL[:, 1] = True
LOGITS = RANDOM.normal(size=(ROWS, WIDTH))
BEFORE = LOGITS + 0.3 * RANDOM.normal(size=LOGITS.shape)
COLUMN = np.where(RANDOM.random(ROWS) < 0.5, 1, LEGAL.argmax(axis=1))
CHOICES = Choices(COLUMN, RANDOM.normal(size=ROWS), log_policy(BEFORE, LEGAL))
WEIGHT = RANDOM.random(ROWS)
TARGET = RANDOM.normal(size=ROWS)
VALUE = RANDOM.normal(size=(ROWS, 1))
VALUE_BEFORE = VALUE[:, 0] + 0.3 * RANDOM.normal(size=ROWS)

LOSSES: dict[str, tuple[Callable[[FloatArray], Loss], FloatArray]] = {
    "ppo": (lambda x: clipped_loss(x, LEGAL, CHOICES, clip=0.1, entropy=0.3), LOGITS),
    "mmd": (lambda x: magnetic_loss(x, LEGAL, CHOICES, alpha=0.3, kl=0.7), LOGITS),
    "values": (lambda x: value_loss(x, TARGET, WEIGHT), VALUE),
    "clipped values": (
        lambda x: clipped_value_loss(x, VALUE_BEFORE, TARGET, WEIGHT, clip=0.2),
        VALUE,
    ),
}


def differences(value_of: Callable[[FloatArray], float], at: FloatArray) -> FloatArray:
    """Central differences of a function of an array."""
    slopes = np.zeros(at.shape)
    for place in np.ndindex(*at.shape):
        step = np.zeros(at.shape)
        step[place] = 1e-6
        slopes[place] = (value_of(at + step) - value_of(at - step)) / 2e-6
    return slopes


@pytest.mark.parametrize("name", LOSSES)
def test_slopes_are_those_of_the_loss(name: str) -> None:
    loss_of, at = LOSSES[name]
    expected = differences(lambda x: loss_of(x).value, at)
    np.testing.assert_allclose(loss_of(at).slope, expected, rtol=0, atol=1e-7)


def test_losses_are_their_formulas() -> None:
    policy = np.where(LEGAL, np.exp(LOGITS), 0.0)
    policy /= policy.sum(axis=1, keepdims=True)
    before = np.where(LEGAL, np.exp(BEFORE), 0.0)
    before /= before.sum(axis=1, keepdims=True)
    clipped = magnetic = 0.0
    cuts = 0
    for n, (column, advantage) in enumerate(zip(COLUMN, CHOICES.advantage, strict=True)):
        ratio = policy[n, column] / before[n, column]
        cut = min(max(ratio, 0.9), 1.1)
        cuts += ratio * advantage > cut * advantage
        legal = np.flatnonzero(LEGAL[n])
        entropy = -sum(policy[n, a] * np.log(policy[n, a]) for a in legal)
        kl = sum(policy[n, a] * np.log(policy[n, a] / before[n, a]) for a in legal)
        clipped -= (min(ratio * advantage, cut * advantage) + 0.3 * entropy) / ROWS
        to_even = np.log(len(legal)) - entropy
        magnetic -= (ratio * advantage - 0.3 * to_even - 0.7 * kl) / ROWS
    assert 5 < cuts < ROWS - 5
    assert LOSSES["ppo"][0](LOGITS).value == pytest.approx(clipped)
    assert LOSSES["mmd"][0](LOGITS).value == pytest.approx(magnetic)


def test_the_replicator_moves_logits_along_advantages_within_limits() -> None:
    logits = np.array([[0.0, 0.0, 5.0], [3.0, -3.0, 7.0], [3.0, -3.0, 0.0]])
    legal = np.array([[True, True, True], [True, True, False], [True, True, True]])
    action = np.array([[1.0, 2.0, 3.0], [1.0, -1.0, 9.0], [-1.0, 1.0, 0.5]])
    slope = replicator_loss(logits, legal, action, np.array([1.0, 1.0, 0.5]), limit=2.0).slope
    # Row 0: centred logits are -5/3, -5/3 and 10/3: the last one may only fall.
    policy = np.exp(logits[0]) / np.exp(logits[0]).sum()
    advantage = action[0] - policy @ action[0]
    force = np.array([advantage[0], advantage[1], min(advantage[2], 0.0)])
    np.testing.assert_allclose(slope[0], force.mean() - force)
    # Row 1: both legal logits are beyond the limit, and would go further.
    np.testing.assert_array_equal(slope[1], np.zeros(3))
    # Row 2: they are beyond it and come back; a row counts as much as its weight.
    policy = np.exp(logits[2]) / np.exp(logits[2]).sum()
    force = 0.5 * (action[2] - policy @ action[2])
    np.testing.assert_allclose(slope[2], force.mean() - force)
