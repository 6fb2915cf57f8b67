"""What a solution says of its run: nothing of where the server keeps its files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.web.answers.jobs import Kind
from equilibrist.web.workers.order import Events, SolveOrder
from equilibrist.web.workers.solving import solve
from tests.web.conftest import SPOT


class _Silent(Events):
    def __init__(self) -> None:
        self.sent: list[str] = []
        self.progress: dict[str, Any] = {}

    def send(self, event: str, **facts: Any) -> None:
        self.sent.append(event)
        if event == "progress":
            self.progress = facts


@contextmanager
def _standard_input(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """A standard input over which nothing comes, and which ends with the block."""
    read, write = os.pipe()
    with os.fdopen(read) as stream, os.fdopen(write, "w"):
        patch.setattr("sys.stdin", stream)
        yield


@pytest.mark.parametrize(
    ("game", "how"),
    [
        ("kuhn", {}),
        pytest.param("rules:leduc", {"explicit_tree": "false"}, marks=pytest.mark.slow),
    ],
)
def test_a_solution_of_a_resumed_run_names_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, how: dict[str, str]
) -> None:
    checkpoint, solution = tmp_path / "run.ckpt", tmp_path / "one.safetensors"
    for iterations in ("5", "9"):
        options = {"iterations": iterations, **how}
        order = SolveOrder("game", game, None, options, str(checkpoint), str(solution))
        events = _Silent()
        with _standard_input(monkeypatch):
            solve(order, events)
        assert events.sent[-1] == "end"
    assert str(tmp_path).encode() not in solution.read_bytes()
    assert "Resumed from its checkpoint at iteration 5." in eq.load_result(solution).notes


@pytest.mark.parametrize(
    ("kind", "game", "spot", "measured"),
    [("game", "kuhn", None, "4"), ("spot", SPOT.board, SPOT.to_toml(), "10")],
    ids=["game", "spot"],
)
def test_a_run_that_is_told_to_end_tells_the_measure_of_its_solution(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: Kind,
    game: str,
    spot: str | None,
    measured: str,
) -> None:
    """A run that is only saved ends where its checkpoint is, and is measured there."""
    for is_told in (False, True):
        limit = {"iterations": "100" if is_told else measured}
        order = SolveOrder(
            kind,
            game,
            spot,
            limit,
            checkpoint=str(tmp_path / "run.ckpt"),
            solution=str(tmp_path / "one.safetensors"),
            save_only=is_told,
        )
        events = _Silent()
        with _standard_input(monkeypatch):
            solve(order, events)
    solution = eq.load_result(order.solution)
    assert solution.iterations == int(measured)
    told = events.progress
    assert (told["iteration"], told["measured_at"]) == (solution.iterations,) * 2
    assert told["measure"] == pytest.approx(solution.measure, rel=1e-12)
