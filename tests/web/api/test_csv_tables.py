"""Tables as CSV have the figures of the documents, with all digits."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist.web.api.csv_tables import comparison_csv, curves_csv, rows_csv
from equilibrist.web.errors import ConflictError
from equilibrist.web.games import infosets
from equilibrist.web.jobs.job import Job
from tests.web.conftest import put
from tests.web.following import running, started
from tests.web.scripted import ScriptedWorker


def table(client: TestClient, path: str, **query: Any) -> list[dict[str, str]]:
    answer = client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/csv")
    assert ".csv" in answer.headers["content-disposition"]
    return [*csv.DictReader(io.StringIO(answer.text))]


def race() -> Job:
    job = Job("abc", "compare", "kuhn", {}, "", 0, 0.0, algorithms=["cfr", "lcfr@external"])
    job.curves = {"cfr": [(1, 0.1, 0.5), (2, 0.2, 0.25)], "lcfr@external": [(4, 0.1, 1 / 3)]}
    job.more_seeds = {"lcfr@external": {"1": [(4, 0.2, 0.75)]}}
    entry = {
        "algorithm": "cfr",
        "iterations": 2,
        "seconds": 0.2,
        "stopped_by": "iterations",
        "nash_conv": 0.5,
        "exploitability": 0.25,
        "gap": None,
        "reached": {"0.5": {"iterations": 1, "seconds": 0.1}, "0.1": None},
    }
    failed = {"algorithm": "x", "error": 'a "quoted", text'}
    job.comparison = {
        "game": "kuhn", "measure": "exploitability", "levels": [0.5, 0.1],
        "algorithms": [entry], "failed": [failed],
    }  # fmt: skip
    return job


def test_a_race_is_a_row_for_each_measurement() -> None:
    rows = [*csv.DictReader(io.StringIO(curves_csv(race())))]
    assert [(row["algorithm"], row["run"], row["iteration"]) for row in rows] == [
        ("cfr", "0", "1"), ("cfr", "0", "2"), ("lcfr@external", "0", "4"),
        ("lcfr@external", "1", "4"),
    ]  # fmt: skip
    assert float(rows[2]["measure"]) == 1 / 3


def test_what_a_race_has_reached_is_a_row_for_each_entry() -> None:
    first, failed = csv.DictReader(io.StringIO(comparison_csv(race())))
    assert (first["iterations to 0.5"], first["seconds to 0.5"]) == ("1", "0.1")
    assert (first["iterations to 0.1"], first["gap"], first["error"]) == ("", "", "")
    assert (failed["algorithm"], failed["error"]) == ("x", 'a "quoted", text')


def test_only_races_that_have_ended_are_compared() -> None:
    with pytest.raises(ConflictError) as refused:
        comparison_csv(Job("abc", "game", "kuhn", {}, "", 0, 0.0))
    assert refused.value.option == "job"


def test_a_run_is_a_table_while_it_runs(client: TestClient, workers: list[ScriptedWorker]) -> None:
    job = running(client, started(client, game="kuhn"))
    (row,) = table(client, f"/api/jobs/{job['id']}/curves.csv")
    assert (row["iteration"], row["seconds"], row["measure"]) == ("7", "2.0", "0.5")
    answer = client.get(f"/api/jobs/{job['id']}/comparison.csv")
    assert (answer.status_code, answer.json()["option"]) == (409, "job")


def test_infosets_are_a_row_for_each_action(client: TestClient, kuhn_file: Path) -> None:
    put(client, kuhn_file, "kuhn")
    rows = table(client, "/api/solutions/kuhn/infosets.csv", order="reach", descending=True)
    document = client.get(
        "/api/solutions/kuhn/infosets?values=true&state=true&order=reach&descending=true"
    ).json()
    assert len(rows) == sum(len(entry["strategy"]) for entry in document["infosets"])
    place = iter(rows)
    for entry in document["infosets"]:
        for action, probability in entry["strategy"].items():
            row = next(place)
            assert (row["infoset"], row["action"]) == (entry["infoset"], action)
            assert float(row["probability"]) == probability
            assert float(row["reach"]) == entry["reach"]
            assert float(row["action_cf_value"]) == entry["cf_action_values"][action]
            assert row["regret"] == ""
    only = table(client, "/api/solutions/kuhn/infosets.csv", key="1pb")
    assert {row["infoset"] for row in only} == {"1pb"}
    own = table(client, "/api/solutions/kuhn/infosets.csv", player=1)
    assert {row["player"] for row in own} == {"1"}


def test_tables_have_a_limit(
    client: TestClient, kuhn_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(client, kuhn_file, "kuhn")
    monkeypatch.setattr(infosets, "_MOST_ROWS", 5)
    answer = client.get("/api/solutions/kuhn/infosets.csv")
    assert (answer.status_code, answer.json()["option"]) == (413, "match")


def test_trees_are_a_row_for_each_history(client: TestClient, kuhn_file: Path) -> None:
    put(client, kuhn_file, "kuhn")
    for path in ("/api/solutions/kuhn/tree", "/api/games/kuhn/tree"):
        rows, nodes = table(client, f"{path}.csv"), client.get(path).json()["nodes"]
        assert [row["history"] for row in rows] == [" | ".join(node["history"]) for node in nodes]
        ends = [row for row in rows if row["kind"] == "terminal"]
        assert all(float(row["payoff 0"]) == -float(row["payoff 1"]) for row in ends)
    assert len(table(client, "/api/games/kuhn/tree.csv", move="1")) < len(rows)


def test_payoff_tables_and_paths_are_tables(client: TestClient) -> None:
    game = "/api/games/rock_paper_scissors"
    rows = table(client, f"{game}/matrix.csv")
    assert len(rows) == 9
    assert sum(float(row["payoff 0"]) for row in rows) == 0
    path = table(client, f"{game}/trajectory.csv", iterations=3, begin="first")
    document = client.get(f"{game}/trajectory?iterations=3&begin=first").json()
    assert len(path) == 6 * len(document["moments"])
    last = document["moments"][-1]
    averages = [float(row["average"]) for row in path[-6:]]
    assert averages == [*last["average"][0], *last["average"][1]]


def test_cells_come_back_as_they_were() -> None:
    rows: list[list[Any]] = [["a,b", 'c"d', "e\rf\ng"], [0.1 + 0.2, None, float("nan")]]
    text = rows_csv(["x", "y", "z"], rows)
    assert [*csv.reader(io.StringIO(text, newline=""))][1:] == [
        ["a,b", 'c"d', "e\rf\ng"],
        [repr(0.1 + 0.2), "", ""],
    ]
