"""Cells of CSV that spreadsheets take for text, and that are read back as they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.formatting.escaping import guard_cell, unguard_cell
from equilibrist.games import efg_text, load_game
from equilibrist.games.payoffs import load_payoffs
from equilibrist.strategy import Strategy
from equilibrist.web.api.csv_tables import rows_csv

FORMULAS = ("=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "=", "-", "'=1", "''-x", "-1-1", "+1/0")
NUMBERS = ("-1", "+2.5", "-1e-3", "-.5", "-5%", "+inf", "-7.", "1=1", "'x", "")


@pytest.mark.parametrize("text", [*FORMULAS, *NUMBERS])
def test_a_cell_is_read_back(text: str) -> None:
    assert unguard_cell(guard_cell(text)) == text


def test_names_are_guarded_and_numbers_are_not() -> None:
    single = {"=", "-"}
    assert all((guard_cell(text) == f"'{text}") == (text not in single) for text in FORMULAS)
    assert [guard_cell(text) for text in NUMBERS] == [*NUMBERS]
    assert rows_csv(("a", "=b"), [("-x", -1.5), (-2, None)]) == "a,'=b\n'-x,-1.5\n-2,\n"


def test_a_strategy_of_names_like_formulas(tmp_path: Path) -> None:
    text = efg_text(load_game("matching_pennies"))
    (tmp_path / "game.efg").write_text(text.replace('"heads"', '"=1+1"').replace('"tails"', '"-x"'))
    tree = eq.compile_game(str(tmp_path / "game.efg"))
    assert {label for labels in tree.action_labels for label in labels} == {"=1+1", "-x"}
    strategy = Strategy(tree, np.array([0.25, 0.75, 0.5, 0.5]))
    file = strategy.save(tmp_path / "s.csv")
    assert "'=1+1" in file.read_text()
    assert np.array_equal(Strategy.from_file(tree, file).probabilities, strategy.probabilities)


def test_a_payoff_table_of_names_like_formulas(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(",'=1+1,'@x\n'-y,1,2\nz,3,4\n")
    game = load_payoffs(str(tmp_path / "table.csv"))
    assert (game.actions(()), game.actions((0,))) == (("-y", "z"), ("=1+1", "@x"))
