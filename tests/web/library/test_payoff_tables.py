"""Payoff tables in the browser: pasted, edited, made into games, and what is refused of them."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

JSON = {"Content-Type": "application/json"}
DILEMMA: dict[str, Any] = {
    "title": "Prisoner's dilemma (of class 4b)",
    "players": ["Ann", "Bob"],
    "rows": ["quiet", "talk"],
    "columns": ["quiet", "talk"],
    "payoffs": [[[3, 3], [0, 5]], [[5, 0], [1, 1]]],
}


def changed(**parts: Any) -> dict[str, Any]:
    return {**DILEMMA, **parts}


@pytest.mark.parametrize(
    ("text", "rows", "payoffs", "is_zero_sum"),
    [
        (",C,D\nC,(3,3),(0,5)\nD,(5,0),(1,1)", ["C", "D"], [3, 3], False),
        ("1\t-1\n-1\t1", ["0", "1"], [1, -1], True),  # a spreadsheet's cells
        ("x y\na\\ b 1 -1\nc -1 1", ["a b", "c"], [1, -1], True),
        ("[[1, -1], [-1, 1]]", ["0", "1"], [1, -1], True),
        (
            "| | L | R |\n|---|---|---|\n| T | 1,2 | 3,4 |\n| B | 5,6 | 7,8 |",
            ["T", "B"],
            [1, 2],
            False,
        ),
    ],
)
def test_what_is_pasted_is_read(
    client: TestClient, text: str, rows: list[str], payoffs: list[float], is_zero_sum: bool
) -> None:
    found = client.post("/api/payoffs/read", json={"text": text}).json()
    assert found["rows"] == rows
    assert found["payoffs"][0][0] == payoffs
    assert found["is_zero_sum"] is is_zero_sum


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "the table"),
        ("1,2\n3", "the table, line 2, column 1"),
        ("[[1,2],[3,4", "the table, line 1, column 8"),
        ("\n".join(",".join("1" * 31)) + "\n" + ",".join("1" * 31), None),
    ],
)
def test_what_is_no_table_is_refused_with_its_place(
    client: TestClient, text: str, place: str | None
) -> None:
    answer = client.post("/api/payoffs/read", json={"text": text})
    assert answer.status_code == 422
    assert place is None or answer.json()["place"] == place
    assert answer.json()["remedy"]


@pytest.mark.slow
def test_a_table_becomes_a_game_and_is_edited_again(client: TestClient) -> None:
    made = client.post("/api/payoffs", json=DILEMMA)
    assert made.status_code == 201
    name = made.json()["name"]
    assert made.json()["title"] == DILEMMA["title"]
    table = client.get(f"/api/games/{name}/matrix").json()
    for part in ("rows", "columns", "payoffs"):
        assert table[part] == DILEMMA[part]
    assert client.get(f"/api/games/{name}/form").json()["player_names"] == ["Ann", "Bob"]
    assert client.post("/api/payoffs", json=DILEMMA).json()["name"] == name  # the same game
    other = client.post("/api/payoffs", json=changed(payoffs=[[[3], [0]], [[5], [1]]])).json()
    assert other["name"] == f"{name}-2"  # which solutions of the first one do not take for it
    table = client.get(f"/api/games/{other['name']}/matrix").json()
    assert table["payoffs"][0] == [[3, -3], [0, 0]]


@pytest.mark.parametrize(
    ("parts", "place"),
    [
        ({"rows": ["quiet", " "]}, "rows[1]"),
        ({"columns": ["talk", "talk "]}, "columns[1]"),
        ({"rows": ["quiet", "talk\\"]}, "rows[1]"),
        ({"rows": []}, "rows"),
        ({"columns": [str(k) for k in range(31)]}, "columns"),
        ({"payoffs": [[[3, 3], [0, 5]]]}, "payoffs"),
        ({"payoffs": [[[3, 3], [0, 5]], [[5, 0]]]}, "payoffs[1]"),
        ({"payoffs": [[[3, 3], []], [[5, 0], [1, 1]]]}, "payoffs[0][1]"),
        ({"players": ["Ann"]}, "players"),
        ({"players": ["Ann", "B\nob"]}, "players[1]"),
        ({"players": ["Ann\\", "Bob"]}, "players[0]"),
        ({"rows": ["quiet", "ta\nlk"]}, "rows[1]"),
        ({"columns": ["\0", "talk"]}, "columns[0]"),
        ({"title": "a\0b"}, "title"),
        ({"title": "a\\"}, "title"),
    ],
)
def test_bad_cells_are_refused_with_their_place(
    client: TestClient, parts: dict[str, Any], place: str
) -> None:
    answer = client.post("/api/payoffs", json=changed(**parts))
    assert answer.status_code == 422
    assert answer.json()["place"] == place
    assert answer.json()["option"] == place.partition("[")[0]
    assert client.get("/api/games").json()[-1]["name"] == "random_tree"  # nothing is kept


def test_a_title_that_means_a_device_is_refused_as_uploads_are(client: TestClient) -> None:
    answer = client.post("/api/payoffs", json=changed(title="con"))
    assert (answer.status_code, answer.json()["given"]) == (422, "con")


@pytest.mark.parametrize("payoff", ['"x"', "null", "1e999", "true", "[1]"])
def test_cells_that_are_no_numbers_are_refused(client: TestClient, payoff: str) -> None:
    body = f'{{"rows": ["a"], "columns": ["b"], "payoffs": [[[{payoff}, 0]]]}}'
    answer = client.post("/api/payoffs", content=body, headers=JSON)
    assert answer.status_code == 422
    assert answer.json()["option"].startswith("payoffs")
