"""`evaluate` and `export`: saved and imported strategies, best responses, round trips."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas
import pytest

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError, OutputError
from equilibrist.solution import Solution
from equilibrist.storage.tables import read_table_file
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


@pytest.fixture
def solution(shell: Shell) -> str:
    shell("solve kuhn -n 200 -q").ok()
    return "kuhn-dcfr.safetensors"


def test_a_saved_solution_is_measured_again(shell: Shell, solution: str) -> None:
    saved = Solution.load(solution)
    document = shell(f"evaluate {solution} --json").ok().json
    assert document["game"] == "kuhn"
    assert document["values"] == pytest.approx(saved.values)
    assert document["gains"] == pytest.approx(saved.gains)
    assert document["nash_conv"] == pytest.approx(saved.nash_conv)
    assert document["exploitability"] == pytest.approx(saved.nash_conv / 2)
    assert document["best_response_values"] == pytest.approx(
        [v + g for v, g in zip(saved.values, saved.gains, strict=True)]
    )
    assert document["best_response"] is None
    out = shell(f"evaluate {solution}").ok().out
    assert f"the strategy in {solution}" in out
    assert "alpha = " in out


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


@pytest.mark.parametrize("suffix", ["csv", "json", "safetensors"])
@pytest.mark.parametrize("player", [0, 1])
def test_the_exploiting_strategy_earns_what_it_promises(
    shell: Shell, solution: str, suffix: str, player: int
) -> None:
    promised = shell(
        f"evaluate {solution} --best-response exploit.{suffix} --player {player} --json"
    ).ok().json  # fmt: skip
    response = promised["best_response"]
    assert response["player"] == player
    assert response["value"] == promised["best_response_values"][player]
    assert response["gain"] == promised["gains"][player] > 1e-4
    kept = shell(f"evaluate exploit.{suffix} --game kuhn --json").ok().json
    assert kept["values"][player] == pytest.approx(response["value"], abs=1e-12)
    assert kept["gains"][player] == pytest.approx(0, abs=1e-12)


def test_the_report_says_where_the_best_response_went(shell: Shell, solution: str) -> None:
    out = shell(f"evaluate {solution} --best-response a.csv --player 1").ok().out
    assert "Best response of player 1: value" in out
    assert "saved to a.csv" in out


def test_the_best_response_is_that_of_who_gains_most(shell: Shell, solution: str) -> None:
    gains = shell(f"evaluate {solution} --json").ok().json["gains"]
    most = gains.index(max(gains))
    ran = shell(f"evaluate {solution} --best-response a.csv --json").ok()
    assert ran.json["best_response"]["player"] == most
    assert ran.json["best_response"]["gain"] == pytest.approx(max(gains))
    out = shell(f"evaluate {solution} --best-response a.csv").ok().out
    assert f"Best response of player {most}: value" in out


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_exports_come_back_with_the_same_bits(shell: Shell, solution: str, suffix: str) -> None:
    ran = shell(f"export {solution} out.{suffix}").ok()
    assert ran.out == ""
    game = "" if suffix == "json" else "--game kuhn"
    one = shell(f"evaluate {solution} --json").ok().json
    other = shell(f"evaluate out.{suffix} {game} --json").ok().json
    assert {**other, "file": ""} == {**one, "file": ""}


def test_any_keys_and_labels_survive_the_export(shell: Shell, solution: str, folder: Path) -> None:
    saved = Solution.load(solution)
    odd = [
        "a\nb",
        "a\r\nb",
        "a\rb",
        'say "no"',
        "a,b",
        " a ",
        "\N{SNOWMAN}\x85",
        "ends\n",
        "",
        "x=1",
        "#",
        "'",
    ]
    labels = (("no, never", 'a "yes"\n'), *saved.action_labels[1:])
    replace(saved, infoset_keys=tuple(odd), action_labels=labels).save("odd.safetensors")
    for name in ("odd.csv", "odd.json"):
        shell(f"export odd.safetensors {name}").ok()
        assert read_table_file(folder / name).rows == Solution.load("odd.safetensors").table


def test_exported_csv_has_a_row_per_action(shell: Shell, solution: str, folder: Path) -> None:
    shell(f"export {solution} out.csv").ok()
    with (folder / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["player", "infoset", "action", "probability"]
    assert len(rows) == 24
    saved = Solution.load(solution)
    assert [float(r["probability"]) for r in rows] == saved.probabilities.tolist()
    assert {(r["player"], r["infoset"]) for r in rows} == {
        (str(p), k) for p, k in zip(saved.infoset_player, saved.infoset_keys, strict=True)
    }


def test_exporting_to_standard_output(shell: Shell, solution: str, folder: Path) -> None:
    shell(f"export {solution} out.csv").ok()
    assert shell(f"export {solution} - --format csv").ok().out == (folder / "out.csv").read_text()
    document = json.loads(shell(f"export {solution} - --format json").ok().out)
    assert document["strategy"] == Solution.load(solution).table
    shell(f"export {solution} -").refused(ConfigError, option="--format", given="-")
    shell("export out.csv out.json").refused(ConfigError, option="file", given="out.csv")


def test_exploitability_is_not_claimed_where_it_means_nothing(shell: Shell) -> None:
    shell("solve 'kuhn(players=3)' -n 20 -q").ok()
    ran = shell("evaluate kuhn-players-3-dcfr.safetensors").ok()
    assert "exploitability" not in ran.out
    assert "NashConv" in ran.out
    assert shell("evaluate kuhn-players-3-dcfr.safetensors --json").json["exploitability"] is None


def test_the_file_that_is_read_is_never_written_over(shell: Shell, solution: str) -> None:
    before = Path(solution).read_bytes()
    shell(f"evaluate {solution} --best-response ./{solution}").refused(
        ConfigError, option="out", given="kuhn-dcfr.safetensors"
    )
    assert Path(solution).read_bytes() == before
    shell(f"export {solution} table.csv").ok()
    table = Path("table.csv").read_bytes()
    shell("evaluate table.csv --game kuhn --best-response table.csv").refused(
        ConfigError, option="out", given="table.csv"
    )
    assert Path("table.csv").read_bytes() == table


@pytest.mark.parametrize(("name", "text"), [("note.csv", "hi\n"), ("rules.json", "[1, 2]")])
def test_files_of_others_are_never_written_over(
    shell: Shell, solution: str, name: str, text: str
) -> None:
    Path(name).write_text(text)
    for line in (f"export {solution} {name}", f"evaluate {solution} --best-response {name}"):
        shell(line).refused(OutputError, option="file", path=name)
    assert Path(name).read_text() == text


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_format_that_is_named_writes_over_no_file_of_others(
    shell: Shell, solution: str, kind: str
) -> None:
    Path("rules.py").write_text("CARDS = 3\n")
    shell(f"export {solution} rules.py --format {kind}").refused(
        OutputError, option="file", path="rules.py"
    )
    assert Path("rules.py").read_text() == "CARDS = 3\n"
    for _ in range(2):
        shell(f"export {solution} table.txt --format {kind}").ok()


@pytest.mark.parametrize("name", ["table.csv", "table.json"])
def test_an_export_replaces_an_earlier_one(shell: Shell, solution: str, name: str) -> None:
    for _ in range(2):
        shell(f"export {solution} {name}").ok()
        shell(f"evaluate {solution} --best-response {name}").ok()


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


def test_parquet_from_export_to_evaluate(shell: Shell, solution: str, folder: Path) -> None:
    """The name of the game goes with the table, and every digit."""
    shell(f"export {solution} a.parquet").ok()
    found = shell("evaluate a.parquet --json").ok().json
    assert found == {**shell(f"evaluate {solution} --json").ok().json, "file": "a.parquet"}
    shell(f"export {solution} a.parquet").ok()
    assert "1pb" in shell("inspect a.parquet --json").ok().out
    shell(f"evaluate {solution} --best-response b.parquet").ok()
    shell("evaluate b.parquet").ok()
    pandas.DataFrame({"mine": [1]}).to_parquet(folder / "c.parquet")
    shell(f"export {solution} c.parquet").refused(OutputError, option="file", path="c.parquet")
    (folder / "d.parquet").write_text("notes")
    shell(f"export {solution} d.parquet").refused(OutputError, option="file", path="d.parquet")
    shell("evaluate d.parquet --game kuhn").refused(
        FileFormatError, option="file", path="d.parquet"
    )
    shell("evaluate c.parquet --game kuhn").refused(
        FileFormatError, option="columns", given="['mine']", path="c.parquet"
    )


def test_parquet_without_its_packages(
    shell: Shell, solution: str, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    shell(f"export {solution} a.parquet").ok()
    for missing in ("pyarrow", "pandas"):
        monkeypatch.setitem(sys.modules, missing, None)
        for line in (f"export {solution} b.parquet", "evaluate a.parquet"):
            shell(line).refused(ConfigError, option="package", given=missing)
    assert not (folder / "b.parquet").exists()


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
