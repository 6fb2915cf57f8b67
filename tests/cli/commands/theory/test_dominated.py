"""`dominated` as a user types it."""

from __future__ import annotations

import pytest

from equilibrist.errors import ConfigError, RecallError, UnsupportedError
from tests.cli.command import Shell


def test_actions(shell: Shell) -> None:
    ran = shell("dominated kuhn").ok()
    assert "5 dominated actions" in ran.out
    assert "0.166667" in ran.out
    assert "dominated kuhn --conditional" in ran.err
    document = shell("dominated 'kuhn(players=3)' --json").ok().json
    assert document["kind"] == "actions"
    assert len(document["dominated"]) == 21
    assert document["undecided"] == []


@pytest.mark.slow
def test_plans_are_not_proposed_where_there_are_too_many(shell: Shell) -> None:
    ran = shell("dominated 'kuhn(players=3)'").ok()
    assert "Next: equilibrist solve 'kuhn(players=3)'" in ran.err
    assert "--conditional" not in ran.err


def test_weak_actions(shell: Shell) -> None:
    game = "'matrix(payoffs=[[1,1],[1,0]])'"
    assert "0 dominated actions" in shell(f"dominated {game}").ok().out
    ran = shell(f"dominated {game} --weak").ok()
    assert "2 dominated actions" in ran.out
    assert "weak" in ran.out


def test_plans(shell: Shell) -> None:
    ran = shell("dominated outside_option --conditional").ok()
    assert "3 dominated plans" in ran.out
    assert "first In, row B" in ran.out
    document = shell("dominated outside_option --conditional --json").ok().json
    assert document["rounds"] == 3
    assert document["surviving"] == [[{"first": "In", "row": "B"}], [{"column": "B"}]]
    first = document["dominated"][0]
    assert first["plan"] == {"first": "In", "row": "S"}
    assert first["by"] == [{"weight": 1.0, "plan": {"first": "Out"}}]
    assert first["infoset"] is None
    assert document["dominated"][1]["infoset"] == "column"


def test_plans_by_mixtures(shell: Shell) -> None:
    game = "'matrix(payoffs=[[3,0],[0,3],[1,1]])'"
    assert "0.5000 row" in shell(f"dominated {game} --plans").ok().out
    document = shell(f"dominated {game} --plans --by pure --json").ok().json
    assert document["by"] == "pure"
    assert document["dominated"] == []
    assert "27 dominated plans" in shell("dominated kuhn --plans").ok().out
    assert "31 plans more" in shell("dominated kuhn --conditional").ok().out


def test_sequences(shell: Shell) -> None:
    ran = shell("dominated outside_option --sequences").ok()
    assert "1 action that only dominated plans take" in ran.out
    document = shell("dominated outside_option --sequences --json").ok().json
    assert [(d["infoset"], d["action"]) for d in document["dominated"]] == [("row", "S")]


@pytest.mark.parametrize(
    ("line", "kind", "fields"),
    [
        ("dominated kuhn --weak --conditional", ConfigError, {"option": "--weak"}),
        ("dominated kuhn --sequences --plans", ConfigError, {"option": "--plans"}),
        ("dominated kuhn --sequences --weak", ConfigError, {"option": "--weak"}),
        ("dominated kuhn --by pure", ConfigError, {"option": "--by", "given": "pure"}),
        ("dominated kuhn --plans --by both", ConfigError, {"option": "by", "given": "both"}),
        ("dominated leduc --plans", UnsupportedError, {"option": "plans", "expected": 2000}),
        ("dominated chsh --sequences", UnsupportedError, {"option": "players", "given": 3}),
        (
            "dominated 'random_tree(seed=1,imperfect_recall=true,branching=3)'",
            RecallError,
            {},
        ),
    ],
)
def test_what_is_refused(shell: Shell, line: str, kind: type, fields: dict[str, object]) -> None:
    shell(line).refused(kind, **fields)
