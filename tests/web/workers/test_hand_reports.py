"""What workers tell of runs on whole hands: stages with counts, and when they end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from equilibrist.web.workers.hands import HandReports
from equilibrist.web.workers.solving import StoppedEarlyError


@pytest.mark.parametrize(
    ("text", "done", "total"),
    [
        ("preparing the boards: 3 of 1,755, 10 s to go", 3, 1755),
        ("counting all-in showdowns: 1,000 of 134,459 boards", 1000, 134_459),
        ("solving", None, None),
    ],
)
def test_stages_are_told_with_counts_and_end_a_run_that_has_nothing_yet(
    text: str, done: int | None, total: int | None
) -> None:
    told: list[dict[str, Any]] = []
    events: Any = SimpleNamespace(send=lambda event, **facts: told.append({event: facts}))
    commands: Any = SimpleNamespace(received=None)
    reports = HandReports(events, commands, has_begun=False)
    reports.on_stage(text)
    assert told == [{"stage": {"text": text, "done": done, "total": total}}]
    commands.received = "stop"
    with pytest.raises(StoppedEarlyError):
        reports.on_stage(text)
