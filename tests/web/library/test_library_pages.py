"""The library page by page: order, search, folders, notes, titles, and the index that is kept."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist import load_result, poker
from equilibrist.library import listing
from equilibrist.poker.preflop.push_fold.game import PushFold
from equilibrist.storage.kinds.file_kinds import PUSH_FOLD, SPOT_SOLUTION
from equilibrist.web.solutions import listing as pages
from equilibrist.web.store import index
from equilibrist.web.store.titles import title_facts
from tests.web.conftest import put

MakeClient = Callable[..., TestClient]


@pytest.fixture
def library(client: TestClient, kuhn_file: Path, spot_file: Path) -> TestClient:
    """A spot, then games a to e, each a second newer than the one before."""
    put(client, spot_file, "turn")
    for name in "abcde":
        put(client, kuhn_file, name)
    folder = client.services.folders.library  # type: ignore[attr-defined]
    for second, name in enumerate(("turn", *"abcde")):
        os.utime(folder / f"{name}.safetensors", (1e9 + second, 1e9 + second))
    return client


def page(client: TestClient, **query: Any) -> Any:
    answer = client.get("/api/solutions", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def names(document: Any) -> list[str]:
    return [row["name"] for row in document["solutions"]]


def test_a_page_has_no_revision_that_it_does_not_show(
    library: TestClient, kuhn_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes while a page is made makes its revision an old one."""
    services = library.services  # type: ignore[attr-defined]
    entries = services.library.entries

    def and_then_comes_another() -> Any:
        listed = entries()
        if not (services.folders.library / "late.safetensors").exists():
            put(library, kuhn_file, "late")
        return listed

    monkeypatch.setattr(services.library, "entries", and_then_comes_another)
    first = page(library)
    assert "late" not in names(first)
    assert page(library)["revision"] != first["revision"]


def test_pages_follow_each_other(library: TestClient) -> None:
    first = page(library, count=4)
    assert names(first) == ["e", "d", "c", "b"]
    assert (first["total"], first["found"], first["start"]) == (6, 6, 0)
    second = page(library, count=4, after=first["next"])
    assert (names(second), second["next"], second["start"]) == (["a", "turn"], None, 4)
    assert library.delete("/api/solutions/c").status_code == 200
    assert names(page(library, count=4, after=first["next"])) == ["a", "turn"]
    assert library.delete("/api/solutions/b").status_code == 200  # the last one of the page
    assert names(page(library, count=4, after=first["next"])) == ["e", "d", "a", "turn"]


def test_pages_leave_out_nothing_that_moves_meanwhile(library: TestClient) -> None:
    first = page(library, count=2, sort="folder")
    assert names(first) == ["e", "d"]
    library.put("/api/solutions/d/note", json={"folder": "z"})
    second = page(library, sort="folder", after=first["next"])
    assert names(second) == ["e", "c", "b", "a", "turn", "d"]
    old = page(library, count=2, sort="saved")
    assert names(old) == ["turn", "a"]
    folder = library.services.folders.library  # type: ignore[attr-defined]
    os.utime(folder / "a.safetensors", (1e9 + 9, 1e9 + 9))
    assert names(page(library, sort="saved", after=old["next"]))[1:] == ["b", "c", "d", "e", "a"]


@pytest.mark.parametrize(
    ("sort", "first"),
    [
        ("", "e"),
        ("-saved", "e"),
        ("saved", "turn"),
        ("name", "a"),
        ("-name", "turn"),
        ("-size", None),
        ("iterations", "turn"),
        ("-iterations", "e"),
        ("measure", None),
        ("title", None),
        ("algorithm", None),
        ("folder", None),
    ],
)
def test_pages_have_an_order(library: TestClient, sort: str, first: str | None) -> None:
    found = names(page(library, sort=sort))
    assert len(found) == 6
    if first is not None:
        assert found[0] == first
    pieces = []
    after: str | None = ""
    while after is not None:
        part = page(library, sort=sort, count=2, after=after)
        pieces += names(part)
        after = part["next"]
    assert pieces == found


def test_what_is_not_known_comes_last(library: TestClient) -> None:
    folder = library.services.folders.library  # type: ignore[attr-defined]
    (folder / "broken.safetensors").write_bytes(b"nothing")
    for sort in ("measure", "-measure", "iterations", "-iterations"):
        assert names(page(library, sort=sort))[-1] == "broken"
    assert page(library, search="broken")["solutions"][0]["title"]["kind"] == "damaged"


def test_solutions_are_searched_by_words(library: TestClient) -> None:
    assert names(page(library, search="ts3h2h5c")) == ["turn"]
    assert names(page(library, search="KUHN")) == [*"edcba"]
    assert names(page(library, search="kuhn nothing")) == []
    assert names(page(library, search="库恩", called="kuhn")) == [*"edcba"]
    assert names(page(library, search="ts3h2h5c", called="leduc")) == ["turn"]
    library.put("/api/solutions/c/note", json={"note": "for the class on Monday"})
    assert names(page(library, search="monday class")) == ["c"]


