"""The trainer through the API: what is asked, the engine's grades, what a killed server leaves."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from equilibrist import load_result, poker
from equilibrist.evaluation.duplicates import student_95
from equilibrist.library.blueprint_ranges import RangePlayer, range_sets
from equilibrist.library.examples import EXAMPLES
from equilibrist.play import SolutionCoach
from equilibrist.poker import Hand, push_fold, solve_multiway
from equilibrist.web.errors import NotFoundError
from equilibrist.web.store import training
from tests.web.conftest import put

Document = dict[str, Any]
NAME = "river-paired-board"
TOKENS = {"token": "o" * 20, "guest_token": "g" * 20}


@pytest.fixture(scope="module")
def river_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The solution of an example."""
    solution = poker.solve(EXAMPLES[NAME].spot(), iterations=20)
    return solution.save(tmp_path_factory.mktemp("river") / "river.safetensors")


@pytest.fixture
def library(client: TestClient, kuhn_file: Path, spot_file: Path, river_file: Path) -> TestClient:
    put(client, kuhn_file, "kuhn")
    put(client, spot_file, "turn")
    put(client, river_file, "river")
    client.put("/api/solutions/river/note", json={"oop": "BB", "ip": "BTN"})
    return client


def begun(client: TestClient, **given: Any) -> Document:
    answer = client.post("/api/trainer/sessions", json={"seed": 1, **given})
    assert answer.status_code == 201, answer.text
    found: Document = answer.json()
    return found


def post(client: TestClient, session: Document, what: str, **given: Any) -> Document:
    answer = client.post(f"/api/trainer/sessions/{session['id']}/{what}", json=given)
    assert answer.status_code == 200, answer.text
    found: Document = answer.json()
    return found


def answered(client: TestClient, session: Document, action: int = 0, table: int = 0) -> Document:
    number = session["tables"][table]["question"]["number"]
    return post(client, session, "answer", table=table, number=number, action=action)


def played(client: TestClient, session: Document, action: int = 0) -> Document:
    """The session with all its questions answered alike."""
    while session["state"] == "running":
        for table in session["tables"]:
            if table["question"] is not None and session["state"] == "running":
                session = answered(client, session, action, table["table"])
            elif session["count"] < session["settings"]["questions"]:
                session = post(client, session, "ask", table=table["table"])
    return session


def test_what_can_be_trained(library: TestClient) -> None:
    overview = library.get("/api/trainer").json()
    known = {source["solution"]: source for source in overview["solutions"]}
    shipped = {f"ranges:{found.name}" for found in range_sets()}
    assert set(known) == {"kuhn", "turn", "river", *shipped}
    assert known["kuhn"]["positions"] is None
    assert (known["river"]["positions"], known["river"]["street"]) == (["BB", "BTN"], "river")
    assert known["turn"]["positions"] == ["OOP", "IP"]
    assert known["turn"]["spr"] == 1.0
    assert overview["sessions"] == []


def test_answers_are_graded_as_the_engine_does(library: TestClient, river_file: Path) -> None:
    coach = SolutionCoach(load_result(river_file))
    session = played(library, begun(library, solutions=["river"], questions=8, tables=2))
    assert session["score"]["answers"] == session["count"] == 8
    answers = read_answers(library, session)
    losses = []
    for answer in answers:
        advice = coach.advise(answer["infoset"], 0)
        assert answer["ev_loss"] == advice.ev_loss
        assert tuple(row["ev"] for row in answer["actions"]) == advice.values
        assert answer["share"] == answer["ev_loss"] / answer["stake"]
        assert answer["position"] == ["BB", "BTN"][answer["scene"]["player"]]
        assert answer["scene"]["infoset"] == answer["infoset"]
        losses.append(answer["share"])
    share = session["score"]["share"]
    half = student_95(8) * np.std(losses, ddof=1) / np.sqrt(8)
    assert share["mean"] == pytest.approx(np.mean(losses))
    assert share["high"] - share["mean"] == pytest.approx(half)
    assert sum(session["score"]["grades"].values()) == 8
    for groups in ("by_source", "by_street", "by_position"):
        assert sum(group["answers"] for group in session[groups]) == 8
    worst = [answer["share"] for answer in session["worst"]]
    assert worst == sorted(worst, reverse=True)


