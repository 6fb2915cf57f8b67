"""Walks whose limits do not depend on how fast the machine is."""

from __future__ import annotations

import math

import pytest

from equilibrist.tree.walk import budget, walk


def do_not_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimates are made after so many histories alone, and take the time that they need."""
    for name in ("_LONG", "_VERY_LONG"):
        monkeypatch.setattr(budget, name, math.inf)
    for name in ("_PATIENCE", "_GLANCE"):
        monkeypatch.setattr(budget, name, 60.0)
    monkeypatch.setattr(walk, "_OFTEN", math.inf)
