"""Networks in words: their layers, what they read and answer, and their losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def network_lines(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Lines of facts on networks, each with its name.

    Args:
        facts: Features, unit, sizes, activation and losses, as `StoredNetworks.to_dict` has them.

    Returns:
        The lines; networks that are alike share one.
    """
    alike: dict[tuple[int, ...], list[str]] = {}
    for name, sizes in facts["sizes"].items():
        alike.setdefault(tuple(sizes), []).append(name)
    shapes = [
        (
            f"network{'s' * (len(names) > 1)}",
            f"{', '.join(names)}: {_layers_text(sizes)}, {facts['activation']}",
        )
        for sizes, names in alike.items()
    ]
    unit = facts["unit"]
    units = unit if isinstance(unit, str) else ", ".join(dict.fromkeys(unit.values()))
    return [
        *shapes,
        ("features", facts["features"]),
        ("unit", units),
        ("losses", losses_text(facts["losses"])),
    ]


def losses_text(losses: Mapping[str, float]) -> str:
    """Losses by their names; empty where there are none."""
    return ", ".join(f"{name} {loss:.4g}" for name, loss in losses.items())


def _layers_text(sizes: Sequence[int]) -> str:
    """Layers and weights: `12-64-64-3, 5,187 weights`."""
    weights = sum((one + 1) * two for one, two in zip(sizes, sizes[1:], strict=False))
    return f"{'-'.join(map(str, sizes))}, {weights:,} weights"
