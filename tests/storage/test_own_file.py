"""A file that a run replaces again and again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.errors import OutputError
from equilibrist.poker import Spot
from equilibrist.progress import Progress
from equilibrist.storage.atomic import OwnFile, write_bytes
from tests.refusals import refuses
from tests.solve_options import grouped

SPOT = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
RUNS: list[tuple[Any, dict[str, Any]]] = [
    ("kuhn", {}),
    ("kuhn", {"sampler": "external"}),
    ("rules:liars_dice(sides=2)", {"sampler": "external", "explicit_tree": False}),
    (SPOT, {}),
]


def test_what_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    ours, theirs = OwnFile(path), OwnFile(path)
    for content in (b"one", b"two"):
        with ours.replaced():
            write_bytes(path, content)
    with refuses(OutputError, option="checkpoint", given=path.name), theirs.replaced():
        write_bytes(path, b"of another run")
    assert path.read_bytes() == b"two"
    path.unlink()
    with ours.replaced():
        write_bytes(path, b"anew")
    with OwnFile(path).replaced():
        write_bytes(path, b"of a run that resumed it")
    assert path.read_bytes() == b"of a run that resumed it"


@pytest.mark.parametrize(("problem", "options"), RUNS)
def test_two_runs_that_begin_together(
    problem: Any, options: dict[str, Any], tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    """The run within the other one writes first; the outer one ends there, and says why."""
    path = tmp_path / "run.ckpt"
    inner: list[bytes] = []

    def another(progress: Progress) -> None:
        if not inner:
            path.unlink(missing_ok=True)
            eq.solve(problem, iterations=40, **grouped(options, checkpoint=path))
            inner.append(path.read_bytes())

    def run() -> None:
        eq.solve(
            problem, iterations=5000, callbacks=another,
            **grouped(options, checkpoint=path, checkpoint_every=0),
        )  # fmt: skip

    said = []
    try:
        run()
    except OutputError as error:
        said.append(str(error))
    said += [str(each.message) for each in recwarn]
    assert any("another process has written" in text for text in said)
    assert path.read_bytes() == inner[0]
