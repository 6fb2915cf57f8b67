"""Runs on whole hands of hold'em through the API: forms, estimates, jobs, their solutions."""

from __future__ import annotations

import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist import poker
from equilibrist.library.kinds import open_saved
from equilibrist.poker import Hand, push_fold
from equilibrist.poker.cards.combos import CLASS_NAMES
from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution
from equilibrist.web.holdem.kinds import hand_run
from tests.web.following import ended, started
from tests.web.scripted import ScriptedWorker

EXACT = {"kind": "push-fold", "keys": {"stack": "10"}}
THREE = {"kind": "push-fold", "keys": {"stack": "10", "seats": "3"}}


BETS = {"kind": "multiway", "keys": {"seats": "2", "stack": "6", "bets": "a", "raises": "a"}}
EVERY_HAND = {
    "kind": "preflop",
    "keys": {"stack": "6", "last_street": "preflop", "bets": "2x,a", "raises": "a"},
}


def test_forms_have_what_the_command_takes(client: TestClient) -> None:
    forms = {form["kind"]: form["fields"] for form in client.get("/api/hands").json()}
    fields = {field["name"]: field for field in forms["push-fold"]}
    assert {"seats", "stack", "stacks", "payouts", "deals", "seconds"} <= fields.keys()
    assert (fields["stack"]["part"], fields["deals"]["part"]) == ("keys", "options")
    assert [field["is_main"] for field in forms["push-fold"]] == sorted(
        (field["is_main"] for field in forms["push-fold"]), reverse=True
    )


