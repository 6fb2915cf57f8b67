"""Spots with decimal chips: spots of whole chips on another scale, in all that is printed."""

from __future__ import annotations

import csv
import json
import re
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError
from equilibrist.poker import PostflopResult, Spot, batch, export, resume, runouts, solve
from equilibrist.poker.postflop.spot.subgame import subgame_at
from tests.refusals import refuses

RANGES: dict[str, Any] = {
    "board": "QsJh2h7c",
    "oop": "AA,T9s,KQs",
    "ip": "KK,98s,AJs",
    "raise_cap": 2,
    "rake": 0.05,
    "donks": "||50%",
}
WHOLE = Spot(
    **RANGES, pot=65, stack=140, min_bet=10, bets="33%, 25c", raises="2.5x, a", rake_cap=3,
    added_lines=["X-B45"], removed_lines=["B25-A"], locks=["B25: KK = Call 100%"],
)  # fmt: skip
TENTHS = Spot(
    **RANGES, pot=6.5, stack=Decimal(14), min_bet="1.0", bets="33%, 2.5c", raises="2.5x, a",
    rake_cap=0.3, added_lines=["X-B4.5"], removed_lines=["B2.5-A14"],
    locks=["B2.50: KK = Call 100%"],
)  # fmt: skip
LINES = ["", "X", "X-B4.5", "B2.5", "B2.1-R5.3", "X-X|8d", "X-B4.5-C|2c|B7.8", "B2.1-A"]
ITERATIONS = 40


@cache
def solved(spot: Spot) -> PostflopResult:
    return solve(spot, iterations=ITERATIONS)


def tenfold(line: str) -> str:
    """A line of TENTHS in the chips of WHOLE."""
    return re.sub(r"(?<=[BRA])\d+(\.\d+)?", lambda found: f"{round(float(found[0]) * 10)}", line)


def assert_tenth(tenths: Any, whole: Any) -> None:
    assert np.array_equal(np.asarray(whole, float) / 10, np.asarray(tenths, float), equal_nan=True)


def test_the_unit_is_a_tenth() -> None:
    assert (WHOLE.rules().unit, TENTHS.rules().unit) == (1, 0.1)
    assert (TENTHS.pot, TENTHS.stack, TENTHS.min_bet) == (6.5, 14, 1)


@pytest.mark.parametrize("line", LINES)
def test_frequencies_are_the_same_and_values_a_tenth(line: str) -> None:
    node, other = solved(TENTHS).at(line), solved(WHOLE).at(tenfold(line))
    assert tenfold(node.line) == other.line
    assert [tenfold(action.code) for action in node.actions] == [a.code for a in other.actions]
    for name in ("weight", "matchups", "equity", "strategy"):
        np.testing.assert_array_equal(getattr(node.values, name), getattr(other.values, name))
    assert_tenth(node.values.ev, other.values.ev)
    assert_tenth(node.values.action_ev, other.values.action_ev)
    assert_tenth([node.pot, node.to_call], [other.pot, other.to_call])
    np.testing.assert_allclose(node.totals.eqr, other.totals.eqr, rtol=1e-12)


def test_measures_are_a_tenth_in_chips_and_the_same_in_percent() -> None:
    tenths, whole = solved(TENTHS), solved(WHOLE)
    assert whole.mean_gain > 0
    assert_tenth(tenths.mean_gain, whole.mean_gain)
    assert_tenth(tenths.unlocked_mean_gain, whole.unlocked_mean_gain)
    assert_tenth(
        [point.measure for point in tenths.trace], [point.measure for point in whole.trace]
    )
    assert tenths.mean_gain_percent == pytest.approx(whole.mean_gain_percent, rel=1e-12)


