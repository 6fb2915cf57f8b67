"""The documentation says everything and says it of this version."""

from __future__ import annotations

import json
import math
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import equilibrist
from benchmarks import render_tables
from docs.command_reference import (
    EXPLAINED_ON,
    _command,
    _commands,
    _escaped,
    _few_examples,
    _short,
    command_reference,
)
from equilibrist.cli.main import application, run
from equilibrist.options.solve_options import SOLVE_OPTIONS
from equilibrist.solving import Files
from equilibrist.typing import FloatArray
from tests.docs.markdown import ROOT, blocks, pages, translations


@pytest.mark.slow
def test_tables_are_what_their_records_say() -> None:
    for page in pages():
        text = page.read_text("utf-8")
        found = len(render_tables.MARKER.findall(text))
        assert len(re.findall(r"<!-- table:", text)) == found, f"a table is not closed: {page}"
        assert text.count("<!-- /table -->") == found, page
        assert text == render_tables.render(text), f"run: python benchmarks/render_tables.py {page}"


def test_every_record_is_shown_somewhere() -> None:
    text = "".join(page.read_text("utf-8") for page in pages())
    for record in sorted(render_tables.RESULTS.glob("*.json")):
        assert f"<!-- table:{record.stem} -->" in text, record.name


def test_targets_stay_in_the_records() -> None:
    """A table shows what was measured; what was wanted of a column stands in the record alone."""
    for path in sorted(render_tables.RESULTS.glob("*.json")):
        record = json.loads(path.read_text("utf-8"))
        assert not [name for name in record["columns"] if "asked" in name], path.name
        if not isinstance(targets := record.get("targets"), dict):
            continue
        for column, wanted in targets.items():
            assert column in record["columns"], path.name
            assert len(wanted) == len(record["rows"]), path.name


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8")
    for page in sorted((ROOT / "docs").rglob("*.md")):
        assert str(page.relative_to(ROOT / "docs")) in navigation, page


def test_local_links_and_pictures_exist() -> None:
    for page in pages():
        text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page}: {target}"


OUTLINE = re.compile(r"^(#+) |<!-- (table:\w+) -->|^(\|)|\]\(([^)]+)\)", re.MULTILINE)
"""Headings, places of tables, rows of tables, targets of links."""


def test_translations_say_the_same() -> None:
    """The same code, and around it the same headings, tables and links in the same order.

    The blocks of translations are not run, because those of the originals are.
    """
    assert {page.name for page in translations()} >= {"README.zh-CN.md", "theory.zh-CN.md"}
    for pair in translations().items():
        chinese, english = ([(b.language, b.title, b.text) for b in blocks(page)] for page in pair)
        assert english == chinese, pair
        theirs, ours = (
            OUTLINE.findall(page.read_text("utf-8").replace(".zh-CN", "")) for page in pair
        )
        assert len(ours) > 20
        assert ours == theirs, pair


def test_every_algorithm_has_a_row() -> None:
    from equilibrist.solvers.variants.registry import VARIANTS

    text = (ROOT / "docs" / "algorithms.md").read_text("utf-8")
    assert VARIANTS
    for name in VARIANTS:
        assert f"| `{name}` |" in text


def test_every_average_is_explained() -> None:
    from equilibrist.solvers.sampling.averaging import SEPARATE_AVERAGES
    from equilibrist.solvers.sampling.samplers import SAMPLERS

    text = (ROOT / "docs" / "averaging.md").read_text("utf-8")
    for name in {*SEPARATE_AVERAGES, *(a for each in SAMPLERS.values() for a in each.averagings)}:
        assert f"`{name}`" in text, name


def test_the_readme_states_its_two_commands() -> None:
    """`.ci/run` runs the first two `sh` blocks of the README as they stand."""
    first, second, *_ = [b.text for b in blocks(ROOT / "README.md") if b.language == "sh"]
    assert "pip install" in first
    assert "equilibrist solve" in first
    assert "[test]" in second
    assert second.rstrip().endswith("pytest -n auto")


def test_the_readmes_quote_the_record_of_speed() -> None:
    record = json.loads((render_tables.RESULTS / "cfr_speed.json").read_text("utf-8"))
    (leduc,) = [row for row in record["rows"] if row[:2] == ["Leduc", "201-1200"]]
    figures = dict(zip(record["columns"], leduc, strict=True))
    for name in ("README.md", "README.zh-CN.md"):
        text = (ROOT / name).read_text("utf-8")
        for program in ("Equilibrist", "OpenSpiel C++", "LiteEFG"):
            assert render_tables.cell(figures[program]) in text, (name, program)


def test_own_game_page_keeps_its_promise() -> None:
    """`Your own game in 45 lines`, counted without blank lines."""
    (rules,) = [b for b in blocks(ROOT / "docs" / "own-game.md") if b.title == "rules.py"]
    assert len([line for line in rules.text.splitlines() if line.strip()]) <= 45


