"""Strategies as tutorials and programs print them: each is read as the strategy that it shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.errors import EquilibristError
from equilibrist.storage.archive import file_kind

TREE = eq.compile_game("kuhn")
ROWS = {key: [1 - k / 16, k / 16] for k, key in enumerate(TREE.infoset_keys)}


def lines(line: Callable[[str, float, float], str], header: str = "", end: str = "") -> str:
    return header + "".join(line(key, *row) + "\n" for key, row in ROWS.items()) + end


FORMS = {
    "printed.txt": lines(lambda k, p, b: f"{k}: [{p}, {b}]", "Average game value: -0.0556\n"),
    "numpy.txt": lines(lambda k, p, b: f"{k:<5}[{p:.4f} {b:.4f}]", "player 1 strategies:\n"),
    "quoted.txt": lines(lambda k, p, b: f"{k}   ['{p}', '{b}']"),
    "percent.txt": lines(lambda k, p, b: f"{k}: [{100 * p}%, {100 * b}%]"),
    "actions.txt": lines(lambda k, p, b: f"{k}: pass={p}, bet={b}"),
    "spiel.txt": lines(lambda k, p, b: f"{int(k[0]) - 1}{k[1:]} [(0, {p}), (1, {b})]"),
    "spiel.py": repr({f"{int(k[0]) - 1}{k[1:]}": [*enumerate(row)] for k, row in ROWS.items()}),
    "np64.py": repr(ROWS).replace("[", "[np.float64(").replace(", 0", "), 0").replace("]", "]"),
    "default.py": f"defaultdict(<function <lambda> at 0x7f>, {ROWS!r})",
    "ordered.py": f"strategy = OrderedDict({[*ROWS.items()]!r})",
    "tuples.py": repr({(k[0], k[1:]): row for k, row in ROWS.items()}),
    "hundred.csv": lines(lambda k, p, b: f"{k},{100 * p},{100 * b}", "infoset,pass %,bet (%)\n"),
    "ratio.csv": lines(lambda k, p, b: f"{k},{int(16 * p)}/16,{int(16 * b)}/16", "node,pass,bet\n"),
    "bold.md": lines(
        lambda k, p, b: f"| `{k}` | **{p}** | {b} |",
        "| Information set | pass | bet |\n|:-:|--:|--:|\n",
    ),
    "grid.txt": lines(
        lambda k, p, b: f"| {k} | {p} | {b} |",
        "+---+------+-----+\n| infoset | pass | bet |\n+===+======+=====+\n",
        "+---+------+-----+\n",
    ),
    "pandas.txt": lines(lambda k, p, b: f"{k:<4}  {p:.6f}  {b:.6f}", "      pass       bet\n"),
    "index.txt": lines(
        lambda k, p, b: f"{k:<9}  {p:.6f}  {b:.6f}", "           pass       bet\ninfoset\n"
    ),
    "latex.tex": lines(
        lambda k, p, b: f"{k} & ${p}$ & {b} \\\\",
        "\\begin{tabular}{lcc}\ninfoset & pass & bet \\\\ \\hline\n",
        "\\end{tabular}\n",
    ),
    "records.json": (
        "["
        + ",".join(f'{{"infoset": "{k}", "pass": {p}, "bet": {b}}}' for k, (p, b) in ROWS.items())
        + "]"
    ),
    "texts.json": (
        "{"
        + ",".join(
            f'"{k}": {{"pass": "{int(16 * p)}/16", "bet": "{100 * b} %"}}'
            for k, (p, b) in ROWS.items()
        )
        + "}"
    ),
    "long.json": (
        "["
        + ",".join(
            f'{{"infoset": "{k}", "action": "{action}", "probability": {share}}}'
            for k, row in ROWS.items()
            for action, share in zip(("pass", "bet"), row, strict=True)
        )
        + "]"
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_is_the_same_strategy(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FORMS[name])
    assert file_kind(path) == "table"
    found = eq.Strategy.from_file(TREE, path)
    assert {key: [*row.values()] for key, row in found.to_dict().items()} == {
        key: pytest.approx(row, abs=1e-12) for key, row in ROWS.items()
    }


@pytest.mark.parametrize(
    ("name", "old", "new", "place"),
    [
        ("grid.txt", "0.5 | 0.5", "0.5 | x", ", line 12"),
        ("latex.tex", "$0.5$", "x", ", line 11"),
        ("records.json", '"bet": 0.5', '"bet": "x"', ", infoset '3p', action 'bet'"),
        ("records.json", '"bet": 0.5', '"bet": "1/0"', ", infoset '3p', action 'bet'"),
        ("hundred.csv", "50.0,50.0", "50.0,60.0", None),
        ("printed.txt", "[0.5, 0.5]", "[0.5, 0.7]", None),
    ],
)
def test_faults_are_named(name: str, old: str, new: str, place: str | None, tmp_path: Path) -> None:
    path = tmp_path / name
    assert old in FORMS[name]
    path.write_text(FORMS[name].replace(old, new, 1))
    with pytest.raises(EquilibristError) as caught:
        eq.Strategy.from_file(TREE, path)
    assert place is None or str(caught.value.place).startswith(f"{path}{place}")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1: [3, 0]\n2: [5, 1]\n", "payoff-table"),
        ("{'C': [(3, 3), (0, 5)], 'D': [(5, 0), (1, 1)]}", "payoff-table"),
        ("AA: 0.5\nKK: 0.5\n", "ranges"),
        ("Seat 1: Ann (100 in chips)\nSeat 2: Bob (100 in chips)\n", "text"),
    ],
)
def test_other_texts_are_none(text: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text)
    assert file_kind(tmp_path / "a.txt") == kind
