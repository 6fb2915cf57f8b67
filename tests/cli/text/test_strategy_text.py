"""Columns of actions, and titles of matrix games."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.cli.text.strategy_text import _columns
from equilibrist.errors import UnsupportedError
from tests.cli.command import Shell


@pytest.mark.parametrize(
    ("sets", "columns"),
    [
        ([["Raise", "Fold"], ["1", "2"]], "Raise Fold 1 2"),
        ([["1", "2"], ["Raise", "Fold"], ["2", "3"]], "1 2 3 Raise Fold"),
        ([["call", "raise"], ["fold", "call", "raise"], ["fold", "call"]], "fold call raise"),
        ([["Raise", "Fold", "1"], ["1", "2"]], "Raise Fold 1 2"),
        ([["pass", "bet"], ["pass", "bet"]], "pass bet"),
        ([["a", "b"], ["b", "a"]], "a b"),
    ],
)
def test_actions_of_one_infoset_stand_together(sets: list[list[str]], columns: str) -> None:
    assert " ".join(_columns(sets)) == columns


@given(st.lists(st.lists(st.sampled_from("abcdef"), unique=True, min_size=1), min_size=1))
def test_every_action_has_one_column(sets: Sequence[Sequence[str]]) -> None:
    columns = _columns(sets)
    assert sorted(columns) == sorted({label for labels in sets for label in labels})


def test_a_large_payoff_table_is_no_title(shell: Shell) -> None:
    small = "matrix(payoffs=[[0,1],[1,0]])"
    large = f"matrix(payoffs=[{','.join(['[1,2]'] * 30)}])"
    assert shell(f"solve '{small}' -n 5").ok().out.startswith(f"{small}: 5 iterations")
    title = shell(f"solve '{large}' -n 5").ok().out.partition("\n")[0]
    assert title.startswith("matrix(payoffs=[[1,2],")
    assert len(title) < 120
    assert shell("inspect last --json").json["game"] == large


@pytest.mark.parametrize("way", ["tremble", "entropy", "quasi-perfect", "against:uniform"])
@pytest.mark.parametrize("game", ["chicken", "kuhn(players=3)"])
def test_a_selection_names_the_command_for_other_games(shell: Shell, way: str, game: str) -> None:
    ran = shell(f"equilibria '{game}' --select {way}").one_error()
    assert isinstance(ran.error, UnsupportedError)
    assert "--method gambit" in ran.err
    assert "best_response" not in ran.err
