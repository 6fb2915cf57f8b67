"""Rules compiled into kernels: edits are noticed, and what is wrong with rules is said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from equilibrist.errors import EquilibristError, GameError, GameSpecError
from equilibrist.game_loading import check_game
from equilibrist.games import load_game
from equilibrist.rules.module import load_rules
from equilibrist.rules.sources import fingerprint
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.strategy import Strategy
from tests.refusals import refuses
from tests.rules.own_rules import OWN, write_rules

PLAY = """
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
solver = ImplicitMCCFR("rules:own.py").run(200)
print(solver.table.pool[:, :12].tolist())
"""


COUNT = "    return 2\n\n\ndef apply"
VALUE = "    value ="


def answers(folder: Path) -> str:
    """What a process of its own finds."""
    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        cwd=folder,
        # Machine code that is not optimised is cached alike, and compiled in half of the time.
        env={**os.environ, "EQUILIBRIST_CACHE_DIR": str(folder / "cache"), "NUMBA_OPT": "0"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def compiled(folder: Path) -> dict[str, int]:
    """The machine code on disk, with the times at which it was written."""
    files = (folder / "cache").rglob("*.nb*")
    return {str(path): path.stat().st_mtime_ns for path in files}


@pytest.mark.slow
def test_an_edited_helper_changes_the_next_process(tmp_path: Path) -> None:
    """A helper of a helper counts as well; an unedited start compiles nothing."""
    write_rules(tmp_path, "import stakes\n" + OWN.replace("value = s[1]", "value = stakes.won(s)"))
    helper = tmp_path / "stakes.py"
    helper.write_text("from unit import unit\n\n\ndef won(s):\n    return s[1] * unit()\n")
    (tmp_path / "unit.py").write_text("def unit():\n    return 1\n")
    first = answers(tmp_path)
    files = compiled(tmp_path)
    assert files
    assert answers(tmp_path) == first
    assert compiled(tmp_path) == files
    (tmp_path / "unit.py").write_text("def unit():\n    return 2\n")
    assert answers(tmp_path) != first
    assert compiled(tmp_path).keys() > files.keys()
    (tmp_path / "unit.py").write_text("def unit():\n    return 1\n")
    with_both = compiled(tmp_path)
    assert answers(tmp_path) == first
    assert compiled(tmp_path) == with_both


@pytest.mark.slow
def test_rules_edited_within_a_process(tmp_path: Path) -> None:
    path = write_rules(tmp_path)
    before = ImplicitMCCFR(f"rules:{path}").run(50)
    write_rules(tmp_path, OWN.replace("1.5 * g[0]", "2.5 * g[0]"))
    after = ImplicitMCCFR(f"rules:{path}").run(50)
    assert before.table.pool.tolist() != after.table.pool.tolist()
    again = ImplicitMCCFR(before.rules).run(50)
    assert again.table.pool.tolist() == before.table.pool.tolist()


@pytest.mark.slow
def test_a_package_edited_within_a_process(tmp_path: Path) -> None:
    """This process follows, and leaves no code of one version under the name of the other."""
    write_rules(tmp_path, OWN.replace("value = s[1]", "value = stakes.unit.unit() * s[1]"))
    path = tmp_path / "own.py"
    path.write_text("import stakes.unit\n" + path.read_text())
    (tmp_path / "stakes").mkdir()
    (tmp_path / "stakes/__init__.py").touch()
    found = []
    for number in (1, 25):
        (tmp_path / "stakes/unit.py").write_text(f"def unit():\n    return {number}\n")
        rules = load_rules(path)
        assert rules.module.stakes.unit.unit() == number
        found.append((rules.fingerprint, ImplicitMCCFR(rules).run(50).table.pool.tolist()))
    assert found[0][0] != found[1][0]
    assert found[0][1] != found[1][1]


def test_the_fingerprint_is_of_what_was_run(tmp_path: Path) -> None:
    path = write_rules(tmp_path)
    rules = load_rules(path)
    write_rules(tmp_path, OWN.replace("1.5", "2.5"))
    assert fingerprint(list(rules.modules)) == rules.fingerprint
    assert load_rules(path).fingerprint != rules.fingerprint


@pytest.mark.slow
def test_chance_with_probabilities_draws_as_on_the_tree(tmp_path: Path) -> None:
    """Also where an outcome is impossible, and the sums are not exact."""
    weighted = OWN + "\ndef probability(g, s, a):\n    return (0.0, 0.1, 0.2, 0.7)[a]\n"
    weighted = weighted.replace(COUNT, COUNT.replace("2", "2 if s[0] < g[0] else 4"))
    weighted = weighted.replace("s[2] = a", "s[2] = a % 2")
    game = load_game(f"rules:{write_rules(tmp_path, weighted)}")
    assert check_game(game).ok
    solver = ImplicitMCCFR(game, seed=5).run(500)
    on_tree = MCCFR(game, sampler="external", seed=5).run(500)
    average = Strategy.from_packed(on_tree.tree, solver.average_strategy()).probabilities
    assert average.tolist() == on_tree.average_strategy().probabilities.tolist()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "error", "fields"),
    [
        ("        s[0] += 1\n", "", GameError, dict(kind="endless")),
        ("return value if", "return np.nan if", GameError, dict(kind="payoffs")),
        (VALUE, "    if s[2] == 1:\n        raise ValueError('odd')\n" + VALUE, GameError,
         dict(kind="exception", given="ValueError")),
        (VALUE, "    value = nothing\n" + VALUE, GameSpecError, dict(place="payoff()")),
        (VALUE, "    value = s[0].foo\n" + VALUE, GameSpecError, dict(place="line 50")),
        (VALUE, "    value = 'a' if p else 2\n" + VALUE, GameSpecError, dict(option="rules")),
        (VALUE, "    import os\n" + VALUE, GameSpecError, dict(place="line 50")),
    ],
)  # fmt: skip
def test_wrong_rules_are_refused(
    tmp_path: Path, old: str, new: str, error: type[EquilibristError], fields: dict[str, str]
) -> None:
    assert OWN.count(old) == 1
    text = OWN.replace("np.uint64(s[1])", "np.uint64(0)").replace(old, new)
    solver = ImplicitMCCFR(f"rules:{write_rules(tmp_path, text)}")
    with refuses(error, **fields):
        solver.run(100)
