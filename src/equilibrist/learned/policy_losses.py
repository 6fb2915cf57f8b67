"""Losses of policies and values by their outputs, and their slopes in closed form.

A loss is a function of the outputs of what is learned: logits of a policy, or one value. Each comes
with its gradient by those outputs, so that a table and a network are moved by the same numbers; the
network's way back to its weights is `fit.weight_gradient`. n rows, A outputs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.typing import BoolArray, FloatArray


class Loss(NamedTuple):
    """A loss and its gradient."""

    value: float
    slope: FloatArray  # [n, A]: derivative by each output; 0 at outputs that do not count


class Choices(NamedTuple):
    """Actions that were taken."""

    column: NDArray[np.integer]  # [n]: the output of the action
    advantage: FloatArray  # [n]: how much better it was than expected
    log_before: FloatArray  # [n, A]: logarithm of the policy that took it; any at illegal actions


def log_policy(logits: NDArray[np.floating], legal: BoolArray) -> FloatArray:
    """float64[n, A]: logarithms of the probabilities of legal actions; 0 for the others."""
    shown = np.where(legal, logits, -np.inf).astype(np.float64)
    shown = shown - shown.max(axis=1, keepdims=True)
    logs = shown - np.log(np.exp(shown).sum(axis=1, keepdims=True))
    return np.where(legal, logs, 0.0)


def clipped_loss(
    logits: NDArray[np.floating], legal: BoolArray, choices: Choices, *, clip: float, entropy: float
) -> Loss:
    """PPO: the gain of the action taken, clipped, and the entropy, both to be large.

    -mean of min(r A, clip(r, 1 - clip, 1 + clip) A) + entropy * H, with r = policy / policy before.

    Args:
        logits: float[n, A].
        legal: bool[n, A].
        choices: What was taken.
        clip: A ratio gains no more beyond 1 +- clip.
        entropy: The weight of the entropy.

    Returns:
        The loss and its slopes.
    """
    logs = log_policy(logits, legal)
    ratio = _ratio(logs, choices)
    advantage = choices.advantage
    plain, cut = ratio * advantage, np.clip(ratio, 1.0 - clip, 1.0 + clip) * advantage
    gains = np.where(advantage > 0.0, ratio < 1.0 + clip, ratio > 1.0 - clip)
    gain = np.minimum(plain, cut)
    divergence, pull = _divergence(logs, legal, np.zeros_like(logs))
    value = -np.mean(gain) + entropy * np.mean(divergence)
    slope = -_along(logs, legal, choices.column, np.where(gains, plain, 0.0)) + entropy * pull
    return Loss(float(value), slope / len(logits))


def magnetic_loss(
    logits: NDArray[np.floating], legal: BoolArray, choices: Choices, *, alpha: float, kl: float
) -> Loss:
    """MMD: the gain of the action taken, less divergences to even play and to the policy before.

    -mean of r A - alpha * KL(policy, even) - kl * KL(policy, before), with r = policy / before.

    Args:
        logits: float[n, A].
        legal: bool[n, A].
        choices: What was taken.
        alpha: The temperature.
        kl: One over the step of mirror descent.

    Returns:
        The loss and its slopes.
    """
    logs = log_policy(logits, legal)
    gain = _ratio(logs, choices) * choices.advantage
    even = np.where(legal, -np.log(legal.sum(axis=1, keepdims=True)), 0.0)
    to_even, even_pull = _divergence(logs, legal, even)
    to_before, before_pull = _divergence(logs, legal, np.where(legal, choices.log_before, 0.0))
    value = np.mean(-gain + alpha * to_even + kl * to_before)
    slope = -_along(logs, legal, choices.column, gain) + alpha * even_pull + kl * before_pull
    return Loss(float(value), slope / len(logits))


def replicator_loss(
    logits: NDArray[np.floating],
    legal: BoolArray,
    action: FloatArray,
    weight: FloatArray,
    *,
    limit: float,
) -> Loss:
    """NeuRD: logits go along advantages, as long as they are within limits of their mean.

    Hennes et al., Neural Replicator Dynamics (AAMAS 2020). -sum of weight * logit less mean *
    advantage, where advantages are held fixed, and are 0 where they would move a logit further
    beyond the limit.

    Args:
        logits: float[n, A].
        legal: bool[n, A].
        action: float64[n, A]: what each action is worth.
        weight: float64[n]: how much a row counts.
        limit: How far from their mean logits go.

    Returns:
        The loss and its slopes.
    """
    policy = np.where(legal, np.exp(log_policy(logits, legal)), 0.0)
    count = legal.sum(axis=1, keepdims=True)
    shown = np.where(legal, logits, 0.0).astype(np.float64)
    centred = np.where(legal, shown - shown.sum(axis=1, keepdims=True) / count, 0.0)
    advantage = action - np.sum(policy * action, axis=1, keepdims=True)
    goes = np.where(advantage > 0.0, centred < limit, centred > -limit) & legal
    force = np.where(goes, advantage, 0.0) * weight[:, None]
    mean = force.sum(axis=1, keepdims=True) / count
    return Loss(-float(np.sum(centred * force)), -np.where(legal, force - mean, 0.0))


def value_loss(value: NDArray[np.floating], target: FloatArray, weight: FloatArray) -> Loss:
    """Squared errors of values: sum of weight * (value - target)^2.

    Args:
        value: float[n, 1].
        target: float64[n].
        weight: float64[n].

    Returns:
        The loss and its slopes.
    """
    error = value[:, 0] - target
    return Loss(float(np.sum(weight * error**2)), (2.0 * weight * error)[:, None])


def clipped_value_loss(
    value: NDArray[np.floating],
    before: FloatArray,
    target: FloatArray,
    weight: FloatArray,
    *,
    clip: float,
) -> Loss:
    """Squared errors as PPO has them: a value gains nothing further than `clip` from before.

    Args:
        value: float[n, 1].
        before: float64[n]: the values that were there when play was sampled.
        target: float64[n].
        weight: float64[n].
        clip: How far values may go.

    Returns:
        The loss and its slopes.
    """
    moved = value[:, 0] - before
    near = before + np.clip(moved, -clip, clip) - target
    error = value[:, 0] - target
    is_cut = near**2 > error**2
    # Beyond the clip `near` does not depend on the value.
    slope = np.where(is_cut, np.where(np.abs(moved) < clip, near, 0.0), error)
    squares = np.maximum(error**2, near**2)
    return Loss(float(np.sum(weight * squares)), (2.0 * weight * slope)[:, None])


def _ratio(logs: FloatArray, choices: Choices) -> FloatArray:
    rows = np.arange(len(logs))
    surplus = logs[rows, choices.column] - choices.log_before[rows, choices.column]
    return np.asarray(np.exp(surplus))


def _along(
    logs: FloatArray, legal: BoolArray, column: NDArray[np.integer], factor: FloatArray
) -> FloatArray:
    """float64[n, A]: factor times the slopes of the logarithm of the action's probability."""
    slope = -np.where(legal, np.exp(logs), 0.0)
    slope[np.arange(len(logs)), column] += 1.0
    return factor[:, None] * slope


def _divergence(
    logs: FloatArray, legal: BoolArray, other: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """KL(policy, other) of each row, and its slopes; with `other` 0 it is minus the entropy."""
    policy = np.where(legal, np.exp(logs), 0.0)
    difference = logs - other
    divergence = np.sum(policy * difference, axis=1)
    return divergence, policy * (difference - divergence[:, None])