@pytest.mark.parametrize(
    ("keys", "options", "option"),
    [
        ({}, {}, "stack"),
        ({"stack": "ten"}, {}, "stack"),
        ({"stack": "5,10"}, {}, "stack"),
        ({"stack": "10", "stacks": "10,10"}, {}, "stack"),
        ({"stack": "10", "seats": "7"}, {}, "seats"),
        ({"stack": "10", "seats": "three"}, {}, "seats"),
        ({"stack": "10", "blinds": "1"}, {}, "blinds"),
        ({"stack": "10", "payouts": "30,50"}, {}, "payouts"),
        ({"stack": "10", "others": "5"}, {}, "others"),
        ({"stack": "10", "colour": "red"}, {}, "option"),
        ({"stack": "10"}, {"deals": "1e6"}, "deals"),
        ({"stack": "10", "seats": "3"}, {"deals": "5"}, "deals"),
        ({"stack": "10", "seats": "3"}, {"seconds": "soon"}, "seconds"),
        ({"stack": "10", "seats": "3"}, {"threads": "0"}, "threads"),
        ({"stack": "10"}, {"checkpoint": "a.ckpt"}, "option"),
        ({"stack": "1" * 300_000}, {}, "stack"),
    ],
)
def test_what_is_wrong_is_refused_at_its_field(
    client: TestClient, keys: dict[str, str], options: dict[str, str], option: str
) -> None:
    body = {"hand": {"kind": "push-fold", "keys": keys}, "options": options}
    for path in ("/api/hands/estimate", "/api/jobs"):
        answer = client.post(path, json=body)
        assert (answer.status_code // 100, answer.json()["option"]) == (4, option)
    assert client.get("/api/jobs").json()["jobs"] == []


def test_runs_are_estimated_and_queued_as_they_are_asked_for(
    client: TestClient, workers: list[ScriptedWorker]
) -> None:
    needs = client.post("/api/hands/estimate", json={"hand": EXACT}).json()
    assert (needs["fits"], needs["has_checkpoints"]) == (True, False)
    options = {"deals": "2e6", "threads": 1}
    needs = client.post("/api/hands/estimate", json={"hand": THREE, "options": options}).json()
    assert (needs["counts"], needs["has_checkpoints"]) == ({"seats": 3, "deals": 2_000_000}, True)
    assert needs["seconds"] > 10
    for hand in (EXACT, THREE):
        job = started(client, hand=hand)
        assert (job["kind"], job["keys"]) == ("push-fold", hand["keys"])
        assert (job["title"]["kind"], job["title"]["stacks"][0]) == ("push-fold", 10.0)
        assert job["has_checkpoints"] == (hand is THREE)
        is_paused = client.post(f"/api/jobs/{job['id']}/pause").status_code == 200
        assert is_paused == (hand is THREE)
    assert {worker.order.kind for worker in workers} == {"push-fold"}
    other = client.post("/api/jobs", json={"hand": EXACT, "game": "kuhn"})
    assert (other.status_code, other.json()["option"]) == (422, "game")


@pytest.mark.by_default(2)
@pytest.mark.parametrize(
    ("hand", "options", "option"),
    [
        ({"kind": "multiway", "keys": {}}, {}, "stack"),
        ({"kind": "multiway", "keys": BETS["keys"] | {"seats": "7"}}, {}, "seats"),
        ({"kind": "multiway", "keys": BETS["keys"] | {"bets": "half"}}, {}, "bets"),
        ({"kind": "multiway", "keys": BETS["keys"] | {"last_street": "flop"}}, {}, "option"),
        ({"kind": "multiway", "keys": BETS["keys"] | {"limit": "some"}}, {}, "limit"),
        (BETS, {"deals": "10"}, "deals"),
        (BETS, {"seed": -4}, "seed"),
        (THREE, {"seed": -4}, "seed"),
        (BETS, {"target": "1mbb"}, "option"),
        ({"kind": "preflop", "keys": {}}, {}, "stack"),
        ({"kind": "preflop", "keys": EVERY_HAND["keys"] | {"flops": "0"}}, {}, "flops"),
        ({"kind": "preflop", "keys": EVERY_HAND["keys"] | {"stack": "1e9"}}, {}, "stack"),
        (EVERY_HAND, {"target": "1%"}, "target"),
        (EVERY_HAND, {"algorithm": "pcfr+"}, "algorithm"),
        (EVERY_HAND, {"algorithm": "my.py:Mine"}, "algorithm"),
        (EVERY_HAND, {"iterations": "0"}, "iterations"),
        ({"kind": "preflop", "keys": {"stack": "100", "bets": "50%", "raises": "a"}}, {}, "memory"),
    ],
)
def test_hands_that_cannot_be_solved_are_refused_at_their_field(
    client: TestClient, hand: dict[str, Any], options: dict[str, str], option: str
) -> None:
    answer = client.post("/api/jobs", json={"hand": hand, "options": options})
    assert (answer.status_code // 100, answer.json()["option"]) == (4, option), answer.text


def test_what_is_too_large_is_told_with_what_would_fit(client: TestClient) -> None:
    hand = {"kind": "preflop", "keys": {"stack": "100", "bets": "50%", "raises": "a"}}
    needs = client.post("/api/hands/estimate", json={"hand": hand}).json()
    assert not needs["fits"]
    assert needs["memory_bytes"] > needs["limit_bytes"]
    assert "last_street" in needs["refusal"]["remedy"]


@pytest.mark.slow  # processes
@pytest.mark.parametrize(
    ("hand", "options", "more"),
    [
        (BETS, {"deals": 3000, "threads": 1}, {"deals": 4000}),
        (EVERY_HAND, {"iterations": 5}, {"iterations": 7}),
    ],
)
def test_hands_are_solved_and_continued_as_on_the_command_line(
    client: TestClient, hand: dict[str, Any], options: dict[str, Any], more: dict[str, int]
) -> None:
    job = started(client, hand=hand, options=options)
    done = ended(client, job)
    assert (done["state"], done["is_saved"]) == ("done", True), done["error"]
    path = f"/api/jobs/{job['id']}"
    (limit,) = more
    assert (
        client.post(f"{path}/continue", json={limit: 1000 if limit == "deals" else 2}).json()[
            "option"
        ]
        == limit
    )
    assert client.post(f"{path}/continue", json=more).status_code == 200
    further = ended(client, job)
    assert (further["state"], further["stopped_by"]) == ("done", limit), further["error"]
    name = further["solution"]
    solution = open_saved(client.services.library.path(name)).content  # type: ignore[attr-defined]
    given = Hand(**{"last_street": "preflop", **_numbers(hand["keys"])})
    if hand is BETS:
        expected: Any = poker.solve_multiway(given, threads=1, deals=more["deals"])
        assert solution.values == expected.values
    else:
        expected = poker.solve_preflop(given, iterations=more["iterations"])
        assert solution.exploitability == expected.exploitability
    assert client.get(f"/api/solutions/{name}/chart").json()["classes"]["AA"]["combos"] == 6


def _numbers(keys: dict[str, str]) -> dict[str, Any]:
    return {key: int(text) if text.isdecimal() else text for key, text in keys.items()}


@pytest.mark.slow  # a process
def test_charts_of_two_seats_are_those_of_the_command_line(client: TestClient) -> None:
    needs = client.post("/api/hands/estimate", json={"hand": EXACT}).json()
    assert (needs["fits"], needs["has_checkpoints"]) == (True, False)
    job = started(client, hand=EXACT)
    assert (job["kind"], job["keys"], job["title"]["stacks"]) == (
        "push-fold", {"stack": "10"}, [10.0, 10.0],
    )  # fmt: skip
    done = ended(client, job)
    assert (done["state"], done["stopped_by"]) == ("done", "exact"), done["error"]
    assert done["progress"]["measure_name"] == "NashConv"
    chart = client.get(f"/api/solutions/{job['solution']}/chart").json()
    expected = push_fold(10.0).at("")
    by_class = expected.by_class()
    for name in ("AA", "72o", "K2s"):
        place = CLASS_NAMES.index(name)
        assert chart["classes"][name]["strategy"][1] == pytest.approx(
            by_class.strategy[1, place], abs=1e-6
        )
    (listed,) = client.get("/api/solutions").json()["solutions"]
    assert listed["title"]["stacks"] == [10.0, 10.0]
    refused = client.post(f"/api/jobs/{job['id']}/continue", json={"deals": 5000})
    assert refused.status_code // 100 == 4


@pytest.mark.slow
def test_charts_of_three_seats_are_paused_and_go_on_with_the_same_bits(client: TestClient) -> None:
    options = {"deals": 60_000, "threads": 1}
    job = started(client, hand=THREE, options=options)
    path = f"/api/jobs/{job['id']}"
    while not (client.get(path).json()["progress"] or {}).get("deals"):
        time.sleep(0.02)
    client.post(f"{path}/pause")
    paused = ended(client, job)
    assert paused["state"] in ("paused", "done"), paused
    if paused["state"] == "paused":
        assert paused["can_resume"]
        client.post(f"{path}/resume")
    done = ended(client, job)
    assert (done["state"], done["stopped_by"]) == ("done", "deals"), done["error"]
    expected = push_fold(10.0, seats=3, deals=60_000, threads=1)
    chart = client.get(f"/api/solutions/{job['solution']}/chart.csv").text
    path_of_file = client.services.library.path(job["solution"])  # type: ignore[attr-defined]
    saved = open_saved(path_of_file).content
    assert isinstance(saved, PushFoldSolution)
    assert saved.values == expected.values
    assert (saved.at("F-A").strategy == expected.at("F-A").strategy).all()
    assert chart.startswith("hand")
    for deals, status in ((50_000, 422), (61_000, 200)):
        answer = client.post(f"{path}/continue", json={"deals": deals})
        assert answer.status_code == status, answer.text
    further: Any = ended(client, job)
    assert (further["state"], further["progress"]["deals"]) == ("done", 61_000)


@pytest.mark.slow  # processes
def test_what_a_run_has_found_is_saved_while_it_goes_on_and_when_it_is_stopped(
    client: TestClient,
) -> None:
    job = started(client, hand=THREE, options={"deals": 10**10, "threads": 1})
    path = f"/api/jobs/{job['id']}"
    while not (client.get(path).json()["progress"] or {}).get("deals"):
        time.sleep(0.02)
    saved = client.post(f"{path}/save")
    assert (saved.status_code, saved.json()["is_saved"]) == (200, True), saved.text
    assert saved.json()["state"] == "running"
    first = client.get("/api/solutions").json()["solutions"][0]["iterations"]
    client.post(f"{path}/stop")
    stopped = ended(client, job)
    assert (stopped["state"], stopped["is_saved"]) == ("stopped", True), stopped["error"]
    assert stopped["progress"]["measure"] > 0
    assert client.get("/api/solutions").json()["solutions"][0]["iterations"] >= first > 0


def test_hands_without_a_board_and_strategies_after_the_flop_can_be_said() -> None:
    """An empty text of a form is one that is not given; bits are numbers for the engine."""
    keys = {"seats": "2", "stack": "6", "bets": "a", "raises": "a"}
    boards = [
        hand_run("multiway", {**keys, **given}, {}).hand.board  # type: ignore[attr-defined]
        for given in ({"board": "none"}, {})
    ]
    assert boards == [(), (3, 1, 1)]
    keys = {"stack": "6", "last_street": "flop", "bets": "a", "raises": "a", "flops": "3"}
    kept = hand_run("preflop", keys, {"keep_flops": "16"})
    assert kept.values["keep_flops"] == 16
    assert kept.needs().disk_bytes > hand_run("preflop", keys, {}).needs().disk_bytes


def test_all_kinds_that_have_an_end_say_how_long_they_take(client: TestClient) -> None:
    for hand in (THREE, BETS, EVERY_HAND, {"kind": "cards", "keys": {"buckets": "20/5/5/5"}}):
        needs = client.post("/api/hands/estimate", json={"hand": hand}).json()
        assert needs["seconds"] > 0
