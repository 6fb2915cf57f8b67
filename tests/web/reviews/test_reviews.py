"""Reviews through the API: the document of the command line, and what is refused."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from starlette.testclient import TestClient

from equilibrist.play.grades import Grade
from equilibrist.play.histories.faults import HAND_FAULTS, LeftOutCode
from equilibrist.play.histories.site_hand import BETS, CALLS, CHECKS, FOLDS, RAISES
from equilibrist.play.review.decisions import Judgement, ReviewedDecision
from equilibrist.play.review.review import ReviewedHand
from equilibrist.web.jobs.job import CHECKPOINT
from equilibrist.web.services import Services
from equilibrist.web.shell import FOLDER
from equilibrist.web.workers.reviewing import HANDS_FILE, table_hands_of
from tests.cli.command import Shell
from tests.play.review.hands import history, on_river, text_of
from tests.play.review.test_review import PUSHES, river
from tests.web.conftest import put
from tests.web.following import ended, started
from tests.web.javascript import catalogue_of

HANDS = text_of(
    [
        on_river("p1 cc", "p2 cbr 100", "p1 f"),
        history("d dh p1 AcAd", "d dh p2 7h2d", "p2 cbr 1000", "p1 f"),
    ]
)


@pytest.fixture
def library(client: TestClient, tmp_path: Path) -> TestClient:
    put(client, river().save(tmp_path / "river.spot"), "river")
    put(client, PUSHES.save(tmp_path / "push.safetensors"), "push")
    return client


def review(client: TestClient, **body: Any) -> Any:
    return client.post("/api/reviews", json={"hands": HANDS, "against": ["river", "push"]} | body)


def test_the_document_is_that_of_the_command_line(
    library: TestClient, shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "hands.phhs").write_text(HANDS)
    document = review(library).json()
    against = f"--against {tmp_path}/river.spot --against {tmp_path}/push.safetensors"
    printed = shell(f"hands review {tmp_path}/hands.phhs {against} --json").ok().json
    assert {each["against"] for each in document["decisions"]} == {"river", "push", None}
    for each in (*document["decisions"], *printed["decisions"]):
        del each["against"]
    assert document == printed
    only = review(library, hero="p2").json()
    assert only["players"] == ["p2"]


def test_hands_that_are_left_out_have_codes(library: TestClient) -> None:
    odd = text_of(
        [
            on_river("p1 cc", "p2 cbr 100", "p1 f"),
            history("d dh p1 AcAd", "d dh p2 7h2d", "p1 cbr 1000", "p2 f"),
            history("d dh p1 AcAd", "d dh p2 AcAd", "p2 f"),
            history("d dh p1 AcAd", "d dh p2 7h2d", "p2 f"),
        ]
    )
    begins = odd.rindex("variant")
    odd = odd[:begins] + odd[begins:].replace("NT", "Chess")
    left_out = review(library, hands=f"{odd}[5]\nvariant = \n").json()["left_out"]
    codes = {out["number"]: out["code"] for out in left_out}
    assert codes == {2: "impossible", 3: "impossible", 4: "other-game", 5: "unreadable"}
    faults = [out["fault"] for out in left_out]
    assert faults == ["action-not-allowed", "card-twice", "variant-unknown", "toml"]
    for out in left_out:
        text = HAND_FAULTS[out["fault"]].text
        assert out["reason"] == text.format_map(out["values"])


def texts(language: str, prefix: str) -> dict[str, str]:
    files = (FOLDER / f"texts/{name}.js" for name in (language, f"{language}-help"))
    forms = [each for file in files for each in catalogue_of(file.read_text("utf-8")).items()]
    return {key.removeprefix(prefix): each[-1] for key, each in forms if key.startswith(prefix)}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_pages_say_why_hands_are_left_out(language: str) -> None:
    kinds = texts(language, "review.left-out.why.")
    assert set(kinds) == set(get_args(LeftOutCode))
    assert all("{reason}" in text for text in kinds.values())
    faults = texts(language, "review.fault.")
    assert set(faults) == set(HAND_FAULTS)
    for code, text in faults.items():
        assert set(re.findall(r"\{(\w+)", text)) == set(
            re.findall(r"\{(\w+)", HAND_FAULTS[code].text)
        )
    assert set(texts(language, "review.fault-verb.")) == {FOLDS, CHECKS, CALLS, BETS, RAISES}


def test_english_pages_say_what_the_terminal_says() -> None:
    """But for marks of quotation."""
    for code, text in texts("en", "review.fault.").items():
        engine = re.sub(r"\{(\w+)!r\}", r"“{\1}”", HAND_FAULTS[code].text)
        assert text == re.sub("`([^`]+)`", r"“\1”", engine)


def test_decisions_say_where_they_are_in_the_solution(library: TestClient) -> None:
    """What the pages of the solutions are opened with."""
    decisions = review(library, everybody=True).json()["decisions"]
    judged = [each for each in decisions if each["reason"] is None]
    assert {each["place"]["kind"] for each in judged} == {"spot", "hands"}
    for each in judged:
        name, place = each["against"], each["place"]
        if place["kind"] == "spot":
            asked = {"line": place["line"]}
            answer = library.get(f"/api/solutions/{name}/node", params=asked).json()
            assert answer["node"]["player"] is not None, place
            assert each["cards"] == place["hand"]  # of a river, whose suits are its own
        else:
            asked = {"line": place["line"], "board": place["board"]}
            assert library.get(f"/api/solutions/{name}/chart", params=asked).status_code == 200
    assert all(each["place"] is None for each in decisions if each["reason"] is not None)


@pytest.mark.slow
def test_a_hand_is_replayed_on_the_table(library: TestClient) -> None:
    job = started(library, review={"hands": HANDS, "against": ["river", "push"], "solve": False})
    assert ended(library, job)["state"] == "done"
    path = f"/api/jobs/{job['id']}/review/hand"
    document = library.get(path, params={"hand": "1"}).json()
    assert [step["played"] for step in document["steps"][-2:]] == ["Bet 100", "Fold"]
    scene = document["steps"][-1]["scene"]
    assert "".join(scene["board"]) == "Ks7h2d3c9s"
    by_seat = {player["seat"]: player for player in scene["players"]}
    assert (by_seat["SB"]["bet"], scene["to_call"]) == (100, 100)
    pots = [step["scene"]["total"] for step in document["steps"]]
    assert pots == sorted(pots)
    lines = [step["line"] for step in document["steps"]]
    decisions = library.get(f"/api/jobs/{job['id']}/review").json()["decisions"]
    assert {each["line"] for each in decisions if each["hand"] == "1"} <= {*lines}
    own = library.get(path, params={"hand": "1", "player": "p2"}).json()
    assert own["steps"][0]["scene"]["you"] == "SB"
    services: Services = library.services  # type: ignore[attr-defined]
    file = services.jobs.folder_of(job["id"]) / HANDS_FILE
    for asked, option in (({"hand": "9"}, "hand"), ({"hand": "1", "player": "Eve"}, "player")):
        refusal = library.get(path, params=asked)
        assert (refusal.status_code, refusal.json()["option"]) == (404, option)
    file.unlink()  # as somebody may do by hand
    gone = library.get(path, params={"hand": "1"})
    assert (gone.status_code, gone.json()["option"]) == (422, "hands")
    assert str(file.parent) not in gone.text


@pytest.mark.slow
def test_all_hands_of_sessions_are_replayed(library: TestClient) -> None:
    """Tables of any size, with seats that sit out, post late and go all-in."""
    samples = Path(__file__).parents[2] / "play" / "histories" / "samples" / "sessions"
    for file in (samples / "tournament.txt", samples / "posts.txt"):
        body = {"hands": file.read_text("utf-8"), "against": ["push"], "everybody": True}
        job = started(library, review=body | {"solve": False})
        assert ended(library, job)["state"] == "done", file.name
        decisions = library.get(f"/api/jobs/{job['id']}/review").json()["decisions"]
        for hand, player in {(each["hand"], each["player"]) for each in decisions}:
            asked = {"hand": hand, "player": player}
            answer = library.get(f"/api/jobs/{job['id']}/review/hand", params=asked)
            assert answer.status_code == 200, answer.text
            steps = {step["line"] for step in answer.json()["steps"] if step["player"] == player}
            own = {
                each["line"]
                for each in decisions
                if (each["hand"], each["player"]) == (hand, player)
            }
            assert own <= steps, (file.name, hand)


@pytest.mark.slow
def test_cards_that_nobody_has_shown_are_not_on_the_table(library: TestClient) -> None:
    hands = text_of([history("d dh p1 ????", "d dh p2 7h2d", "p2 cbr 1000", "p1 f")])
    body = {"hands": hands, "against": ["push"], "solve": False, "hero": "p2"}
    job = started(library, review=body)
    assert ended(library, job)["state"] == "done"
    path = f"/api/jobs/{job['id']}/review/hand?hand=1"
    for player, known in (("p1", []), ("p2", ["7h", "2d"])):
        step = library.get(f"{path}&player={player}").json()["steps"][0]
        assert step["scene"]["cards"] == known


FLOP = history(
    "d dh p1 AhTh", "d dh p2 KdKc", "p2 cbr 300", "p1 cc", "d db Td7c2h", "p1 cc", "p2 cbr 200",
    "p1 f", starting_stacks=[1000, 1000],
)  # fmt: skip


@pytest.mark.slow
def test_spots_are_solved_in_a_job(library: TestClient) -> None:
    """As other solves: queued, followed by its events, and looked up when it has ended."""
    hands = text_of([FLOP, on_river("p1 cc", "p2 cbr 100", "p1 f")])
    given = {"hands": hands, "against": ["river"], "everybody": True, "ranges": "KK|ATs,77"}
    review = given | {"bets": "a", "raises": ""}
    job = started(library, review=review, options={"iterations": 3, "threads": 1})
    assert (job["kind"], job["game"]) == ("review", "2 hands")
    facts: dict[str, Any] = {
        "hero": None,
        "stacks_within": 1.5,
        "solve": True,
        "keep": False,
        "renamed": {},
    }
    assert {"hands": hands, **job["review"]} == review | facts
    done = ended(library, job)
    assert done["state"] == "done", done["error"]
    document = library.get(f"/api/jobs/{job['id']}/review").json()
    assert document["complete"]
    judged = {each["against"] for each in document["decisions"] if each["reason"] is None}
    assert judged == {"solved flop", "river"}
    (line,) = library.get("/api/jobs").json()["jobs"]
    assert (line["title"]["kind"], line["title"]["game"]) == ("review", None)
    assert "hands" not in line["review"]
    refusal = library.post(f"/api/jobs/{job['id']}/continue", json={"iterations": 5})
    assert (refusal.status_code, refusal.json()["option"]) == (409, "kind")
    other = ended(library, started(library, game="kuhn", options={"iterations": 1}))
    answer = library.get(f"/api/jobs/{other['id']}/review")
    assert (answer.status_code, answer.json()["option"]) == (409, "job")


@pytest.mark.slow
def test_spots_that_are_solved_are_kept_for_study(library: TestClient) -> None:
    """Their decisions are judged by a name of the library, at the lines that they have there."""
    review = {"hands": text_of([FLOP]), "everybody": True, "ranges": "KK|ATs,77", "bets": "a"}
    review |= {"raises": "", "keep": True}
    job = ended(library, started(library, review=review, options={"iterations": 100}))
    document = library.get(f"/api/jobs/{job['id']}/review").json()
    judged = [each for each in document["decisions"] if each["reason"] is None]
    assert judged, document["decisions"]
    name = f"review-{job['id']}-1"
    assert {each["against"] for each in judged} == {name}
    for each in judged:
        asked = {"line": each["place"]["line"]}
        node = library.get(f"/api/solutions/{name}/node", params=asked).json()["node"]
        assert each["cards"] in {*node["hands"], *node["other_hands"]}
    assert library.get(f"/api/solutions/{name}").json()["streets"] == "no-rivers"


@pytest.mark.slow
def test_a_review_that_is_stopped_keeps_what_it_has_judged(library: TestClient) -> None:
    """Two hands are judged by solutions, and the flop of the second one is solved without end."""
    pushed = history("d dh p1 AcAd", "d dh p2 7h2d", "p2 cbr 1000", "p1 f")
    hands = text_of([pushed, on_river("p1 cc", "p2 cbr 100", "p1 f"), FLOP])
    against = ["river", "push"]
    given = {"hands": hands, "against": against, "everybody": True, "ranges": "KK|ATs,77"}
    review = given | {"bets": "a", "raises": ""}
    job = started(library, review=review, options={"target": "0.00001%", "seconds": "600"})
    deadline = time.monotonic() + 60
    while True:
        now = library.get(f"/api/jobs/{job['id']}").json()
        if "solving" in (now["stage"] or ""):
            break
        assert now["state"] in ("queued", "running"), now["error"]
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert (now["stage_code"], now["stage_total"]) == ("reviewing", 3)
    assert now["stage_done"] == 1
    assert library.post(f"/api/jobs/{job['id']}/stop").status_code == 200
    done = ended(library, job)
    assert done["state"] in ("done", "stopped"), done
    document = library.get(f"/api/jobs/{job['id']}/review").json()
    assert not document["complete"]
    assert {each["hand"] for each in document["decisions"]} == {"1", "2"}
    assert any(each["against"] == "river" for each in document["decisions"])
    if done["state"] == "done":  # the hand was over at that moment
        return
    assert done["can_resume"]
    assert library.post(f"/api/jobs/{job['id']}/resume").status_code == 200
    while True:
        now = library.get(f"/api/jobs/{job['id']}").json()
        if now["stage_done"] is not None:
            break
        assert now["state"] in ("queued", "running"), now["error"]
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert now["stage_done"] == 1  # not the first hand again
    renaming = library.post("/api/solutions/river", json={"name": "moved"})
    assert (renaming.status_code, renaming.json()["option"]) == (409, "name")
    assert library.post(f"/api/jobs/{job['id']}/pause").status_code == 200
    assert ended(library, job)["state"] == "paused"
    again = library.get(f"/api/jobs/{job['id']}/review").json()
    assert again["decisions"] == document["decisions"]


@pytest.mark.slow
def test_a_review_goes_on_with_the_hand_where_it_was_broken_off(library: TestClient) -> None:
    """What was said of the first hand stays, and a judge is found under its new name."""
    asked = {"against": ["river", "push"], "solve": False, "everybody": True}
    first = ended(library, started(library, review={"hands": HANDS} | asked))
    said = library.get(f"/api/jobs/{first['id']}/review").json()
    services: Services = library.services  # type: ignore[attr-defined]
    job = services.jobs.get(first["id"])
    again = replace(job, id="0123456789ab", state="interrupted")
    text = (services.jobs.folder_of(job.id) / HANDS_FILE).read_text("utf-8")
    hands, _ = table_hands_of(text)
    mark = "told by the process before"
    earlier = [
        ReviewedDecision(
            hand=hands[0].name, player="p1", position="BB", street="river", cards="AdAc",
            board="Ks7h2d3c9s", line="X", played="Fold", pot=1.0, big_blind=2.0,
            judgement=Judgement("river", "Call", 0.5, None, 0.0, Grade.BLUNDER, ()), why=mark,
        )
    ]  # fmt: skip
    line = ReviewedHand(hands[0].name, earlier).to_line()
    assert library.portal is not None
    library.portal.call(services.jobs.record, again, {HANDS_FILE: text})
    (services.jobs.folder_of(again.id) / CHECKPOINT).write_text(f"{line}\n{line[:40]}")
    renamed = library.post("/api/solutions/river", json={"name": "moved"})
    assert renamed.status_code == 200, renamed.text
    assert library.post(f"/api/jobs/{again.id}/resume").status_code == 200
    done = ended(library, {"id": again.id})
    assert done["state"] == "done", done["error"]
    assert done["review"]["renamed"] == {"river": "moved"}
    document = library.get(f"/api/jobs/{again.id}/review").json()
    of_first = [each for each in document["decisions"] if each["hand"] == hands[0].name]
    assert [(each["why"], each["against"]) for each in of_first] == [(mark, "moved")]
    rest = [each for each in document["decisions"] if each["hand"] != hands[0].name]
    assert rest == [each for each in said["decisions"] if each["hand"] != hands[0].name]
    assert document["complete"]
    assert not done["can_resume"]  # it is whole
    of_job = library.get(f"/api/jobs/{first['id']}/review").json()["decisions"]
    assert {each["against"] for each in of_job} == {"moved", "push", None}
    assert [step["played"] for step in library.get(
        f"/api/jobs/{again.id}/review/hand", params={"hand": hands[1].name}
    ).json()["steps"]]  # fmt: skip


FOLDED = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ['d dh p1 ????', 'd dh p2 AhKh', 'p2 f']
"""


