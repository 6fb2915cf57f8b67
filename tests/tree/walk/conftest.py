"""Walks whose limits do not depend on how fast the machine is."""

from __future__ import annotations

import pytest

from tests.unhurried import do_not_hurry


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    do_not_hurry(monkeypatch)