def read_answers(client: TestClient, session: Document) -> list[Document]:
    folder = client.services.folders.training  # type: ignore[attr-defined]
    lines = (folder / f"{session['id']}.jsonl").read_text().splitlines()
    return [line["answered"] for line in map(json.loads, lines) if "answered" in line]


def test_positions_streets_and_stacks_are_chosen(library: TestClient) -> None:
    """By default every spot; games are trained where they are named."""
    sources = begun(library)["settings"]["sources"]
    assert {source["solution"] for source in sources} == {"turn", "river"}
    session = played(library, begun(library, positions=["BTN"], questions=3))
    assert [group["name"] for group in session["by_position"]] == ["BTN"]
    session = played(library, begun(library, streets=["turn"], questions=3))
    assert [group["name"] for group in session["by_street"]] == ["turn"]
    session = played(library, begun(library, solutions=["turn"], questions=8, seed=3))
    assert [group["name"] for group in session["by_street"]] == ["turn", "river"]
    session = played(library, begun(library, spr=[2, 9], questions=2))
    assert [source["solution"] for source in session["settings"]["sources"]] == ["river"]
    session = played(library, begun(library, solutions=["kuhn"], questions=3))
    assert [group["name"] for group in session["by_street"]] == [""]
    for wrong in ({"positions": ["UTG"]}, {"spr": [50, 90]}, {"streets": ["flop"]}):
        refused = library.post("/api/trainer/sessions", json=wrong)
        assert (refused.status_code, refused.json()["option"]) == (409, "solutions")


@pytest.mark.parametrize(
    ("given", "status", "option"),
    [
        ({"solutions": ["none"]}, 404, "name"),
        ({"solutions": []}, 422, "solutions"),
        ({"tables": 5}, 422, "tables"),
        ({"seconds": 0.5}, 422, "seconds"),
        ({"questions": 0}, 422, "questions"),
        ({"difficulty": "hard"}, 422, "difficulty"),
        ({"streets": ["showdown"]}, 422, "streets.0"),
        ({"spr": [1]}, 422, "spr"),
        ({"spr": [3, 1]}, 422, "spr"),
        ({"again": "none"}, 404, "session"),
    ],
)
def test_what_is_wrong_is_said(
    library: TestClient, given: Document, status: int, option: str
) -> None:
    refused = library.post("/api/trainer/sessions", json=given)
    assert (refused.status_code, refused.json()["option"]) == (status, option)
    assert library.get("/api/trainer").json()["sessions"] == []


def test_a_killed_server_loses_nothing(
    library: TestClient, make_client: Callable[..., TestClient]
) -> None:
    """Not the open question either; a line that was being written is dropped."""
    session = begun(library, tables=3, questions=9)
    session = answered(library, session, table=1)
    session = post(library, session, "ask", table=1)
    session = answered(library, session, table=2)
    file = library.services.folders.training / f"{session['id']}.jsonl"  # type: ignore[attr-defined]
    with file.open("ab") as cut:
        cut.write(b'{"answered": {"table": 0, "nu')
    other = make_client()
    again = other.get(f"/api/trainer/sessions/{session['id']}").json()
    assert again == session
    assert [table["question"] is None for table in again["tables"]] == [False, False, True]
    assert other.get("/api/trainer").json()["sessions"][0]["id"] == session["id"]
    finished = played(other, again)
    assert finished["score"]["answers"] == 9
    file.write_text("no session\n")
    assert make_client().get(f"/api/trainer/sessions/{session['id']}").status_code == 404


def test_the_same_seed_asks_the_same(library: TestClient) -> None:
    """Whatever the tables are."""
    asked = []
    for tables in (1, 2):
        session = played(library, begun(library, tables=tables, questions=4, seed=5))
        answers = read_answers(library, session)
        asked.append(sorted((one["number"], one["infoset"]) for one in answers))
    assert asked[0] == asked[1]