def test_hands_to_be_reviewed_may_be_longer_than_other_requests(
    make_client: Callable[..., TestClient],
) -> None:
    client = make_client(limits={"body": 10_000, "reviewed": 20_000})
    limits = client.get("/api/me").json()["limits"]
    assert (limits["body_bytes"], limits["reviewed_bytes"]) == (10_000, 20_000)
    for size, status in ((12_000, 422), (21_000, 413)):
        hands = "x" * size
        for path, body in (
            ("jobs", {"review": {"hands": hands}}),
            ("reviews", {"hands": hands, "against": []}),
        ):
            assert client.post(f"/api/{path}", json=body).status_code == status
    assert client.post("/api/spots/write", json={"toml": "x" * 12_000}).status_code == 413


def test_hands_that_are_too_many_are_refused_at_their_line(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before those behind them are replayed."""
    monkeypatch.setattr("equilibrist.web.reviews.documents.MOST_HANDS", 2)
    hands = "".join(f"[{k}]\n{FOLDED}\n" for k in range(1, 4))
    answer = client.post("/api/jobs", json={"review": {"hands": hands}})
    lines = len(FOLDED.splitlines()) + 2
    refusal = answer.json()
    assert (answer.status_code, refusal["option"]) == (422, "hands"), answer.text
    assert refusal["place"] == f"line {2 * lines + 1}"


@pytest.mark.parametrize(
    ("body", "option"),
    [
        ({"against": [], "solve": False}, "against"),
        ({"hero": "Eve"}, "hero"),
        ({"ranges": "AA"}, "ranges"),
        ({"bets": "x"}, "bets"),
        ({"hands": "PLAYER"}, "hands"),
    ],
)
def test_jobs_of_reviews_are_checked_first(
    client: TestClient, body: dict[str, Any], option: str
) -> None:
    answer = client.post("/api/jobs", json={"review": {"hands": HANDS} | body})
    assert (answer.status_code, answer.json()["option"]) == (422, option)
    assert client.get("/api/jobs").json()["jobs"] == []


def test_a_solution_of_another_game_judges_no_hands(library: TestClient, kuhn_file: Path) -> None:
    put(library, kuhn_file, "kuhn")
    body = {"hands": HANDS, "against": ["river", "kuhn"]}
    answer = library.post("/api/jobs", json={"review": body})
    said = answer.json()
    assert (answer.status_code, said["option"], said["given"]) == (422, "against", "kuhn")
    assert said["remedy"]
    assert library.get("/api/jobs").json()["jobs"] == []


def test_a_review_is_of_no_game(client: TestClient) -> None:
    answer = client.post("/api/jobs", json={"review": {"hands": HANDS}, "game": "kuhn"})
    assert (answer.status_code, answer.json()["option"]) == (422, "game")


@pytest.mark.parametrize(
    ("body", "status", "option"),
    [
        ({"hands": "PLAYER\n"}, 422, "hands"),
        ({"hands": ""}, 422, "hands"),
        ({"hero": "Eve"}, 422, "hero"),
        ({"against": []}, 422, "against"),
        ({"against": ["nothing"]}, 404, "name"),
        ({"stacks_within": 0.5}, 422, "stacks_within"),
    ],
)
def test_what_is_wrong_is_refused(
    library: TestClient, body: dict[str, Any], status: int, option: str
) -> None:
    answer = review(library, **body)
    assert (answer.status_code, answer.json()["option"]) == (status, option)
    assert "/tmp" not in answer.text