def test_without_rake_exploitability_is_a_tenth() -> None:
    keys: dict[str, Any] = {
        "board": "Td9d6hQc2s", "oop": "QJs,99,A5s", "ip": "KTs,JTs,66", "bets": "33%, a",
    }  # fmt: skip
    whole = solve(Spot(**keys, pot=60, stack=120), iterations=ITERATIONS)
    tenths = solve(Spot(**keys, pot=6.0, stack=12.0, min_bet=0.1), iterations=ITERATIONS)
    assert tenths.at("B2").line == "B2"
    assert whole.exploitability
    assert_tenth(tenths.exploitability, whole.exploitability)
    assert_tenth(tenths.at().values.ev, whole.at().values.ev)
    np.testing.assert_array_equal(tenths.at().values.strategy, whole.at().values.strategy)


def test_a_target_in_chips_may_be_decimal() -> None:
    tenths, whole = solve(TENTHS, target="0.05c"), solve(WHOLE, target="0.5c")
    assert tenths.iterations == whole.iterations
    assert tenths.target == 0.05
    assert tenths.mean_gain <= 0.05


def test_what_is_printed_is_in_chips() -> None:
    node = solved(TENTHS).at("X-B4.5")
    assert [*node.frequency] == ["Fold", "Call", "Raise 11.3", "All-in 14"]
    assert [*node.next_lines.values()][2:] == ["X-B4.5-R11.3", "X-B4.5-A14"]
    assert "pot 11, 4.5 to call" in str(node)
    assert str(solved(TENTHS).at("").title).endswith("pot 6.5")
    assert "Bet 2.5" in solved(TENTHS).at().to_svg()
    document = node.to_dict()
    assert (document["pot"], document["codes"]) == (11, ["F", "C", "R11.3", "A14"])
    facts = solved(TENTHS).facts()
    assert (facts["pot"], facts["stack"]) == (6.5, 14)
    assert facts["locks"] == ["B2.5: KK = Call 1"]


def test_gains_of_a_pot_below_a_chip_have_as_many_digits_as_others() -> None:
    keys: dict[str, Any] = {"board": "Td9d6hQc2s", "oop": "QJs,99,A5s", "ip": "KTs,JTs,66"}
    spot = Spot(**keys, pot=0.01, stack=0.01, bets="50%")
    result = solve(spot, iterations=ITERATIONS)
    gain = result.facts()["mean_gain_chips"]
    assert 0.0 < result.mean_gain < 1e-3
    assert gain == pytest.approx(result.mean_gain, abs=1e-6 * spot.pot)


def test_spot_files_come_back(tmp_path: Path) -> None:
    text = TENTHS.to_toml()
    assert "pot = 6.5\nstack = 14\n" in text
    assert "unit" not in text
    (tmp_path / "spot.toml").write_text(text)
    assert Spot.from_toml(tmp_path / "spot.toml") == TENTHS
    finer = TENTHS.replace(unit="0.01", min_bet=1)
    assert Spot.from_toml(tmp_path / "spot.toml", unit=0.01) == finer
    assert "unit = 0.01\n" in finer.to_toml()
    assert finer.rules().follow("B2.15")[0].bets == (215, 0)  # 33 % of 6.5 is 2.145


