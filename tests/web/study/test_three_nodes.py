"""Nodes of three players as pages show them: the columns have the figures of the engine."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from equilibrist.poker import ThreeSpot, solve_three
from equilibrist.poker.cards.combos import CLASS_NAMES, combo_name
from equilibrist.poker.postflop.solution.node_aggregates import json_number, json_numbers
from equilibrist.poker.three_players.node import ThreeNode
from equilibrist.poker.three_players.solution import ThreeSolution, read_three
from equilibrist.web.solutions.three_nodes import three_columns
from tests.web.conftest import THREE, put

LINES = ["", "X", "B30-C", "B30-F-A100", "X-X-X", "X-X-X|7c", "X-X-X|2h|X-A40", "A100-F-F"]


@pytest.fixture
def library(client: TestClient, three_file: Path) -> TestClient:
    put(client, three_file, "three")
    return client


@pytest.fixture(scope="module")
def solution(three_file: Path) -> ThreeSolution:
    return read_three(three_file)


def ask(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/solutions/three/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("line", LINES)
def test_columns_are_the_hands_of_the_engine(
    library: TestClient, solution: ThreeSolution, line: str
) -> None:
    shown, node = ask(library, "study", line=line), ThreeNode(solution, line)
    assert (shown["line"], shown["board"], shown["pot"]) == (node.line, node.board, node.pot)
    assert (shown["to_call"], shown["behind"]) == (node.to_call, list(node.stacks))
    assert (shown["player"], shown["deals_a_card"]) == (node.player, node.deals_a_card)
    assert shown["live"] == [node.is_live(seat) for seat in range(3)]
    assert [action["line"] for action in shown["actions"]] == list(node.next_lines.values())
    assert shown["reached"] == json_number(node.reached)
    for seat, columns in enumerate(shown["hands"]):
        held = np.flatnonzero(node.ranges[seat])[::-1]
        assert columns["combos"] == held.tolist()
        assert np.allclose(columns["weight"], node.ranges[seat, held], rtol=1e-5)
        here = np.array(columns["weight"]) * columns["matchups"]
        assert np.allclose(here, node.matchups(seat)[held], rtol=1e-4)
        assert columns["arrives"] == node.arrives(seat)[held].tolist()
        if seat != node.player:
            assert set(columns["ev"]) <= {None}
            continue
        decision = node.decision
        assert decision.ev is not None
        assert decision.action_ev is not None
        assert columns["ev"] == json_numbers(decision.ev[held])
        assert shown["strategy"] == json_numbers(decision.strategy[:, held])
        assert shown["action_evs"] == json_numbers(decision.action_ev[:, held])


@pytest.mark.parametrize("line", ["", "B30-C", "X-X-X|7c"])
def test_means_are_those_of_the_hands(
    library: TestClient, solution: ThreeSolution, line: str
) -> None:
    shown, node = ask(library, "study", line=line), ThreeNode(solution, line)
    assert shown["frequency_by_combos"] == pytest.approx(list(node.frequency.values()), abs=1e-6)
    assert shown["action_ev"] == [json_number(ev) for ev in node.ev_by_action.values()]
    seat = node.player
    assert seat is not None
    counts, decision = node.matchups(seat), node.decision
    often = decision.strategy @ counts / counts.sum()
    assert shown["frequency"] == pytest.approx(often.tolist(), abs=1e-6)
    assert decision.ev is not None
    mean = float(np.nansum(decision.ev * counts) / counts.sum())
    assert shown["ev"] == [pytest.approx(mean, abs=1e-5) if k == seat else None for k in range(3)]
    if not line:
        assert mean == pytest.approx(solution.values[0], abs=1e-5)


def test_the_way_to_a_node(library: TestClient) -> None:
    way = ask(library, "study", line="X-X-X|7c|B30")["way"]
    assert [place["line"] for place in way] == ["", "X", "X-X", "X-X-X", "X-X-X|7c", "X-X-X|7c|B30"]
    assert [place["player"] for place in way] == [0, 1, 2, None, 0, 1]
    assert [place["street"] for place in way] == [*["turn"] * 4, *["river"] * 2]
    assert [place["card"] for place in way] == [None, None, None, "7c", None, None]
    taken = [way[k]["actions"][way[k]["chosen"]]["code"] for k in (0, 1, 2, 4)]
    assert taken == ["X", "X", "X", "B30"]


def test_the_head_says_what_each_seat_wins_and_gains(
    library: TestClient, solution: ThreeSolution
) -> None:
    head = ask(library, "spot")
    assert (head["seats"], head["kept_cards"]) == (["oop", "middle", "ip"], 1)
    assert (head["values"], head["gains"]) == (list(solution.values), list(solution.gains))
    assert (head["pot"], head["measure"]) == (60, solution.nash_conv)
    assert head["measure_percent"] == pytest.approx(solution.nash_conv_percent)


def test_the_library_says_who_plays(library: TestClient) -> None:
    (entry,) = library.get("/api/solutions").json()["solutions"]
    title = entry["title"]
    assert (title["kind"], title["stack"], title["stacks"]) == ("three", None, [100, 40, 250])
    assert title["text"] == "three players, Qs9h5d3c, 60/100/40/250, 50 %"
    seats = {"oop": "SB", "middle": "BB", "ip": "BTN"}
    assert library.put("/api/solutions/three/note", json=seats).status_code == 200
    title = ask(library, "spot")["title"]
    assert {seat: title[seat] for seat in seats} == seats
    assert title["text"].startswith("SB, BB, BTN, Qs9h5d3c")


def test_documents_of_nodes_and_files(library: TestClient, solution: ThreeSolution) -> None:
    assert ask(library, "node", line="X") == solution.to_dict("X")
    grid, node = ask(library, "grid", line="X"), ThreeNode(solution, "X")
    classes = node.classes(1)
    assert grid["player"] == "middle"
    assert set(grid["classes"]) == {
        CLASS_NAMES[k] for k in np.flatnonzero(classes.weight.ravel()).tolist()
    }
    row = CLASS_NAMES.index("KTs")
    expected = classes.strategy.reshape(len(node.actions), -1)[:, row]
    assert grid["classes"]["KTs"]["strategy"] == json_numbers(expected)
    assert set(ask(library, "grid", line="X", player="ip")["classes"]["QJs"]["strategy"]) == set()
    text = library.get("/api/solutions/three/hands.csv", params={"line": "X"}).text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["hand"] for row in rows] == [
        combo_name(combo) for combo in np.flatnonzero(node.ranges[1])[::-1].tolist()
    ]
    assert node.decision.ev is not None
    assert float(rows[0]["ev"]) == pytest.approx(node.decision.ev[node.combos(1)[0]], abs=1e-6)


def test_what_follows_every_card(library: TestClient, solution: ThreeSolution) -> None:
    rows = ask(library, "runouts", line="X-X-X")["runouts"]
    assert len(rows) == 48
    row = next(row for row in rows if row["card"] == "7c")
    node = ThreeNode(solution, "X-X-X|7c")
    assert row["player"] == "oop"
    assert [row[f"{name} ev"] for name in node.ev_by_action] == [
        json_number(ev) for ev in node.ev_by_action.values()
    ]
    counts = node.matchups(0)
    often = node.decision.strategy @ counts / counts.sum()
    assert [row[f"{action} freq"] for action in node.actions] == pytest.approx(
        often.tolist(), abs=1e-6
    )


@pytest.mark.slow
def test_a_flop_is_looked_at_on_all_streets(client: TestClient, tmp_path: Path) -> None:
    spot = ThreeSpot(**THREE.model_dump() | {"board": "Qs9h5d", "bets": "a||a"})
    solution = solve_three(spot, iterations=2)
    put(client, solution.save(tmp_path / "flop.safetensors"), "three")
    streets = {"X": "flop", "X-X-X|2c": "turn", "X-X-X|2c|X-X-X|8d|X": "river"}
    for line, street in streets.items():
        shown, node = ask(client, "study", line=line), ThreeNode(solution, line)
        assert (shown["street"], shown["board"]) == (street, node.board)
        held = np.flatnonzero(node.ranges[node.player])[::-1]
        assert shown["hands"][node.player]["combos"] == held.tolist()
        assert shown["hands"][node.player]["ev"] == json_numbers(node.decision.ev[held], 6)
    assert [place["card"] for place in shown["way"] if place["card"]] == ["2c", "8d"]
    for line, cards in (("X-X-X", 49), ("X-X-X|2c|X-X-X", 48)):
        rows = ask(client, "runouts", line=line)["runouts"]
        assert len(rows) <= cards
        after = ThreeNode(solution, f"{line}|{rows[0]['card']}")
        assert next(iter(after.ev_by_action.values())) == pytest.approx(
            rows[0][f"{after.actions[0]} ev"], abs=1e-5
        )


def test_what_play_does_not_reach_says_so(solution: ThreeSolution) -> None:
    strategies = [rows.copy() for rows in solution.strategies]
    game = solution.laid_out.games[0]
    check, *others = range(*game.first[:2])
    strategies[0][others], strategies[0][check] = 0.0, 1.0
    changed = replace(solution, strategies=tuple(strategies))
    shown = three_columns(changed, "B30")
    assert shown["absent"] == ["oop"]
    assert shown["hands"][0]["combos"] == []
    assert shown["frequency"] == [None] * len(shown["actions"])
    assert three_columns(changed, "X")["absent"] == []


@pytest.mark.parametrize(
    ("method", "path", "body", "option"),
    [
        ("GET", "solutions/three/graph", None, "players"),
        ("GET", "solutions/three/lock", None, "players"),
        ("POST", "solutions/three/locks", {"locks": []}, "players"),
        ("POST", "solutions/three/resolve", {"locks": []}, "players"),
        ("GET", "solutions/three/runouts?line=X", None, "line"),
        ("GET", "solutions/three/infosets", None, "name"),
        ("POST", "play/tables", {"solution": "three"}, "name"),
        ("POST", "play/drills", {"solution": "three"}, "name"),
    ],
)
def test_what_there_is_not_for_three_is_refused(
    library: TestClient, method: str, path: str, body: Any, option: str
) -> None:
    answer = library.request(method, f"/api/{path}", json=body)
    assert (answer.status_code, answer.json()["kind"]) == (409, "ConflictError")
    assert answer.json()["option"] == option


@pytest.mark.parametrize(
    ("path", "query", "status", "option"),
    [
        ("study", {"line": "X-R"}, 422, "line"),
        ("study", {"line": "X|7c"}, 422, "line"),
        ("study", {"line": "X-X-X|Qs"}, 422, "board"),
        ("grid", {"player": "button"}, 422, "player"),
        ("hands.csv", {"player": "utg"}, 422, "player"),
    ],
)
def test_what_cannot_be_looked_up_is_said(
    library: TestClient, path: str, query: dict[str, str], status: int, option: str
) -> None:
    answer = library.get(f"/api/solutions/three/{path}", params=query)
    assert (answer.status_code, answer.json()["option"]) == (status, option)


def test_two_are_not_compared(library: TestClient, three_file: Path) -> None:
    put(library, three_file, "other")
    compared = library.get("/api/solutions/three/compare", params={"other": "other"}).json()
    assert (compared["why_not"], compared["spots"]) == ("three-players", None)


def test_the_spot_is_that_of_the_file(library: TestClient) -> None:
    form = library.get("/api/setup/form", params={"solution": "three"}).json()["form"]
    checked = library.post("/api/setup/check", json={"form": form}).json()
    assert checked["errors"] == []
    assert checked["spot"] == THREE.to_toml()
