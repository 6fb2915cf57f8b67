"""Ranges of the API: dialects both ways, presets, and the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist.poker import PRESETS, Range, read_range_file
from equilibrist.web.ranges.documents import range_items, thumbnail
from tests.cli.command import Shell

TEXT = "88+,A5s-A2s:0.5,AhKh:0.25,KQo"


@pytest.mark.parametrize(
    "dialect", ["pio", "gto+", "equilab", "pokercruncher", "propokertools", "raw"]
)
def test_every_dialect_both_ways(client: TestClient, shell: Shell, dialect: str) -> None:
    written = client.post("/api/ranges/write", json={"text": TEXT, "to": dialect}).json()
    assert written["text"] == shell(f"range {TEXT} --to {dialect}").ok().out.rstrip("\n")
    read = client.post("/api/ranges/read", json={"text": written["text"]}).json()
    assert read["range"] == str(Range(TEXT))
    assert Range.from_weights(read["weights"]) == Range(TEXT)
    assert read["combos"] == Range(TEXT).num_combos
    assert read["grid"] == Range(TEXT).class_weights.tolist()


def test_ranges_of_blueprints(client: TestClient) -> None:
    """Each says how it was made, and can be read as any range."""
    (found,) = [
        one for one in client.get("/api/ranges").json()["solved"] if one["name"] == "heads-up-20bb"
    ]
    assert found["method"] == "blueprint"
    low, high = found["gain_interval_mbb"]
    assert 0 < low < found["gain_mbb"] < high
    opening = [row for row in found["ranges"] if row["line"] == ""]
    assert {row["seat"] for row in opening} == {0}
    for row in found["ranges"]:
        read = client.post("/api/ranges/read", json={"text": row["range"]}).json()
        assert read["combos"] == row["combos"] > 0
        assert len(row["weights"]) == 169


def test_presets(client: TestClient) -> None:
    presets = {one["name"]: one for one in client.get("/api/ranges").json()["presets"]}
    assert presets.keys() == PRESETS.keys() | {"random"}
    assert presets["6max-BTN"]["range"] == str(Range("6max-BTN"))
    assert presets["random"]["combos"] == 1326


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"text": "88+,Qx"}, "RangeSyntaxError"),
        ({"text": "AA", "dialect": "klingon"}, "UnknownNameError"),
        ({"text": "A" * 200_000}, "WebError"),
    ],
)
def test_bad_ranges(client: TestClient, given: dict[str, Any], kind: str) -> None:
    answer = client.post("/api/ranges/read", json=given)
    assert (answer.status_code, answer.json()["kind"]) == (422, kind)


def _own(client: TestClient) -> dict[str, str]:
    return {one["name"]: one["range"] for one in client.get("/api/ranges").json()["own"]}


def test_own_ranges_are_kept_renamed_and_deleted(client: TestClient, tmp_path: Path) -> None:
    for name, text in (("BTN/open", "22+,A2s+"), ("BTN/call", "TT-22"), ("wide", "30%")):
        answer = client.put(f"/api/ranges/own/{name}", json={"text": text})
        assert answer.json() == {"name": name, "range": str(Range(text))}
    assert list(_own(client)) == ["BTN/call", "BTN/open", "wide"]
    assert client.post("/api/ranges/own/BTN", json={"name": "Button/6max"}).status_code == 200
    taken = client.post("/api/ranges/own/wide", json={"name": "Button/6max/call"})
    assert (taken.status_code, taken.json()["option"]) == (409, "name")
    file = tmp_path / "ranges.json"
    file.write_bytes(client.get("/api/ranges/file").content)  # the command line reads it
    assert read_range_file(file, "Button/6max/open") == Range("22+,A2s+")
    assert client.request("DELETE", "/api/ranges/own/Button").json()["count"] == 2
    assert list(_own(client)) == ["wide"]
    assert client.post("/api/ranges/file", content=file.read_bytes()).status_code == 201
    assert list(_own(client)) == ["Button/6max/call", "Button/6max/open", "wide"]
    assert client.delete("/api/ranges/own/nothing").status_code == 404


def test_a_range_and_a_folder_of_one_name_are_two(client: TestClient) -> None:
    for name in ("BTN", "BTN/open", "BTN/call"):
        client.put(f"/api/ranges/own/{name}", json={"text": "AA"})
    client.post("/api/ranges/own/BTN", json={"name": "wide"})
    assert list(_own(client)) == ["BTN/call", "BTN/open", "wide"]
    client.post("/api/ranges/own/wide", json={"name": "BTN"})
    client.post("/api/ranges/own/BTN/", json={"name": "SB"})
    assert list(_own(client)) == ["BTN", "SB/call", "SB/open"]
    client.post("/api/ranges/own/BTN", json={"name": "SB"})
    assert client.delete("/api/ranges/own/SB").json()["count"] == 1
    assert list(_own(client)) == ["SB/call", "SB/open"]
    client.put("/api/ranges/own/SB", json={"text": "AA"})
    assert client.delete("/api/ranges/own/SB/").json()["count"] == 2
    assert list(_own(client)) == ["SB"]


@pytest.mark.parametrize("name", ["%20", "a//b", "a/b/c/d/e", "x" * 200, "a%00b"])
def test_names_of_ranges(client: TestClient, name: str) -> None:
    answer = client.put(f"/api/ranges/own/{name}", json={"text": "AA"})
    assert (answer.status_code, answer.json()["option"]) == (422, "name")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[1]",
        b'{"data": 5}',
        b'{"data": [{"path": 5, "value": "AA"}]}',
        json.dumps({"data": [{"path": "a", "value": "AA"}, {"path": "b", "value": "Qx"}]}).encode(),
    ],
)
def test_a_file_with_an_error_changes_nothing(client: TestClient, content: bytes) -> None:
    client.put("/api/ranges/own/kept", json={"text": "AA"})
    assert client.post("/api/ranges/file", content=content).status_code == 422
    assert _own(client) == {"kept": "AA"}


def test_a_file_of_ranges_that_cannot_be_read_is_named(client: TestClient) -> None:
    path = client.services.folders.ranges  # type: ignore[attr-defined]
    half = b'{"data": [{"path": ["\\ud800"], "value": "AA"}]}'  # a character
    for content in (b"{", half):
        path.write_bytes(content)
        damaged = client.get("/api/ranges")
        assert (damaged.status_code, damaged.json()["option"]) == (422, "file")
        assert path.name in damaged.json()["place"]
    path.unlink()
    path.mkdir()
    for answer in (
        client.get("/api/ranges"),
        client.put("/api/ranges/own/mine", json={"text": "AA"}),
    ):
        found = answer.json()
        assert (answer.status_code, found["option"], found["given"]) == (409, "file", path.name)


def test_thumbnails_are_the_weights_of_the_grid() -> None:
    digits = thumbnail("AA,KK:0.5,AKs:0.25")
    assert len(digits) == 169
    assert [int(digits[place], 36) for place in (0, 14, 1, 13)] == [35, 18, 9, 0]
    assert thumbnail("random") == "z" * 169
    assert thumbnail("AA,Qx") == "0" * 169
    (item,) = range_items({"BTN/open": "AA"})
    assert item == {"name": "BTN/open", "title": "AA", "weights": "z" + "0" * 168}
