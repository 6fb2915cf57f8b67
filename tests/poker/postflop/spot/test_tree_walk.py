"""Walks of a spot that is not solved: amounts, shares of the pot, and lines with a bet more."""

from __future__ import annotations

import pytest

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.poker import Spot
from equilibrist.poker.postflop.spot.tree_walk import line_with_bet, tree_walk

SPOT = Spot(
    board="Td9d6hQc", oop="AA,KK", ip="QQ,JJ", pot=200, stack=900, bets="60%", raises="2.5x"
)


def test_a_walk_has_the_amounts_of_every_node() -> None:
    nodes = tree_walk(SPOT, "X-B120-R300-C|")["nodes"]
    assert [node["line"] for node in nodes] == [
        "", "X", "X-B120", "X-B120-R300", "X-B120-R300-C", "X-B120-R300-C|",
    ]  # fmt: skip
    phases = [node["phase"] for node in nodes]
    assert phases == ["decision"] * 4 + ["deal", "decision"]
    assert [node["player"] for node in nodes] == ["oop", "ip", "oop", "ip", None, "oop"]
    assert [node["pot"] for node in nodes] == [200, 200, 320, 620, 800, 800]
    assert [node["stack"] for node in nodes] == [900, 900, 900, 780, 600, 600]
    raised = nodes[2]["actions"]
    assert [action["name"] for action in raised] == ["Fold", "Call", "Raise 300"]
    assert [action["is_taken"] for action in raised] == [False, False, True]
    # The raise of 180 above the bet is 180 / (200 + 2 * 120) of the pot after a call.
    assert raised[2]["pot_percent"] == pytest.approx(100 * 180 / 440, rel=1e-12)
    assert (nodes[2]["least"], nodes[2]["most"]) == (240, 900)


def test_the_actions_are_those_of_the_rules_everywhere() -> None:
    rules = SPOT.rules()
    lines = [""]
    while lines:
        line = lines.pop()
        state, _ = rules.follow(line)
        last = tree_walk(SPOT, line)["nodes"][-1]
        assert [a["name"] for a in last["actions"]] == [str(a) for a in rules.actions(state)]
        lines += [action["line"] for action in last["actions"]]
        if last["phase"] == "deal":
            lines.append(f"{line}|")


@pytest.mark.parametrize(
    ("line", "amount", "added"),
    [
        ("X", "75%", "X-B150"),
        ("", 150, "B150"),
        ("B120", "50%", "B120-R340"),  # 120 + half of 200 + 2 * 120
        ("B120", "400c", "B120-R400"),
        ("", "5000%", "A900"),
        ("X-X|", "900", "X-X|A900"),
    ],
)
def test_a_bet_becomes_a_line_that_the_spot_takes(
    line: str, amount: str | float, added: str
) -> None:
    assert line_with_bet(SPOT, line, amount) == added
    larger = SPOT.replace(added_lines=[added])
    found = tree_walk(larger, line)["nodes"][-1]["actions"]
    marks = {action["line"]: action["is_added"] for action in found}
    assert marks[added]
    assert sum(marks.values()) == 1


@pytest.mark.parametrize(
    ("line", "amount", "error"),
    [
        ("B120", "1", LineSyntaxError),
        ("B120", "0%", ConfigError),
        ("", "abc", ConfigError),
        ("X-X", "50", ConfigError),
        ("B121", "50", LineSyntaxError),
    ],
)
def test_bets_that_are_not_possible(line: str, amount: str, error: type[Exception]) -> None:
    with pytest.raises(error) as refused:
        line_with_bet(SPOT, line, amount)
    assert refused.value.option in ("amount", "line")  # type: ignore[attr-defined]
