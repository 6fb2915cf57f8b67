"""Payoff tables of files as games: Gambit's .nfg, texts, lists and arrays, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import GameSpecError
from equilibrist.games.payoffs import PayoffGame
from equilibrist.games.spec import file_in, without_folders
from equilibrist.interop.normal_form_files import normal_form_text
from equilibrist.solvers.matrix.normal_form import read_normal_form
from equilibrist.storage.archive import file_kind
from tests.refusals import refuses

PENNIES = [[1, -1], [-1, 1]]
DILEMMA = [[[3, 0], [5, 1]], [[3, 5], [0, 1]]]
HALVES = [[0.5, -1], [2, 1.25]]
ROCK = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
CD = [["C", "D"], ["C", "D"]]
PLAIN = [["0", "1"], ["0", "1"]]
UP = [["U", "D"], ["L", "R"]]
SELTEN = """NFG 1 R "Selten (IJGT, 75), Figure 2, normal form"
{ "Player 1" "Player 2" }"""
SELTEN_TABLES = [[[1, 1], [0, 0], [0, 2]], [[1, 1], [2, 3], [2, 0]]]
SELTEN_LABELS = [["1", "2", "3"], ["1", "2"]]
FORMS: dict[str, tuple[str, list[Any], list[list[str]]]] = {
    "plain.csv": ("1,-1\n-1,1\n", [PENNIES], PLAIN),
    "spaces.txt": ("# two pennies\n1.000e+00 -1.000e+00\n-1 +1\n", [PENNIES], PLAIN),
    "minus.csv": ("1,\u22121\n\u22121,1\n", [PENNIES], PLAIN),
    "corner.csv": (",L,R\nU,1,-1\nD,-1,1\n", [PENNIES], UP),
    "named.csv": ('Row/Column,"L","R"\n"U",1,-1\n"D",-1,1\n', [PENNIES], UP),
    "columns.csv": ("L,R\n1,-1\n-1,1\n", [PENNIES], [["0", "1"], ["L", "R"]]),
    "rows.csv": ("U,1,-1\nD,-1,1\n", [PENNIES], [["U", "D"], ["0", "1"]]),
    "short.txt": ("L\tR\nU\t1\t-1\nD\t-1\t1\n", [PENNIES], UP),
    "numbers.csv": (",10,20\n10,1,-1\n20,-1,1\n", [PENNIES], [["10", "20"]] * 2),
    "bids.csv": ("bid,10,20\n10,1,-1\n20,-1,1\n", [PENNIES], [["10", "20"]] * 2),
    "title.csv": ("Matching pennies,,\n,L,R\nU,1,-1\nD,-1,1\n,,\n", [PENNIES], UP),
    "excel.txt": ("\tL\tR\t\r\nU\t0,5\t-1\t\r\nD\t2\t1,25\t\r\n\t\t\t\r\n", [HALVES], UP),
    "semicolons.csv": (";L;R\nU;0,5;-1\nD;2;1,25\n", [HALVES], UP),
    "texts.json": ('{"payoffs": [["1/2", -1], ["2", "5/4"]]}', [HALVES], PLAIN),
    "fractions.csv": ("1/2,-1\n2,5/4\n", [HALVES], PLAIN),
    "shares.txt": ("0,5\t0,25\n0,75\t0\n", [[[0.5, 0.25], [0.75, 0]]], PLAIN),
    "identity.csv": (",C,D\nC,1,0\nD,0,1\n", [[[1, 0], [0, 1]]], CD),
    "pairs.tsv": ("\tC\tD\nC\t3,3\t0,5\nD\t5,0\t1,1\n", DILEMMA, CD),
    "brackets.csv": ("C,D\n(3,3),(0, 5)\n[5 ; 0],{1, 1}\n", DILEMMA, [["0", "1"], ["C", "D"]]),
    "quoted.csv": (',C,D\nC,"3,3","0,5"\nD,"5,0","1,1"\n', DILEMMA, CD),
    "printed.md": ("| | C | D |\n|--|--|--|\n| C | 3, 3 | 0, 5 |\n|D|5, 0|1, 1|\n", DILEMMA, CD),
    "blocks.csv": ("3,0\n5,1\n\n3,5\n0,1\n", DILEMMA, PLAIN),
    "sheet.csv": ("A,C,D\nC,3,0\nD,5,1\n,,\nB,C,D\nC,3,5\nD,0,1\n", DILEMMA, CD),
    "lines.csv": (
        'plan 0,plan 1,payoff 0,payoff 1\n"C\nC",x,1,-1\n"C\nC",y,-1,1\nD,x,-1,1\nD,y,1,-1\n',
        [PENNIES, [[-1, 1], [1, -1]]],
        [["C\nC", "D"], ["x", "y"]],
    ),
    "long.csv": (
        "payoff 1,plan 0,plan 1,payoff 0\n3,C,C,3\n5,C,D,0\n0,D,C,5\n1,D,D,1\n", DILEMMA, CD
    ),
    "sites.csv": (
        "row,column,row payoff,column payoff\nC,C,3,3\nC,D,0,5\nD,C,5,0\nD,D,1,1\n", DILEMMA, CD
    ),
    "players.tsv": (
        "\t\tColumn\t\n\t\tC\tD\nRow\tC\t3,3\t0,5\n\tD\t5,0\t1,1\n", DILEMMA, CD
    ),
    "bold.md": ("| | C | D |\n|--|--|--|\n|**C**|3,3|0,5|\n|**D**|5,0|1,1|\n", DILEMMA, CD),
    "keys.json": (
        '{"rows": ["U","D"], "columns": ["L","R"], "payoffs": [[1,-1],[-1,1]]}', [PENNIES], UP
    ),
    "named_tables.json": ('{"A": [[3, 0], [5, 1]], "B": [[3, 5], [0, 1]]}', DILEMMA, PLAIN),
    "nested.txt": ("g = {'U': {'L': 1, 'R': -1}, 'D': {'L': -1, 'R': 1}}", [PENNIES], UP),
    "list.json": ("[[1, -1], [-1, 1]]", [PENNIES], PLAIN),
    "both.json": ("[[[3, 0], [5, 1]], [[3, 5], [0, 1]]]", DILEMMA, PLAIN),
    "named.json": ('{"payoffs": [[1,-1],[-1,1]], "labels": [["U","D"],["L","R"]]}', [PENNIES], UP),
    "game.toml": ('payoffs = [[1, -1], [-1, 1]]\nactions = [["U","D"],["L","R"]]\n', [PENNIES], UP),
    "literal.txt": ("A = [[1, -1],  # U\n     (-1, 1)]\n", [PENNIES], PLAIN),
    "numpy.txt": ("import numpy as np\nA = np.array([[1, -1], [-1, 1]])\n", [PENNIES], PLAIN),
    "two.py": ("A = [[3, 0], [5, 1]]\nB = [[3, 5], [0, 1]]\nprint(A, B)\n", DILEMMA, PLAIN),
    "cells.txt": (
        "pd = {('C','C'): (3,3), ('C','D'): (0,5), ('D','C'): (5,0), ('D','D'): (1,1)}", DILEMMA, CD
    ),
    "payoffs.nfg": (f"{SELTEN} {{ 3 2 }}\n\n1 1 0 2 0 2 1 1 0 3 2 0", SELTEN_TABLES, SELTEN_LABELS),
    "outcomes.nfg": (
        SELTEN + '{ { "1" "2" "3" } { "1" "2" } } "a comment"\n{ { "" 1, 1 } { "w" 0, 2 }\n'
        '{ "" 1 1 } { "" 0, 3, } { "" 2, 0 } }\n1 2 2 3 4 5',
        SELTEN_TABLES,
        SELTEN_LABELS,
    ),
}  # fmt: skip


def tables_of(game: PayoffGame) -> list[Any]:
    return [np.asarray(table, dtype=float).tolist() for table in game.tables()]


@pytest.mark.parametrize("name", FORMS)
def test_every_form_is_the_same_game(name: str, tmp_path: Path) -> None:
    text, tables, labels = FORMS[name]
    path = tmp_path / name
    path.write_text(text, "utf-8")
    game = eq.load_game(str(path))
    assert isinstance(game, PayoffGame)
    wanted = tables if len(tables) > 1 else [tables[0], (-np.asarray(tables[0])).tolist()]
    assert tables_of(game) == wanted
    assert [[*names] for names in game.action_labels()] == labels
    again = eq.load_game(game.name)
    assert isinstance(again, PayoffGame)
    assert again == game


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", ["excel.txt", "corner.csv", "both.json", "outcomes.nfg", "two.py"])
def test_encodings(name: str, encoding: str, tmp_path: Path) -> None:
    text = FORMS[name][0]
    (tmp_path / f"plain-{name}").write_text(text)
    (tmp_path / name).write_bytes(text.replace("\r", "").replace("\n", "\r\n").encode(encoding))
    games = [eq.load_game(f"payoffs:{tmp_path}/{each}") for each in (f"plain-{name}", name)]
    plain, encoded = games
    assert isinstance(plain, PayoffGame)
    assert isinstance(encoded, PayoffGame)
    assert tables_of(plain) == tables_of(encoded)
    assert plain.labels == encoded.labels


def test_three_players_of_nfg_and_what_its_header_says(tmp_path: Path) -> None:
    """The 2x2x2 game of Gambit's catalogue, with nine equilibria."""
    path = tmp_path / "2x2x2.nfg"
    path.write_text(
        'NFG 1 D "nine" { "A" "B" "C" } { { "u" "u" } { "" "x" } { "l" "r" } } "comment"\n'
        "9 8 12 0 0 0 0 0 0 3 4 6 0 0 0 3 4 6 9 8 2 0 0 0"
    )
    game = eq.load_game(str(path))
    assert isinstance(game, PayoffGame)
    assert (game.title, game.comment, game.player_names) == ("nine", "comment", ("A", "B", "C"))
    assert game.action_labels() == (("u #1", "u #2"), ("#1", "x #2"), ("l", "r"))
    assert tables_of(game) == [
        [[[9, 0], [0, 9]], [[0, 3], [3, 0]]],
        [[[8, 0], [0, 8]], [[0, 4], [4, 0]]],
        [[[12, 0], [0, 2]], [[0, 6], [6, 0]]],
    ]


