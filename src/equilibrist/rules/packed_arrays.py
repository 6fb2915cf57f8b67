"""The arrays of a PackedStrategy in a file: whether they fit together."""

from __future__ import annotations

from typing import Any

import numpy as np

from equilibrist.typing import UInt64Array

_TOLERANCE = 1e-9


def checked_arrays(arrays: dict[str, Any]) -> dict[str, Any]:
    """The arrays of a file as PackedStrategy takes them; ValueError if they do not fit."""
    kinds = {"high": np.int64, "low": np.int64, "actions": np.int32, "probability": np.float64}
    for name, kind in kinds.items():
        if arrays[name].dtype != kind or arrays[name].ndim != 1:
            raise ValueError(f"the array {name} has another type or shape")
    high, low, actions, values = (arrays[name] for name in kinds)
    if not len(high) == len(low) == len(actions):
        raise ValueError("keys and rows do not fit together")
    if len(actions) and (actions.min() < 1 or actions.max() > 0xFFFF):
        raise ValueError("an infoset has no actions, or too many")
    if int(actions.sum(dtype=np.int64)) != len(values):
        raise ValueError("actions and probabilities do not fit together")
    if len(actions):
        first = np.concatenate(([0], np.cumsum(actions[:-1], dtype=np.int64)))
        sums = np.add.reduceat(values, first)
        if not (values >= 0.0).all() or (np.abs(sums - 1.0) > _TOLERANCE).any():
            raise ValueError("the probabilities of an infoset do not add up to 1")
    return {
        "high": high.view(np.uint64),
        "low": low.view(np.uint64),
        "actions": actions,
        "probabilities": values,
    }


def has_twice(high: UInt64Array, low: UInt64Array) -> bool:
    """Whether a key comes twice."""
    order = np.lexsort((low, high))
    high, low = high[order], low[order]
    return bool(((high[1:] == high[:-1]) & (low[1:] == low[:-1])).any())
