"""What is said of push or fold: units of values, and what ended a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from equilibrist.cli.text.holdem.push_fold_text import show_charts, value_text
from equilibrist.poker import push_fold


def test_values_have_the_unit_of_the_game() -> None:
    assert value_text(push_fold(10), -0.0453708) == "-45.371 mbb"
    prize = push_fold(10, payouts=[65, 35])
    assert value_text(prize, 0.01) == "+1.0000%"


def test_what_ended_a_run_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    found = push_fold(10, seats=3, deals=1_000, threads=1)
    show_charts(found, grid=False)
    assert "1,000 to measure)" in " ".join(capsys.readouterr().out.split())
    show_charts(replace(found, stopped_by="interrupted"), grid=False)
    assert "1,000 to measure; interrupted; partial result)" in " ".join(
        capsys.readouterr().out.split()
    )