def test_folders_and_notes_go_with_their_solutions(library: TestClient) -> None:
    for name, folder in (("a", "class"), ("b", "class / week 1"), ("turn", "spots")):
        answer = library.put(f"/api/solutions/{name}/note", json={"folder": folder, "note": name})
        assert answer.status_code == 200, answer.text
    assert page(library)["folders"] == [
        {"name": "class", "count": 1},
        {"name": "class/week 1", "count": 1},
        {"name": "spots", "count": 1},
    ]
    assert names(page(library, folder="class")) == ["b", "a"]
    assert names(page(library, folder="class/week 1")) == ["b"]
    assert names(page(library, folder="/")) == ["e", "d", "c"]
    assert library.post("/api/solutions/a", json={"name": "z"}).status_code == 200
    (moved,) = page(library, search="z")["solutions"]
    assert (moved["folder"], moved["note"]) == ("class", "a")
    assert library.delete("/api/solutions/z").status_code == 200
    assert library.post("/api/solutions/b", json={"name": "z"}).status_code == 200
    assert page(library, search="z")["solutions"][0]["folder"] == "class/week 1"
    library.put("/api/solutions/z/note", json={})
    assert [folder["name"] for folder in page(library)["folders"]] == ["spots"]


def test_a_title_is_made_of_numbers_and_codes(library: TestClient) -> None:
    said = {"oop": "BB", "ip": "BTN", "pot_type": "3-bet"}
    document = library.put("/api/solutions/turn/note", json=said).json()
    title = document["title"]
    assert title["text"] == "BTN against BB, 3-bet pot, Ts3h2h5c, 100/100, 50 %"
    assert (title["kind"], title["pot"], title["stack"]) == ("spot", 100.0, 100.0)
    assert (title["bets"], title["ip"], title["oop"]) == ([0.5], "BTN", "BB")
    assert document["measure_unit"] == "chips"
    assert document["measure_percent"] == pytest.approx(document["measure"])
    (game,) = page(library, search="kuhn", count=1)["solutions"]
    assert (game["title"]["kind"], game["title"]["text"]) == ("game", "kuhn")
    assert game["measure_unit"] == "payoffs"


def test_titles_take_positions_from_presets() -> None:
    spot = poker.Spot(
        board="QsJh2h", oop="AA:0.5", ip="6max-CO", pot=180, stack=910, oop_bets="33%,a|50%|1e",
        ip_bets="52.5%, 75%", rake="5%", locks=[],
    )  # fmt: skip
    facts = title_facts(SPOT_SOLUTION, spot.to_toml())
    assert (facts["oop"], facts["ip"]) == (None, "CO")
    assert facts["bets"] == [0.33, 0.525, 0.75]
    assert facts["rake"] == pytest.approx(0.05)
    assert (facts["has_locks"], facts["has_folded"]) == (False, False)
    turn = title_facts(SPOT_SOLUTION, spot.replace(board="QsJh2h3c").to_toml())
    assert turn["bets"] == [0.5, 0.525, 0.75]


@pytest.mark.parametrize("solves", [None, "", "[]", "{", '[{"stacks": 3}]', "board = 3"])
def test_titles_of_what_cannot_be_read_have_nothing(solves: str | None) -> None:
    assert title_facts(SPOT_SOLUTION, solves) == {}
    assert title_facts(PUSH_FOLD, solves) == {}
    assert title_facts(None, solves) == {}


def test_titles_of_charts_have_stacks() -> None:
    game = PushFold((10.0, 8.0), payouts=(3.0, 2.0), ante=0.1)
    facts = title_facts(PUSH_FOLD, json.dumps([game.to_dict()]))
    added = {"ante": 0.1, "payouts": [3.0, 2.0]}
    assert facts == {"stacks": [10.0, 8.0], "has_blinds": False, **added}
    hand = title_facts(PUSH_FOLD, json.dumps([{"seats": 3, "stack": 20}]))
    assert hand == {"stacks": [20.0, 20.0, 20.0], "has_blinds": False}


@pytest.mark.parametrize(
    ("query", "option"),
    [
        ({"sort": "colour"}, "sort"),
        ({"after": "nonsense"}, "after"),
        ({"after": "e30="}, "after"),
        ({"after": pages._cursor("name", [{"name": "a", "saved": ""}])}, "after"),  # type: ignore[typeddict-item]
        ({"count": 101}, "count"),
    ],
)
def test_pages_that_are_none(client: TestClient, query: dict[str, Any], option: str) -> None:
    answer = client.get("/api/solutions", params=query)
    assert (answer.status_code, answer.json()["option"]) == (422, option)


