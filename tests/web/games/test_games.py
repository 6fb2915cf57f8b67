"""Games through the API: trees, walks, lessons, tables; and infosets of their solutions."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist.evaluation.infosets import infoset_values
from equilibrist.learned import train
from equilibrist.reference import ReferenceCFR, regrets_by_hand, walk
from equilibrist.reference.response import best_response, nash_conv
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.algorithm import get_algorithm
from equilibrist.web.games.options import options_again
from equilibrist.web.settings import Subject
from tests.cli.command import Shell
from tests.cli.conftest import GAME
from tests.web.conftest import put
from tests.web.following import ended, started
from tests.web.workers.test_uploads import EFG


def _variant(name: str) -> Variant:
    found = get_algorithm(name)
    assert isinstance(found, Variant)
    return found


def _kuhn(client: TestClient, tmp_path: Path, iterations: int = 30) -> eq.Result[Any]:
    """Put a solution of Kuhn poker into the library, as `kuhn`."""
    result = eq.solve("kuhn", iterations=iterations)
    put(client, result.save(tmp_path / "kuhn.safetensors"), "kuhn")
    return result


def test_a_game_is_walked_chance_included(client: TestClient) -> None:
    start = client.get("/api/games/kuhn/walk").json()
    assert (start["kind"], start["reach"], start["values"]) == ("chance", 1.0, None)
    assert [step["label"] for step in start["steps"]] == ["1", "2", "3"]
    moves: Any = [("move", label) for label in ("1", "3", "bet")]
    found = client.get("/api/games/kuhn/walk", params=moves).json()
    assert (found["kind"], found["player"], found["infoset"]) == ("decision", 1, "3b")
    assert found["chance_reach"] == pytest.approx(1 / 6)
    assert found["reach"] is None
    assert [one["label"] for one in found["passed"]] == ["1", "3", "bet"]


def test_a_solution_is_walked_with_its_values(client: TestClient, tmp_path: Path) -> None:
    result = _kuhn(client, tmp_path)
    found = client.get("/api/solutions/kuhn/walk").json()
    assert found["values"] == pytest.approx(result.evaluation.values, abs=1e-12)
    moves: Any = [("move", label) for label in ("1", "3")]
    found = client.get("/api/solutions/kuhn/walk", params=moves).json()
    mixture = {step["label"]: step["probability"] for step in found["steps"]}
    assert mixture == result.strategy["1"]
    assert found["reach"] == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("path", "status", "option"),
    [
        ("games/kuhn/walk?move=9", 422, None),
        ("games/nothing/walk", 422, None),
        ("games/rules.py:Game/walk", 403, "game"),
        ("games/library:nothing/walk", 404, "game"),
        ("games/openspiel:kuhn_poker/tree", 403, "game"),
        ("games/leduc/tree", 422, "game"),
        ("games/kuhn/tree?move=1&move=1", 422, None),
        ("games/liars_dice/lesson", 422, "game"),
        ("games/kuhn/lesson?iteration=1000000", 422, "iteration"),
        ("games/kuhn/lesson?algorithm=lp", 422, "algorithm"),
        ("games/kuhn/lesson?algorithm=my.py:Mine", 403, "algorithm"),
        ("games/kuhn/sampled-lesson?sampler=my.py:Mine", 403, "sampler"),
        ("games/kuhn/sampled-lesson?sampler=nothing", 422, "sampler"),
        ("games/kuhn/sampled-lesson?sampler=outcome(epsilon=2)", 422, "epsilon"),
        ("games/kuhn/sampled-lesson?sampler=external(prune=9)", 422, "prune"),
        ("games/rps/sampled-lesson?sampler=public-chance", 422, "public_state"),
        ("games/kuhn/sampled-lesson?iteration=1000000", 422, "iteration"),
        ("games/kuhn/sampled-lesson?seed=-1", 422, "seed"),
        ("games/liars_dice/sampled-lesson", 422, "game"),
        ("games/kuhn/matrix", 422, "game"),
        ("games/rps/trajectory?iterations=1000000", 422, "iterations"),
        ("games/rps/trajectory?algorithm=lp", 422, "algorithm"),
        ("games/rps/trajectory?algorithm=my.py:Mine", 403, "algorithm"),
        ("solutions/nothing/walk", 404, "name"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_a_sentence(
    client: TestClient, path: str, status: int, option: str | None
) -> None:
    answer = client.get(f"/api/{path}")
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]
    if option is not None:
        assert answer.json()["option"] == option


def test_a_game_too_large_to_draw_says_how_large_it_is(client: TestClient) -> None:
    said = client.get("/api/games/leduc/tree").json()
    nodes = client.get("/api/games/leduc").json()["sizes"]["num_nodes"]
    assert f"{nodes:,}" in said["error"]
    drawn = {
        game: client.get(f"/api/games/{game}/facts").json()["is_drawn"]
        for game in ("leduc", "kuhn")
    }
    assert drawn == {"leduc": False, "kuhn": True}  # by which its page begins with the walk
    part = client.get("/api/games/leduc/tree", params=[("move", "J"), ("move", "J")])
    labels = client.get("/api/games/leduc/walk").json()["steps"]
    moves = [("move", labels[0]["label"])]
    second = client.get("/api/games/leduc/walk", params=moves).json()["steps"][0]["label"]
    moves += [("move", second), ("move", "call"), ("move", "call")]
    part = client.get("/api/games/leduc/tree", params=moves)
    assert part.status_code == 200, part.text
    assert part.json()["start"] == [label for _, label in moves]


def test_a_solution_of_a_table_is_shown_in_it(client: TestClient, tmp_path: Path) -> None:
    """Its average strategies, by the actions of the rows and of the columns."""
    for game in ("biased_rps", "kuhn"):
        put(client, eq.solve(game, iterations=20).save(tmp_path / f"{game}.s"), game)
    facts = [client.get(f"/api/solutions/{name}/facts").json() for name in ("biased_rps", "kuhn")]
    assert [one["is_table"] for one in facts] == [True, False]
    table = client.get("/api/solutions/biased_rps/matrix").json()
    assert table == {
        **client.get("/api/games/biased_rps/matrix").json(),
        "game": table["game"],
        "average": table["average"],
    }
    strategy = eq.load_result(tmp_path / "biased_rps.s").strategy
    for key, labels, mixture in zip(
        table["infosets"], (table["rows"], table["columns"]), table["average"], strict=True
    ):
        assert dict(zip(labels, mixture, strict=True)) == pytest.approx(strategy[key])
    refused = client.get("/api/solutions/kuhn/matrix")
    assert (refused.status_code, refused.json()["option"]) == (422, "game")


def test_a_drawn_tree_has_the_histories_of_the_rules(client: TestClient, tmp_path: Path) -> None:
    result = _kuhn(client, tmp_path)
    tree = walk(eq.load_game("kuhn"))
    drawn = client.get("/api/solutions/kuhn/tree").json()
    assert len(drawn["nodes"]) == 55 + 3  # chance deals two cards, one after the other
    members = {one["key"]: one["nodes"] for one in drawn["infosets"]}
    assert {key: len(nodes) for key, nodes in members.items()} == {
        key: len(one.nodes) for key, one in tree.infosets.items()
    }
    for node in drawn["nodes"][1:]:
        above = drawn["nodes"][node["parent"]]
        if above["kind"] == "decision":
            assert node["probability"] == result.strategy[above["infoset"]][node["action"]]
    profile = {key: list(result.strategy[key].values()) for key in tree.infosets}
    for player in (0, 1):
        value, choice = best_response(tree, profile, player)
        best = drawn["best_responses"][str(player)]
        assert best["value"] == value
        assert best["actions"] == {k: tree.infosets[k].actions[a] for k, a in choice.items()}
    gains = sum(drawn["best_responses"][str(p)]["value"] for p in (0, 1))
    assert gains == pytest.approx(nash_conv(tree, profile), abs=1e-12)  # the values sum to 0
    assert client.get("/api/games/kuhn/tree").json()["best_responses"] is None


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr", "pcfr+"])
def test_a_lesson_has_the_numbers_of_the_reference(client: TestClient, algorithm: str) -> None:
    params: dict[str, Any] = {"algorithm": algorithm, "iteration": 3, "alternating": False}
    found = client.get("/api/games/kuhn/lesson", params=params).json()
    before = ReferenceCFR(eq.load_game("kuhn"), _variant(algorithm), alternating=False)
    before.run(2)
    profile = {key: list(row) for key, row in before.strategy.items()}
    after = ReferenceCFR(eq.load_game("kuhn"), _variant(algorithm), alternating=False)
    after.run(3)
    assert len(found["turns"]) == 12
    for turn in found["turns"]:
        key = turn["infoset"]
        sheet = regrets_by_hand(before.game, key, profile)
        assert turn["strategy"] == profile[key]
        assert turn["regret"] == before.regret[key]
        assert turn["regret_after"] == after.regret[key]
        assert turn["sums_after"] == after.strategy_sum[key]
        assert turn["next_strategy"] == after.strategy[key]
        assert turn["instant"] == pytest.approx(list(sheet.regrets.values()), abs=1e-15)
        shares = np.array([one["regrets"] for one in turn["histories"]])
        assert shares.sum(axis=0) == pytest.approx(turn["instant"], abs=1e-15)
        for one, expected in zip(turn["histories"], sheet.histories, strict=True):
            assert one["history"] == list(expected.history)
            assert one["counterfactual_reach"] == expected.chance_reach * expected.others_reach
    assert found["ending"]["average"] == after.average_strategy()
    assert found["num_steps"] == 12 * 6 + 1


def test_a_trajectory_ends_where_the_reference_does(client: TestClient) -> None:
    params: dict[str, Any] = {"algorithm": "cfr+", "iterations": 500}
    found = client.get("/api/games/biased_rps/trajectory", params=params).json()
    solver = ReferenceCFR(eq.load_game("biased_rps"), _variant("cfr+"))
    solver.run(500)
    average = solver.average_strategy()
    last = found["moments"][-1]
    assert last["iteration"] == 500
    assert last["average"] == [average["row"], average["column"]]
    assert last["current"] == [solver.strategy["row"], solver.strategy["column"]]
    assert found["moments"][0]["iteration"] == 0
    assert found["answers"][0]["values"] == pytest.approx(
        (np.array(found["payoffs"])[:, :, 0] @ average["column"]).tolist()
    )


FORCED = """EFG 2 R "forced" { "A" "B" }
c "" 1 "" { "x" 1/2 "y" 1/2 } 0
p "" 1 1 "forced" { "go" } 0
p "" 2 1 "B" { "l" "r" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
p "" 1 2 "free" { "go" "stay" } 0
p "" 2 1 "B" { "l" "r" } 0
t "" 3 "" { 2, -2 }
t "" 4 "" { 3, -3 }
t "" 5 "" { 0, 0 }
"""
"""A game with an infoset of one action, which nobody regrets."""


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kuhn", "library:forced"])
def test_infosets_have_the_state_of_their_run(
    client: TestClient, tmp_path: Path, game: str
) -> None:
    file = tmp_path / "forced.efg"
    file.write_text(FORCED)
    assert client.put(f"/api/uploads/{file.name}", content=file.read_bytes()).status_code == 201
    options = {"algorithm": "cfr+", "iterations": 30}
    job = ended(client, started(client, game=game, options=options))
    path = f"/api/solutions/{job['solution']}"
    facts = client.get(f"{path}/facts").json()
    assert (facts["state_iteration"], facts["job"], facts["has_values"]) == (30, job["id"], True)
    rows = client.get(f"{path}/infosets?values=true&state=true").json()["infosets"]
    rules = eq.load_game(game.replace("library:forced", f"efg:{file}"))
    solver = ReferenceCFR(rules, _variant("cfr+"))
    solver.run(30)
    for row in rows:
        key = row["infoset"]
        assert list(row["current"].values()) == pytest.approx(solver.strategy[key], abs=1e-9)
        assert list(row["regrets"].values()) == pytest.approx(solver.regret[key], abs=1e-9)


def test_a_form_has_parameters_values_and_options(client: TestClient) -> None:
    form = client.get("/api/games/kuhn(players=3)/form").json()
    assert (form["name"], form["values"]) == ("kuhn", {"players": "3"})
    assert {one["name"] for one in form["parameters"]} >= {"players"}
    assert next(one["name"] for one in form["options"] if one["is_main"]) == "algorithm"
    assert client.get("/api/games/kuhn(nonsense)/form").json()["values"] == {}
    assert client.get("/api/games/nothing/form").json()["option"] == "game"
    assert client.get("/api/games/x/y.py:Z/form").status_code == 403


@pytest.mark.slow
def test_an_uploaded_game_keeps_its_title_and_names(client: TestClient) -> None:
    text = """EFG 2 R "One of two" { "Ann" "Bob" }
p "" 1 1 "" { "H" "T" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1 1 }
"""
    for content, title in ((text, "One of two"), (text.replace("One", "Two"), "Two of two")):
        found = client.put("/api/uploads/game.efg", content=content.encode()).json()
        assert (found["title"], found["player_names"]) == (title, ["Ann", "Bob"])
        form = client.get(f"/api/games/{found['name']}/form").json()
        assert (form["title"], form["player_names"]) == (title, ["Ann", "Bob"])
    listed = [one["title"] for one in client.get("/api/games").json() if "title" in one]
    assert listed == ["One of two", "Two of two"]
    job = ended(client, started(client, game="library:game-2", options={"iterations": 3}))
    facts = client.get(f"/api/solutions/{job['solution']}/facts").json()
    assert (facts["game_title"], facts["player_names"]) == ("Two of two", ["Ann", "Bob"])


def test_without_a_run_there_is_no_state_and_a_sentence(client: TestClient, tmp_path: Path) -> None:
    _kuhn(client, tmp_path)
    facts = client.get("/api/solutions/kuhn/facts").json()
    assert facts["state_iteration"] is None
    assert facts["why_no_state"]
    row = client.get("/api/solutions/kuhn/infosets?state=true&count=1").json()["infosets"][0]
    assert (row["current"], row["regrets"]) == (None, None)


@pytest.mark.parametrize("order", ["reach", "value", "cf_value", "counterfactual_reach"])
def test_infosets_are_sorted_by_the_server(client: TestClient, tmp_path: Path, order: str) -> None:
    result = _kuhn(client, tmp_path)
    tree = result.strategy.tree
    values = infoset_values(result.strategy)
    numbers: dict[str, Any] = {
        key: values.expected(i) if order == "value" else float(getattr(values, order)[i])
        for i, key in enumerate(tree.infoset_keys)
    }
    path = f"/api/solutions/kuhn/infosets?order={order}&descending=true&values=true"
    rows = client.get(path).json()["infosets"]
    found = [numbers[row["infoset"]] for row in rows]
    assert found == sorted(found, reverse=True)
    assert [row[order] for row in rows] == found
    page = client.get(f"{path}&start=5&count=3").json()
    assert page["infosets"] == rows[5:8]
    assert page["total"] == 12


def test_infosets_are_sorted_by_key_and_searched(client: TestClient, tmp_path: Path) -> None:
    _kuhn(client, tmp_path)
    path = "/api/solutions/kuhn/infosets?order=infoset&match=*p*"
    rows = client.get(path).json()["infosets"]
    keys = [row["infoset"] for row in rows]
    assert keys == sorted(key for key in walk(eq.load_game("kuhn")).infosets if "p" in key)
    assert client.get("/api/solutions/kuhn/infosets?order=nonsense").json()["option"] == "order"
    assert client.get("/api/solutions/kuhn/infosets?order=regret").json()["option"] == "order"
    assert client.get("/api/solutions/kuhn/infosets?player=7").status_code == 422


@pytest.mark.slow
def test_an_uploaded_game_is_walked_drawn_and_learnt(client: TestClient) -> None:
    client.put("/api/uploads/pennies.efg", content=EFG)
    name = "library:pennies"
    assert client.get(f"/api/games/{name}/walk").json()["infoset"]
    assert len(client.get(f"/api/games/{name}/tree").json()["nodes"]) == 7
    assert len(client.get(f"/api/games/{name}/lesson").json()["turns"]) == 2
    assert client.get(f"/api/games/{name}/matrix").json()["rows"] == ["H", "T"]
    job = ended(client, started(client, game=name, options={"iterations": 20}))
    facts = client.get(f"/api/solutions/{job['solution']}/facts").json()
    assert (facts["game"], facts["title"], facts["state_iteration"]) == (name, name, 20)
    found = client.get(f"/api/solutions/{job['solution']}/walk").json()
    assert found["values"] == pytest.approx([0.0, 0.0], abs=1e-9)
    folder = str(client.services.folders.games)  # type: ignore[attr-defined]
    for path in ("facts", "walk", "tree", "infosets"):
        assert folder not in client.get(f"/api/solutions/{job['solution']}/{path}").text, path
    # Another game of that name is none of the solution's.
    client.delete("/api/games/library:pennies")
    client.put("/api/uploads/pennies.efg", content=EFG.replace(b"{ 1 -1 }", b"{ 2 -2 }"))
    facts = client.get(f"/api/solutions/{job['solution']}/facts").json()
    assert (facts["game"], facts["has_values"]) == (None, False)
    answer = client.get(f"/api/solutions/{job['solution']}/walk")
    assert (answer.status_code, answer.json()["option"]) == (409, "game")


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("lesson?algorithm=dcfr&iteration=3", "-a dcfr -n 3"),
        ("lesson?alternating=false", "--simultaneous"),
        ("sampled-lesson?sampler=outcome&seed=3&iteration=2", "-s outcome --seed 3 -n 2"),
        ("sampled-lesson?sampler=pure", "-s pure"),
    ],
)
def test_the_command_prints_the_same_lesson(
    client: TestClient, shell: Shell, query: str, line: str
) -> None:
    found = client.get(f"/api/games/kuhn/{query}").json()
    assert found.pop("is_drawn")
    assert shell(f"learn kuhn {line} --json").ok().json == found


def test_a_game_in_which_nobody_decides_has_no_lesson(client: TestClient) -> None:
    client.put("/api/uploads/over.efg", content=b'EFG 2 R "" { "A" "B" }\nt "" 1 "" { 1 -1 }\n')
    answer = client.get("/api/games/library:over/lesson")
    assert (answer.status_code, answer.json()["option"]) == (409, "game")


def test_a_lesson_of_an_absent_minded_game_says_where_it_forgets(client: TestClient) -> None:
    turn = b'p "" 1 1 "x" { "L" "R" } 0\n'
    leaves = b"".join(b't "" %d "" { %d, 0 }\n' % (number, number) for number in (1, 2, 3))
    client.put("/api/uploads/driver.efg", content=b'EFG 2 R "" { "A" "B" }\n' + turn * 2 + leaves)
    refused = client.get("/api/games/library:driver/lesson").json()
    assert (refused["option"], refused["given"], refused["place"]) == ("infoset", "x", "L")


@pytest.mark.parametrize("facts", [b"", b"{", b"[1]", b"5", None])
def test_a_file_that_was_not_uploaded_hides_no_game(
    client: TestClient, facts: bytes | None
) -> None:
    client.put("/api/uploads/pennies.efg", content=EFG)
    folder = client.services.folders.games  # type: ignore[attr-defined]
    (folder / "mine.efg").write_bytes(EFG)
    (folder / "with a space.efg").write_bytes(EFG)
    if facts is not None:
        (folder / "mine.json").write_bytes(facts)
    names = [game["name"] for game in client.get("/api/games").json()]
    assert [name for name in names if name.startswith("library:")] == ["library:pennies"]
    assert client.get("/api/games/library:mine/walk").status_code == 404


@pytest.mark.parametrize("tree", [b"[]", b"5", b"{}", b'{"num_nodes": 1, "nodes": 7}'])
def test_a_parsed_game_that_is_none_is_refused(client: TestClient, tree: bytes) -> None:
    client.put("/api/uploads/pennies.efg", content=EFG)
    folder = client.services.folders.games  # type: ignore[attr-defined]
    (folder / "pennies.tree").write_bytes(tree)
    answer = client.get("/api/games/library:pennies/walk")
    assert (answer.status_code, answer.json()["option"]) == (404, "game")


@pytest.mark.by_default(1)
@pytest.mark.parametrize("name", ["mine.py", "mine.efg"])
def test_rules_that_the_server_was_started_with_are_walked(
    make_client: Callable[..., TestClient], tmp_path: Path, name: str
) -> None:
    rules = tmp_path / name
    rules.write_bytes(EFG if name.endswith(".efg") else GAME.encode())
    text = str(rules) if name.endswith(".efg") else f"{rules}:Tiny"
    client = make_client(subject=Subject("game", text))
    path = f"/api/games/{quote(text, safe='')}"
    facts = client.get(f"{path}/facts").json()
    shown = text.removeprefix(f"{tmp_path}/")
    assert (facts["text"], facts["is_drawn"]) == (shown, True)
    assert client.get(f"{path}/walk").json()["kind"] in ("chance", "decision")
    assert len(client.get(f"{path}/tree").json()["nodes"]) == facts["sizes"]["num_nodes"]
    assert client.get(f"{path}/lesson").json()["turns"]
    job = ended(client, started(client, game=text, options={"iterations": 10}))
    found = client.get(f"/api/solutions/{job['solution']}/facts").json()
    assert (found["game"], found["has_values"], found["state_iteration"]) == (shown, True, 10)
    other = quote(f"{rules.with_name('other.py')}:Tiny", safe="")
    assert client.get(f"/api/games/{other}/walk").status_code == 403


def test_a_solution_without_its_rules_can_be_read_but_not_walked(
    client: TestClient, tmp_path: Path
) -> None:
    file = tmp_path / "pennies.efg"
    file.write_bytes(EFG)
    put(client, eq.solve(str(file), iterations=5).save(tmp_path / "p.safetensors"), "pennies")
    shutil.copy(file, tmp_path / "copy.efg")
    assert client.get("/api/solutions/pennies/infosets").json()["total"] == 2
    answer = client.get("/api/solutions/pennies/walk")
    assert (answer.status_code, answer.json()["option"]) == (409, "game")
    assert str(tmp_path) not in answer.text


def test_a_strategy_without_a_tree_is_walked_without_values(
    client: TestClient, tmp_path: Path
) -> None:
    result = eq.solve("rules:leduc", sampling="outcome", iterations=2000, explicit_tree=False)
    put(client, result.save(tmp_path / "packed.safetensors"), "packed")
    found = client.get("/api/solutions/packed/walk").json()
    assert (found["kind"], found["values"], found["name"]) == ("chance", None, "packed")
    moves: Any = []
    while found["kind"] == "chance":
        moves.append(("move", found["steps"][0]["label"]))
        found = client.get("/api/solutions/packed/walk", params=moves).json()
    mixture = [step["probability"] for step in found["steps"]]
    assert sum(mixture) == pytest.approx(1.0)
    rows = client.get("/api/solutions/packed/infosets?state=true&count=2").json()
    assert len(rows["infosets"]) == 2
    assert client.get("/api/solutions/packed/tree").status_code == 409


@pytest.mark.slow
def test_a_solution_is_run_again_with_its_options(client: TestClient, tmp_path: Path) -> None:
    result = eq.solve(
        "kuhn", "dcfr(gamma=3)", iterations=17, traversal=eq.Traversal(alternating=False)
    )
    put(client, result.save(tmp_path / "mine.safetensors"), "mine")
    options = options_again(client.services, "mine")  # type: ignore[attr-defined]
    job = ended(client, started(client, game="kuhn", options=options))
    shown = client.get(f"/api/solutions/{job['solution']}").json()["solution"]
    assert shown["strategy"] == result.to_dict()["strategy"]
    assert client.get(f"/api/solutions/{job['solution']}/facts").json()["state_iteration"] == 17


def test_what_no_job_can_solve_is_not_run_again(client: TestClient, tmp_path: Path) -> None:
    trained = train("kuhn", "sd-cfr(walks=5,learner=table)", iterations=2)
    put(client, trained.save(tmp_path / "net.safetensors"), "net")
    assert options_again(client.services, "net") is None  # type: ignore[attr-defined]


def test_cards_of_kuhn_poker_are_named_wherever_it_is_shown(client: TestClient) -> None:
    for path in ("games/kuhn/facts", "games/kuhn/tree", "games/kuhn/walk", "games/kuhn/lesson"):
        names = client.get(f"/api/{path}").json()["shown_names"]
        assert (names["1"], names["2pb"], len(names)) == ("J", "Qpb", 12)
    for path in ("games/leduc/walk", "games/rps/facts", "games/matrix/facts"):
        assert client.get(f"/api/{path}").json()["shown_names"] == {}
