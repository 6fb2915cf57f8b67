"""The command line and `solve` of Python give the same numbers, for every kind of problem."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.library.names import newest
from tests.cli.command import Shell
from tests.poker.postflop.spot.spots import RIVER
from tests.solve_options import grouped

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "full traversals": ("kuhn", {"algorithm": "cfr", "iterations": 20, "alternating": False}),
    "full traversals, threads": ("leduc", {"iterations": 20, "threads": 2}),
    "default": ("kuhn", {"target": 0.01}),
    "sampler": ("leduc", {"sampler": "outcome(epsilon=0.4)", "iterations": 300, "seed": 3}),
    "lp": ("kuhn", {"algorithm": "lp"}),
    "regret matching": ("rps", {"algorithm": "regret-matching", "iterations": 50, "seed": 1}),
    "rules with a tree": (
        "rules:liars_dice(sides=3)",
        {"sampler": "external", "iterations": 30, "seed": 2},
    ),
    "rules without a tree": (
        "rules:liars_dice(dice=2,sides=6)",
        {"sampler": "external", "iterations": 30, "seed": 2},
    ),
    "small rules without a tree": (
        "rules:liars_dice(sides=3)",
        {"iterations": 30, "seed": 2, "explicit_tree": False},
    ),
}
FALSE = {"alternating": "--simultaneous", "explicit_tree": "--no-explicit-tree"}
"""The flags of what is False."""
TIMED = ("seconds", "trace", "solution_file", "config", "versions")
"""What depends on the time and the place, or on defaults that the command line spells out."""


@pytest.mark.by_default(2)
@pytest.mark.parametrize("case", CASES)
def test_solve(shell: Shell, folder: Path, case: str) -> None:
    game, options = CASES[case]
    words = [
        FALSE[name] if value is False else f"--{name} {shlex.quote(str(value))}"
        for name, value in options.items()
    ]
    line = f"solve {shlex.quote(game)} {' '.join(words)} --quiet --json"
    told = shell(line).ok().json
    found = eq.solve(game, **grouped(options))
    document = found.to_dict()
    assert {key for key in told if key not in TIMED} == {
        key for key in document if key not in TIMED
    }
    for key in set(told) - set(TIMED):
        assert told[key] == document[key], key
    assert not [*folder.glob("*.safetensors")]
    saved: Any = eq.load_result(newest()[0])
    assert saved.strategy.probabilities.tobytes() == found.strategy.probabilities.tobytes()


def test_postflop_solve(shell: Shell, folder: Path) -> None:
    (folder / "spot.toml").write_text(RIVER.to_toml())
    line = "postflop solve spot.toml --algorithm dcfr --iterations 14 --out a.spot --json --quiet"
    told = shell(line).ok().json
    found = eq.solve(RIVER, "dcfr", iterations=14).to_dict()
    del told["seconds"], found["seconds"]
    assert told == found
