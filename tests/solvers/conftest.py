"""Fixtures of the tests of solvers."""

from __future__ import annotations

import pytest

from tests.solvers.run.clocked_lab import Lab, on_clock


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Lab:
    return on_clock(monkeypatch, Lab())