def test_own_variant_page_keeps_its_promise() -> None:
    """`Your own variant in 10 lines`, counted without blank lines."""
    (own,) = [b for b in blocks(ROOT / "docs" / "own-variant.md") if b.title == "my.py"]
    assert len([line for line in own.text.splitlines() if line.strip()]) <= 10


PICTURES = {
    "kuhn": ["kuhn"],
    "kuhn-three": ["kuhn(players=3)", "--history", "1,3,4"],
    "leduc-second-round": ["leduc", "--history", "Js,Qs,call,call,Ks"],
    "liars-dice": ["liars_dice(sides=2)", "--history", "1,2"],
    "dudo": ["dudo(sides=2)", "--history", "1,2"],
    "liar-die": ["liar_die(sides=2)"],
    "goofspiel": ["goofspiel(cards=3,imp_info=true,points_order=descending)"],
    "rock-paper-scissors": ["rock_paper_scissors"],
    "random-tree": ["random_tree(seed=4,depth=3,branching=2,signals=1)"],
}
"""Trees drawn in docs/images, and what `inspect` is given for them."""


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_of_trees_are_what_the_program_draws(name: str, tmp_path: Path) -> None:
    drawn = tmp_path / f"{name}.svg"
    assert run(["inspect", *PICTURES[name], "--draw", str(drawn)]) == 0
    assert drawn.read_bytes() == (ROOT / "docs" / "images" / f"{name}.svg").read_bytes()


def test_every_game_has_a_page() -> None:
    text = "".join(page.read_text("utf-8") for page in (ROOT / "docs" / "games").glob("*.md"))
    for game in equilibrist.list_games():
        assert f"`{game.name}`" in text, game.name


def test_questions_of_game_pages_have_answers() -> None:
    for page in sorted((ROOT / "docs" / "games").glob("*.md")):
        for item in re.findall(r"^- (.*?)(?=^- |^$)", _tried(page), re.MULTILINE | re.DOTALL):
            assert "?" not in item or "](../teaching.md#" in item, (page.name, item)


def _tried(page: Path) -> str:
    """What a page suggests to try."""
    return page.read_text("utf-8").partition("## Try this\n")[2].partition("\n## ")[0] + "\n\n"


def test_what_the_page_on_choosing_says_is_in_its_records() -> None:
    for level in ("rough", "fair", "fine"):
        record = json.loads((render_tables.RESULTS / f"choosing_{level}.json").read_text())
        taken: dict[str, list[int | None]] = {}
        for name, *cells in record["rows"]:
            counts = (re.sub(r"\D", "", cell) for cell in cells)
            taken[name.strip("`")] = [int(count) if count else None for count in counts]
        best = [
            min(n for n in column if n) if any(column) else 0
            for column in zip(*taken.values(), strict=True)
        ]

        def behind(algorithm: str) -> list[float]:
            pairs = zip(taken[algorithm], best, strict=True)  # noqa: B023 - used at once
            return [(n or math.inf) / least for n, least in list(pairs)[:5]]

        assert max(behind("pdcfr+")) <= 3.0
        if level == "rough":
            assert 15 > min(behind("cfr")) > 14
            assert 149 < max(behind("cfr")) < 150
        if level != "fine":
            assert max(behind("apcfr+")) <= 1.5
            assert min(behind("dcfr")[1], behind("dcfr+")[1]) == 1.0
        else:
            first = [[n for n in taken if taken[n][k] == best[k]] for k in range(5)]
            assert {name for names in first for name in names} == {"apcfr+", "pdcfr+"}
            assert min(min(behind(name)) for name in ("cfr+", "dcfr", "dcfr+")) > 4.0


def drawn_line(path: Path) -> FloatArray:
    """The heights of the longest line of a picture, from 0 to 1, at 200 places across it.

    Where a line stands on the page, and how smooth it is drawn, depends on Matplotlib's version.
    """
    found = re.findall(r'<path d="(M[^"]*)"[^>]*fill: none', path.read_text("utf-8"))
    numbers = np.array(re.findall(r"-?\d+\.?\d*", max(found, key=len)), dtype=float)
    points = numbers.reshape(-1, 2)
    points = (points - points.min(axis=0)) / (points.max(axis=0) - points.min(axis=0))
    heights: FloatArray = np.interp(np.linspace(0.0, 1.0, 200), points[:, 0], points[:, 1])
    return heights


@pytest.mark.slow
def test_the_picture_of_leduc_is_what_the_program_draws(tmp_path: Path) -> None:
    picture = ROOT / "docs" / "images" / "leduc.svg"
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "`equilibrist solve leduc --target 1e-6 --plot leduc.svg`" in readme
    result = equilibrist.solve("leduc", target=1e-6, files=Files(plot=tmp_path / "leduc.svg"))
    assert result.algorithm == "dcfr"
    assert "below 1e-6 within 120,000 iterations" in readme
    assert result.iterations < 120_000
    line = drawn_line(picture)
    assert drawn_line(tmp_path / "leduc.svg") == pytest.approx(line, abs=0.01)
    other = equilibrist.solve("leduc", "cfr+", target=1e-6)
    assert drawn_line(other.plot(tmp_path / "other.svg")) != pytest.approx(line, abs=0.01)


