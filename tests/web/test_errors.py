"""Errors in the words of requests: no code of Python, and no flags of the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from equilibrist.errors import EquilibristError
from equilibrist.progress import Callbacks, timed
from equilibrist.solving.algorithm import configured
from equilibrist.solving.running import run
from equilibrist.web.api.orders import option_values
from equilibrist.web.errors import as_requested, error_document
from equilibrist.web.games.options import solve_options
from tests.web.conftest import put
from tests.web.following import ended, started


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("give `sampling`", "give `sampler`"),
        ("leave out `measure`", "leave out `measure`"),
        ("`explicit_tree=False` is for", "`explicit_tree: false` is for"),
        ("write `sampling='external(prune=3)'`", "write `sampler: external(prune=3)`"),
        (
            "do `solve('rules:a(b=2)', sampling='external', seconds=60)`",
            "do solve the game rules:a(b=2) with `sampler: external`, `seconds: 60`",
        ),
        ("`solve('kuhn', 'dcfr')`", "solve the game kuhn with `algorithm: dcfr`"),
        ("`equilibrist serve rules.py:MyGame`", "`equilibrist serve rules.py:MyGame`"),
        ("`external(prune=3)` is", "`external(prune=3)` is"),
        ("`a (b`", "`a (b`"),
        ("unknown algorithm 'x' (or my.py:MyVariant)", "unknown algorithm 'x'"),
        (
            "unknown game (`equilibrist games` lists them; your own is rules.py:MyGame)",
            "unknown game (/api/games lists them)",
        ),
        ("use --drop-below or `--time`", "use drop_below or `seconds`"),
        ("the name 'river--final' is taken", "the name 'river--final' is taken"),
        ("river--final is taken", "river--final is taken"),
        ("unknown option '--time'; use --drop-below", "unknown option '--time'; use drop_below"),
        ("it isn't --drop-below, it isn't", "it isn't drop_below, it isn't"),
        ("see --all-in-without-sizes", "see all_in_without_sizes"),
        ("raise `equilibrist serve --memory`", "raise `equilibrist serve --memory`"),
        ("a name that `equilibrist samplers` lists", "a name that /api/samplers lists"),
        ("bets=1, a function f(a, b) as rules.py:f, or all", "bets=1, or all"),
        ("half, up, or a function f(a, b) as rules.py:f.", "half, up."),
        ("one of ours, or my.py:MyVariant, or none", "one of ours, or none"),
        ("it is 3; expected True or False", "it is 3; expected true or false"),
        ("of one line (max_moves() is 7, f() 8), too", "of one line, too"),
        ("let it end (player() returns -2 there); or not", "let it end; or not"),
    ],
)
def test_code_of_python_is_told_as_requests_have_it(sentence: str, words: str) -> None:
    assert as_requested(sentence) == words


@pytest.mark.parametrize(
    ("path", "option", "given"),
    [
        ("infosets?player=7", "player", 7),
        ("infosets?key=none", "key", "none"),
        ("infosets?order=none", "order", "none"),
        ("walk?move=none", "move", "none"),
        ("tree?move=none", "move", "none"),
    ],
)
def test_errors_name_what_the_request_has(
    client: TestClient, kuhn_file: Path, path: str, option: str, given: object
) -> None:
    put(client, kuhn_file, "kuhn")
    document = client.get(f"/api/solutions/kuhn/{path}").json()
    assert (document["option"], document["given"]) == (option, given)
    assert "--" not in document["error"]


def test_errors_of_drills_name_what_the_request_has(client: TestClient, kuhn_file: Path) -> None:
    put(client, kuhn_file, "kuhn")
    for option, value in (("match", "none"), ("player", 7)):
        body = {"solution": "kuhn", option: value}
        document = client.post("/api/play/drills", json=body).json()
        assert (document["option"], document["given"]) == (option, value)
        assert document["error"].startswith(f"{option} is")


@pytest.mark.slow
def test_a_game_that_is_too_large_says_how_large_one_may_be(client: TestClient) -> None:
    options = {"iterations": 1, "memory": "60MB"}
    job = ended(client, started(client, game="leduc(players=9)", options=options))
    error = job["error"]
    assert (job["state"], error["option"], error["given"]) == ("failed", "memory", 60_000_000)
    assert error["expected"] == "a game of at most 1,000,000 histories"
    for text in (error["error"], error["remedy"]):
        assert "solve(" not in text
        assert "rules:leduc(players=9,ranks=10)" in text


def test_the_error_of_a_dialect_names_what_the_request_has(client: TestClient) -> None:
    document = client.post("/api/ranges/write", json={"text": "AA", "to": "none"}).json()
    assert (document["option"], document["given"]) == ("to", "none")


def test_help_texts_of_options_name_what_requests_have() -> None:
    for row in solve_options():
        for text in (row["help"], row["default"]):
            assert not re.search(r"--|\.py\b|`equilibrist|\w\(\)| file", text), text


@pytest.mark.parametrize(("option", "value"), [("actions", "1"), ("max_depth", 1)])
def test_errors_of_a_run_name_no_python(option: str, value: object) -> None:
    values = option_values({"iterations": "1", option: str(value)})
    with pytest.raises(EquilibristError) as refused:
        run("kuhn", *configured(values), timed(Callbacks()))
    error = error_document(refused.value)
    assert error["option"] == option
    for text in (error["error"], error["expected"], error["remedy"]):
        assert not re.search(r"\.py\b|\w\(\)", str(text))
