"""The tools by a client of the SDK: answers, units, convergence, errors, and one folder alone."""

from __future__ import annotations

import asyncio
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

import equilibrist as eq
from equilibrist import poker
from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from equilibrist.games import efg_text
from equilibrist.mcp import progress as notices
from equilibrist.mcp import server
from equilibrist.mcp.tools import games
from equilibrist.mcp.workspace import DATA, Workspace
from equilibrist.play.match import match_exactly
from equilibrist.poker.postflop.spot.toml import parse_spot
from equilibrist.web.errors import ForbiddenError
from equilibrist.web.jobs import manager
from tests.cli.command import Shell
from tests.mcp.asking import Ask, answer, document_of, serving
from tests.refusals import refuses
from tests.web.scripted import ScriptedWorker

SPOT = poker.Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK,54s", pot=100, stack=100, bets="50%")


@pytest.fixture(autouse=True)
def data_of_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUILIBRIST_DATA_DIR", str(tmp_path / "own"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the solutions of a game and of a spot, and tables."""
    folder = tmp_path / "folder"
    folder.mkdir()
    eq.solve("kuhn", iterations=50).save(folder / "kuhn.safetensors")
    (folder / "sub").mkdir()
    poker.solve(SPOT, iterations=20, target="1%").save(folder / "sub" / "river.spot")
    (folder / "spot.toml").write_text(SPOT.to_toml())
    (folder / "notes.csv").write_text("hand,Check,Bet 50\nQQ,20%,80%\nAA,0,1\n")
    strategy = eq.solve("kuhn", iterations=2).strategy
    strategy.save(folder / "mine.csv")
    return folder


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[ScriptedWorker]:
    ScriptedWorker.running.clear()
    monkeypatch.setattr(manager, "Worker", ScriptedWorker)
    return ScriptedWorker.running


def test_what_is_offered(folder: Path) -> None:
    """Every tool and every argument says what it is, in few words; solving is told from looking."""

    async def script(_ask: Ask, client: Client) -> None:
        assert "exploitability" in f"{client.instructions}"
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"solve_game", "solve_spot", "job_status", "job_result", "stop_job"} <= {*tools}
        assert {"look_up", "compare_algorithms", "compare_frequencies", "evaluate"} <= {*tools}
        for name, tool in tools.items():
            assert tool.description, name
            schema: dict[str, Any] = tool.input_schema
            assert not schema["additionalProperties"]
            assert all(row.get("description") for row in schema["properties"].values()), name
        writes = {name for name, tool in tools.items() if not tool.annotations.read_only_hint}
        assert writes == {
            "solve_game",
            "solve_spot",
            "compare_algorithms",
            "stop_job",
            "resume_job",
            "review_hands",
        }
        offered = json.dumps([tool.model_dump() for tool in tools.values()])
        assert len(offered) < 30_000

    serving(folder, script)


def test_a_long_solve_is_a_job(folder: Path, workers: list[ScriptedWorker]) -> None:
    async def script(ask: Ask, _client: Client) -> None:
        started = await ask("solve_game", game="kuhn", target=0.001, seed=1, fails=True, wait=0)
        assert started["option"] == "arguments"
        given = {"game": "kuhn", "target": 0.001, "options": {"seed": 1}, "wait": 0}
        started = await ask("solve_game", **given)
        assert started["state"] in ("queued", "running")
        assert started["options"]["target"] == "0.001"
        status = await ask("job_status", job=started["job"], wait=0.1)
        assert status["state"] == "running"
        assert status["convergence"]["iterations"] == 7
        assert status["convergence"]["value"] == 0.5
        assert "payoff units" in status["convergence"]["unit"]
        early = await ask("job_result", job=started["job"], fails=True)
        assert early["kind"] == "ConflictError"
        assert "job_status" in early["remedy"]
        (listed,) = (await ask("list_jobs"))["jobs"]
        assert listed["job"] == started["job"]
        ended = await ask("stop_job", job=started["job"], wait=5)
        assert ended["state"] == "stopped"
        assert ended["stopped_by"] == "request"
        assert "memory" not in ended["options"]  # a limit that nobody gave
        again = await ask("resume_job", job=started["job"], wait=0)
        assert again["state"] in ("queued", "running")

    serving(folder, script)
    assert not workers