RECORD = {
    "what": "Iterations per second, median of 5.",
    "command": "python benchmarks/x.py",
    "machine": {"cpu": "Some CPU", "cores": 2},
    "versions": {"equilibrist": "0.1.0", "Python": "3.11"},
    "columns": ["game", "its/s", "ratio"],
    "rows": [["a|b", 12345.6, 1.23456], ["leduc", 7, 1e-5]],
}


def test_a_record_becomes_a_table(tmp_path: Path) -> None:
    (tmp_path / "speed.json").write_text(json.dumps(RECORD))
    page = "above\n<!-- table:speed -->\nold\n<!-- /table -->\nbelow\n"
    rendered = render_tables.render(page, tmp_path)
    assert rendered.startswith(
        "above\n<!-- table:speed -->\n\n| game | its/s | ratio |\n|---|---:|---:|"
    )
    assert "| a\\|b | 12,346 | 1.235 |\n| leduc | 7 | 1e-05 |\n" in rendered
    assert "Script: `python benchmarks/x.py` (Some CPU, 2 cores, Python 3.11)\n" in rendered
    assert "old" not in rendered
    assert rendered.endswith("<!-- /table -->\nbelow\n")
    assert render_tables.render(rendered, tmp_path) == rendered


def test_the_usual_machine_and_versions_are_named_once() -> None:
    page = " ".join((ROOT / "docs" / "benchmarks.md").read_text("utf-8").split())
    usual = (render_tables.USUAL_MACHINE, *render_tables.USUAL_VERSIONS)
    assert f"Unless a caption says otherwise: {', '.join(usual)}." in page


@pytest.mark.parametrize(
    ("change", "message"),
    [({"rows": [[1]]}, "1 cells for 3 columns"), ({"what": None}, "lacks what")],
)
def test_a_bad_record_is_named(tmp_path: Path, change: dict[str, object], message: str) -> None:
    record = {key: value for key, value in {**RECORD, **change}.items() if value is not None}
    (tmp_path / "speed.json").write_text(json.dumps(record))
    with pytest.raises(ValueError, match=f"speed.json: .*{message}"):
        render_tables.table("speed", tmp_path)


def test_an_unknown_table_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no table is called 'nothing'"):
        render_tables.table("nothing", tmp_path)


def test_the_reference_of_commands_has_their_help_and_their_options() -> None:
    """A command names each of its options and describes it, or links the one place that does."""
    reference = command_reference()
    sections = dict(re.findall(r"^###? (.*)\n((?:(?!^##).*\n)*)", reference, re.MULTILINE))
    for command in map(_command, *zip(*_commands(application(), ""), strict=True)):
        section = sections[command.name]
        assert command.text.splitlines()[0] in section, command.name
        linked = [
            title for title in sections if f"](#{title.lower().replace(' ', '-')})" in section
        ]
        for row in command.rows:
            homes = [title for title in (command.name, *linked) if row.line() in sections[title]]
            assert len(homes) == 1, (command.name, row)
            group = f"all of *{row.group}*"
            assert row.spelling in section or _short(row.spelling) in section or group in section


def test_pages_that_explain_commands_name_them() -> None:
    names = {_command(*command).name for command in _commands(application(), "")}
    assert EXPLAINED_ON.keys() <= names
    for name, explained_on in EXPLAINED_ON.items():
        for page in explained_on.split():
            text = " ".join((ROOT / "docs" / f"{page}.md").read_text("utf-8").split())
            assert re.search(rf"(?:equilibrist |`){name}\b", text), (name, page)


def test_the_table_of_the_chinese_texts_has_commands_as_they_are_typed() -> None:
    """Every command exists, with its options; only what it works on may be left out."""
    page = (ROOT / "docs" / "textbook.zh-CN.md").read_text("utf-8")
    rows = [row.split("|") for row in page.splitlines() if row.count("|") == 4]
    lines = [line for row in rows for line in re.findall(r"`([^`]+)`", row[2])]
    assert len(lines) > 20
    for line in lines:
        assert run([*shlex.split(line), "--help"]) == 0, line


def test_the_reference_describes_every_option_of_solve() -> None:
    reference = command_reference()
    for name, option in SOLVE_OPTIONS.items():
        assert _escaped(" ".join(option.help.split())) in reference, name


def test_a_long_list_of_examples_is_cut_between_two() -> None:
    lines = ["  a \\", "      --more", *[f"  {letter}" for letter in "bcdefg"]]
    assert _few_examples(lines) == ["a \\", "    --more", "b"]
    assert _few_examples(lines[:3]) == ["a \\", "    --more", "b"]
