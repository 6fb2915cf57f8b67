"""The infosets of a solution file as arrays: writing, and reading with all checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from equilibrist.tree.probabilities import SUM_TOLERANCE
from equilibrist.typing import FloatArray, Int8Array


def infoset_arrays(
    keys: Sequence[str],
    player: Int8Array,
    action_labels: Sequence[Sequence[str]],
    probabilities: FloatArray,
) -> dict[str, Any]:
    """Arrays by their names in the file; each distinct label stands there once."""
    texts: dict[str, int] = {}
    for labels in action_labels:
        for label in labels:
            texts.setdefault(label, len(texts))
    return {
        "probability": probabilities,
        "player": player,
        "actions": np.array([len(labels) for labels in action_labels], dtype=np.int32),
        "label": np.array([texts[label] for labels in action_labels for label in labels], np.int32),
        **pack_texts("key", keys),
        **pack_texts("label_text", tuple(texts)),
    }


def pack_texts(name: str, texts: Sequence[str]) -> dict[str, Any]:
    """Texts as one array of UTF-8 bytes and one of their ends: headers stay small."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(e) for e in encoded], dtype=np.int64)
    return {name: np.frombuffer(b"".join(encoded), dtype=np.uint8), f"{name}_end": ends}


def unpack_texts(arrays: dict[str, Any], name: str) -> list[str]:
    """The texts that `pack_texts` made arrays of; ValueError or KeyError if they do not fit."""
    blob = _array(arrays, name, np.uint8).tobytes()
    ends = _array(arrays, f"{name}_end", np.int64)
    starts = np.concatenate(([0], ends[:-1])) if len(ends) else ends
    if len(ends) and (bool((ends < starts).any()) or int(ends[-1]) != len(blob)):
        raise ValueError(f"the texts of {name} do not fit together")
    pairs = zip(starts.tolist(), ends.tolist(), strict=True)
    return [blob[a:b].decode("utf-8", "surrogatepass") for a, b in pairs]


def _array(arrays: dict[str, Any], name: str, dtype: Any) -> Any:
    array = arrays[name]
    if array.dtype != dtype or array.ndim != 1:
        raise ValueError(f"the array {name} has another type or shape")
    return array


def read_infosets(arrays: dict[str, Any], num_players: int) -> dict[str, Any]:
    """The infosets' fields of a StoredStrategy; ValueError or KeyError if they do not fit."""
    keys = tuple(unpack_texts(arrays, "key"))
    texts = unpack_texts(arrays, "label_text")
    player = _array(arrays, "player", np.int8)
    actions = _array(arrays, "actions", np.int32)
    label = _array(arrays, "label", np.int32)
    probability = _array(arrays, "probability", np.float64)
    if not len(keys) == len(player) == len(actions) or len(set(keys)) != len(keys):
        raise ValueError("infosets, players and actions do not fit together")
    if (actions < 1).any() or int(actions.sum(dtype=np.int64)) != len(label):
        raise ValueError("actions and labels do not fit together")
    if len(probability) != len(label):
        raise ValueError("probabilities and labels do not fit together")
    if keys:
        offset = np.concatenate(([0], np.cumsum(actions, dtype=np.int64)))
        sums = np.add.reduceat(probability, offset[:-1])
        if not (probability >= 0.0).all() or (np.abs(sums - 1.0) > SUM_TOLERANCE).any():
            raise ValueError("the probabilities of an infoset do not add up to 1")
        if player.min() < 0 or player.max() >= num_players:
            raise ValueError("an infoset has no owner")
        if label.min() < 0 or label.max() >= len(texts):
            raise ValueError("an action has no label")
    for array in (player, probability):
        array.flags.writeable = False
    return {
        "keys": keys,
        "players": player,
        "labels": _label_rows(texts, label.tolist(), actions.tolist()),
        "probabilities": probability,
    }


def _label_rows(
    texts: list[str], label: list[int], actions: list[int]
) -> tuple[tuple[str, ...], ...]:
    rows = []
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    start = 0
    for count in actions:
        row = tuple(texts[k] for k in label[start : start + count])
        rows.append(shared.setdefault(row, row))
        start += count
    return tuple(rows)
