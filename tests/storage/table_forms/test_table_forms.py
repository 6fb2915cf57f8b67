"""Tables as they are pasted, printed, and written by spreadsheets and shells."""

from __future__ import annotations

import codecs
import json
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist import poker
from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.exploitation import ObservedPlay
from tests.refusals import refuses, unchecked

SMALL = eq.compile_game("matching_pennies")
KEYS = SMALL.infoset_keys
ROWS = {
    key: dict(zip(labels, (0.25, 0.75), strict=True))
    for key, labels in zip(KEYS, SMALL.action_labels, strict=True)
}
FIRST, SECOND = SMALL.action_labels[0]


def table(separator: str, number: str, header: str, edge: str = "") -> str:
    """A wide table with the columns infoset and one per action."""
    other = number.replace("25", "75")
    lines = [header, *(separator.join((key, number, other)) for key in KEYS)]
    return "".join(f"{edge}{line}{edge}\n" for line in lines)


PRINTED = f"History | {FIRST} Probability | {SECOND} Probability|\n| --- | ---: | --- "
FORMS = {
    "a.csv": table(",", "0.25", f"infoset,{FIRST},{SECOND}"),
    "semicolons.csv": table(";", "0,25", f"infoset;{FIRST};{SECOND}"),
    "points.csv": table(";", "0.25", f"infoset;{FIRST};{SECOND}"),
    "tabs.csv": table("\t", "0,25", f"infoset\t{FIRST}\t{SECOND}"),
    "tabs.tsv": table("\t", ".25", f"infoset\t{FIRST}\t{SECOND}"),
    "printed.csv": table(", ", ".25", f"History, {FIRST} Probability, {SECOND} Probability"),
    "of.csv": table(",", ".25", f"Information set,P({FIRST}),Prob. of {SECOND}"),
    "table.md": table(" | ", "0.25", PRINTED, "|"),
    "bare.md": table(" | ", "0.25", f"infoset | {FIRST} | {SECOND}"),
    "rows.csv": "infoset;action;probability\n"
    + "".join(
        f"{key};{label};{p}\n".replace(".", ",")
        for key, row in ROWS.items()
        for label, p in row.items()
    ),
    "ai.txt": repr(ROWS),
    "ai.py": f"# My table\nAI_STATE = {ROWS!r}\n",
    "quoted.json": repr(ROWS),
    "lists.txt": repr({key: tuple(row.values()) for key, row in ROWS.items()}),
    "typed.py": f"table: dict = {ROWS!r}",
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_each_form_is_read(tmp_path: Path, name: str, encoding: str) -> None:
    path = tmp_path / name
    path.write_bytes(FORMS[name].replace("\n", "\r\n").encode(encoding))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert eq.Strategy.from_file(SMALL, path).to_dict() == ROWS


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_text_in_utf_16_is_read_everywhere(tmp_path: Path, mark: bytes) -> None:
    little = mark == codecs.BOM_UTF16_LE

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_bytes(mark + text.encode("utf-16-le" if little else "utf-16-be"))
        return path

    spot = poker.Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
    assert poker.Spot.from_toml(write("s.toml", spot.to_toml())) == spot
    hand = poker.Hand(stack=20, bets="a")
    assert poker.Hand.from_toml(write("h.toml", hand.to_toml())) == hand
    assert poker.read_range_file(write("r.txt", "AA,KK:0.5")) == poker.Range("AA,KK:0.5")
    assert poker.read_boards(write("b.txt", "QsJh2h, 12\n"))[0].weight == 12
    kuhn = eq.load_game("kuhn")
    loaded = eq.compile_game(str(write("k.efg", eq.games.efg_text(kuhn))))
    assert loaded.num_nodes == eq.compile_game("kuhn").num_nodes
    seen = write("seen.csv", f"infoset,action,count\n{KEYS[0]},{FIRST},3\n")
    assert ObservedPlay.from_file(SMALL, seen).counts.sum() == 3


@pytest.mark.parametrize("name", ["s.toml", "r.txt", "b.txt", "t.csv", "t.json", "k.efg"])
def test_other_encodings_are_refused_with_a_remedy(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"gr\x81\x8de, \xe4\n")
    readers: dict[str, Callable[[str], object]] = {
        ".toml": poker.Spot.from_toml,
        ".txt": poker.read_range_file,
        ".efg": eq.load_game,
    }
    read = readers.get(path.suffix, lambda path: eq.Strategy.from_file(SMALL, path))
    if name == "b.txt":
        read = poker.read_boards
    with pytest.raises(eq.EquilibristError) as caught:
        read(str(path))
    assert caught.value.remedy == "save it as UTF-8"


def test_rows_of_printed_tables_are_scaled(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"infoset,{FIRST},{SECOND}\n{KEYS[0]},.94,.05\n{KEYS[1]},.333,.666\n")
    with pytest.warns(UserWarning, match=r"2 rows do .* adds up to 0\.99"):
        found = eq.Strategy.from_file(SMALL, path)
    assert found.probabilities == pytest.approx([94 / 99, 5 / 99, 1 / 3, 2 / 3], abs=1e-15)
    path.write_text(f"infoset,{FIRST},{SECOND}\n{KEYS[0]},.92,.05\n{KEYS[1]},.5,.5\n")
    with refuses(ConfigError, option="probabilities", place=f"{path}, infoset {KEYS[0]!r}"):
        eq.Strategy.from_file(SMALL, path)
    path.write_text(f"infoset,{FIRST},{SECOND}\n{KEYS[0]},1.005,-.004\n{KEYS[1]},.5,.5\n")
    with refuses(ConfigError, option="probabilities"):
        eq.Strategy.from_file(SMALL, path)
    rows = {KEYS[0]: [0.94, 0.05], KEYS[1]: [0.5, 0.5]}
    with refuses(ConfigError, option="probabilities"):  # what a program makes is not rounded
        eq.Strategy.from_dict(SMALL, rows)


def test_counts_become_frequencies(tmp_path: Path) -> None:
    tree, path = eq.compile_game("rps"), tmp_path / "t.json"
    path.write_text('{"row": [30, 60, 10], "column": {"rock": 0, "paper": 0, "scissors": 0}}')
    with pytest.warns(UserWarning, match="counts.*'column'"):
        found = eq.Strategy.from_file(tree, path)
    assert found.probabilities == pytest.approx([0.3, 0.6, 0.1, 1 / 3, 1 / 3, 1 / 3], abs=1e-15)
    path.write_text('{"row": [1, 0, 0], "column": [4, 1, 0]}')
    with pytest.warns(UserWarning, match="counts"):
        assert eq.Strategy.from_file(tree, path).probabilities[3] == 0.8
    for row in ("[1, 1, 0]", "[3, 1.5, 0]", "[3, -1, 0]"):
        path.write_text(f'{{"row": {row}, "column": [1, 0, 0]}}')
        with refuses(ConfigError, option="probabilities"):
            eq.Strategy.from_file(tree, path)


@pytest.mark.parametrize(
    "document",
    [
        [["row", [0.5, 0.5, 0]], ["column", {"rock": 0, "paper": 0, "scissors": 1}]],
        {"note": "x", "infosets": [
            {"infoset": "row", "rock": 0.5, "paper": 0.5, "scissors": 0},
            {"infoset": "column", "rock": 0, "paper": 0, "scissors": 1},
        ]},
        [
            {"infoset": "row", "action": "rock", "count": 4},
            {"infoset": "row", "action": "paper", "count": 4},
            {"infoset": "column", "action": "scissors", "count": 3},
        ],
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:.*counts")
def test_strategies_in_other_json(document: object, tmp_path: Path) -> None:
    tree, path = eq.compile_game("rps"), tmp_path / "t.json"
    path.write_text(json.dumps(document))
    found = eq.Strategy.from_file(tree, path)
    assert found.probabilities.tolist() == [0.5, 0.5, 0, 0, 0, 1]


def test_a_column_of_counts(tmp_path: Path) -> None:
    tree, path = eq.compile_game("rps"), tmp_path / "t.csv"
    path.write_text("infoset,action,count\nrow,rock,3\nrow,paper,1\ncolumn,rock,5\n")
    with pytest.warns(UserWarning, match="counts"):
        found = eq.Strategy.from_file(tree, path)
    assert found.probabilities.tolist() == [0.75, 0.25, 0, 1, 0, 0]


def test_percentages_with_a_slip_are_no_counts(tmp_path: Path) -> None:
    tree, path = eq.compile_game("kuhn"), tmp_path / "t.json"
    rows = {key: [60, 40 - 10 * (number == 0)] for number, key in enumerate(tree.infoset_keys)}
    path.write_text(json.dumps(rows))
    with refuses(ConfigError, option="probabilities"):
        eq.Strategy.from_file(tree, path)


def test_rows_are_scaled_as_far_as_their_digits_allow(tmp_path: Path) -> None:
    """A third with one digit is .3."""
    tree, path = eq.compile_game("rps"), tmp_path / "t.txt"
    path.write_text("{'row': [.3, .3, .3], 'column': [.33, .33, .33]}")
    with pytest.warns(UserWarning, match=r"2 rows do .* adds up to 0\.9"):
        found = eq.Strategy.from_file(tree, path)
    assert found.probabilities == pytest.approx([1 / 3] * 6, abs=1e-15)
    for row in ("[.5, .3, .05]", "[.25, .35, .35]", "[1.0, 1.0, 0.0]"):
        path.write_text(f"{{'row': {row}, 'column': [.3, .3, .4]}}")
        with refuses(ConfigError, option="probabilities"):
            eq.Strategy.from_file(tree, path)


@pytest.mark.parametrize(
    "cards", [("1", "2", "3"), ("J", "Q", "K"), ("j", "q", "k"), ("Q", "K", "A"), ("0", "1", "2")]
)
def test_cards_of_kuhn_by_other_names(cards: tuple[str, ...], tmp_path: Path) -> None:
    tree = eq.compile_game("kuhn")
    wanted = {key: [k / 16, 1 - k / 16] for k, key in enumerate(tree.infoset_keys)}
    lines = {"p": "C", "b": "B"}
    rows = {
        cards[int(key[0]) - 1] + "".join(lines[move] for move in key[1:]): row
        for key, row in wanted.items()
    }
    path = tmp_path / "ai.txt"
    path.write_text(f"AI_state = {rows!r}\n")
    found = eq.Strategy.from_file(tree, path)
    assert {key: [*row.values()] for key, row in found.to_dict().items()} == wanted


def test_a_file_of_python_with_several_tables_is_one(tmp_path: Path) -> None:
    path = tmp_path / "t.py"
    first, second = ({key: ROWS[key]} for key in KEYS)
    path.write_text(
        f"import numpy\n# mine\nFIRST = {first!r}\n\nSECOND: dict = {second!r}\nprint(FIRST)\n"
    )
    assert eq.Strategy.from_file(SMALL, path).to_dict() == ROWS
    path.write_text(f"A = {ROWS!r}\nB = {second!r}\n")
    with refuses(FileFormatError, option="infoset", given=KEYS[1]):
        eq.Strategy.from_file(SMALL, path)
    path.write_text(f"def f():\n    pass\n\nA = {ROWS!r}\n")
    with pytest.raises(FileFormatError):
        eq.Strategy.from_file(SMALL, path)


def test_shares_in_percent(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"infoset;{FIRST};{SECOND}\n" + "".join(f"{key};25%;75,0 %\n" for key in KEYS))
    assert eq.Strategy.from_file(SMALL, path).to_dict() == ROWS
    path.write_text(f"infoset,{FIRST},{SECOND}\n{KEYS[0]},x%,1\n{KEYS[1]},.5,.5\n")
    with refuses(FileFormatError, option="probability", given="x%"):
        eq.Strategy.from_file(SMALL, path)


@pytest.mark.parametrize("mark", [",", ";", "\t", " | "])
def test_observed_counts_in_any_table(mark: str, tmp_path: Path) -> None:
    path = tmp_path / "seen.csv"
    edge = "|" if "|" in mark else ""
    rows = [("Infoset", "Action", "Count"), (KEYS[0], FIRST, "3"), (KEYS[1], SECOND, "2.5")]
    if edge:
        rows.insert(1, ("---", "---", "---"))
    path.write_text("".join(f"{edge}{mark.join(row)}{edge}\n" for row in rows), "utf-16")
    assert ObservedPlay.from_file(SMALL, path).counts.sum() == 5.5


def test_a_literal_is_not_run(tmp_path: Path) -> None:
    path = tmp_path / "t.py"
    path.write_text(f"{{{KEYS[0]!r}: print('run')}}")
    with pytest.raises(FileFormatError):
        eq.Strategy.from_file(SMALL, path)
    path = tmp_path / "t.txt"
    path.write_text(repr(ROWS)[:-1] + f", {KEYS[0]!r}: {{}}}}")
    with refuses(FileFormatError, option="infoset", given=KEYS[0]):
        eq.Strategy.from_file(SMALL, path)


def test_strategies_without_a_tree_name_what_gives_one(tmp_path: Path) -> None:
    result = eq.solve("kuhn", iterations=5)
    result.save(tmp_path / "k.safetensors")
    loaded = eq.load_result(tmp_path / "k.safetensors")
    with refuses(ConfigError, option="strategy") as caught:
        eq.evaluate(loaded.strategy)
    assert ".on(tree)" in str(caught.value.remedy)
    with refuses(ConfigError, option="strategy") as caught:
        eq.evaluate(unchecked(loaded))
    assert ".strategy.on(tree)" in str(caught.value.remedy)
    tree = eq.compile_game("kuhn")
    with refuses(FileFormatError, option="format", given="solution") as unread:
        eq.Strategy.from_file(tree, tmp_path / "k.safetensors")
    assert "`load_result(path).strategy.on(tree)`" in str(unread.value.remedy)
    assert np.array_equal(loaded.strategy.on(tree).probabilities, result.strategy.probabilities)
    frame, wanted = loaded.strategy.to_frame(), result.strategy.to_frame()
    assert frame.equals(wanted)
    assert frame.attrs == wanted.attrs


@pytest.mark.parametrize(
    "header", ["infoset,bet", "infoset,Bet Probability", "History,P(bet)", "infoset;B"]
)
def test_the_action_without_a_column_has_the_rest(tmp_path: Path, header: str) -> None:
    tree = eq.compile_game("kuhn")
    mark = ";" if ";" in header else ","
    shares = np.linspace(0, 1, tree.num_infosets).round(3).tolist()
    rows = [f"{key}{mark}{share}" for key, share in zip(tree.infoset_keys, shares, strict=True)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    found = eq.Strategy.from_file(tree, path).to_dict()
    assert [row["bet"] for row in found.values()] == shares
    assert [row["pass"] for row in found.values()] == [1.0 - share for share in shares]


def test_what_is_missing_is_not_guessed(tmp_path: Path) -> None:
    """Of three actions, of a cell that was left empty, of rows, and beyond 1."""
    path = tmp_path / "t.csv"
    three = eq.compile_game("rps")
    label = three.action_labels[0][0]
    path.write_text(f"infoset,{label}\n" + "".join(f"{key},.5\n" for key in three.infoset_keys))
    with refuses(ConfigError, option="probabilities"):
        eq.Strategy.from_file(three, path)
    for text in (
        f"infoset,{FIRST},{SECOND}\n{KEYS[0]},.5,\n{KEYS[1]},.5,.5\n",
        f"infoset,action,probability\n{KEYS[0]},{FIRST},.5\n{KEYS[1]},{FIRST},.5\n",
        f"infoset,{FIRST}\n{KEYS[0]},1.5\n{KEYS[1]},.5\n",
    ):
        path.write_text(text)
        with refuses(ConfigError, option="probabilities"):
            eq.Strategy.from_file(SMALL, path)