@pytest.mark.parametrize("game", ["chicken", "rps", "gibson", "kuhn"])
@pytest.mark.parametrize("kind", [".nfg", ".csv", ".json"])
def test_what_is_written_is_read_as_the_same_game(game: str, kind: str, tmp_path: Path) -> None:
    from equilibrist.evaluation.reduced_form import reduced_normal_form

    form = reduced_normal_form(eq.compile_game(game))
    path = tmp_path / f"form{kind}"
    path.write_text(normal_form_text(form, kind))
    again = read_normal_form(str(path))
    assert again.actions == form.actions
    np.testing.assert_array_equal(again.payoffs, form.payoffs)


def save(path: Path, *arrays: Any, **named: Any) -> None:
    if path.suffix == ".npy":
        np.save(path, arrays[0])
    else:
        np.savez(path, *arrays, **named)


@pytest.mark.parametrize(
    ("name", "arrays", "named", "tables"),
    [
        ("a.npy", [np.array(PENNIES, dtype=np.int8)], {}, [PENNIES]),
        ("b.npy", [np.array(DILEMMA, dtype=np.float32)], {}, DILEMMA),
        ("c.npz", [np.array(PENNIES)], {}, [PENNIES]),
        ("d.npz", [], {"A": np.array(DILEMMA[0]), "B": np.array(DILEMMA[1])}, DILEMMA),
        ("e.npz", [], {"rows": ["U", "D"], "payoffs": PENNIES, "columns": ["L", "R"]}, [PENNIES]),
    ],
)
def test_arrays(
    name: str, arrays: list[Any], named: dict[str, Any], tables: list[Any], tmp_path: Path
) -> None:
    path = tmp_path / name
    save(path, *arrays, **named)
    game = eq.load_game(str(path))
    assert isinstance(game, PayoffGame)
    assert tables_of(game)[: len(tables)] == tables
    assert game.action_labels() == (tuple(map(tuple, UP)) if "rows" in named else PLAIN)