@pytest.mark.parametrize(
    ("name", "said", "status", "option"),
    [
        ("nosuch", {}, 404, "name"),
        ("a", {"folder": "a//b"}, 422, "folder"),
        ("a", {"folder": "a/b/c/d/e"}, 422, "folder"),
        ("a", {"folder": "a\nb"}, 422, "folder"),
        ("a", {"note": "x" * 10_001}, 422, "note"),
        ("a", {"oop": "the big blind of the table"}, 422, "oop"),
        ("a", {"pot_type": "3bet"}, 422, "pot_type"),
        ("a", {"colour": "red"}, 422, "colour"),
    ],
)
def test_notes_that_are_none(
    library: TestClient, name: str, said: Any, status: int, option: str
) -> None:
    answer = library.put(f"/api/solutions/{name}/note", json=said)
    assert (answer.status_code, answer.json()["option"]) == (status, option)


def test_half_a_character_spoils_no_notes(library: TestClient) -> None:
    half = library.put(
        "/api/solutions/a/note",
        content=b'{"note": "a \\ud83d"}',
        headers={"content-type": "application/json"},
    )
    assert (half.status_code, half.json()["option"]) == (422, "note")
    answer = library.put("/api/solutions/b/note", json={"note": "b"})
    assert (answer.status_code, answer.json()["note"]) == (200, "b")


def test_guests_note_nothing(make_client: MakeClient, kuhn_file: Path) -> None:
    guest = "0123456789abcdef-guest"
    client = make_client(token="0123456789abcdef-owner", guest_token=guest)
    put(client, kuhn_file, "kuhn")
    headers = {"Authorization": f"Bearer {guest}"}
    assert client.put("/api/solutions/kuhn/note", json={}, headers=headers).status_code == 403


def test_broken_notes_are_not_overwritten(library: TestClient) -> None:
    path = library.services.folders.notes  # type: ignore[attr-defined]
    path.write_text('{"solutions": {"a": {"folder": 3}}}')
    assert len(page(library)["solutions"]) == 6
    answer = library.put("/api/solutions/a/note", json={"note": "x"})
    assert (answer.status_code, answer.json()["option"]) == (409, "file")
    assert path.read_text().endswith('{"folder": 3}}}')


def test_the_index_outlives_the_server(
    library: TestClient, make_client: MakeClient, kuhn_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = page(library)
    read: list[str] = []

    def counted(path: Path) -> dict[str, Any]:
        read.append(path.name)
        return listing.file_facts(path)

    monkeypatch.setattr(index, "file_facts", counted)
    again = make_client()
    assert page(again)["solutions"] == before["solutions"]
    assert read == []
    put(again, kuhn_file, "f")
    assert len(names(page(again))) == 7
    assert read == ["f.safetensors"]
    again.services.folders.index.write_text('{"form": 3')  # type: ignore[attr-defined]
    assert page(make_client())["total"] == 7
    assert len(read) == 8


def test_a_file_in_the_place_of_another_is_read(
    library: TestClient, kuhn_file: Path, spot_file: Path
) -> None:
    put(library, spot_file, "a")
    assert page(library, search="a", sort="name")["solutions"][0]["title"]["kind"] == "spot"


def test_a_large_library_opens_no_file_twice(
    client: TestClient, kuhn_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = client.services.folders.library  # type: ignore[attr-defined]
    for number in range(300):
        os.link(kuhn_file, folder / f"k{number}.safetensors")
    assert page(client)["total"] == 300
    monkeypatch.setattr(index, "file_facts", None)
    found = page(client, search="kuhn", sort="name", folder="/")
    assert (found["found"], len(found["solutions"])) == (300, 100)


def test_every_solution_says_what_it_is_worth_and_how_good_it_is(
    library: TestClient, kuhn_file: Path, spot_file: Path
) -> None:
    """In the list, and where it is opened; with units."""
    rows = {row["name"]: row for row in page(library)["solutions"]}
    spot, game = load_result(spot_file), load_result(kuhn_file)
    assert rows["turn"]["values"] == pytest.approx(spot.values)
    assert rows["turn"]["measure_unit"] == "chips"
    assert (rows["a"]["values"], rows["a"]["measure_unit"]) == ([*game.values], "payoffs")
    facts = library.get("/api/solutions/a/facts").json()
    assert (facts["values"], facts["measure"]) == ([*game.values], game.exploitability)
    assert facts["family"]["parameters"]["alpha"] == game.family["parameters"]["alpha"]
    opened = library.get("/api/solutions/turn/spot").json()
    measures = ("measure", "measure_name", "measure_unit", "measure_percent")
    assert [opened[name] for name in measures] == [rows["turn"][name] for name in measures]


def test_stacks_are_big_blinds_unless_there_are_blinds() -> None:
    keys = {"stacks": [10.0, 10.0]}
    for blinds, is_chips in (([0.5, 1.0], False), ([1.0, 2.0], True), ("50/100", True)):
        text = json.dumps([{**keys, "blinds": blinds}])
        assert title_facts(PUSH_FOLD, text)["has_blinds"] is is_chips
    assert title_facts(PUSH_FOLD, json.dumps([keys]))["has_blinds"] is False
