"""Games may call things what they like: nothing of it is obeyed, and no data is changed."""

from __future__ import annotations

import itertools
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from equilibrist.results import Result
from equilibrist.storage.tables import read_table_file
from tests.cli.command import Shell

KEYS = (
    "key\x00\x1b[31mred\nline\t\u202eevil [bold]x[/] &<b>\"'",
    "two\r\x9b\ufffe\x7f\xad\u2028\N{GRINNING FACE}",
)
SHOWN = (
    r"key\x00\x1b[31mred\nline\t\u202eevil [bold]x[/] &<b>" + "\"'",
    r"two\r\x9b\ufffe\x7f\xad\u2028" + "\N{GRINNING FACE}",
)
LABELS = (("a\x1b]0;title\x07<x>&", "b\nc[red]"), ("\u200fd", "e\x0b"))
RULES = f"""
from equilibrist.games import TERMINAL
KEYS = {KEYS!a}
LABELS = {LABELS!a}

class Odd:
    name = "o\\x1b[1mdd\\ngame $x^$"
    num_players = 2
    def initial_state(self): return ()
    def player(self, s): return TERMINAL if len(s) == 2 else len(s)
    def actions(self, s): return LABELS[len(s)]
    def chance(self, s): return []
    def next(self, s, a): return (*s, a)
    def payoffs(self, s): return [1, -1] if s[0] == s[1] else [-1, 1]
    def infoset(self, s): return KEYS[len(s)]

class Wrong(Odd):
    def payoffs(self, s): return [float("nan"), 1]

class Raises(Odd):
    def payoffs(self, s): raise ValueError("no\\x1b[31mluck")
"""
NAME = r"o\x1b[1mdd\ngame $x^$"


@pytest.fixture
def odd(shell: Shell, folder: Path) -> Shell:
    (folder / "odd.py").write_text(RULES, encoding="ascii")
    shell("solve odd.py:Odd -n 20 -q --out odd.safetensors").ok()
    return shell


def harmless(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize(
    ("line", "code", "out", "err"),
    [
        ("solve odd.py:Odd -n 20 --plot odd.svg", 0, [NAME, *SHOWN, r"b\nc[red]"], []),
        ("inspect odd.safetensors", 0, [f"{NAME}: odd.safetensors", *SHOWN, r"e\x0b"], []),
        ("inspect odd.py:Odd", 0, [f"{NAME}: no strategy", *SHOWN], []),
        ("inspect odd.py:Odd --player 0 --no-values", 0, [f"{SHOWN[0]}  (player 0"], []),
        ("inspect odd.py:Odd --player 1", 0, [f"{SHOWN[1]}  (player 1 of {NAME})"], []),
        ("inspect odd.py:Odd --draw odd.svg", 0, [], [f"histories of {NAME} drawn"]),
        ("inspect odd.safetensors 1", 2, [], [f"known: {', '.join(SHOWN)}"]),
        ("inspect odd.py:Odd --draw a.svg --history 1", 2, [], [r"a\x1b]0;title\x07<x>&, b\nc"]),
        ("evaluate odd.safetensors --game odd.py:Odd", 0, [f"{NAME}: the strategy"], []),
        ("evaluate odd.safetensors", 2, [], [NAME]),
        ("export odd.safetensors odd.csv", 0, [], [NAME]),
        ("check odd.py:Wrong", 1, [f"{NAME}: 2 players", r"history: b\nc[red] > \u200fd"], []),
        ("solve odd.py:Raises", 2, [], [r"no\x1b[31mluck", r"history: a\x1b]0;title\x07<x>&"]),
        ("games odd.py:Odd", 0, [NAME], []),
    ],
)
def test_the_terminal_obeys_none_of_it(
    odd: Shell, line: str, code: int, out: list[str], err: list[str]
) -> None:
    ran = odd(line)
    assert ran.code == code, ran.err
    assert harmless(ran.out)
    assert harmless(ran.err)
    for fragments, said in ((out, ran.out), (err, ran.err)):
        for fragment in fragments:
            assert fragment in said


@pytest.mark.parametrize(
    "line",
    [
        "solve odd.py:Odd -n 20 --json",
        "inspect odd.safetensors --json",
        "evaluate odd.safetensors --game odd.py:Odd --json",
        "export odd.safetensors - --format json",
    ],
)
def test_json_keeps_the_names_and_is_harmless(odd: Shell, line: str) -> None:
    ran = odd(line).ok()
    assert harmless(ran.out)
    document = json.loads(ran.out)
    assert document["game"] == "o\x1b[1mdd\ngame $x^$"
    table = document.get("strategy") or {
        row["infoset"]: row["strategy"] for row in document.get("infosets", ())
    }
    if "evaluate" not in line:
        assert {key: tuple(row) for key, row in table.items()} == dict(
            zip(KEYS, LABELS, strict=True)
        )


@pytest.mark.parametrize("name", ["odd.csv", "odd.json"])
def test_exported_files_keep_the_names(odd: Shell, name: str) -> None:
    odd(f"export odd.safetensors {name}").ok()
    assert read_table_file(name).rows == Result.load("odd.safetensors").strategy.to_dict()
    odd(f"evaluate {name} --game odd.py:Odd").ok()
    if name.endswith("csv"):
        shown = odd("export odd.safetensors - --format csv").ok().out
        assert shown == Path(name).read_bytes().decode()


def test_pictures_are_valid_and_show_the_names(odd: Shell) -> None:
    odd("inspect odd.safetensors --game odd.py:Odd --draw tree.svg").ok()
    texts = list(itertools.chain(ET.parse("tree.svg").getroot().itertext()))
    for shown in (NAME, *SHOWN, r"a\x1b]0;title\x07<x>&", r"b\nc[red]", r"\u200fd", r"e\x0b"):
        assert shown in texts


def test_a_plot_takes_any_name(odd: Shell) -> None:
    odd("solve odd.py:Odd -n 20 --plot odd.svg").ok()
    ET.parse("odd.svg")
    assert r"o\x1b[1mdd\ngame $x^$, dcfr" in Path("odd.svg").read_text()
