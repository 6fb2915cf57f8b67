"""Every code block of README.md and docs/ runs, and prints what the page says it prints.

- `python` blocks of one page share one namespace and one empty working folder. A block with
  `title="rules.py"` is also written to that file, so that later blocks and commands find it.
- a `text` or `toml` block with a title is written to that file.
- an `output` block right after a `python` block is what the latter prints.
- in `console` blocks the lines `$ equilibrist` are run and must end with exit code 0; lines below
  a command are what it prints on a terminal (standard output and error). Before it may stand
  `printf '...' | `, which is what it reads.
Pages show all that is printed, but for blocks that are marked as excerpts (`markdown.py`). What
differs from run to run is masked (`printed.py`); figures that no seed fixes are not compared, below
`<!-- figures vary -->`.
Translations have the same blocks (`test_pages.py`) and are not run again.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import sys
import types
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from equilibrist._jit.inventory import note_complete
from equilibrist._jit.places import kernels_dir
from tests.docs.console import INSTALLING, commands, steps
from tests.docs.markdown import ROOT, Block, blocks, originals
from tests.docs.printed import difference, matches, matches_in_form, matches_in_part
from tests.slow_cases import slow_but

PAGES = [p for p in originals() if any(b.language in {"python", "console"} for b in blocks(p))]
FILES = {"text", "toml"}
"""Blocks of these languages with a title are files."""
NOISE = "Differences below that cannot be told from rounding errors."
SHORTENED = [page for page in PAGES if any(block.quick for block in blocks(page))]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def run_python(block: Block, namespace: dict[str, object], text: str | None = None) -> str:
    """What the block prints; or `text` in its place."""
    if block.title:
        Path(block.title).write_text(block.text, "utf-8")
    # Blank lines in front make a traceback name the line of the page.
    code = compile("\n" * (block.line - 1) + (text or block.text), str(block.path), "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    return printed.getvalue()


def same_text(block: Block, expected: str, shown: str, folder: Path) -> bool:
    """Whether a command of the block printed what the page says."""
    if block.excerpt:
        return matches_in_part(expected, shown, folder)
    return matches_in_form(expected, shown) if block.varies else matches(expected, shown, folder)


def run_page(page: Path, namespace: dict[str, object], in_full: bool) -> None:
    """Run all blocks of a page in the working folder; shortened ones as they stand if `in_full`."""
    folder = Path.cwd()
    printed: str | None = None
    same: Callable[[str, str], bool] = matches
    for block in blocks(page):
        if block.language in FILES and block.title:
            Path(block.title).write_text(block.text, "utf-8")
        if block.language == "python":
            shortened = None if in_full else block.quick
            same = matches_in_form if shortened else matches
            printed = run_python(block, namespace, shortened)
            continue
        if block.language == "output":
            assert printed is not None, f"{block.place}: no python block right before"
            assert same(block.text, printed), (
                f"{block.place}: {difference(block.text, printed, folder)}"
            )
        elif block.language == "console":
            for command in commands(block):
                shown = command.run()
                assert same_text(block, command.expected, shown, folder), (
                    f"{command.place}: {command.line}\n"
                    + difference(command.expected, shown, folder)
                )
        printed = None


@pytest.fixture
def namespace(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> dict[str, object]:
    """The names of a page's `python` blocks; working and data folder are empty ones."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EQUILIBRIST_DATA_DIR", str(tmp_path_factory.mktemp("data")))
    module = types.ModuleType("__page__")
    monkeypatch.setitem(sys.modules, "__page__", module)
    return vars(module)


