"""Tables of strategies that others made: their forms and notations, and those that do not fit."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pandas
import pytest

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from tests.cli.command import Shell
from tests.reference.test_response import MEASURED, TABLES

LINES = ("1", "1b", "1p", "1pb", "2", "2b", "2p", "2pb", "3", "3b", "3p", "3pb")


# Tables in circulation, two-player Kuhn, probability of pass; exploitability by best response.
TABLE_A = (
    0.8574384003665548, 0.999985067494923, 0.660594597675478, 0.9999911732218897,
    0.9997037628675545, 0.6618884775698471, 0.9999699762812622, 0.5291090066614956,
    0.5781543746887431, 3.0112318949682314e-05, 1.5056159474841157e-05, 1.2844892512449064e-05,
)  # fmt: skip


SAMPLED = (0.805, 0.97, 0.68, 0.97, 0.97, 0.56, 0.94, 0.47, 0.422, 0.03, 0.03, 0.03)


@pytest.mark.parametrize(
    ("row", "exploitability", "tolerance"), [(TABLE_A, 1.851e-3, 5e-7), (SAMPLED, 1.866e-2, 5e-6)]
)
def test_imported_tables(
    shell: Shell, folder: Path, row: tuple[float, ...], exploitability: float, tolerance: float
) -> None:
    table = {key: {"pass": p, "bet": 1 - p} for key, p in zip(LINES, row, strict=True)}
    (folder / "table.json").write_text(json.dumps(table))
    found = shell("evaluate table.json --game kuhn --json").ok().json
    assert found["exploitability"] == pytest.approx(exploitability, abs=tolerance)


@pytest.mark.parametrize(
    ("letters", "actions"), [("KBFC", ("check", "bet", "fold", "call")), ("CB", ("C", "B", "", ""))]
)
def test_tables_in_the_other_notations(
    shell: Shell, folder: Path, letters: str, actions: tuple[str, ...]
) -> None:
    check = letters[0]
    with (folder / "table.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["infoset", "action", "probability"])
        for key, p in zip(LINES, SAMPLED, strict=True):
            facing = "b" in key and actions[2]
            first, second = actions[2:] if facing else actions[:2]
            written = key.replace("p", check).replace("b", "B")
            rows.writerow([written, first, p])
            rows.writerow([written, second, 1 - p])
    found = shell("evaluate table.csv --game kuhn --json").ok().json
    assert found["exploitability"] == pytest.approx(1.866e-2, abs=5e-6)
    assert found["values"][0] == pytest.approx(-0.0507, abs=5e-5)


def test_three_player_tables_in_letters_of_deeds(shell: Shell, folder: Path) -> None:
    from equilibrist.game_loading import compile_game
    from equilibrist.games import load_game
    from equilibrist.games.library.kuhn_notation import in_our_notation

    tree = compile_game(load_game("kuhn(players=3)"))
    known = dict(zip(tree.infoset_keys, tree.action_labels, strict=True))
    given = {"1KKB": {"fold": 1.0}, "3KKBF": {"call": 1.0}, "4KB": {"f": 1.0}, "2BC": {"c": 1.0}}
    assert in_our_notation(given, known) == {
        "1ppb": {"pass": 1.0}, "3ppbp": {"bet": 1.0}, "4pb": {"pass": 1.0}, "2bb": {"bet": 1.0}
    }  # fmt: skip
    assert in_our_notation({"9?": {"x": 1.0}}, known) == {"9?": {"x": 1.0}}


def write(path: Path, rows: list[tuple[str, str, float]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("infoset", "action", "probability"), *rows])


def test_our_keys_may_have_actions_of_other_notations(shell: Shell, folder: Path) -> None:
    rows = []
    for key, p in zip(LINES, SAMPLED, strict=True):
        words = ("fold", "call") if "b" in key else ("check", "bet")
        rows += [(key, words[0], p), (key, words[1], 1 - p)]
    write(folder / "table.csv", rows)
    found = shell("evaluate table.csv --game kuhn --json").ok().json
    assert found["exploitability"] == pytest.approx(1.866e-2, abs=5e-6)


@pytest.mark.parametrize(
    ("extra", "kind", "fields"),
    [
        (
            ("1", "check", 0.0),
            ConfigError,
            dict(option="action", given="check", expected="pass"),
        ),
        (("1P", "pass", 1.0), ConfigError, dict(option="infoset", given="1P", expected="1p")),
    ],
)
def test_two_names_for_the_same_are_refused(
    shell: Shell,
    folder: Path,
    extra: tuple[str, str, float],
    kind: type[EquilibristError],
    fields: dict[str, Any],
) -> None:
    rows = [(key, label, 0.5) for key in LINES for label in ("pass", "bet")]
    write(folder / "table.csv", [*rows, extra])
    shell("evaluate table.csv --game kuhn").refused(kind, **fields)


@pytest.mark.parametrize("kind", ["long.csv", "wide.csv", "rows.json", "lists.json", "t.parquet"])
@pytest.mark.parametrize("letters", ["pb", "KB", "CB"])
@pytest.mark.parametrize("name", ["A", "B", "C", "D", "sampled"])
def test_the_textbooks_tables_in_every_form(
    shell: Shell, folder: Path, name: str, letters: str, kind: str
) -> None:
    """Exploitabilities by best response, in every notation and every kind of file."""
    passing = dict(zip(LINES, SAMPLED, strict=True))
    expected, tolerance = 1.866e-2, 5e-6
    if name != "sampled":
        passing = dict(zip(LINES, map(float, TABLES[name].split()), strict=True))
        expected, tolerance = MEASURED[name], 5e-7
    names = {"pb": ("pass", "bet"), "KB": ("check", "bet"), "CB": ("C", "B")}[letters]
    table = {}
    for key, p in passing.items():
        deeds = ("fold", "call") if letters == "KB" and "b" in key else names
        table[key.replace("p", letters[0]).replace("b", letters[1])] = dict(
            zip(deeds, (p, 1 - p), strict=True)
        )
    write_form(folder / kind, table)
    found = shell(f"evaluate {kind} --game kuhn --json").ok().json
    assert found["exploitability"] == pytest.approx(expected, abs=tolerance)


def write_form(path: Path, table: dict[str, dict[str, float]]) -> None:
    rows = [(key, label, p) for key, row in table.items() for label, p in row.items()]
    frame = pandas.DataFrame(rows, columns=["infoset", "action", "probability"])
    match path.name:
        case "long.csv":
            frame.to_csv(path, index=False)
        case "wide.csv":  # one column per action, empty where there is none
            frame.pivot_table("probability", "infoset", "action").to_csv(path)
        case "rows.json":
            path.write_text(json.dumps(table))
        case "lists.json":  # in the order of the actions
            path.write_text(json.dumps({key: list(row.values()) for key, row in table.items()}))
        case _:
            frame.to_parquet(path, index=False)


@pytest.mark.parametrize(
    ("name", "text", "kind", "fields"),
    [
        (
            "a.json",
            '{"1": [0.5, 0.2, 0.3]}',
            ConfigError,
            dict(option="infoset", given="[0.5, 0.2, 0.3]"),
        ),
        (
            "a.json",
            '{"1": [0.5, "x"]}',
            FileFormatError,
            dict(option="probability", given="x", path="a.json", place="infoset '1', action 1"),
        ),
        (
            "a.csv",
            "infoset,pass,bet\n1,0.5,x\n",
            FileFormatError,
            dict(option="probability", given="x", path="a.csv", place="line 2"),
        ),
        (
            "a.csv",
            "infoset,pass,pass\n1,0.5,1\n",
            FileFormatError,
            dict(option="columns", given="['infoset', 'pass', 'pass']", path="a.csv"),
        ),
        (
            "a.csv",
            "infoset\n1\n",
            FileFormatError,
            dict(option="columns", given="['infoset']", path="a.csv"),
        ),
        (
            "a.csv",
            "player,infoset,pass,bet\n0\n",
            FileFormatError,
            dict(option="cells", path="a.csv", place="line 2"),
        ),
        (
            "a.csv",
            "infoset,action,probability\n1\n",
            FileFormatError,
            dict(option="cells", path="a.csv", place="line 2"),
        ),
        (
            "a.csv",
            "infoset,pass,bet\n1,0.5,0.5\n1,1,0\n",
            FileFormatError,
            dict(option="action", given="pass", path="a.csv", place="line 3"),
        ),
        (
            "a.csv",
            "infoset,pass,bet\n1,0.5\n",
            ConfigError,
            dict(option="probabilities", given="[0.5, 0.0]"),
        ),
    ],
)
def test_tables_of_these_forms_that_do_not_fit(
    shell: Shell,
    folder: Path,
    name: str,
    text: str,
    kind: type[EquilibristError],
    fields: dict[str, Any],
) -> None:
    rest = "".join(f"{key},0.5,0.5\n" for key in LINES if key != "1")
    (folder / name).write_text(text + (rest if fields["option"] == "probabilities" else ""))
    shell(f"evaluate {name} --game kuhn").refused(kind, **fields)