FAULTS: dict[str, tuple[str, str | None]] = {
    "cell.csv": (",L,R\nU,1,x\nD,0,2\n", "line 2, column 3"),
    "empty.csv": (",L,R\nU,1,\nD,0,2\n", "line 2, column 3"),
    "ragged.csv": ("1,2\n3\n", "line 2, column 1"),
    "label.csv": (",L,L\nU,1,2\nD,0,2\n", "line 1, column 3"),
    "ambiguous.csv": (";L;R\nU;3,3;0,5\nD;5,0;1,1\n", "line 2, column 2"),
    "cents.txt": ("0,50\t1,25\n1,00\t0,25\n", "line 1, column 1"),
    "thousand.txt": ("1,000\t5\n7\t2,500\n", "line 1, column 1"),
    "quoted.csv": (',L,R\nU,"1,000","2,500"\nD,7,"2,000"\n', "line 2, column 2"),
    "grouped.csv": ('"1,250","2,500"\n"1,125","3,750"\n', "line 1, column 1"),
    "cents.csv": ('"1,05","2,50"\n"3,25","0,75"\n', "line 1, column 1"),
    "german.csv": ("1.000,50;2.000,75\n-3.000,25;4.000,25\n", "line 1, column 1"),
    "swiss.csv": ("1'000;2'000\n3;4\n", "line 1, column 1"),
    "nan.csv": ("1,nan\n3,4\n", "line 1, column 2"),
    "infinite.csv": ("-inf inf\n3 4\n", "line 1, column 1"),
    "excel.csv": ("1,2\n3,4\n#N/A,5\n", "line 3, column 1"),
    "first.csv": ("1,2,3\nNaN,4,5\n", "line 2, column 1"),
    "corner.csv": ("NaN,2\n3,4\n", "line 1, column 1"),
    "half.csv": ("\u00bd,1\n0,1\n", "line 1, column 1"),
    "remark.csv": ("1,2 # best\n3,4\n", "line 1, column 2"),
    "three.csv": ("(1,2,3),(1,2,3)\n(1,2,3),(1,2,3)\n", "line 1, column 1"),
    "twice.csv": ("plan 0,plan 1,payoff 0,payoff 1\na,b,1,2\na,b,1,2\n", "line 3, column 1"),
    "lacks.csv": ("plan 0,plan 1,payoff 0,payoff 1\na,b,1,2\nc,d,1,2\n", "line 3, column 1"),
    "labels.json": ('{"payoffs": [[1,-1],[-1,1]], "labels": [["U"],["L","R"]]}', None),
    "deep.json": ("[[[1,2],[3,4]],[[1,2],[3,4]],[[1,2]]]", None),
    "infinite.json": ("[[1,NaN],[-1,1]]", None),
    "number.nfg": (f"{SELTEN} {{ 3 2 }}\n1 1 0 2 0 2 1 1 0 3 2", "line 3, column 22"),
    "more.nfg": (f"{SELTEN} {{ 1 2 }}\n1 1 0 2 0 2", "line 3, column 9"),
    "text.nfg": (f"{SELTEN} {{ 1 2 }}\n1 1 0 x", "line 3, column 7"),
    "players.nfg": (f"{SELTEN} {{ 1 2 3 }}\n1 1 0 2", "line 2, column 35"),
    "none.nfg": (f"{SELTEN} {{ 1 0 }}\n1 1 0 2", None),
    "outcome.nfg": (f'{SELTEN} {{ 1 2 }}\n{{ {{ "" 1 1 }} }}\n1 2', "line 4, column 3"),
    "version.nfg": ('NFG 2 R "" { "A" "B" } { 1 1 } 1 1', "line 1, column 5"),
    "alone.nfg": ('NFG 1 R "" { "A" } { 2 } 1 1', None),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_named_with_their_place(name: str, tmp_path: Path) -> None:
    text, place = FAULTS[name]
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(GameSpecError) as caught:
        eq.load_game(str(path))
    assert place is None or str(caught.value.place).endswith(place)
    assert place is None or caught.value.given is not None or name == "number.nfg"


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("v.npy", lambda path: np.save(path, np.arange(4))),
        ("o.npy", lambda path: np.save(path, np.array([{}], dtype=object))),
        ("c.npy", lambda path: np.save(path, np.eye(2) * 1j)),
        ("x.npz", lambda path: path.write_bytes(b"PK\x03\x04rest")),
        ("m.npz", lambda path: np.savez(path, a=np.eye(2), b=np.arange(3))),
        ("cut.npy", lambda path: path.write_bytes(b"\x93NUMPY\x01\x00\xff")),
    ],
)
def test_other_arrays_are_no_game(
    name: str, make: Callable[[Path], object], tmp_path: Path
) -> None:
    make(tmp_path / name)
    assert file_kind(tmp_path / name) == "arrays"
    for text in (f"{tmp_path / name}", f"payoffs:{tmp_path / name}"):
        with pytest.raises(GameSpecError):
            eq.load_game(text)