@pytest.fixture
def complete_cache(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache that is said to have all kernels: those that are compiled already."""
    folder = tmp_path_factory.mktemp("cache")
    shutil.copytree(kernels_dir(), folder / "kernels")
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(folder))
    note_complete()


LONG = [
    ROOT / "docs" / f"{name}.md"
    for name in (
        *("connect", "domination", "efr", "large-games", "nash", "parallel", "play", "search"),
        *("theory", "poker/blueprint-evaluation", "poker/equity", "poker/exact-hands"),
        *("poker/multiway", "poker/preflop", "poker/royal", "abstraction-report"),
    )
]
"""Pages that take more than a second: slow tests run them."""


@pytest.mark.parametrize(
    "page", slow_but([page for page in PAGES if page not in LONG], PAGES), ids=name_of
)
def test_code_blocks_run(
    page: Path, namespace: dict[str, object], request: pytest.FixtureRequest
) -> None:
    if page == INSTALLING:  # its `cache warm` would compile for minutes
        request.getfixturevalue("complete_cache")
    run_page(page, namespace, in_full=False)


@pytest.mark.slow
@pytest.mark.parametrize("page", SHORTENED, ids=name_of)
def test_shortened_blocks_run_in_full(page: Path, namespace: dict[str, object]) -> None:
    run_page(page, namespace, in_full=True)


def test_every_page_is_checked() -> None:
    """The collection is not empty by accident: these pages hold code."""
    names = {name_of(page) for page in PAGES}
    assert {"README.md", "docs/first-solve.md", "docs/own-game.md", "docs/own-variant.md"} <= names
    assert "docs/theory.zh-CN.md" not in names  # a translation
    assert "docs/textbook.zh-CN.md" in names


def test_a_few_commands_run_in_processes_of_their_own() -> None:
    all_commands = [
        command
        for page in PAGES
        for block in blocks(page)
        if block.language == "console"
        for command in commands(block)
    ]
    assert len(all_commands) > 80
    assert 6 <= sum(command.own_process for command in all_commands) <= 10


def test_a_command_has_streams_and_an_environment_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "70")
    lines = "$ equilibrist --help\n$ printf 'AA' | equilibrist range -\n$ equilibrist solve leduk\n"
    whole, piped, wrong = commands(Block(ROOT / "page.md", "console", None, 1, lines))
    here = whole.run()
    assert max(map(len, here.splitlines())) > 75
    assert here == replace(whole, own_process=True).run()
    assert piped.run() == replace(piped, own_process=True).run()
    with pytest.raises(AssertionError, match=r"page\.md:1: equilibrist solve leduk\nerror: un"):
        wrong.run()
    assert capfd.readouterr() == ("", "")
    assert sys.stdin is not None


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("value -0.0556\n", "value -0.0556\n", True),
        ("value -0.0556", "value -0.0557", False),
        ("a ... z", "a b z", False),
        ("a\n...\nz", "a\nb\nc\nz", False),
        ("a\n...", "a", False),
        ("a\n", "a\nb", False),
        ("a\nb", "a\n", False),
        ("", "a", False),
        ("and so on ...", "and so on ...", True),
        ("1+1 (two)", "1+1 (two)   ", True),
        ("9 iterations in 0.12 s", "9 iterations in 3.5e-05 s", True),
        ("9 iterations in 1:05", "9 iterations in 0.12 s", True),
        ("9 iterations in 1.2 s", "8 iterations in 1.2 s", False),
        ("in 0.1 s; value 5", "in 0.2 s; value 5", True),
        ("1,234 it/s, 2 players", "987 it/s, 2 players", True),
        ("1,234 it/s, 2 players", "1,234 it/s, 3 players", False),
        ('{"seconds": 0.12, "value": 1.5}', '{"seconds": 13, "value": 1.5}', True),
        ('{"seconds": 0.12, "value": 1.5}', '{"seconds": 0.12, "value": 1.6}', False),
        ('{"python": "3.11.7"}', '{"python": "3.12.1rc1"}', True),
        ("equilibrist 0.1.0", "equilibrist 0.2.0+local", True),
        ("on 2024-02-29 10:11", "on 2026-11-23 20:49", True),
        ("range 22:0.5, 33:0.25", "range 22:0.5, 33:0.35", False),
        ("8,001 states", "8,002 states", False),
        ("walking the rules\nend", "walking the rules\nx, compiling (first run only)\nend", True),
        ("solving\nend", "solving\niteration 12  gain 0.5  3,832 it/s\nend", True),
        ("solving\nend", "solving\niteration 12\nend", False),
        ("walking\nend", "walking\nwalking: 1,234 histories\nend", True),
        ("walking\nend", "walking\nwalked: 1,234 states\nend", False),
        ("compiled in 2:11 into /a/b", "all kernels were compiled already: /c", True),
        ("2.0 MB in 9 files", "31 kB in 1,200 files", True),
        ("a table of 2.0 MB", "a table of 2.1 MB", False),
        ("  at 0.1\na  9 it  0.12 s", "     at 0.1\na  9 it  3.5e-05 s", True),
        ("  at 0.1\na  9 it  0.12 s", "     at 0.1\na  8 it  3.5e-05 s", False),
        ("a  b\n\nin  0.1 s", "a   b\n\nin 0.1 s", False),
        ("saved to here", "saved to there", False),
        (
            "  farthest from the family: a = 1/3, off by 2.78e-16",
            "  farthest from the family: b = a, off by 2.1e-14",
            True,
        ),
        (
            "  farthest from the family: a = 1/3, off by 2.78e-16",
            "  farthest from the family: a = 1/3, off by 2.78e-11",
            False,
        ),
        ("  player 1   0.06   0.06  1.11e-16", "  player 1   0.06   0.06         0", True),
        ("  player 1   0.06   0.06  1.11e-16", "  player 1   0.06   0.06  1.11e-12", False),
        ("  player 1   0.06   0.06  1.11e-16", "  player 1   0.06   0.07  1.11e-16", False),
        (
            "exploitability 1.8e-15 (a), NashConv 3.6e-15 (b)\nNext",
            f"exploitability below 1.8e-15 (a), NashConv below 3.6e-15 (b)\n{NOISE}\nNext",
            True,
        ),
        (
            "exploitability 1.8e-15 (a), NashConv 3.6e-15 (b)\nNext",
            "exploitability 1.8e-12 (a), NashConv 3.6e-12 (b)\nNext",
            False,
        ),
    ],
)
def test_matching_printed_text(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same


def test_matching_the_working_folder_and_other_figures(tmp_path: Path) -> None:
    assert matches("in <folder>/a.csv", f"in {tmp_path}/a.csv", tmp_path)
    assert not matches("in <folder>/a.csv", f"in {tmp_path}/b.csv", tmp_path)
    assert matches_in_form("value -0.0471, 3 of 4,000", "value 0.12, 3 of 4")
    assert matches_in_form("a   0.5  -1e-05", "a  10.25   2")
    assert not matches_in_form("value -0.0471", "worth -0.0471")
    assert not matches_in_form("a\n...", "a\nb")
    shown = difference("a\nin 1 s\nb", f"a\nin 2 s\n{tmp_path}", tmp_path)
    assert shown.splitlines()[-3:] == [" in <time>", "-b", "+<folder>"]


@pytest.mark.parametrize(
    ("excerpt", "same"),
    [
        ("a\nb 0.12 s\n\nc 3\nd\n", True),
        ("b 9.5 s\n\nc 3", True),
        ("a\n[...]\nc 3", True),
        ("d", True),
        ("  e", True),
        ("e", False),
        ("", True),
        ("a\nc 3", False),
        ("c 3\n[...]\na", False),
        ("c 4", False),
        ("b 9.5 s\n[...]\nb 9.5 s", False),
        ("c", False),
    ],
)
def test_an_excerpt_has_lines_of_what_is_printed(excerpt: str, same: bool) -> None:
    assert matches_in_part(excerpt, "a\nb 0.12 s\n\nc 3\nd\n  e\n") is same


def test_a_page_is_held_to_all_that_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dots, a line too few, or a changed figure on a page fail; another time does not."""
    monkeypatch.chdir(tmp_path)
    page = ROOT / "page.md"
    # Not a game solved exactly: lines about rounding errors are masked.
    line = "$ equilibrist solve kuhn --algorithm cfr --iterations 7 --out x.st -q\n"
    shown = next(commands(Block(page, "console", None, 1, line))).run()

    def fails(text: str, varies: bool = False) -> bool:
        block = Block(page, "console", None, 1, text, varies=varies)
        ((_, expected),) = steps(block)
        return not same_text(block, expected, shown, tmp_path)

    whole = line + shown
    assert "7 iterations of cfr in" in shown
    assert not fails(whole)
    assert not fails(re.sub(r"in \S+ s;", "in 99.5 s;", whole))
    assert fails(whole.replace("7 iterations", "8 iterations"))
    assert not fails(whole.replace("7 iterations", "8 iterations"), varies=True)
    for number in range(1, len(whole.splitlines())):
        cut = whole.splitlines()
        if cut[number]:
            assert fails("\n".join([*cut[:number], *cut[number + 1 :]]))
            assert fails("\n".join([*cut[:number], "...", *cut[number + 1 :]]))
            assert fails("\n".join([*cut[:number], "..."]), varies=True)
    assert fails(line)


def test_console_blocks_are_read_step_by_step(tmp_path: Path) -> None:
    text = "$ equilibrist a \\\n    --b\nprinted\n\n$ equilibrist c\n"
    block = Block(tmp_path, "console", None, 1, text)
    assert steps(block) == [("equilibrist a --b", "printed\n\n"), ("equilibrist c", "")]


def test_a_broken_block_is_reported_with_its_line(tmp_path: Path) -> None:
    block = Block(tmp_path / "page.md", "python", None, 7, "x = 1\nraise KeyError(x)\n")
    with pytest.raises(KeyError) as caught:
        run_python(block, {"__name__": "__page__"})
    assert caught.traceback[-1].lineno == 7  # counted from 0: the page's line 8


def test_a_shorter_run_of_a_block(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- quick: 4_000 becomes 4 -->\n```python\nprint(4_000)\n```\n")
    (block,) = blocks(page)
    assert (block.text, block.quick, block.line) == ("print(4_000)\n", "print(4)\n", 3)
    assert run_python(block, {}, block.quick) == "4\n"
    assert not block.varies
    page.write_text("<!-- figures vary -->\n```console\n$ equilibrist\n```\n")
    assert [block.varies for block in blocks(page)] == [True]
    page.write_text("<!-- quick: 5_000 becomes 4 -->\n```python\nprint(4_000)\n```\n")
    with pytest.raises(ValueError, match="5_000 is not in this block"):
        list(blocks(page))
    page.write_text("<!-- excerpt -->\n```console\n$ equilibrist\n```\n")
    assert [block.excerpt for block in blocks(page)] == [True]
    for mark in ("<!-- figures vary -->", "<!-- excerpt -->", "<!-- quick: 4 becomes 3 -->"):
        for end in ("", "\n", "\n\n```python\nprint(4)\n```\n"):
            page.write_text(mark + end)
            with pytest.raises(ValueError, match="must follow"):
                list(blocks(page))
    for mark in ("<!--figures vary-->", "<!-- quick: 4 -> 3 -->"):
        page.write_text(f"{mark}\n```python\nprint(4)\n```\n")
        with pytest.raises(ValueError, match="expected"):
            list(blocks(page))
