"""Mistakes in samplers of one's own: the place and the remedy, in `solve` and in `check` alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, GameSpecError
from equilibrist.reference.draws import Draws, every_run
from equilibrist.reference.sampling.choices import Choice, NodeView
from equilibrist.solvers import MCCFR
from equilibrist.solvers.sampling.expectation import check_sampler
from tests.cli.command import Shell
from tests.refusals import refuses

KUHN = ("kuhn",)
BEGIN = """from equilibrist.reference import Addition
from equilibrist.solvers import Choice, OwnSampler
class MySampler(OwnSampler):
"""
CHOOSE = "    def choose(self, node): "
TRAVERSE = "    def traverse(self, root, traverser, profile, draws, tables, **options):\n        "
ADDED = TRAVERSE + (
    "added = super().traverse(root, traverser, profile, draws, tables, **options)\n        "
)
LINE = "mine.py:4"
REFUSED: dict[str, tuple[str, dict[str, object]]] = {
    "no class": ("x = 1\n", dict(option="MySampler", place="mine.py")),
    "a class of nothing": (
        "class MySampler:\n" + CHOOSE + "return node.all()\n",
        dict(option="MySampler"),
    ),
    "no colon": (BEGIN.replace(":\n", "\n"), {}),
    "no such module": ("import nosuchmodule\n" + BEGIN + "    pass\n", {}),
    "another argument": (
        BEGIN + "    def choose(self, node, rng): return node.one()\n",
        dict(option="choose", place=LINE, expected="choose(self, node)"),
    ),
    "no self": (
        BEGIN + "    def choose(node): return node.one()\n",
        dict(option="choose", place=LINE),
    ),
    "async": (
        BEGIN + "    async def choose(self, node): return node.one()\n",
        dict(option="choose", place=LINE),
    ),
    "yield": (
        BEGIN + "    def choose(self, node): yield node.one()\n",
        dict(option="choose", place=LINE),
    ),
    "a typing error": (
        BEGIN + "    def chose(self, node): return node.all()\n",
        dict(option="choose", given="chose", place=LINE),
    ),
    "no answer": (BEGIN + CHOOSE + "node.all()\n", dict(option="choose", given=None)),
    "probabilities alone": (
        BEGIN + CHOOSE + "return [0.5] * len(node.strategy)\n",
        dict(option="choose", place="the start"),
    ),
    "not a number": (
        BEGIN + CHOOSE + "return node.one([float('nan')] * len(node.strategy))\n",
        dict(option="one", expected="numbers from 0 to 1", place="the start"),
    ),
    "a sum above 1": (
        BEGIN + CHOOSE + "return node.one([1.0] * len(node.strategy))\n",
        dict(option="one", expected="probabilities with a sum of 1"),
    ),
    "a choice by hand": (
        BEGIN + CHOOSE + "return Choice('one', [2.0] * len(node.strategy))\n",
        dict(option="one", expected="numbers from 0 to 1"),
    ),
    "an unknown kind": (
        BEGIN + CHOOSE + "return Choice('two', [0.5] * len(node.strategy))\n",
        dict(option="kind", given="two"),
    ),
    "half an action": (
        BEGIN + CHOOSE + "return node.some(1.5)\n",
        dict(option="some", given=1.5),
    ),
    "a change of what is played": (
        BEGIN + "    def choose(self, node):\n        node.strategy[0] = 1.0\n",
        dict(option="sampler", given="TypeError"),
    ),
    "blocks below blocks": (
        BEGIN
        + CHOOSE
        + "return node.blocks([*map(str, range(len(node.strategy)))], None, 'all')"
        + " if node.is_chance else node.all()\n",
        dict(option="blocks", given="all"),
    ),
    "an average of no name": (
        BEGIN + "    averagings = ('mine',)\n",
        dict(option="file", given="ConfigError"),
    ),
    "an average as a text": (
        BEGIN + "    averagings = 'own-reach'\n",
        dict(option="file", given="ConfigError"),
    ),
    "a name that is none": (BEGIN + "    name = 5\n", dict(option="name", given=5)),
    "traverse without its words": (
        BEGIN + "    def traverse(self, root, traverser): return None\n",
        dict(option="traverse", place=LINE),
    ),
    "traverse without an answer": (
        BEGIN + ADDED + "added.regret\n",
        dict(option="traverse", given=None, place=LINE),
    ),
    "an infoset of no game": (
        BEGIN + TRAVERSE + "return Addition({'no': [1.0, 0.0]}, {})\n",
        dict(option="regret", expected="infosets of the game", place=LINE),
    ),
    "too many numbers": (
        BEGIN + TRAVERSE + "return Addition({'1': [1.0, 0.0, 2.0]}, {})\n",
        dict(option="regret", place=LINE),
    ),
    "one number": (
        BEGIN + TRAVERSE + "return Addition({}, {'1': 1.0})\n",
        dict(option="strategy_sum", place=LINE),
    ),
    "an infinite regret": (
        BEGIN + TRAVERSE + "return Addition({'1': [float('inf'), 0.0]}, {})\n",
        dict(option="regret", expected="finite numbers for '1'", place=LINE),
    ),
}


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "mine.py"


@pytest.mark.by_default(9)
@pytest.mark.parametrize("name", REFUSED)
def test_solve_and_check_say_the_place_and_the_remedy(mine: Path, shell: Shell, name: str) -> None:
    text, fields = REFUSED[name]
    mine.write_text(text, "utf-8")
    solved = shell("solve kuhn --sampler mine.py:MySampler --iterations 30 --quiet")
    checked = shell("check mine.py:MySampler --game kuhn")
    for ran in (solved, checked):
        ran.refused(ConfigError, **fields)
        assert "mine.py" in ran.err


def test_a_function_is_no_sampler(mine: Path, shell: Shell) -> None:
    mine.write_text("def choose(node): return node.one()\n", "utf-8")
    for command in ("solve kuhn -n 9 --sampler mine.py:choose", "check mine.py:choose"):
        shell(command).refused(ConfigError, option="sampler", place="mine.py:1")


@pytest.mark.parametrize(
    "command",
    ["solve kuhn --sampler mine.py", "solve kuhn -a mine.py", "solve mine.py", "check mine.py"],
)
def test_a_file_that_python_cannot_read_is_told_without_a_name(
    mine: Path, shell: Shell, command: str
) -> None:
    kind = GameSpecError if command.endswith(("solve mine.py", "check mine.py")) else ConfigError
    shell(command).refused(kind)
    mine.write_text(BEGIN.replace(":\n", "\n"), "utf-8")
    ran = shell(command).refused(kind, option="file", given="SyntaxError", place="mine.py")
    assert "mine.py:3" in ran.err


@pytest.mark.parametrize(
    "text",
    [
        BEGIN + "    n = 0\n    def choose(self, node):\n        MySampler.n += 1\n"
        "        return node.all() if MySampler.n % 2 else node.one([1 / len(node.strategy)]"
        " * len(node.strategy))\n",
        "import random\n" + BEGIN + CHOOSE + "return node.some(random.randint(1, 2))\n",
    ],
    ids=["memory", "dice"],
)
def test_check_tells_samplers_that_draw_or_remember(mine: Path, shell: Shell, text: str) -> None:
    mine.write_text(text, "utf-8")
    shell("check mine.py:MySampler --game kuhn").refused(ConfigError, option="choose")


@pytest.mark.parametrize(
    ("line", "table"),
    [
        ("added.strategy_sum.clear()", "stochastic"),
        ("added.add_regret('1', [1.0, 0.0])", "regret"),
    ],
    ids=["no average", "regrets of the other player"],
)
def test_check_sees_what_is_left_out_and_what_is_added_elsewhere(
    mine: Path, line: str, table: str
) -> None:
    mine.write_text(BEGIN + ADDED + line + "\n        return added\n", "utf-8")
    report = check_sampler("mine.py:MySampler", KUHN)
    (game,) = report.games
    assert not report.ok
    right = {entry.name: entry.is_right for entry in (game.regret, *game.averages)}
    assert not right[table]
    assert right["regret" if table == "stochastic" else "stochastic"]


def test_numbers_of_numpy_are_whole_numbers(mine: Path) -> None:
    mine.write_text(
        "import numpy as np\n" + BEGIN + CHOOSE + "return node.some(np.int64(1))\n", "utf-8"
    )
    assert check_sampler("mine.py:MySampler", KUHN).ok
    with refuses(ConfigError, option="some", given=True):
        NodeView(player=0, traverser=0, strategy=[0.5, 0.5]).some(True)


def test_a_class_is_looked_at_in_python_too() -> None:
    from equilibrist.solvers import OwnSampler

    class Async(OwnSampler):
        async def choose(self, node: NodeView) -> Choice:  # type: ignore[override]
            return node.one()

    with refuses(ConfigError, option="choose"):
        MCCFR("kuhn", sampler=Async())
    with refuses(ConfigError, option="choose"):
        check_sampler(Async(), KUHN)


def test_all_runs_of_what_draws_otherwise_are_refused() -> None:
    sizes = iter([3, 2, 2, 2])

    def sample(draws: Draws) -> int:
        size = next(sizes)
        return draws.action([1.0 / size] * size)

    with refuses(ConfigError, option="sample"):
        list(every_run(sample))
