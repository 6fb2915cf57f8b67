"""Nodes as pages show them: the columns have the figures of the engine, and locks fit."""

from __future__ import annotations

import csv
import gzip
import io
import json
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from equilibrist import load_result, poker
from equilibrist.poker.betting import lines
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.postflop.solution.node_aggregates import json_number
from equilibrist.poker.postflop.spot.spot import spot_from_text
from equilibrist.poker.text_span import TextSpan
from equilibrist.web.solutions.nodes import NodeTexts, node_columns
from tests.web.conftest import SPOT, put
from tests.web.following import running
from tests.web.scripted import ScriptedWorker

LINES = ["", "X-B50", "X-B50-C|8h", "X-X"]


@pytest.fixture
def library(client: TestClient, kuhn_file: Path, spot_file: Path) -> TestClient:
    put(client, kuhn_file, "kuhn")
    put(client, spot_file, "turn")
    return client


def ask(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/solutions/turn/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("line", LINES)
def test_columns_are_the_hands_of_the_node(library: TestClient, line: str) -> None:
    shown, node = ask(library, "study", line=line), ask(library, "node", line=line)["node"]
    for key in ("line", "board", "street", "pot", "player", "frequency", "action_ev", "ev", "eqr"):
        assert shown[key] == node[key], key
    assert [action["code"] for action in shown["actions"]] == node["codes"]
    first = shown["player"] or 0
    for player, hands in ((first, node["hands"]), (1 - first, node["other_hands"])):
        columns = shown["hands"][player]
        assert [combo_name(combo) for combo in columns["combos"]] == list(hands)
        for key in ("weight", "equity", "ev"):
            assert columns[key] == [hand[key] for hand in hands.values()]
    for key, name in (("strategy", "strategy"), ("action_evs", "action_ev")):
        rows = [list(hand[name]) for hand in node["hands"].values()]
        assert [list(row) for row in zip(*shown[key], strict=True)] == [r for r in rows if r]


def test_matchups_and_realised_equity(library: TestClient, spot_file: Path) -> None:
    node = load_result(spot_file).at("X-B50")
    for player, columns in enumerate(ask(library, "study", line="X-B50")["hands"]):
        held = node.combos(player)
        assert np.allclose(columns["matchups"], node.values.matchups[player, held], rtol=1e-5)
        assert columns["eqr"] == [json_number(x) for x in node.realised(player)[held].tolist()]


def test_the_way_to_a_node(library: TestClient) -> None:
    way = ask(library, "study", line="X-B50-C|8h|X")["way"]
    assert [place["line"] for place in way] == [
        "", "X", "X-B50", "X-B50-C", "X-B50-C|8h", "X-B50-C|8h|X"
    ]  # fmt: skip
    assert [place["player"] for place in way] == [0, 1, 0, None, 0, 1]
    assert [place["pot"] for place in way] == [100, 100, 150, 200, 200, 200]
    assert [place["behind"] for place in way[1:4]] == [[100, 100], [100, 50], [50, 50]]
    taken = [place["actions"][place["chosen"]]["code"] for place in way[:3]]
    assert taken == ["X", "B50", "C"]
    assert way[3]["card"] == "8h"
    assert [action["role"] for action in way[0]["actions"]] == ["passive", "bet:0/1"]
    assert [action["role"] for action in way[2]["actions"]] == ["fold", "passive"]


@pytest.mark.parametrize("path", ["study", "node", "grid"])
def test_a_line_is_parsed_once(
    library: TestClient, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    part = lines._part

    def noted(text: TextSpan, cards: TextSpan) -> lines.LinePart:
        parsed.append(text.text)
        return part(text, cards)

    monkeypatch.setattr(lines, "_part", noted)
    lines._streets.cache_clear()
    ask(library, path, line="X-B50")
    assert parsed.count("X-B50") == 1


def test_an_all_in_is_followed_by_cards() -> None:
    way = node_columns(poker.solve(SPOT.replace(stack=50), iterations=2), "A50-C|8h")["way"]
    assert [place["line"] for place in way[-2:]] == ["A50-C", "A50-C|8h"]
    assert (way[-2]["card"], way[-2]["deals_a_card"], way[-1]["deals_a_card"]) == (
        "8h",
        True,
        False,
    )
    assert way[-1]["behind"] == [0, 0]
    assert way[-1]["what"] == "showdown"


def test_hands_that_do_not_arrive_are_told_apart() -> None:
    locked = SPOT.replace(locks=(poker.Lock.parse(": QQ = Check 1"),))
    solution = poker.solve(locked, iterations=20)  # a bet with AA is better than nothing
    for line, oop in (("", [True] * 12), ("B50", [False] * 6)):
        node = node_columns(solution, line)
        assert [hands["arrives"] for hands in node["hands"]] == [oop, [True] * 7]
        assert node["absent"] == ([] if all(oop) else ["oop"])
    queens = [combo_name(combo) for combo in node["hands"][0]["gone"]]
    assert (len(queens), queens[0], node["hands"][1]["gone"]) == (6, "QsQh", [])
    dealt = node_columns(solution, "X-X|Qs")["hands"][0]  # hands with the card are not dealt
    assert dealt["gone"] == []


def test_nodes_are_kept_while_a_solution_is_open(
    spot_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, solution, asked = NodeTexts(), load_result(spot_file), []

    def columns(solution: Any, line: str) -> dict[str, Any]:
        asked.append(line)
        return {"line": line}

    monkeypatch.setattr("equilibrist.web.solutions.nodes.node_columns", columns)
    for line in ("", "X", "", "X"):
        texts.packed(solution, line)
    assert asked == ["", "X"]
    texts.packed(load_result(spot_file), "")
    assert asked == ["", "X", ""]


def test_nodes_that_are_kept_take_so_many_bytes(
    spot_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are kept as they are sent: packed, the newest of them."""
    texts, solution = NodeTexts(), load_result(spot_file)
    packed = {line: texts.packed(solution, line) for line in ("", "X", "X-X")}
    for line, content in packed.items():
        assert json.loads(gzip.decompress(content)) == node_columns(solution, line)
    most = len(packed["X"]) + len(packed["X-X"])
    monkeypatch.setattr("equilibrist.web.solutions.nodes._MOST_BYTES", most)
    texts.packed(solution, "B50")
    (kept,) = texts._kept.values()
    assert sum(map(len, kept.values())) <= most
    assert list(kept)[-1] == "B50"


def test_a_node_is_sent_packed_to_those_who_take_it(library: TestClient) -> None:
    place = "/api/solutions/turn/study"
    plain = library.get(place, headers={"Accept-Encoding": "identity"})
    packed = library.get(place, headers={"Accept-Encoding": "gzip"})
    assert plain.json() == packed.json()
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("seat", ["oop", "ip"])
def test_the_grid_has_the_classes(library: TestClient, spot_file: Path, seat: str) -> None:
    node, player = load_result(spot_file).at("X"), ("oop", "ip").index(seat)
    found = ask(library, "grid", line="X", player=seat)
    classes = node.classes(player)
    assert set(found["classes"]) == ({"KK", "QJs"} if player else {"AA", "QQ"})
    place = (1, 1) if player else (0, 0)
    one = found["classes"]["KK" if player else "AA"]
    assert one["weight"] == json_number(classes.weight[place])
    assert one["ev"] == json_number(classes.ev[place])
    assert found["actions"] == ([str(action) for action in node.actions] if player else [])
    assert one["strategy"] == [json_number(row[place]) for row in classes.strategy]
    assert one["eqr"] == json_number(classes.ev[place] / (classes.equity[place] * node.pot))


@pytest.mark.parametrize("by", ["equity", "ev", "eqr"])
def test_hands_are_sorted(library: TestClient, by: str) -> None:
    found = ask(library, "graph", line="X", by=by)
    columns = ask(library, "study", line="X")["hands"]
    for player, seat in enumerate(("oop", "ip")):
        named = zip(map(combo_name, columns[player]["combos"]), columns[player][by], strict=True)
        figures = {hand: figure for hand, figure in named if figure is not None}
        assert found[seat][by] == sorted(figures.values())
        assert [figures[hand] for hand in found[seat]["hands"]] == found[seat][by]
        assert found[seat]["up_to"][-1] == 1
        first = found[seat]["hands"][0]
        named = zip(
            map(combo_name, columns[player]["combos"]), columns[player]["weight"], strict=True
        )
        weights = {hand: weight for hand, weight in named if hand in figures}
        assert found[seat]["up_to"][0] == pytest.approx(
            weights[first] / sum(weights.values()), 1e-5
        )


def test_hands_as_csv(library: TestClient, spot_file: Path) -> None:
    text = library.get("/api/solutions/turn/hands.csv", params={"line": "X"}).text
    rows = list(csv.DictReader(io.StringIO(text)))
    node = load_result(spot_file).at("X")
    assert [row["hand"] for row in rows] == [combo_name(c) for c in node.combos(1).tolist()]
    jack = next(row for row in rows if row["hand"] == "QsJs")
    assert (jack["made_hand"], jack["draw"], float(jack["weight"])) == ("nothing", "no draw", 0.5)
    assert float(jack["ev"]) == pytest.approx(node.values.ev[1, node.combos(1)[-1]], abs=1e-6)
    shares = [float(jack[f"{action} freq"]) for action in node.actions]
    assert sum(shares) == pytest.approx(1, abs=1e-5)


def test_wrong_questions(library: TestClient) -> None:
    for path, status in (
        ("kuhn/study", 409),
        ("none/study", 404),
        ("turn/study?line=X-B51", 422),
        ("turn/grid?player=both", 422),
        ("turn/graph?by=height", 422),
        ("turn/lock?line=X-X", 422),
    ):
        assert library.get(f"/api/solutions/{path}").status_code == status, path


@pytest.mark.slow
def test_a_street_that_is_not_kept(make_client: Any, spot_file: Path, tmp_path: Path) -> None:
    less = load_result(spot_file).save(tmp_path / "less.safetensors", "first-street")
    client = make_client(token="o" * 16, guest_token="g" * 16)
    put(client, less, "less")
    path = "/api/solutions/less/study?line=X-X|8h"
    owner, guest = ({"Authorization": f"Bearer {who * 16}"} for who in "og")
    assert client.get(path, headers=owner).json()["option"] == "line"
    assert client.get(f"{path}&resolve=true", headers=guest).status_code == 403
    solved = client.get(f"{path}&resolve=true", headers=owner).json()
    assert solved["board"] == "Ts3h2h5c8h"
    assert solved["resolved_exploitability_chips"] is not None
    locks: dict[str, list[str]] = {"locks": []}
    for what in ("locks", "resolve"):
        answer = client.post(f"/api/solutions/less/{what}", json=locks, headers=guest)
        assert answer.status_code == 403


def test_locks_are_read_and_written(library: TestClient) -> None:
    given = {"locks": ["X: KK = Check 25%, Bet 50 75%"]}
    found = library.post("/api/solutions/turn/locks", json=given).json()
    assert found["locks"] == ["X: KK = Check 0.25, Bet 50 0.75"]
    spot = spot_from_text(found["spot"])
    assert spot == SPOT.replace(locks=(poker.Lock.parse(given["locks"][0]),))
    assert (found["options"]["storage"], found["options"]["iterations"]) == ("float32", 10)
    for wrong in ("X: KK = Check 80%, Bet 50 75%", "X: KK", "X: Fold 20%", "X-X-X: Check 1"):
        answer = library.post("/api/solutions/turn/locks", json={"locks": [wrong]})
        assert answer.status_code == 422, wrong
        assert answer.json()["error"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "study?line=X"),
        ("GET", "node?line=X"),
        ("GET", "lock?line=X"),
        ("GET", "hands.csv?line=X"),
        ("GET", "runouts?line=X-X"),
        ("POST", "locks?"),
    ],
)
def test_what_has_taken_the_name_of_a_solution_is_not_its_node(
    library: TestClient, tmp_path: Path, method: str, path: str
) -> None:
    """A page that was opened before would show nodes of two solutions as those of one."""

    def answer(name: str, stamp: str) -> Any:
        body: dict[str, Any] = {"json": {"locks": []}} if method == "POST" else {}
        address = f"/api/solutions/{name}/{path}&stamp={stamp}"
        return library.request(method, address, **body)

    services = library.services  # type: ignore[attr-defined]
    stamp = services.library.stamp("turn")
    first = answer("turn", stamp)
    assert first.status_code == 200, first.text
    library.post("/api/solutions/turn", json={"name": "moved"})
    assert answer("turn", stamp).content == first.content  # found under its new name
    other = poker.solve(SPOT.replace(oop="AA"), iterations=3)
    other.save(services.library.new_path("turn"))
    assert answer("turn", stamp).content == first.content
    assert answer("turn", services.library.stamp("turn")).status_code == 200
    library.delete("/api/solutions/moved")
    refused = answer("turn", stamp)
    assert (refused.status_code, refused.json()["given"]) == (404, "turn")


@pytest.mark.parametrize("path", ["infosets", "facts", "walk", "tree"])
def test_what_has_taken_the_name_of_a_solution_of_a_game_is_not_shown(
    library: TestClient, path: str
) -> None:
    stamp = library.services.library.stamp("kuhn")  # type: ignore[attr-defined]
    address = f"/api/solutions/kuhn/{path}?stamp={stamp}"
    assert library.get(address).status_code == 200
    library.delete("/api/solutions/kuhn")
    library.post("/api/solutions/turn", json={"name": "kuhn"})
    refused = library.get(address)
    assert (refused.status_code, refused.json()["given"]) == (404, "kuhn")


def test_the_target_of_a_spot_that_is_solved_again_is_what_was_typed(
    library: TestClient, tmp_path: Path
) -> None:
    solution = poker.solve(SPOT.replace(board="Ts3h2h5c9d"), target="0.015c")
    solution.save(tmp_path / "met.safetensors")
    content = (tmp_path / "met.safetensors").read_bytes()
    assert library.put("/api/uploads/met.safetensors", content=content).status_code == 201
    checked = library.post("/api/solutions/met/locks", json={"locks": []}).json()
    assert checked["options"]["target"] == "0.015c"


def test_a_lock_to_what_is_played(library: TestClient, spot_file: Path) -> None:
    found = ask(library, "lock", line="X")
    assert found["lock"] == str(load_result(spot_file).lock("X"))
    assert found["locks"] == []
    checked = library.post("/api/solutions/turn/locks", json={"locks": [found["lock"]]})
    assert checked.json()["locks"] == [found["lock"]]


def test_solving_again_is_a_job(library: TestClient, workers: list[ScriptedWorker]) -> None:
    given = {"locks": ["X: Check 100%"], "options": {"iterations": 5}}
    answer = library.post("/api/solutions/turn/resolve", json=given)
    assert answer.status_code == 201
    job = running(library, answer.json())
    assert workers[0].order.spot == job["spot"]
    assert job["options"]["iterations"] == "5"
    assert spot_from_text(job["spot"]).locks == (poker.Lock.parse("X: Check 100%"),)


def test_others_look_at_a_solution_between_two_cards(
    library: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report on all cards takes a second on a flop, for which no click may wait."""
    seen: list[str] = []

    def look() -> None:
        with library.services.library.opened("turn") as solution:  # type: ignore[attr-defined]
            seen.append(solution.game)

    def sleep(_seconds: float) -> None:
        other = threading.Thread(target=look)
        other.start()
        other.join(10)

    monkeypatch.setattr(time, "sleep", sleep)
    found = ask(library, "runouts", line="X-X")["runouts"]
    assert len(found) == 48
    assert len(seen) >= 13


def test_a_spot_is_opened_by_its_name_or_by_its_file(library: TestClient) -> None:
    """Also where it has another name now; what else there is, is refused."""
    found = ask(library, "spot")
    assert (found["name"], found["board"], found["is_later"]) == ("turn", SPOT.board, False)
    assert (found["kept_cards"], found["run"], found["title"]["board"]) == (1, None, SPOT.board)
    stamp = {"stamp": found["stamp"]}
    assert library.post("/api/solutions/turn", json={"name": "mine"}).status_code == 200
    moved = library.get("/api/solutions/turn/spot", params=stamp).json()
    assert (moved["name"], moved["stamp"]) == ("mine", found["stamp"])
    assert library.get("/api/solutions/kuhn/spot").status_code == 409
    assert library.get("/api/solutions/none/spot").status_code == 404
