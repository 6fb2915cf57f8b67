"""Playing through the API: the engine's numbers, hidden cards, roles and limits."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist import load_result, poker
from equilibrist.play import Coach, SolutionCoach, read_log
from equilibrist.play.range_mixtures import StrategyRanges
from equilibrist.web.settings import Subject
from equilibrist.web.workers.order import ReadOrder
from equilibrist.web.workers.reading import read
from tests.cli.conftest import GAME
from tests.web.conftest import put

Document = dict[str, Any]


@pytest.fixture
def library(client: TestClient, kuhn_file: Path, spot_file: Path) -> TestClient:
    put(client, kuhn_file, "kuhn")
    put(client, spot_file, "turn")
    return client


def opened(client: TestClient, kind: str = "tables", **given: Any) -> Document:
    answer = client.post(f"/api/play/{kind}", json=given)
    assert answer.status_code == 201, answer.text
    found: Document = answer.json()
    return found


def choose(client: TestClient, table: Document, **how: Any) -> Document:
    turn = table["turn"]
    given = {"hand": turn["hand"], "move": turn["move"], **how}
    answer = client.post(f"/api/play/tables/{table['id']}/choose", json=given)
    assert answer.status_code == 200, answer.text
    found: Document = answer.json()
    return found


def test_the_best_solution_of_a_game_is_played(client: TestClient, tmp_path: Path) -> None:
    """As on the command line: the newest one may be worse."""
    solved = [("kuhn", 10), ("rock_paper_scissors", 3), ("kuhn", 300), ("kuhn", 2), ("kuhn", 40)]
    for number, (game, iterations) in enumerate(solved):
        file = eq.solve(game, iterations=iterations).save(tmp_path / "one.safetensors")
        put(client, file, f"{game}{number}")
        own = client.services.library.path(f"{game}{number}")  # type: ignore[attr-defined]
        os.utime(own, (1e9 + number, 1e9 + number))
    listed = [entry["name"] for entry in client.get("/api/solutions").json()["solutions"]]
    assert listed == ["kuhn4", "kuhn3", "kuhn2", "rock_paper_scissors1", "kuhn0"]  # the newest
    listed = [entry["name"] for entry in client.get("/api/play/solutions").json()["solutions"]]
    assert listed == ["kuhn2", "kuhn4", "kuhn0", "kuhn3", "rock_paper_scissors1"]
    for kind in ("tables", "drills"):
        assert opened(client, kind, game="kuhn")["solution"] == "kuhn2"
        assert opened(client, kind, solution="kuhn3")["solution"] == "kuhn3"
        for wrong in ({}, {"solution": "kuhn3", "game": "kuhn"}):
            refused = client.post(f"/api/play/{kind}", json=wrong)
            assert (refused.status_code, refused.json()["option"]) == (422, "solution")
        missing = client.post(f"/api/play/{kind}", json={"game": "leduc"})
        assert (missing.status_code, missing.json()["option"]) == (404, "game")


def hands(client: TestClient, table: Document, number: int, action: int = 1) -> Iterator[Document]:
    """Play that many hands, always one action; every document on the way."""
    yield table
    while table["score"]["hands"] < number:
        if table["state"] == "turn":
            index = min(action, len(table["turn"]["actions"]) - 1)
            table = choose(client, table, action=index)
        else:
            table = client.post(f"/api/play/tables/{table['id']}/deal").json()
        yield table


def test_hands_of_kuhn(library: TestClient, kuhn_file: Path) -> None:
    """Ten hands: what the coach says is what it says in Python, and payoffs add up."""
    first = opened(library, solution="kuhn", seed=4)
    assert first["stake_name"] == "pot"
    coach = Coach(eq.Result.load(kuhn_file).strategy.on(eq.compile_game("kuhn")))
    decisions = 0
    for table in hands(library, first, 10):
        if table["state"] == "over":
            for one in table["decisions"]:
                decisions += 1
                advice = coach.advise(one["infoset"], one["chosen"])
                assert one["ev_loss"] == advice.ev_loss
                assert tuple(row["ev"] for row in one["actions"]) == advice.values
                assert tuple(row["frequency"] for row in one["actions"]) == advice.mixture
    assert table["score"]["choices"] == decisions >= 10
    assert table["score"]["total"] == sum(hand["payoff"] for hand in table["recent"])
    assert len(table["recent"]) == table["score"]["hands"] == 10
    assert {hand["player"] for hand in table["recent"]} == {0, 1}
    assert table["score"]["aivat"]["low"] < table["score"]["aivat"]["high"]
    path = f"/api/play/tables/{table['id']}"
    first = library.get(f"{path}/hands/1").json()
    assert first["moves"][0]["who"] == "chance"
    assert sum(first["payoffs"]) == 0
    assert library.get(f"{path}/hands/11").status_code == 404
    assert library.delete(path).json() == {"closed": table["id"]}
    assert library.get(path).status_code == 404


def test_hands_moves_and_questions_that_are_not_present_are_refused(library: TestClient) -> None:
    table = opened(library, solution="kuhn", seat=0, seed=4)
    path, turn = f"/api/play/tables/{table['id']}", table["turn"]

    def refused(hand: int, move: int) -> tuple[Any, ...]:
        answer = library.post(f"{path}/choose", json={"hand": hand, "move": move, "action": 0})
        told = answer.json()
        return answer.status_code, told["option"], told["given"], told["error"]

    now = turn["hand"], turn["move"]
    texts = set()
    for hand, move in ((0, now[1]), (9, now[1]), (now[0], now[1] + 1), (now[0], now[1] - 1)):
        status, option, given, text = refused(hand, move)
        assert (status, option) == (409, "hand" if hand != now[0] else "move")
        assert given == (hand if hand != now[0] else move)
        texts.add(text.replace(str(given), ""))
    assert len(texts) == 4
    errors = [library.get(f"{path}/hands/{number}").json() for number in (0, 1, 2)]
    assert [error["given"] for error in errors] == [0, 1, 2]
    assert len({error["remedy"] for error in errors}) == 2  # the first goes on
    drill = opened(library, "drills", solution="kuhn", seed=3)
    path, reasons = f"/api/play/drills/{drill['id']}", []
    library.post(f"{path}/answer", json={"number": 1, "action": 0})
    for asked in (False, True):
        if asked:
            library.post(f"{path}/ask")
        for number in (0, 1, 7):
            answer = library.post(f"{path}/answer", json={"number": number, "action": 0})
            told = answer.json()
            assert (answer.status_code, told["option"], told["given"]) == (409, "number", number)
            assert told.get("expected") == (2 if asked else None)
            reasons.append(told["error"])
    assert len(set(reasons)) == 3


def test_a_hand_of_a_spot(library: TestClient, spot_file: Path) -> None:
    coach = SolutionCoach(load_result(spot_file))
    first = opened(library, solution="turn", seat=0, seed=1)
    scene = first["turn"]["scene"]
    assert scene["board"] == ["Ts", "3h", "2h", "5c"]
    assert (scene["pot"], scene["to_call"]) == (100, 0)
    assert [a["word"] for a in first["turn"]["actions"]] == ["Check", "Bet 50"]
    assert [a["role"] for a in first["turn"]["actions"]] == ["passive", "bet:0/1"]
    for table in hands(library, first, 3, action=0):
        for one in table["decisions"]:
            advice = coach.advise(one["infoset"], one["chosen"])
            assert one["ev_loss"] == advice.ev_loss
            assert one["grade"] in ("best", "correct", "inaccuracy", "mistake", "blunder")
    over = table["over"]
    assert over["scenes"][-1]["players"][1]["cards"]
    assert len(over["scenes"]) == len(over["moves"]) - 1  # the first deals one hand only
    drawn = [move for move in over["moves"] if move["who"] == "AI"]
    for move in drawn:
        assert sum(row["frequency"] for row in move["mixture"]) == pytest.approx(1.0)


def test_hidden_cards_stay_on_the_server(library: TestClient) -> None:
    """In the middle of a hand no document names a card that the person does not see."""
    first = opened(library, solution="turn", seat=0, seed=1)
    for table in hands(library, first, 8, action=0):
        if table["state"] != "turn":
            continue
        scene = table["turn"]["scene"]
        assert scene["players"][1]["cards"] is None
        shown = {*scene["cards"], *scene["board"]}
        assert table["over"] is None
        text = json.dumps(table["turn"])
        held = library.services.playing._places[table["id"]].item.session.table.state  # type: ignore[attr-defined]
        name = poker.combo_name(held.hands[1])
        hidden = {name[:2], name[2:]} - shown
        assert hidden
        assert not any(card in text for card in hidden)


def test_the_mixture_of_the_ai_during_a_hand(library: TestClient, kuhn_file: Path) -> None:
    """What it does with all that it may hold is what Python says, and no card can be told."""
    strategy = eq.Result.load(kuhn_file).strategy.on(eq.compile_game("kuhn"))
    ranges = {"kuhn": StrategyRanges(strategy), "turn": None}
    acted = 0
    for name, known in ranges.items():
        first = opened(library, solution=name, seat=1, seed=5)
        path = f"/api/play/tables/{first['id']}"
        for table in hands(library, first, 6, action=1):
            found = library.get(f"{path}/ranges")
            if table["state"] == "over":
                assert found.status_code == 409
                continue
            turn = table["turn"]
            assert turn["moves"] is None
            document = found.json()
            assert (document["hand"], document["move"]) == (turn["hand"], turn["move"])
            for one in document["decisions"]:
                acted += 1
                assert sum(row["taken"] for row in one["actions"]) == 1
                assert sum(row["frequency"] for row in one["actions"]) == pytest.approx(1.0)
                assert "infoset" not in one
            if known is not None:
                expected = known.mixtures(turn["scene"]["infoset"])
                assert [
                    [row["frequency"] for row in one["actions"]] for one in document["decisions"]
                ] == [list(one.probabilities or ()) for one in expected]
    assert acted > 8


def test_cards_are_revealed_on_demand_and_such_hands_are_counted(library: TestClient) -> None:
    first = opened(library, solution="turn", seat=1, seed=1)
    path = f"/api/play/tables/{first['id']}"
    assert first["revealed"] is False
    assert first["turn"]["scene"]["players"][0]["cards"] is None
    shown = library.post(f"{path}/reveal", json={"shown": True}).json()
    assert len(shown["turn"]["scene"]["players"][0]["cards"]) == 2
    (drawn,) = [move for move in shown["turn"]["moves"] if move["who"] == "AI"]
    assert sum(row["frequency"] for row in drawn["mixture"]) == pytest.approx(1.0)
    hidden = library.post(f"{path}/reveal", json={"shown": False}).json()
    assert hidden["turn"]["scene"]["players"][0]["cards"] is None
    assert hidden["turn"]["moves"] is None
    table = [*hands(library, hidden, 2, action=0)][-1]
    assert [hand["revealed"] for hand in table["recent"]] == [False, True]
    assert table["score"]["revealed"] == 1
    assert library.post(f"{path}/reveal", json={"shown": 1}).status_code == 422


def test_nobody_learns_the_seed_that_tells_all_cards(library: TestClient) -> None:
    for name in ("turn", "kuhn"):
        first = opened(library, solution=name)
        session = library.services.playing._places[first["id"]].item.session  # type: ignore[attr-defined]
        assert session.seed > 2**64  # which nobody tries one by one
        for table in hands(library, first, 2, action=0):
            log = library.get(f"/api/play/tables/{table['id']}/hands.jsonl").text
            assert table["seed"] is None
            assert str(session.seed) not in json.dumps(table) + log
            assert json.loads(log.splitlines()[0])["seed"] is None
    chosen = opened(library, solution="kuhn", seed=7)
    assert chosen["seed"] == 7


def test_bets_of_any_size(library: TestClient) -> None:
    table = opened(library, solution="turn", seat=0, seed=2)
    bets = table["turn"]["bets"]
    assert (bets["least"], bets["most"], bets["menu"]) == (1, 100, [[1, 50]])
    path = f"/api/play/tables/{table['id']}"
    mapped = library.get(f"{path}/bet?amount=30").json()
    assert mapped["shares"] == [{"action": 1, "word": "Bet 50", "probability": 1.0}]
    assert not mapped["exact"]
    assert library.get(f"{path}/bet?amount=101").status_code == 422
    table = choose(library, table, amount=30)
    decision = table["decisions"][0]
    assert (decision["chosen"], decision["mapped"]["amount"]) == (1, 30)


def test_hands_as_files(library: TestClient, tmp_path: Path) -> None:
    """Both formats are read again, with the payoffs of the table."""
    tables = [opened(library, solution=name, seed=3) for name in ("turn", "kuhn")]
    for first in tables:
        table = [*hands(library, first, 4)][-1]
        payoffs = [hand["payoff"] for hand in reversed(table["recent"])]
        players = [hand["player"] for hand in reversed(table["recent"])]
        answer = library.get(f"/api/play/tables/{table['id']}/hands.jsonl")
        assert answer.headers["content-disposition"].startswith("attachment")
        file = tmp_path / f"{table['solution']}.jsonl"
        file.write_text(answer.text)
        (logged,) = read_log(file)
        ours = [hand.payoffs[player] for hand, player in zip(logged.hands, players, strict=True)]
        assert ours == payoffs
        histories = library.get(f"/api/play/tables/{table['id']}/hands.phhs")
        assert table["has_histories"] == (table["kind"] == "spot")
        if table["kind"] == "game":
            assert histories.status_code == 409
            continue
        read = list(HandHistory.loads_all(histories.text))
        left = [one.finishing_stacks[player] for one, player in zip(read, players, strict=True)]
        assert [float(stack) - 100 for stack in left] == payoffs


def test_a_decision_is_made_once(library: TestClient) -> None:
    table = opened(library, solution="kuhn", seat=0, seed=1)
    path = f"/api/play/tables/{table['id']}/choose"
    turn = table["turn"]
    given = {"hand": turn["hand"], "move": turn["move"], "action": "bet"}
    assert library.post(path, json={**given, "action": "raise"}).status_code == 422
    assert library.post(path, json={**given, "action": 7}).status_code == 422
    assert library.post(path, json={**given, "action": None}).status_code == 422
    assert library.post(path, json={**given, "amount": 3.0}).status_code == 422
    assert library.post(f"/api/play/tables/{table['id']}/deal").status_code == 409
    assert library.post(path, json=given).status_code == 200
    assert library.post(path, json=given).status_code == 409


def test_drills(library: TestClient, spot_file: Path) -> None:
    coach = SolutionCoach(load_result(spot_file))
    drill = opened(library, "drills", solution="turn", line="X-B50", seed=3)
    assert drill["range"] == 100.0  # the pot
    path = f"/api/play/drills/{drill['id']}"
    for number in range(1, 13):
        question = drill["question"]
        assert question["number"] == number
        assert question["scene"]["players"][1]["cards"] is None
        given = {"number": number, "action": 0}
        drill = library.post(f"{path}/answer", json=given).json()
        assert drill["answer"]["ev_loss"] == coach.advise(drill["answer"]["infoset"], 0).ev_loss
        assert library.post(f"{path}/answer", json=given).status_code == 409
        drill = library.post(f"{path}/ask").json()
    assert drill["score"]["answers"] == 12
    assert sum(drill["score"]["grades"].values()) == 12
    assert all(one["study"].startswith("/study/turn?line=X-B50") for one in drill["worst"])
    kuhn = opened(library, "drills", solution="kuhn", match="*b", player=1)
    assert kuhn["infosets"] == 3
    refused: list[tuple[dict[str, Any], int]] = [
        ({"solution": "turn", "line": "B51"}, 422),
        ({"solution": "turn", "line": "X-X"}, 422),
        ({"solution": "kuhn", "match": "z"}, 422),
        ({"solution": "kuhn", "player": 2}, 422),
        ({"solution": "none"}, 404),
        ({"solution": "kuhn", "line": 3}, 422),
    ]
    for given, status in refused:
        assert library.post("/api/play/drills", json=given).status_code == status, given
    others: list[tuple[str, str, object]] = [
        ("turn", "match", "*b"),
        ("turn", "player", 0),
        ("kuhn", "line", "X"),
    ]
    for solution, option, value in others:
        answer = library.post("/api/play/drills", json={"solution": solution, option: value})
        assert (answer.status_code, answer.json()["option"]) == (422, option)
    opened(library, "drills", solution="turn", match="*", player=None)  # as if not given
    assert library.get(f"/api/play/tables/{drill['id']}").status_code == 404


def test_losses_are_held_against_the_payoffs_of_play(client: TestClient, tmp_path: Path) -> None:
    file = tmp_path / "forbidding.safetensors"
    eq.solve("matrix(payoffs=[[0], [-4e-7], [-1e-3]])", files=eq.Files(out=file))
    put(client, file, "forbidding")
    drill = opened(client, "drills", solution="forbidding", match="row")
    assert drill["range"] == 4e-7
    assert drill["stake_name"] == "scale of payoffs in play"  # before anything was graded
    assert opened(client, solution="forbidding")["stake_name"] == "scale of payoffs in play"
    answer = client.post(f"/api/play/drills/{drill['id']}/answer", json={"number": 1, "action": 1})
    said = answer.json()["answer"]
    assert said["grade"] == "blunder"
    assert said["stake_name"] == "scale of payoffs in play"
    assert said["share"] == pytest.approx(1.0)


def test_the_solution_is_scored_in_the_seats_that_were_played(
    client: TestClient, tmp_path: Path
) -> None:
    """As the payoffs and AIVAT are that stand beside it."""
    result = eq.solve("matrix(payoffs=[[2]])", iterations=5)
    put(client, result.save(tmp_path / "sure.safetensors"), "sure")
    for seat, fixed in ((0, 2.0), (1, -2.0)):
        assert opened(client, solution="sure", seat=seat)["score"]["expected"] == fixed
    seen = {}
    for table in hands(client, opened(client, solution="sure", seed=1), 3):
        score = table["score"]
        seen[score["hands"]] = score["expected"]
        if score["hands"]:
            assert score["expected"] == score["payoff"]["mean"] == score["aivat"]["mean"]
    assert seen == {0: None, 1: 2.0, 2: 0.0, 3: pytest.approx(2 / 3)}


def test_figures_are_written_by_what_the_seat_is_paid(client: TestClient, tmp_path: Path) -> None:
    from tests.cli.commands.playing.test_play import UNITS

    (tmp_path / "units.efg").write_text(UNITS)
    result = eq.solve(str(tmp_path / "units.efg"), iterations=5)
    put(client, result.save(tmp_path / "units.safetensors"), "units")
    assert client.put("/api/uploads/units.efg", content=UNITS.encode()).status_code == 201
    ranges = [opened(client, solution="units", seat=seat)["range"] for seat in (0, 1, None)]
    assert ranges[0] == 2.34566e-4
    assert 1e4 < ranges[1] == ranges[2]
    assert opened(client, "drills", solution="units", player=0)["range"] == 2.34566e-4


def test_guests_play_and_leave_room(make_client: Any, kuhn_file: Path, spot_file: Path) -> None:
    limits = {"tables": 3, "guest_tables": 2}
    client = make_client(token="o" * 16, guest_token="g" * 16, limits=limits)
    put(client, kuhn_file, "kuhn")
    less = spot_file.with_name("less.safetensors")
    put(client, load_result(spot_file).save(less, "first-street"), "less")
    owner, guest = ({"Authorization": f"Bearer {who * 16}"} for who in "og")
    given = {"solution": "kuhn"}

    def post(path: str, json: Document, who: dict[str, str]) -> Any:
        return client.post(f"/api/play/{path}", json=json, headers=who)

    assert client.post("/api/play/tables", json=given).status_code == 401
    assert post("tables", {"solution": "less"}, guest).status_code == 403
    first = post("tables", given, guest)
    assert first.status_code == 201
    assert post("drills", given, guest).status_code == 201
    refused = post("tables", given, guest)
    assert (refused.status_code, refused.json()["option"]) == (429, "tables")
    assert post("tables", given, owner).status_code == 201
    assert post("tables", given, owner).status_code == 429
    name = first.json()["id"]
    assert client.delete(f"/api/play/tables/{name}", headers=guest).status_code == 200
    assert post("tables", {"solution": "less"}, owner).status_code == 201


def test_tables_are_cleared_when_nobody_plays(make_client: Any, kuhn_file: Path) -> None:
    client = make_client(limits={"idle_seconds": 60.0, "hands": 1})
    put(client, kuhn_file, "kuhn")
    now = 0.0
    playing = client.services.playing
    playing._clock = lambda: now
    table = opened(client, solution="kuhn")
    path = f"/api/play/tables/{table['id']}"
    now = 59.0
    assert client.get(path).status_code == 200
    now = 118.0
    assert client.get(path).status_code == 200
    assert [*hands(client, table, 1)][-1]["score"]["hands"] == 1
    refused = client.post(f"{path}/deal")
    assert (refused.status_code, refused.json()["option"]) == (429, "hands")
    now = 200.0
    assert client.get(path).status_code == 404
    assert playing.count == 0


def test_what_nobody_has_touched_makes_room(make_client: Any, kuhn_file: Path) -> None:
    """A page that is left leaves a table behind; it may not keep others from playing."""
    client = make_client(limits={"tables": 3, "untouched_seconds": 60.0})
    put(client, kuhn_file, "kuhn")
    now = 0.0
    playing = client.services.playing
    playing._clock = lambda: now
    opened(client, "drills", solution="kuhn")
    played = choose(client, opened(client, solution="kuhn", seat=0), action=0)
    now = 30.0
    late = opened(client, solution="kuhn", seat=0)
    now = 60.0
    assert client.post("/api/play/tables", json={"solution": "kuhn"}).status_code == 429
    now = 61.0
    opened(client, solution="kuhn")
    assert playing.count == 3
    for one in (played, late):
        assert client.get(f"/api/play/tables/{one['id']}").status_code == 200


def test_three_players_and_strategies_without_a_tree(client: TestClient, tmp_path: Path) -> None:
    three = eq.solve("kuhn(players=3)", iterations=20)
    put(client, three.save(tmp_path / "three.safetensors"), "three")
    packed = eq.solve("rules:leduc", sampling="external", iterations=200, explicit_tree=False)
    put(client, packed.save(tmp_path / "packed.safetensors"), "packed")
    first = opened(client, solution="three", seed=1)
    table = [*hands(client, first, 4)][-1]
    assert {hand["player"] for hand in table["recent"]} == {0, 1, 2}
    assert {move["who"] for move in table["over"]["moves"]} == {"chance", "you", "AI 1", "AI 2"}
    first = opened(client, solution="packed", seed=1)
    assert not first["has_coach"]
    table = [*hands(client, first, 3)][-1]
    assert (table["score"]["choices"], table["score"]["aivat"]) == (0, None)
    refused = client.post("/api/play/drills", json={"solution": "packed"})
    assert refused.status_code == 409


def test_rules_that_a_file_names_are_not_run(client: TestClient, tmp_path: Path) -> None:
    """A solution may say that it is of rules.py:Game; playing it must not load them."""
    ran, rules = tmp_path / "ran", tmp_path / "rules.py"
    rules.write_text(GAME)
    result = eq.solve(f"{rules}:Tiny", iterations=5)
    put(client, result.save(tmp_path / "tiny.safetensors"), "tiny")
    rules.write_text(f"open({str(ran)!r}, 'w').close()\n{GAME}")
    refused = client.post("/api/play/tables", json={"solution": "tiny"})
    assert (refused.status_code, refused.json()["option"]) == (403, "game")
    assert not ran.exists()


def test_rules_that_the_server_was_started_with(make_client: Any, tmp_path: Path) -> None:
    rules = tmp_path / "rules.py"
    rules.write_text(GAME)
    result = eq.solve(f"{rules}:Tiny", iterations=5)
    client = make_client(subject=Subject("game", f"{rules}:Tiny"))
    put(client, result.save(tmp_path / "tiny.safetensors"), "tiny")
    assert opened(client, solution="tiny")["game"] == result.game


def test_a_game_that_was_uploaded(client: TestClient, tmp_path: Path) -> None:
    from tests.web.workers.test_uploads import EFG

    file = client.services.folders.games / "pennies.efg"  # type: ignore[attr-defined]
    file.write_bytes(EFG)
    event = read(ReadOrder("game", str(file), 1 << 30))
    file.with_suffix(".json").write_text(json.dumps(event["document"]))
    result = eq.solve(f"efg:{file}", iterations=5)
    put(client, result.save(tmp_path / "pennies.safetensors"), "pennies")
    table = opened(client, solution="pennies")
    assert len(table["turn"]["actions"]) == 2
    elsewhere = tmp_path / "pennies.efg"
    for name, content in (("same", EFG), ("another", EFG.replace(b"{ 1 -1 }", b"{ 3 -3 }"))):
        elsewhere.write_bytes(content)
        result = eq.solve(f"efg:{elsewhere}", iterations=5)
        put(client, result.save(tmp_path / f"{name}.safetensors"), name)
    elsewhere.unlink()
    opened(client, solution="same")
    assert client.get("/api/solutions/same/walk").status_code == 200
    refused = client.post("/api/play/tables", json={"solution": "another"})
    assert (refused.status_code, refused.json()["option"]) == (409, "game")
    assert client.get("/api/solutions/another/walk").status_code == 409


def test_the_solution_of_an_upload_that_was_deleted_says_what_to_upload(
    client: TestClient, tmp_path: Path
) -> None:
    from tests.web.workers.test_uploads import EFG

    file = tmp_path / "pennies.efg"
    file.write_bytes(EFG)
    put(client, eq.solve(str(file), iterations=5).save(tmp_path / "p.safetensors"), "pennies")
    refused = client.post("/api/play/tables", json={"solution": "pennies"})
    fields = refused.json()
    assert (refused.status_code, fields["option"], fields["given"]) == (403, "game", "pennies.efg")
    assert "upload pennies.efg" in fields["remedy"]
    another = EFG.replace(b"{ 1 -1 }", b"{ 3 -3 }")
    assert client.put("/api/uploads/pennies.efg", content=another).status_code == 201
    refused = client.post("/api/play/tables", json={"solution": "pennies"})
    assert (refused.status_code, refused.json()["option"]) == (409, "game")
    assert "delete" in refused.json()["remedy"]
    assert client.delete("/api/games/library:pennies").status_code == 200
    assert client.put("/api/uploads/pennies.efg", content=EFG).status_code == 201
    opened(client, solution="pennies")


def _gone(client: TestClient, table: Document) -> Any:
    kind = "drills" if "question" in table else "tables"
    return client.get(f"/api/play/{kind}/{table['id']}").json()["gone"]


@pytest.mark.parametrize("kind", ["tables", "drills"])
def test_a_table_says_that_its_solution_is_gone(library: TestClient, kind: str) -> None:
    table = opened(library, kind, solution="kuhn")
    assert table["gone"] is None
    library.post("/api/solutions/kuhn", json={"name": "renamed"})
    assert _gone(library, table) is None
    library.delete("/api/solutions/renamed")
    assert _gone(library, table) == {"what": "solution", "name": "kuhn"}


@pytest.mark.parametrize(
    ("name", "kind"), [("turn", "tables"), ("turn", "drills"), ("kuhn", "tables")]
)
def test_what_is_played_is_called_as_in_the_library(
    library: TestClient, name: str, kind: str
) -> None:
    note = {"oop": "BB", "ip": "BTN"} if name == "turn" else {"note": "a note"}
    assert library.put(f"/api/solutions/{name}/note", json=note).status_code == 200
    listed = library.get("/api/solutions").json()["solutions"]
    (title,) = [entry["title"] for entry in listed if entry["name"] == name]
    place = opened(library, kind, solution=name)
    assert place["title"] == title
    library.delete(f"/api/solutions/{name}")
    again = library.get(f"/api/play/{kind}/{place['id']}").json()
    assert (again["solution"], again["title"]) == (name, None)


def test_a_table_says_that_its_game_is_gone(client: TestClient, tmp_path: Path) -> None:
    from tests.web.workers.test_uploads import EFG

    folder = client.services.folders.games  # type: ignore[attr-defined]

    def upload(content: bytes) -> None:
        file = folder / "pennies.efg"
        file.write_bytes(content)
        event = read(ReadOrder("game", str(file), 1 << 30))
        file.with_suffix(".json").write_text(json.dumps(event["document"]))

    upload(EFG)
    result = eq.solve(f"efg:{folder / 'pennies.efg'}", iterations=5)
    put(client, result.save(tmp_path / "pennies.safetensors"), "pennies")
    table, drill = opened(client, solution="pennies"), opened(client, "drills", solution="pennies")
    assert _gone(client, table) is None
    assert client.delete("/api/games/library:pennies").status_code == 200
    for place in (table, drill):
        assert _gone(client, place) == {"what": "game", "name": "library:pennies"}
    refused = client.post("/api/play/tables", json={"solution": "pennies"})
    assert (refused.status_code, refused.json()["option"]) == (403, "game")
    upload(EFG.replace(b"{ 1 -1 }", b"{ 3 -3 }"))
    refused = client.post("/api/play/tables", json={"solution": "pennies"})
    assert (refused.status_code, refused.json()["option"]) == (409, "game")
    upload(EFG)
    assert opened(client, solution="pennies")["gone"] is None


def test_wrong_requests(library: TestClient) -> None:
    for given, status in (
        ({"solution": "none"}, 404),
        ({"solution": "kuhn", "seat": 2}, 422),
        ({"solution": "kuhn", "seed": -1}, 422),
        ({"solution": "kuhn", "seats": 2}, 422),
        ({}, 422),
    ):
        assert library.post("/api/play/tables", json=given).status_code == status, given
    assert library.get("/api/play/tables/none").status_code == 404