def test_solutions_and_checkpoints_come_back(tmp_path: Path) -> None:
    run = solve(TENTHS, iterations=ITERATIONS // 2, checkpoint=tmp_path / "run")
    run = resume(tmp_path / "run", iterations=ITERATIONS)
    run.save(tmp_path / "solution")
    found = load_result(tmp_path / "solution")
    assert found.spot == TENTHS
    assert found.mean_gain == solved(TENTHS).mean_gain
    for line in LINES:
        ours, theirs = found.at(line).values, solved(TENTHS).at(line).values
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(one, other)


def test_streets_are_solved_again_in_the_same_unit(tmp_path: Path) -> None:
    solved(TENTHS).save(tmp_path / "turn", keep="first-street")
    node = load_result(tmp_path / "turn").at("X-B4.5-C|2c|B7.8")
    assert (node.line, node.pot, node.resolved is not None) == ("X-B4.5-C|2c|B7.8", 23.3, True)
    rules = TENTHS.rules()
    for line in ("X-B4.5-C|2c", "X-X|2c"):
        state, runout = rules.follow(line)
        cards = tuple(card for card in runout if card is not None)
        weight = solved(TENTHS).at(line).values.weight
        subgame = subgame_at(TENTHS, state.line, cards, weight)
        assert subgame is not None
        assert subgame.rules().unit == 0.1
        assert subgame.rules().all_in(subgame.rules().root()) == rules.all_in(state)
        there = {action.code for action in rules.actions(state)}
        assert {action.code for action in subgame.rules().actions(subgame.rules().root())} == there


def test_a_street_of_whole_pots_and_stacks_keeps_the_unit(tmp_path: Path) -> None:
    spot = Spot(
        board="QsJh2h7c", oop="AA,T9s", ip="KK,98s", pot=6, stack=12.5, bets="|2.5c|33%"
    )  # 11 in the pot and 10 behind after a call
    solve(spot, iterations=5).save(tmp_path / "turn", keep="first-street")
    node = load_result(tmp_path / "turn").at("B2.5-C|2c|B3.6")
    assert (node.pot, node.to_call, node.resolved is not None) == (14.6, 3.6, True)


def test_exports_are_in_chips(tmp_path: Path) -> None:
    for ending in ("csv", "json", "parquet"):
        export(solved(TENTHS), tmp_path / f"nodes.{ending}", streets="turn")
    rows = [*csv.DictReader((tmp_path / "nodes.csv").read_text().splitlines())]
    assert {row["pot"] for row in rows if row["line"] == "X-B4.5"} == {"11"}
    assert {row["action3"] for row in rows if row["line"] == ""} == {"Bet 2.5", ""}
    document = json.loads((tmp_path / "nodes.json").read_text())
    pots = {node["line"]: node["pot"] for node in document["nodes"]}
    assert pots["B2.5"] == 9
    assert pots["B2.1"] == 8.6
    table = pandas.read_parquet(tmp_path / "nodes.parquet")
    assert {*table[table["line"] == "B2.1"]["pot"]} == {8.6}
    export(solved(WHOLE), tmp_path / "whole.parquet", streets="turn")
    assert pandas.read_parquet(tmp_path / "whole.parquet")["pot"].dtype == np.int64


def test_reports_are_in_chips(tmp_path: Path) -> None:
    tenths, whole = runouts(solved(TENTHS), "X-X"), runouts(solved(WHOLE), "X-X")
    assert [*tenths][:4] == [*whole][:4]
    columns = [name for name in tenths if name.endswith(" ev")]
    assert columns == ["Check ev", "Bet 2.1 ev", "Bet 2.5 ev"]
    for name in columns:
        there = re.sub(r"\d+\.\d", lambda found: f"{float(found[0]) * 10:.0f}", name)
        np.testing.assert_allclose(tenths[name], whole[there] / 10, rtol=1e-9)
    report = batch(TENTHS.replace(locks=()), ["QsJh2h7c"], tmp_path / "batch", iterations=5)
    assert report.rows[0]["pot"] == 6.5
    with refuses(ConfigError, option="pot", given=6.4):
        batch(
            TENTHS.replace(locks=(), pot=6.4),
            ["QsJh2h7c"], tmp_path / "batch", iterations=5, resume=True,
        )  # fmt: skip


def test_locks_from_solutions_come_back() -> None:
    lock = solved(TENTHS).lock("X-B4.5")
    locked = TENTHS.replace(locks=(*TENTHS.locks, str(lock)))
    assert locked.locks[-1] == lock
    assert lock.line == "X-B4.5"
    held = solve(locked, iterations=5).at("X-B4.5").values.strategy
    given = solved(TENTHS).at("X-B4.5").values.strategy
    np.testing.assert_allclose(held, given, atol=2e-6)
