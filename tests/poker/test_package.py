"""What `equilibrist.poker` offers, and what importing it costs."""

from __future__ import annotations

from tests.test_package import modules_after


def test_names_are_loaded_on_first_use_and_without_the_compiler() -> None:
    assert "numpy" not in modules_after("import equilibrist.poker")
    loaded = modules_after("from equilibrist.poker import BettingRules, Range; Range('22+')")
    assert "numba" not in loaded
    assert "rich" not in loaded
