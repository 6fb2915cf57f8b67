"""Setups that are kept, walks of unsolved trees, and renaming solutions."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from equilibrist.poker.postflop.setups.files import read_setup_text
from equilibrist.poker.postflop.spot.tree_walk import tree_walk
from equilibrist.web.errors import NotFoundError
from equilibrist.web.store.folders import existing_path
from tests.web.conftest import SPOT, put
from tests.web.following import ended, running, started
from tests.web.scripted import ScriptedWorker


def test_setups_are_kept_by_name(client: TestClient) -> None:
    kept = client.put("/api/setups/BTN-BB", json={"toml": SPOT.to_toml()})
    assert kept.json() == {"name": "BTN-BB", "spot": SPOT.to_toml()}
    assert client.get("/api/setups").json() == ["BTN-BB"]
    assert client.get("/api/setups/BTN-BB").json()["spot"] == SPOT.to_toml()
    assert client.put("/api/setups/bad", json={"toml": "pot = 1"}).status_code == 422
    assert client.put("/api/setups/..%2fbad", json={"toml": SPOT.to_toml()}).status_code == 404
    assert client.delete("/api/setups/BTN-BB").status_code == 200
    for method in ("GET", "DELETE"):
        assert client.request(method, "/api/setups/BTN-BB").status_code == 404


def test_a_setup_that_is_no_text_says_so(client: TestClient) -> None:
    folder = client.services.folders.setups  # type: ignore[attr-defined]
    (folder / "latin.toml").write_bytes("# \u00e9".encode("latin-1"))
    (folder / "folder.toml").mkdir()
    assert client.get("/api/setups").json() == ["latin"]
    for name, status in (("latin", 409), ("folder", 404)):
        answer = client.get(f"/api/setups/{name}")
        error = answer.json()
        assert (answer.status_code, error["option"], error["given"]) == (status, "name", name)
    assert client.delete("/api/setups/folder").status_code == 404


def test_the_tree_of_a_spot_is_walked_before_it_is_solved(client: TestClient) -> None:
    walked = client.post("/api/spots/tree", json={"toml": SPOT.to_toml(), "line": "X-B50-C|"})
    assert walked.json() == tree_walk(SPOT, "X-B50-C|")
    added = client.post(
        "/api/spots/tree/bet", json={"toml": SPOT.to_toml(), "line": "X", "amount": "75%"}
    )
    assert added.json() == {"line": "X-B75"}
    wrong = client.post("/api/spots/tree", json={"toml": SPOT.to_toml(), "line": "X-B7"})
    assert (wrong.status_code, wrong.json()["option"]) == (422, "line")


def test_a_solution_is_renamed(client: TestClient, kuhn_file: Path) -> None:
    put(client, kuhn_file, "old")
    put(client, kuhn_file, "other")
    before = client.get("/api/solutions/old").json()["solution"]
    for new, status in (("other", 409), ("last", 409), ("../x", 422), ("", 422), ("nul", 422)):
        refused = client.post("/api/solutions/old", json={"name": new})
        assert (refused.status_code, refused.json()["option"]) == (status, "name")
    assert client.post("/api/solutions/old", json={"name": "new"}).json() == {"name": "new"}
    assert client.get("/api/solutions/new").json()["solution"] == before
    assert client.get("/api/solutions/old").status_code == 404


def test_a_job_follows_its_solution(
    client: TestClient, kuhn_file: Path, workers: list[ScriptedWorker]
) -> None:
    job = running(client, started(client, game="kuhn"))
    name = job["solution"]
    put(client, kuhn_file, name)
    writing = client.post(f"/api/solutions/{name}", json={"name": "mine"})
    assert writing.status_code == 409
    client.portal.call(workers[0].tell, "finish")
    ended(client, job)
    client.post(f"/api/solutions/{name}", json={"name": "mine"})
    found = client.get(f"/api/jobs/{job['id']}").json()
    assert (found["solution"], found["is_saved"]) == ("mine", True)
    client.delete("/api/solutions/mine")
    assert not client.get(f"/api/jobs/{job['id']}").json()["is_saved"]


NAMES = ["my solution", "Blätter", "100% (a&b?c)#1", "a..b", "x" * 150]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_user_put_into_a_folder_is_opened_by_its_name(
    client: TestClient, kuhn_file: Path, name: str
) -> None:
    """Whatever is listed is opened; new names have letters, digits and a few signs alone."""
    services = client.services  # type: ignore[attr-defined]
    shutil.copy(kuhn_file, services.folders.library / f"{name}.safetensors")
    (services.folders.setups / f"{name}.toml").write_text(SPOT.to_toml(), "utf-8")
    path = f"/api/solutions/{quote(name)}"
    assert [entry["name"] for entry in client.get("/api/solutions").json()["solutions"]] == [name]
    assert client.get(path).json()["solution"]["game"] == "kuhn"
    assert client.get(f"{path}/file").content == kuhn_file.read_bytes()
    table = client.post("/api/play/tables", json={"solution": name})
    assert (table.status_code, table.json()["solution"]) == (201, name)
    assert services.setups.get(name) == SPOT.to_toml()
    services.setups.delete(name)
    assert client.post(path, json={"name": "plain"}).json() == {"name": "plain"}
    assert client.post("/api/solutions/plain", json={"name": name}).status_code == 422
    for wrong in ("../plain", "..", f"{name}/../plain", ""):
        with pytest.raises(NotFoundError):
            existing_path(services.folders.library, wrong, ".safetensors")
    assert client.delete("/api/solutions/plain").status_code == 200


@pytest.mark.slow
def test_names_of_the_command_line_are_neither_taken_nor_given(
    client: TestClient, kuhn_file: Path
) -> None:
    """Nor is anybody told to delete what there is not."""
    content = kuhn_file.read_bytes()
    kuhn = client.put("/api/uploads/kuhn.safetensors", content=content).json()["name"]
    for name in ("last", "last-2", "last-11", "last-99999", "given"):
        refused = client.post(f"/api/solutions/{kuhn}", json={"name": name})
        assert (refused.status_code, refused.json()["given"]) == (409, name)
        assert refused.json()["expected"] == "a name other than given, last, last-2, ..."
    for name in ("last", "last-3"):
        for expected in (f"solution-{name}", f"solution-{name}-2"):
            stored = client.put(f"/api/uploads/{name}.safetensors", content=content)
            assert stored.json()["name"] == expected


def test_a_file_of_the_library_under_a_name_of_the_command_line_is_reached(
    client: TestClient, kuhn_file: Path
) -> None:
    """The names `last`, `last-2` mean other solutions, which there may be or not."""
    library = client.services.folders.library  # type: ignore[attr-defined]
    for name in ("last", "last-3"):
        shutil.copy(kuhn_file, library / f"{name}.safetensors")
    listed = [entry["name"] for entry in client.get("/api/solutions").json()["solutions"]]
    assert sorted(listed) == ["last-3.safetensors", "last.safetensors"]
    for name in listed:
        path = f"/api/solutions/{name}"
        assert client.get(path).json()["solution"]["game"] == "kuhn"
        assert client.get(f"{path}/file").content == kuhn_file.read_bytes()
    assert client.post(f"/api/solutions/{listed[0]}", json={"name": "plain"}).status_code == 200
    assert client.delete(f"/api/solutions/{listed[1]}").status_code == 200
    assert [entry["name"] for entry in client.get("/api/solutions").json()["solutions"]] == [
        "plain"
    ]


@pytest.mark.parametrize(
    ("file_name", "name"),
    [(b"\xff\xfe", "\\udcff\\udcfe"), (b"a\nb", "a\\nb"), (b"a\x1bb", "a\\x1bb")],
)
def test_names_that_are_no_text_are_listed_and_opened_as_they_are_shown(
    client: TestClient, kuhn_file: Path, file_name: bytes, name: str
) -> None:
    folders = client.services.folders  # type: ignore[attr-defined]

    def place(folder: Path, suffix: bytes) -> Path:
        return Path(os.fsdecode(os.fsencode(folder) + b"/" + file_name + suffix))

    try:
        shutil.copy(kuhn_file, place(folders.library, b".safetensors"))
    except OSError:
        pytest.skip("this disk has no such names")
    place(folders.setups, b".toml").write_text(SPOT.to_toml(), "utf-8")
    batch = place(folders.batches, b"")
    batch.mkdir()
    (batch / "batch.json").write_text("{}")
    (batch / "report.csv").write_text("board,line,frequency,pot\nAhKhQh,,0.5,10\n")
    path = f"/api/solutions/{quote(name)}"
    assert [entry["name"] for entry in client.get("/api/solutions").json()["solutions"]] == [name]
    assert client.get(path).json()["solution"]["game"] == "kuhn"
    assert client.get(f"{path}/file").content == kuhn_file.read_bytes()
    assert client.get("/api/setups").json() == [name]
    assert client.get(f"/api/setups/{quote(name)}").json() == {"name": name, "spot": SPOT.to_toml()}
    (listed,) = client.get("/api/reports").json()
    assert (listed["name"], listed["is_done"], listed["run"]) == (name, True, None)
    assert client.get(f"/api/reports/{quote(name)}").json()["rows"] == [["AhKhQh", "", 0.5, 10.0]]
    assert client.post(path, json={"name": "plain"}).json() == {"name": "plain"}


@pytest.mark.slow
def test_a_race_has_no_solution_whose_name_is_taken(client: TestClient, kuhn_file: Path) -> None:
    put(client, kuhn_file, "old")
    ended(client, started(client, game="kuhn", algorithms=["cfr"], options={"iterations": 2}))
    refused = client.post("/api/solutions/old", json={"name": ""})
    assert (refused.status_code, refused.json()["kind"]) == (422, "WebError")


def test_set_ups_of_other_solvers_are_read_and_written(client: TestClient) -> None:
    written = client.post("/api/spots/write", json={"toml": SPOT.to_toml(), "to": "pio"}).json()
    text = written["text"] + "#ICM.Enabled#True\n"
    answer = client.post("/api/spots/read", json={"text": text, "keys": {"pot": 70}}).json()
    assert answer == {
        "spot": read_setup_text(text, pot=70).spot.to_toml(),
        "program": "PioSOLVER",
        "left_out": ["prizes (ICM)"],
        "omissions": [{"code": "prizes", "values": {}, "text": "prizes (ICM)"}],
    }
    for form in ("pio-script", "wasm", "toml"):
        body = {"toml": SPOT.to_toml(), "to": form}
        found = read_setup_text(client.post("/api/spots/write", json=body).json()["text"])
        assert found.spot.betting.num_nodes == SPOT.betting.num_nodes
    wrong = client.post("/api/spots/read", json={"text": text.replace("#Pot#", "#Pot#x")})
    assert (wrong.status_code, wrong.json()["option"]) == (422, "#Pot#")
    assert "line" in wrong.json()["place"]
    lines = "set_pot 0 0 9\n" + "add_line 5\n" * 1000
    many = client.post("/api/spots/read", json={"text": lines})
    assert (many.status_code, many.json()["option"]) == (413, "added_lines")
    none = client.post("/api/spots/read", json={"text": "my diary"})
    assert (none.status_code, none.json()["option"]) == (422, "text")