def test_bad_decisions_are_asked_again(library: TestClient) -> None:
    session = played(library, begun(library, questions=8), action=0)
    bad = [one for one in read_answers(library, session) if one["grade"] not in ("best", "correct")]
    unique = {(one["source"], one["infoset"]) for one in bad}
    assert session["again"] == len(unique) > 1
    again = begun(library, again=session["id"], tables=2)
    assert again["settings"]["questions"] == len(unique)
    assert again["settings"]["again"] == session["id"]
    again = played(library, again)
    asked = sorted(read_answers(library, again), key=lambda one: one["number"])
    assert {(one["source"], one["infoset"]) for one in asked} == unique
    assert asked[0]["infoset"] == session["worst"][0]["infoset"]
    best = played(library, begun(library, solutions=["kuhn"], questions=1, seed=9))
    if not best["again"]:
        refused = library.post("/api/trainer/sessions", json={"again": best["id"]})
        assert (refused.status_code, refused.json()["option"]) == (409, "again")


def test_the_clock_checks_or_folds(library: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun(library, seconds=5, questions=6)
    assert 0 < session["tables"][0]["question"]["seconds_left"] <= 5
    for number in range(1, 7):
        table = session["tables"][0]
        question = table["question"]
        if number == 3:  # an answer that comes too late counts as none
            now = time.time()
            monkeypatch.setattr(time, "time", lambda now=now: now + 60)
            session = answered(library, session, len(question["actions"]) - 1)
            monkeypatch.undo()
        else:
            session = post(library, session, "answer", table=0, number=number, action=None)
        answer = session["tables"][0]["answer"]
        word = answer["actions"][answer["chosen"]]["word"]
        assert word == ("Fold" if question["scene"]["to_call"] else "Check")
        assert answer["late"]
        if number < 6:
            session = post(library, session, "ask", table=0)
    assert session["score"]["late"] == 6
    session = begun(library, seconds=None)
    path = f"/api/trainer/sessions/{session['id']}/answer"
    refused = library.post(path, json={"table": 0, "number": 1, "action": None})
    assert (refused.status_code, refused.json()["option"]) == (422, "action")


def test_an_open_question_is_asked_again_with_a_new_clock(library: TestClient) -> None:
    session = begun(library, seconds=30)
    first = session["tables"][0]["question"]
    second = post(library, session, "ask", table=0)["tables"][0]["question"]
    assert {**second, "seconds_left": 0} == {**first, "seconds_left": 0}
    assert second["seconds_left"] > 29


def test_questions_are_not_asked_again_without_end(
    library: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begun(library)
    monkeypatch.setattr(training, "_MOST_LINES", 3)
    path = f"/api/trainer/sessions/{session['id']}"
    asked = [library.post(f"{path}/ask", json={"table": 0}).status_code for _ in range(4)]
    assert asked == [200, 200, 429, 429]


def test_a_session_that_is_deleted_meanwhile_leaves_no_file(library: TestClient) -> None:
    sessions = library.services.training  # type: ignore[attr-defined]
    session = sessions.get(begun(library)["id"], "owner")
    library.delete(f"/api/trainer/sessions/{session.id}")
    with pytest.raises(NotFoundError):  # of an answer that was on its way
        session.end()
    assert not session.path.exists()
    assert session.drawn is None


def test_questions_that_are_not_open_are_refused(library: TestClient) -> None:
    session = begun(library, questions=2)
    path = f"/api/trainer/sessions/{session['id']}"
    for table, number, status, option in ((0, 2, 409, "number"), (1, 1, 404, "table")):
        refused = library.post(
            f"{path}/answer", json={"table": table, "number": number, "action": 0}
        )
        assert (refused.status_code, refused.json()["option"]) == (status, option)
    refused = library.post(f"{path}/answer", json={"number": 1, "action": 9})
    assert (refused.status_code, refused.json()["option"]) == (422, "action")
    done = played(library, session)
    assert done["state"] == "done"
    refused = library.post(f"{path}/ask", json={"table": 0})
    assert (refused.status_code, refused.json()["option"]) == (409, "session")
    session = begun(library, questions=None)
    ended = post(library, session, "end")
    assert (ended["state"], ended["tables"][0]["question"]) == ("done", None)
    assert library.delete(f"/api/trainer/sessions/{session['id']}").status_code == 200
    assert library.get(f"/api/trainer/sessions/{session['id']}").status_code == 404


def test_solutions_that_are_gone_are_asked_no_more(
    library: TestClient, make_client: Callable[..., TestClient]
) -> None:
    """What was drawn already is still asked and graded, as long as the server runs."""
    session = begun(library, questions=40, tables=2)
    library.post("/api/solutions/river", json={"name": "renamed"})
    library.delete("/api/solutions/turn")
    session = answered(library, session)
    asked = set()
    for _ in range(4):
        session = post(library, session, "ask", table=0)
        asked.add(session["tables"][0]["question"]["source"])
        session = answered(library, session)
    sources = [source["solution"] for source in session["settings"]["sources"]]
    assert sources.index("river") in asked
    library.delete("/api/solutions/renamed")
    session = answered(library, session, table=1)
    other = begun(library, solutions=["kuhn"])
    assert other["tables"][0]["question"]["kind"] == "game"
    refused = library.post("/api/trainer/sessions", json={})
    assert (refused.status_code, refused.json()["option"]) == (409, "solutions")
    restarted, path = make_client(), f"/api/trainer/sessions/{session['id']}"
    refused = restarted.post(f"{path}/ask", json={"table": 0})
    assert (refused.status_code, refused.json()["kind"]) == (404, "NotFoundError")


def test_the_next_question_is_drawn_before_anybody_asks(
    library: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the one that would be drawn then."""
    from equilibrist.web.trainer import documents

    session = begun(library, questions=3, seed=8)
    held = library.services.training.get(session["id"], "owner")  # type: ignore[attr-defined]
    drawn = held.drawn
    assert drawn is not None
    assert drawn[0] == 2
    session = answered(library, session)
    with monkeypatch.context() as patch:
        patch.setattr(documents, "_drawn_question", None)  # nothing is drawn while somebody waits
        session = library.post(
            f"/api/trainer/sessions/{session['id']}/ask", json={"table": 0}
        ).json()
    assert session["tables"][0]["question"]["scene"]["infoset"] == drawn[1]["infoset"]
    held.drawn = None
    again = begun(library, questions=3, seed=8, tables=2)
    assert again["tables"][1]["question"]["scene"]["infoset"] == drawn[1]["infoset"]


def test_solutions_are_held_for_those_who_train(
    library: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither for a session that is over, nor for one that was left."""
    sessions = library.services.training  # type: ignore[attr-defined]
    left, over = begun(library, tables=2), begun(library, questions=1)
    held = sessions.get(left["id"], "owner")
    assert set(held.held) == {0, 1}
    assert held.drawn is not None
    played(library, over)
    ended = sessions.get(over["id"], "owner")
    assert (ended.held, ended.drawn) == ({}, None)
    monkeypatch.setattr(training, "_LEFT", -1.0)
    library.get(f"/api/trainer/sessions/{over['id']}")
    assert (held.held, held.drawn) == ({}, None)
    assert answered(library, left, table=1)["score"]["answers"] == 1


def test_guests_train_and_see_no_sessions_of_owners(
    make_client: Callable[..., TestClient],
    river_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owner, guest = make_client(**TOKENS), make_client(**TOKENS)
    owner.headers["Authorization"] = f"Bearer {TOKENS['token']}"
    guest.headers["Authorization"] = f"Bearer {TOKENS['guest_token']}"
    put(owner, river_file, "river")
    session = begun(owner, questions=2)
    assert guest.get(f"/api/trainer/sessions/{session['id']}").status_code == 404
    assert guest.delete(f"/api/trainer/sessions/{session['id']}").status_code == 404
    own = played(guest, begun(guest, questions=2))
    assert own["score"]["answers"] == 2
    assert guest.get("/api/trainer").json()["sessions"] == []
    assert [one["id"] for one in owner.get("/api/trainer").json()["sessions"]] == [session["id"]]
    monkeypatch.setattr(training, "_MOST_OF_GUESTS", 1)
    refused = guest.post("/api/trainer/sessions", json={})
    assert (refused.status_code, refused.json()["option"]) == (429, "sessions")
    begun(owner)
    monkeypatch.setattr(training, "_IDLE", 0.0)
    begun(guest)
    assert guest.get(f"/api/trainer/sessions/{own['id']}").status_code == 404


def test_charts_of_two_seats_are_trained_where_play_before_the_flop_is_wanted(
    library: TestClient, tmp_path: Path
) -> None:
    charts = push_fold(10.0, progress=False)
    put(library, charts.save(tmp_path / "charts.safetensors"), "charts")
    sources = {one["solution"]: one for one in library.get("/api/trainer").json()["solutions"]}
    assert (sources["charts"]["positions"], sources["charts"]["street"]) == (
        ["SB", "BB"],
        "preflop",
    )
    assert "charts" not in {source["solution"] for source in begun(library)["settings"]["sources"]}
    session = begun(library, solutions=["charts"], positions=["BB"], questions=4)
    assert session["tables"][0]["question"]["scene"]["board"] == []
    session = played(library, session, action=1)
    coach = SolutionCoach(charts)
    for answer in read_answers(library, session):
        advice = coach.advise(answer["infoset"], 1)
        assert (answer["ev_loss"], answer["position"]) == (advice.ev_loss, "BB")
        assert answer["grade"] is not None
        assert answer["study"].startswith("/charts/charts")
    assert session["by_street"][0]["name"] == "preflop"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["push-fold", "multiway"])
def test_charts_of_more_seats_are_graded_within_the_interval_of_their_estimates(
    library: TestClient, tmp_path: Path, kind: str
) -> None:
    limits: Any = {"deals": 2000, "seed": 1, "threads": 1, "progress": False}
    charts: Any
    if kind == "push-fold":
        charts = push_fold(8.0, seats=4, **limits)
    else:
        hand = Hand(seats=4, stack=8, bets="a", raises="a", last_street="preflop")
        charts = solve_multiway(hand, **limits)
    put(library, charts.save(tmp_path / "charts.safetensors"), "charts")
    sources = {one["solution"]: one for one in library.get("/api/trainer").json()["solutions"]}
    assert sources["charts"]["positions"] == list(charts.seats)
    asked = begun(library, solutions=["charts"], positions=["CO", "SB"], questions=6)
    session = played(library, asked, action=1)
    coach, grades = SolutionCoach(charts), []
    for answer in read_answers(library, session):
        advice = coach.advise(answer["infoset"], 1)
        assert advice.errors is not None
        assert answer["position"] in ("CO", "SB")
        assert answer["estimated"]
        assert answer["ev_loss"] == pytest.approx(advice.ev_loss)
        unknown = np.hypot(advice.errors[advice.best], advice.errors[1])
        if answer["ev_loss"] <= unknown:
            assert answer["grade"] in ("best", "correct")
        grades.append(answer["grade"])
    assert session["score"]["graded"] == 6
    assert session["score"]["share"] is not None


@pytest.mark.parametrize("found", range_sets(), ids=lambda found: found.name)
def test_ranges_that_come_along_are_graded_by_their_frequencies(
    library: TestClient, found: Any
) -> None:
    player, name = RangePlayer(found), f"ranges:{found.name}"
    session = played(library, begun(library, solutions=[name], questions=12), action=0)
    for answer in read_answers(library, session):
        mixture = player.mixture_at(answer["infoset"])
        assert answer["ev_loss"] is answer["share"] is None
        assert [row["frequency"] for row in answer["actions"]] == list(mixture)
        assert answer["best"] == mixture.index(max(mixture))
        played_often = mixture[answer["chosen"]] >= 0.1
        assert (answer["grade"] in ("best", "correct")) == played_often
        assert answer["study"] == "/examples"
    assert session["score"]["graded"] == 12
    assert session["score"]["share"] is None
    assert {group["name"] for group in session["by_position"]} <= set(found.seats)
    if session["again"]:
        again = begun(library, again=session["id"])
        assert again["tables"][0]["question"]["source"] == 0