def test_arrays_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "three.npz", a=np.eye(2), b=np.eye(2), c=np.eye(2))
    with pytest.raises(GameSpecError) as caught:
        eq.load_game(str(tmp_path / "three.npz"))
    assert (caught.value.option, caught.value.given) == ("payoffs", "['a', 'b', 'c']")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("hand,weight\nAA,1\nKK,2\n", "csv"),
        ("Hand,Weight,EV\nAA,1,2\nKK,1,2\n", "csv"),
        ("card,pass,bet\nJ,0.8,0.2\nQ,1,0\n", "csv"),
        ("iteration,exploitability,seconds\n1,.5,.1\n2,.4,.2\n", "csv"),
        ("infoset,pass,bet\n1,1,0\n", "table"),
        ("QsJh2h,12\nKdTc3s,2\n", "boards"),
    ],
)
def test_other_tables_are_none(content: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(content)
    assert file_kind(tmp_path / "a.csv") == kind


def test_rows_that_may_be_counts_are_a_strategy_unless_payoffs_are_asked_for(
    tmp_path: Path,
) -> None:
    text = "s = {'J': {'b': 20, 'p': 80}, 'K': {'b': 9, 'p': 1}}"
    (tmp_path / "a.txt").write_text(text)
    assert file_kind(tmp_path / "a.txt") == "table"
    game = eq.load_game(f"payoffs:{tmp_path / 'a.txt'}")
    assert isinstance(game, PayoffGame)
    assert tables_of(game)[0] == [[20, 80], [9, 1]]


@pytest.mark.parametrize("text", ["22,33\n44,55\n", "22\n33\n", "AA,KK\nQQ,JJ\n", "54,22"])
def test_ranges_are_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text)
    assert file_kind(tmp_path / "a.txt") == "ranges"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "(3,3)  (0,5)\n"),
        ("a.tsv", "\tL\nU\t(1, 2)\nD\t(0, 3)\n"),
        ("a.md", "| | L |\n|---|---|\n| U | 1, 2 |\n| D | 0, 3 |\n"),
    ],
)
def test_the_prefix_is_told_for_texts_that_hold_payoffs(
    name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    with refuses(GameSpecError) as caught:
        eq.load_game(str(tmp_path / name))
    assert f"payoffs:{tmp_path / name}" in str(caught.value.remedy)
    assert eq.load_game(f"payoffs:{tmp_path / name}").num_players == 2
    (tmp_path / "b.txt").write_text("remember the milk\n")
    with refuses(GameSpecError) as caught:
        eq.load_game(str(tmp_path / "b.txt"))
    assert "payoffs:" not in str(caught.value.remedy)


@pytest.mark.parametrize("text", ["1,2,3\n", "1\n2\n"])
def test_a_table_that_may_hold_payoffs_is_read_as_they_by_its_prefix(
    text: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with refuses(GameSpecError) as caught:
        eq.load_game(str(path))
    named = f"payoffs:{path}"
    assert named in str(caught.value.remedy)
    assert isinstance(eq.load_game(named), PayoffGame)


def test_names_of_payoff_files() -> None:
    assert without_folders("a/b/table.csv") == "table.csv"
    assert without_folders("payoffs:/a/b") == "payoffs:b"
    assert file_in("games/x.nfg") == slice(0, 11)
    assert file_in("payoffs:x") == slice(8, 9)
    assert file_in("kuhn(ante=0.5)") is None
    with refuses(GameSpecError, option="file", given="none.csv"):
        eq.load_game("none.csv")
    with refuses(GameSpecError, option="game", given="payoffs:"):
        eq.load_game("payoffs:")


@pytest.mark.parametrize("content", [b"PK", b"[[1, 2]]", b"\x80\x04K\x01."])
@pytest.mark.parametrize("name", ["a.npy", "a.npz"])
def test_nobody_is_advised_to_unpickle_a_file(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with refuses(GameSpecError, option="payoffs") as refused:
        eq.load_game(f"payoffs:{path}")
    assert "unsafely" not in str(refused.value)
