"""The default number of threads."""

from __future__ import annotations

import os
import sys

import pytest

from equilibrist.errors import ConfigError
from equilibrist.parsing.threads import VARIABLE, thread_count, usable_processors
from tests.refusals import refuses


def test_processors() -> None:
    assert 1 <= usable_processors() <= (os.cpu_count() or 1)
    if sys.platform == "linux":
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(before)})
        try:
            assert usable_processors() == 1
        finally:
            os.sched_setaffinity(0, before)


def test_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert thread_count(None) == usable_processors()
    assert thread_count(7) == 7
    monkeypatch.setenv(VARIABLE, " 3 ")
    assert thread_count(None) == 3
    assert thread_count(7) == 7
    for wrong in ("0", "-1", "two", "1.5", "4097", "9" * 400):
        monkeypatch.setenv(VARIABLE, wrong)
        with refuses(ConfigError, option=VARIABLE, given=wrong):
            thread_count(None)
    with refuses(ConfigError, option="threads", given=0):
        thread_count(0)
