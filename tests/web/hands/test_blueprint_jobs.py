"""Card buckets and blueprints through the API: built, listed, trained on, continued."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist import poker
from equilibrist.library.kinds import open_saved
from equilibrist.poker.blueprint.training.train import train_blueprint
from equilibrist.poker.buckets.build import build_card_buckets
from equilibrist.poker.cards.combos import CLASS_NAMES
from tests.web.conftest import put
from tests.web.following import ended, started
from tests.web.scripted import ScriptedWorker

BUCKETS = {"buckets": "10/12/12/12", "deck": "T"}
QUICK = {"sample": 1000, "restarts": 1, "passes": 2, "threads": 1}
HAND = {"stack": "4", "bets": "a", "raises": "a", "deck": "T"}


@pytest.fixture(scope="module")
def cards_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("cards") / "c.safetensors"
    build_card_buckets("10/12/12/12", file, lowest_rank=8, **QUICK)  # type: ignore[arg-type]
    return file


@pytest.mark.parametrize(
    ("kind", "keys", "options", "option"),
    [
        ("cards", {}, {}, "buckets"),
        ("cards", {"buckets": "1/2"}, {}, "buckets"),
        ("cards", BUCKETS | {"kinds": "much"}, {}, "kinds"),
        ("cards", BUCKETS | {"deck": "Z"}, {}, "deck"),
        ("cards", BUCKETS, {"sample": "5"}, "sample"),
        ("cards", BUCKETS, {"passes": "0"}, "passes"),
        ("blueprint", HAND, {"seconds": "5"}, "cards"),
        ("blueprint", HAND | {"cards": "nothing"}, {"seconds": "5"}, "cards"),
        ("blueprint", HAND | {"cards": "c"}, {}, "seconds"),
        ("blueprint", HAND | {"cards": "c", "deck": "2"}, {"seconds": "5"}, "cards"),
        ("blueprint", HAND | {"cards": "c", "bets": ""}, {"seconds": "5"}, "bets"),
        ("blueprint", HAND | {"cards": "c", "seats": "3"}, {"algorithm": "vector"}, "seats"),
        ("blueprint", HAND | {"cards": "c"}, {"seconds": "5", "seed": -1}, "seed"),
        ("blueprint", HAND | {"cards": "c"}, {"seconds": "5", "batch": "0"}, "batch"),
        ("blueprint", HAND | {"cards": "c"}, {"seconds": "0"}, "seconds"),
        (
            "blueprint",
            HAND | {"cards": "c", "seats": "3"},
            {"seconds": "5", "storage": "int16"},
            "storage",
        ),
        ("blueprint", HAND | {"cards": "../c"}, {"seconds": "5"}, "cards"),
        ("blueprint", HAND | {"cards": "kuhn"}, {"seconds": "5"}, "cards"),
    ],
)
def test_what_is_wrong_is_refused_at_its_field(
    client: TestClient,
    cards_file: Path,
    kuhn_file: Path,
    kind: str,
    keys: dict[str, str],
    options: dict[str, str],
    option: str,
) -> None:
    put(client, cards_file, "c")
    put(client, kuhn_file, "kuhn")
    body = {"hand": {"kind": kind, "keys": keys}, "options": options}
    answer = client.post("/api/hands/estimate", json=body)
    assert (answer.status_code // 100, answer.json()["option"]) == (4, option), answer.text


def test_buckets_are_listed_apart_and_blueprints_are_estimated(
    client: TestClient, cards_file: Path, workers: list[ScriptedWorker]
) -> None:
    put(client, cards_file, "c")
    (listed,) = client.get("/api/hands/cards").json()
    assert (listed["name"], listed["buckets"]) == ("c", [10, 12, 12, 12])
    assert client.get("/api/solutions").json()["solutions"] == []
    hand = {"kind": "blueprint", "keys": HAND | {"cards": "c"}}
    body = {"hand": hand, "options": {"seconds": "5", "threads": 1}}
    needs = client.post("/api/hands/estimate", json=body).json()
    assert needs["seconds"] == 5
    assert needs["counts"]["infosets"] > needs["counts"]["decisions"] > 0
    assert needs["memory_bytes"] > listed["num_bytes"]
    job = started(client, **body)
    assert (job["kind"], job["title"]["stacks"]) == ("blueprint", [4.0, 4.0])
    assert workers[0].order.files == {
        "cards": str(client.services.library.path("c"))  # type: ignore[attr-defined]
    }
    client.post(f"/api/jobs/{job['id']}/pause")


def test_buckets_stay_for_runs_that_may_go_on(
    client: TestClient, cards_file: Path, workers: list[ScriptedWorker]
) -> None:
    put(client, cards_file, "c")
    hand = {"kind": "blueprint", "keys": HAND | {"cards": "c"}}
    job = started(client, hand=hand, options={"seconds": "5", "threads": 1})
    path = f"/api/jobs/{job['id']}"
    for refused in (
        client.post("/api/solutions/c", json={"name": "d"}),
        client.delete("/api/solutions/c"),
    ):
        assert (refused.status_code, refused.json()["given"]) == (409, "c")
    client.post(f"{path}/pause")
    assert ended(client, job)["state"] == "paused"
    assert client.delete("/api/solutions/c").status_code == 409
    assert client.post("/api/solutions/c", json={"name": "d"}).status_code == 200
    assert client.get(path).json()["keys"]["cards"] == "d"
    resumed = client.post(f"{path}/resume")
    assert resumed.status_code == 200, resumed.text
    assert workers[-1].order.files == {
        "cards": str(client.services.library.path("d"))  # type: ignore[attr-defined]
    }
    client.post(f"{path}/stop")
    assert ended(client, job)["state"] == "stopped"
    assert client.delete("/api/solutions/d").status_code == 200


@pytest.mark.slow  # processes
def test_buckets_are_built_and_a_blueprint_is_trained_on_them(client: TestClient) -> None:
    job = started(client, hand={"kind": "cards", "keys": BUCKETS}, options=QUICK)
    built = ended(client, job)
    assert (built["state"], built["is_saved"]) == ("done", True), built["error"]
    (listed,) = client.get("/api/hands/cards").json()
    assert listed["name"] == job["solution"]
    keys = HAND | {"cards": listed["name"]}
    options = {"iterations": 20, "threads": 1}
    run = started(client, hand={"kind": "blueprint", "keys": keys}, options=options)
    done = ended(client, run)
    assert (done["state"], done["stopped_by"]) == ("done", "iterations"), done["error"]
    assert done["progress"]["deals"] > 0
    path = f"/api/jobs/{run['id']}"
    assert client.post(f"{path}/continue", json={"iterations": 20}).json()["option"] == "iterations"
    assert client.post(f"{path}/continue", json={"iterations": 30}).status_code == 200
    further = ended(client, run)
    assert (further["state"], further["stopped_by"]) == ("done", "iterations"), further["error"]
    library = client.services.library  # type: ignore[attr-defined]
    blueprint: Any = open_saved(library.path(run["solution"])).content
    assert blueprint.record["iterations"] == 30
    hand = poker.Hand(stack=4, bets="a", raises="a", deck="T")
    expected = train_blueprint(hand, library.path(listed["name"]), iterations=30, threads=1)
    chart = client.get(f"/api/solutions/{run['solution']}/chart").json()
    at = expected.at("").by_class()
    place = CLASS_NAMES.index("AA")
    assert chart["classes"]["AA"]["strategy"] == pytest.approx(at.strategy[:, place], abs=1e-6)