def test_a_call_that_waits_tells_how_far_it_is(
    folder: Path, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By numbers that rise; a call without the client's wish is told nothing."""
    monkeypatch.setattr(notices, "EVERY", 0.01)
    told: list[tuple[float, float | None, str | None]] = []

    def newest() -> tuple[float, float | None, str | None]:
        return told[-1]

    async def notice(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def script(ask: Ask, client: Client) -> None:
        given: dict[str, Any] = {"game": "kuhn", "iterations": 1000, "wait": 0.1}
        silent = await ask("solve_game", **given)
        assert len(told) == 0
        started = await client.call_tool("solve_game", given, progress_callback=notice)
        told_of = "kuhn: 7 iterations, measure 0.5 payoff units of the game, target 0.3"
        assert newest() == (7, 1000, told_of)
        for job in (silent, document_of(started)):
            await ask("stop_job", job=job["job"], wait=5)
        told.clear()
        started = await client.call_tool(
            "solve_game", {"game": "kuhn", "target": 0.1, "wait": 0.1}, progress_callback=notice
        )
        assert len(told) > 1
        told.clear()
        race = {"game": "kuhn", "algorithms": ["cfr", "cfr+"], "iterations": 10, "wait": 0.1}
        await client.call_tool("compare_algorithms", race, progress_callback=notice)
        assert "cfr 0.5 after 7 iterations" in f"{newest()[2]}"
        job = document_of(started)["job"]
        told.clear()
        await client.call_tool("job_status", {"job": job, "wait": 0.1}, progress_callback=notice)
        done = [number for number, _, _ in told]
        assert len(done) > 1
        assert done == sorted({*done})

    serving(folder, script)


def test_a_call_that_starts_no_job_tells_that_it_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "EVERY", 0.01)
    monkeypatch.setattr(notices, "_LONG", 0.05)
    told: list[tuple[float, float | None, str | None]] = []

    async def notice(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    def slow(_workspace: Workspace, _given: object) -> dict[str, Any]:
        time.sleep(0.3)
        return {"games": []}

    tool = server.TOOLS["list_games"]
    monkeypatch.setitem(server.TOOLS, "list_games", tool._replace(answer=slow))

    async def script(_ask: Ask, client: Client) -> None:
        await client.call_tool("list_games", {}, progress_callback=notice)

    serving(folder, script)
    done = [number for number, _, _ in told]
    assert len(done) > 1
    assert min(done) >= 0.05
    assert done == sorted({*done})
    assert all("list_games" in f"{message}" for _, _, message in told)


def test_a_call_that_is_cancelled_ends_the_job_of_which_nobody_was_told(
    folder: Path, workers: list[ScriptedWorker]
) -> None:
    async def script(ask: Ask, client: Client) -> None:
        given = {"game": "kuhn", "iterations": 1000, "wait": 50}
        call = asyncio.create_task(client.call_tool("solve_game", given))
        while not workers:
            await asyncio.sleep(0.01)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        (job,) = (await ask("list_jobs"))["jobs"]
        ended = await ask("job_status", job=job["job"], wait=5)
        assert ended["state"] == "stopped"
        again = await ask("resume_job", job=job["job"], wait=0)
        waiting = asyncio.create_task(client.call_tool("job_status", {**again, "wait": 50}))
        await asyncio.sleep(0.05)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert (await ask("job_status", job=job["job"]))["state"] in ("queued", "running")

    serving(folder, script)


def test_a_race_is_a_job(folder: Path, workers: list[ScriptedWorker]) -> None:
    async def script(ask: Ask, _client: Client) -> None:
        given = {"game": "kuhn", "algorithms": ["cfr", "cfr+"], "iterations": 10, "wait": 0.1}
        started = await ask("compare_algorithms", **given)
        assert started["kind"] == "compare"
        assert workers[0].order.algorithms == ("cfr", "cfr+")
        (listed,) = (await ask("list_jobs"))["jobs"]
        assert listed["reached"]["cfr"] == {"iterations": 7, "value": 0.5}
        assert "convergence" not in listed
        wrong = await ask("compare_algorithms", game="kuhn", algorithms=["cfr", "x"], fails=True)
        assert wrong["kind"] == "UnknownNameError"

    serving(folder, script)


def test_a_race_that_is_done_asks_for_no_limits(
    folder: Path, workers: list[ScriptedWorker]
) -> None:
    """They would be refused: it has no checkpoints."""

    async def script(ask: Ask, _client: Client) -> None:
        given = {"game": "kuhn", "algorithms": ["cfr", "cfr+"], "iterations": 10, "wait": 0.1}
        started = await ask("compare_algorithms", **given)
        await workers[0].tell("finish")
        assert (await ask("job_status", job=started["job"], wait=5))["state"] == "done"
        for limits in ({}, {"iterations": 20}):
            error = await ask("resume_job", job=started["job"], **limits, fails=True)
            assert (error["kind"], error["option"]) == ("ConflictError", "kind")

    serving(folder, script)


def test_spots_are_ordered_by_file_and_keys(folder: Path, workers: list[ScriptedWorker]) -> None:
    async def script(ask: Ask, _client: Client) -> None:
        given = {"file": "spot.toml", "pot": 50, "target": "0.3%", "keys": {"raises": "a"}}
        started = await ask("solve_spot", **given, wait=0.1)
        assert started["kind"] == "spot"
        assert started["convergence"]["unit"] == "chips"
        order = workers[0].order
        assert "pot = 50" in f"{order.spot}"
        assert 'raises = "a"' in f"{order.spot}"

    serving(folder, script)


def test_files_of_games(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A payoff table is read as the same game in Gambit's format; other files are named."""
    arrived: list[str] = []

    async def keep(_services: object, file: Path, stem: str, _kind: str) -> dict[str, str]:
        arrived.append(file.read_text())
        return {"name": f"library:{stem}"}

    monkeypatch.setattr(games, "keep_upload", keep)
    (folder / "table.csv").write_text(',C,D\nC,"3,3","0,5"\nD,"5,0","1,1"\n')
    (folder / "table.nfg").write_text('NFG 1 R "t" { "A" "B" } { 2 2 } 1 -1 -1 1 -1 1 1 -1\n')

    async def name(text: str) -> str:
        with Workspace.held(folder) as workspace:
            return await games.game_for(workspace, text)

    (folder / "shares.csv").write_text(",C,D\nC,0.5,0.5\nD,1,0\n")
    for text in ("table.csv", "table.nfg", "payoffs:table.nfg", "shares.csv"):
        assert asyncio.run(name(text)) == f"library:{Path(text.partition(':')[2] or text).stem}"
        path = folder / text.removeprefix("payoffs:")
        assert arrived[-1] == efg_text(eq.load_game(str(path)))
    assert asyncio.run(name("kuhn(players=3)")) == "kuhn(players=3)"
    (folder / "cut.csv").write_text("1,2\n3\n")
    (folder / "cut.nfg").write_text('NFG 1 R "t" { "A" "B" } { 2 2 } 1 -1 -1 1 -1 1 1\n')
    for text in ("cut.csv", "cut.nfg", "notes.csv"):  # the file is named once
        with pytest.raises(EquilibristError) as refused:
            asyncio.run(name(text))
        assert f"{refused.value}".count(text) == f"{refused.value.place}".count(text) == 1
    for text, error in {
        "notes.csv": FileFormatError, "spot.toml": FileFormatError, "no.csv": FileFormatError,
        "openspiel:kuhn_poker": ForbiddenError, "rules.py:Mine": ForbiddenError,
        "../out.csv": ForbiddenError,
    }.items():  # fmt: skip
        with pytest.raises(error) as raised:
            asyncio.run(name(text))
        assert "equilibrist serve" not in f"{raised.value}"


def test_a_played_hand_is_a_spot(folder: Path, workers: list[ScriptedWorker]) -> None:
    """By its number in the file; its bets are in the tree, and what is left out is said."""
    (folder / "hand.phh").write_text(
        "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n"
        "starting_stacks = [200, 200]\nplayers = ['Ann', 'Bob']\n"
        "actions = ['d dh p1 AhKh', 'd dh p2 ????', 'p2 cbr 6', 'p1 cc', 'd db QsJh2h', "
        "'p1 cc', 'p2 cbr 7', 'p1 f']\n"
    )

    async def script(ask: Ask, _client: Client) -> None:
        given = {"file": "hand.phh#1", "oop": "AA,AhKh", "ip": "KK", "wait": 0.1}
        started = await ask("solve_spot", **given)
        assert "AhKh" in started["note_on_file"]
        spot = poker.Spot(**parse_spot(f"{workers[0].order.spot}"))
        assert (spot.board, spot.pot, spot.added_lines) == ("QsJh2h", 12, ("X-B7",))
        refused = await ask("solve_spot", fails=True, file="hand.phh#2", oop="AA", ip="KK")
        assert refused["option"] == "hand"

    serving(folder, script)


def test_looking_into_solutions(folder: Path) -> None:
    async def script(ask: Ask, _client: Client) -> None:
        names = [row["name"] for row in (await ask("list_solutions"))["solutions"]]
        assert {*names} == {"kuhn.safetensors", "sub/river.spot"}
        solution = eq.load_result(folder / "sub" / "river.spot")
        root = await ask("look_up", solution="sub/river.spot", hands="QQ", count=2)
        assert root["unit"] == "chips"
        assert root["acts"] == "oop"
        assert root["ev"] == pytest.approx(solution.ev, rel=1e-5)
        assert [row["action"] for row in root["actions"]] == ["Check", "Bet 50"]
        assert len(root["hands"]) == 2
        assert root["total"] == 6
        convergence = root["convergence"]
        assert convergence["value"] == pytest.approx(solution.mean_gain, rel=1e-5)
        assert convergence["unit"] == "chips"
        assert convergence["target_met"] is (solution.mean_gain <= 1.0)
        page = await ask("look_up", solution="kuhn.safetensors", match="?pb", order="reach")
        assert {row["infoset"] for row in page["infosets"]} == {"1pb", "2pb", "3pb"}
        measured = await ask("evaluate", strategy="kuhn.safetensors")
        stored = eq.load_result(folder / "kuhn.safetensors")
        assert measured["value"] == pytest.approx(stored.exploitability, rel=1e-5)
        measured = await ask("evaluate", strategy="mine.csv", game="kuhn")
        assert measured["measure"] == "exploitability"
        assert measured["value"] > 0.01
        assert "notes" not in measured
        text = (folder / "mine.csv").read_text()
        (folder / "rounded.csv").write_text(text.replace("0,1pb,pass,0.5", "0,1pb,pass,.49"))
        for name, given in {
            "evaluate": {"strategy": "rounded.csv"},
            "compare_strategies": {"first": "uniform", "second": "rounded.csv"},
        }.items():
            (note,) = (await ask(name, game="kuhn", **given))["notes"]
            assert note.startswith("rounded.csv: ")
            assert "'1pb'" in note
        pair = {"first": "kuhn.safetensors", "second": "uniform"}
        played = await ask("compare_strategies", **pair)
        tree = eq.compile_game("kuhn")
        match = match_exactly(stored.strategy.on(tree), eq.Strategy.uniform(tree))
        assert played["first_earns"] == pytest.approx(match.mean, rel=1e-5)
        assert "payoff units" in played["unit"]
        assert (await ask("compare_strategies", first="uniform", second="mine.csv", game="kuhn"))[
            "first_earns"
        ] < 0
        compared = await ask("compare_frequencies", solution="sub/river.spot", table="notes.csv")
        assert compared["hands"][0]["hand"] == "QQ"
        assert compared["unit"] == "chips"
        pair = {"solution": "sub/river.spot", "table": "sub/river.spot"}
        with_itself = await ask("compare_frequencies", **pair, count=5)
        assert with_itself["cost"] == 0
        assert with_itself["different_keys"] == []
        assert with_itself["convergence_of_other"] == with_itself["convergence"]
        for document in (root, page, measured, compared):
            assert len(json.dumps(document)) < 4_000

    serving(folder, script)


def test_charts_before_the_flop(folder: Path) -> None:
    poker.push_fold(10).save(folder / "charts.safetensors")

    async def script(ask: Ask, _client: Client) -> None:
        root = await ask("look_up", solution="charts.safetensors", hands="AA,72o")
        assert [row["action"] for row in root["actions"]] == ["Fold", "All-in"]
        assert {row["hand"]: row["strategy"] for row in root["hands"]} == {
            "AA": [0.0, 1.0], "72o": [1.0, 0.0],
        }  # fmt: skip
        after = await ask("look_up", solution="charts.safetensors", line="A")
        assert after["seat"] == "BB"
        (listed,) = (
            row
            for row in (await ask("list_solutions"))["solutions"]
            if row["name"] == "charts.safetensors"
        )
        assert "big blinds" in listed["unit"]
        measured = await ask("evaluate", strategy="charts.safetensors")
        assert "mbb" in measured["facts"]["NashConv"]

    serving(folder, script)


SETUP = """#Type#NoLimit
#Range0#AA,QQ
#Range1#KK
#Board#Ts 3h 2h 5c 9s
#Pot#100
#EffectiveStacks#100
#RiverConfig.BetSize#50
#RiverConfigIP.BetSize#50
"""


def test_set_ups_of_other_solvers(folder: Path) -> None:
    (folder / "pio.txt").write_text(SETUP)
    needs = answer(folder, "estimate_spot", file="pio.txt")
    assert needs["board"] == "Ts3h2h5c9s"
    assert answer(folder, "estimate_spot", file="pio.txt", pot=40)["pot"] == 40


@pytest.mark.slow
def test_what_makes_a_spot_fit(folder: Path) -> None:
    """Found by a process of its own, with what it changes and the bytes that are left."""
    keys = {"bets": "33%,75%", "raises": "a"}
    given: dict[str, Any] = {
        "board": "QsJh2h",
        "oop": "22+",
        "ip": "22+",
        "pot": 10,
        "stack": 100,
        "wait": 50,
    }
    needs = answer(folder, "estimate_spot", **given, keys=keys, options={"memory": "100MB"})
    assert needs["fits"] is False
    assert 1 <= len(needs["what_fits"]) <= 3
    for change in needs["what_fits"]:
        assert change["changes"]
        assert change["num_bytes"] <= 100e6


def test_tools_of_holdem_and_lists(folder: Path) -> None:
    async def script(ask: Ask, _client: Client) -> None:
        shares = await ask("equity", ranges=["AsAh", "KsKh"], board="2c7d9hJs")
        assert shares["equities"] == pytest.approx([42 / 44, 2 / 44], rel=1e-4)
        assert shares["exact"] is True
        short = await ask("equity", ranges=["AhKh", "QsQd"], board="9h8h6cJs", deck="short")
        assert short["equities"] == [0.5, 0.5]
        needs = await ask("estimate_spot", file="spot.toml")
        assert needs["fits"] is True
        assert needs["memory_bytes"]["float32"] > 0
        games = (await ask("list_games"))["games"]
        assert "kuhn" in {row["name"] for row in games}
        assert (await ask("list_games", game="kuhn"))["sizes"]["num_infosets"] == 12
        (folder / "table.csv").write_text(",C,D\nC,3 3,0 5\nD,5 0,1 1\n")
        assert (await ask("list_games", game="table.csv"))["sizes"]["num_terminals"] == 4
        assert "dcfr" in (await ask("list_algorithms"))["algorithms"]
        assert (await ask("list_algorithms", algorithm="dcfr(gamma=3)"))["name"]

    serving(folder, script)


WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("solve_gam", {}, "UnknownNameError", "tool"),
    ("solve_game", {}, "ConfigError", "game"),
    ("solve_game", {"gane": "kuhn"}, "UnknownNameError", "arguments"),
    ("solve_game", {"game": "kun"}, "UnknownNameError", "game"),
    ("solve_game", {"game": "kuhn", "iterations": "many"}, "ConfigError", "iterations"),
    ("solve_game", {"game": "kuhn", "iterations": 0}, "ConfigError", "iterations"),
    ("solve_game", {"game": "kuhn", "target": [1]}, "ConfigError", "target"),
    ("solve_game", {"game": "kuhn", "options": {"seed": []}}, "ConfigError", "options.seed"),
    ("solve_game", {"game": "kuhn", "options": {"size": 1}}, "UnknownNameError", "option"),
    ("solve_game", {"game": "kuhn", "algorithm": "dfcr"}, "UnknownNameError", "algorithm"),
    ("solve_game", {"game": "rules.py:Mine"}, "ForbiddenError", "game"),
    ("solve_game", {"game": "kuhn", "algorithm": "mine.py:A"}, "ForbiddenError", "algorithm"),
    ("solve_game", {"game": "openspiel:kuhn_poker"}, "ForbiddenError", "game"),
    ("solve_game", {"game": "lost.efg"}, "FileFormatError", "file"),
    ("solve_game", {"game": "kuhn", "wait": 1e9}, "ConfigError", "wait"),
    ("solve_spot", {"board": "TsTs2h"}, "ConfigError", "oop"),
    ("solve_spot", {"file": "../spot.toml"}, "ForbiddenError", "file"),
    ("solve_spot", {"file": "spot.toml", "oop": "AX"}, "RangeSyntaxError", "oop"),
    ("solve_spot", {"file": "spot.toml", "keys": {"bats": 1}}, "UnknownNameError", "key"),
    ("job_status", {"job": "none"}, "NotFoundError", "job"),
    ("look_up", {"solution": "last"}, "NotFoundError", "solution"),
    ("look_up", {"solution": "lost.spot"}, "NotFoundError", "solution"),
    ("look_up", {"solution": "/etc/passwd"}, "ForbiddenError", "solution"),
    ("look_up", {"solution": "sub/river.spot", "line": "X-B51"}, "LineSyntaxError", "line"),
    ("look_up", {"solution": "sub/river.spot", "hands": "ZZ"}, "RangeSyntaxError", "range"),
    ("look_up", {"solution": "notes.csv"}, "FileFormatError", "file"),
    ("evaluate", {"strategy": "mine.csv"}, "ConfigError", "game"),
    ("evaluate", {"strategy": "spot.toml"}, "ConflictError", "strategy"),
    ("compare_frequencies", {"solution": "kuhn.safetensors", "table": "notes.csv"},
     "ConflictError", "name"),
    ("compare_frequencies", {"solution": "sub/river.spot", "table": "mine.csv"},
     "FileFormatError", "columns"),
    ("equity", {"ranges": ["AA"]}, "ConfigError", "ranges"),
    ("compare_strategies", {"first": "uniform", "second": "kuhn"}, "NotFoundError", "solution"),
    ("compare_frequencies", {"solution": "sub/river.spot", "table": "lost.csv"},
     "FileFormatError", "file"),
    ("compare_strategies", {"first": "uniform", "second": "uniform"}, "ConfigError", "game"),
    ("compare_strategies", {"first": "mine.csv", "second": "sub/river.spot"},
     "ConflictError", "strategy"),
]  # fmt: skip


def test_what_is_wrong_is_said_with_option_and_remedy(folder: Path) -> None:
    told: list[tuple[str, dict[str, Any], str, str]] = []

    async def script(ask: Ask, _client: Client) -> None:
        for name, given, _, _ in WRONG:
            error = await ask(name, fails=True, **given)
            told.append((name, given, error["kind"], error["option"]))
            assert not re.search(r"/api/|browser|equilibrist serve", json.dumps(error))

    serving(folder, script)
    assert told == WRONG
    assert not [*(folder / DATA / "jobs").iterdir()]


def test_remedies_for_what_is_no_strategy(folder: Path) -> None:
    """No other command takes hands or a spot file as a strategy; `match` takes solved spots."""
    hand = "PokerStars Hand #1: Hold'em No Limit ($1/$2 USD) - 2026/03/01 12:00:00 ET"
    (folder / "hands.txt").write_text(f"{hand}\n")
    remedies: list[str] = []

    async def script(ask: Ask, _client: Client) -> None:
        for file in ("hands.txt", "spot.toml", "sub/river.spot"):
            pair = {"first": "mine.csv", "second": file}
            error = await ask("compare_strategies", fails=True, **pair)
            remedies.append(error["remedy"])
        error = await ask("evaluate", fails=True, strategy="hands.txt")
        remedies.append(error["remedy"])
        table = {"solution": "kuhn.safetensors", "table": "notes.csv"}
        error = await ask("compare_frequencies", fails=True, **table)
        assert "look_up" in error["remedy"]

    serving(folder, script)
    assert ["equilibrist" in remedy for remedy in remedies] == [False, False, True, False]


def test_links_out_of_the_folder_are_not_followed(folder: Path, tmp_path: Path) -> None:
    outside = eq.solve("kuhn", iterations=1).save(tmp_path / "outside.safetensors")
    (folder / "link.safetensors").symlink_to(outside)
    error = answer(folder, "look_up", solution="link.safetensors", fails=True)
    assert error["kind"] == "ForbiddenError"
    names = [row["name"] for row in answer(folder, "list_solutions")["solutions"]]
    assert "link.safetensors" not in names


def test_a_folder_has_one_server(folder: Path) -> None:
    again = Workspace.held(folder)
    with Workspace.held(folder), refuses(ConfigError, option="folder", given=folder), again:
        pass
    with refuses(ConfigError, option="folder"), Workspace.held(folder / "missing"):
        pass


def test_without_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    monkeypatch.delitem(sys.modules, "equilibrist.mcp.server")
    monkeypatch.setitem(sys.modules, "mcp", None)
    ran = Shell(capsys)("mcp").refused(ConfigError, option="package", given="mcp")
    assert 'pip install "equilibrist[mcp]"' in ran.err


@pytest.mark.slow
def test_solves_by_processes_of_their_own(folder: Path) -> None:
    """A game, a spot, a race and an .efg, solved in earnest."""
    (folder / "k (1).efg").write_text(efg_text(eq.load_game("kuhn")))

    async def script(ask: Ask, _client: Client) -> None:
        for game in ("kuhn", "k (1).efg"):
            solved = await ask("solve_game", game=game, target=0.001, wait=50)
            assert solved["state"] == "done"
            convergence = solved["convergence"]
            assert convergence["target_met"] is True
            assert convergence["value"] <= 0.001
            assert (folder / solved["file"]).is_file()
            again = await ask("evaluate", strategy=solved["solution"])
            assert again["value"] == pytest.approx(convergence["value"], rel=1e-5)
        solved = await ask("solve_spot", file="spot.toml", target="0.5%", wait=50)
        assert solved["convergence"]["percent_of_pot"] <= 0.5
        assert sum(row["frequency"] for row in solved["root"]["actions"]) == pytest.approx(1)
        race = {"game": "kuhn", "algorithms": ["cfr", "cfr+"], "iterations": 50, "wait": 50}
        rows = (await ask("compare_algorithms", **race))["algorithms"]
        assert [row["algorithm"] for row in rows] == ["cfr+", "cfr"]
        assert rows[0]["value"] <= rows[1]["value"]

    serving(folder, script)
