"""How much memory a saving may take: of a container what that has left."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.parsing.control_groups import memory_left
from equilibrist.web.errors import LimitError
from equilibrist.web.jobs import room
from tests.refusals import refuses


@pytest.mark.parametrize(("available", "most"), [(10_000, 500), (300, 300), (None, 500)])
def test_memory_of_a_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, available: int | None, most: int
) -> None:
    (tmp_path / "groups").write_text("0::/\n")
    (tmp_path / "memory.max").write_text("1200\n")
    (tmp_path / "memory.current").write_text("700\n")
    monkeypatch.setattr(room, "memory_left", lambda: memory_left(tmp_path / "groups", tmp_path))
    monkeypatch.setattr(room, "_available_memory", lambda: available)
    room.check_memory(most)
    with refuses(LimitError, option="memory", given=most + 1, expected=most):
        room.check_memory(most + 1)
