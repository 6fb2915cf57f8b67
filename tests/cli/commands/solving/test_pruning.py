"""`solve --prune` and `compare --prune`: what they print and take."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.cli.text.progress import progress_texts
from equilibrist.errors import ConfigError
from equilibrist.library.saved_runs import how_to_resume
from equilibrist.progress import Progress
from equilibrist.solving import Files, Traversal, solve
from tests.cli.command import Shell


def test_the_report_says_what_was_visited(shell: Shell) -> None:
    out = shell("solve kuhn -a cfr --prune partial -n 1000").ok().out
    assert "visited 93,174 of 116,000 histories (80.3 %)" in out
    assert "41,452 of 60,000 terminals (69.1 %)" in out
    document = shell("solve kuhn -a cfr --prune partial -n 1000 --json").ok().json
    assert document["pruning"]["nodes_touched"] == document["trace"][-1]["nodes"] == 93_174
    stored = shell("solve kuhn --prune best-response -n 1000").ok().out
    assert "of 12 infosets and 22 of 24 pairs of infoset and action had regrets stored" in stored


def test_the_line_of_progress_counts() -> None:
    told: list[Progress] = []
    solve("kuhn", traversal=Traversal(prune="interval"), iterations=20, callbacks=told.append)
    line = progress_texts(told[-1])[0]
    assert f"{told[-1].nodes_touched:,} nodes" in line
    assert "it/s" in line


def test_refusals_and_the_way_out(shell: Shell) -> None:
    shell("solve kuhn --prune interval -a cfr+ -n 5").refused(
        ConfigError, option="prune", given="interval"
    )
    shell("solve kuhn --prune partial -s external -n 5").refused(
        ConfigError, option="prune", given="partial"
    )
    out = shell("compare kuhn -a cfr,lcfr --prune interval -n 50").ok().out
    assert "lcfr" in out


def test_a_saved_run_is_resumed_with_its_pruning(tmp_path: Path) -> None:
    file = tmp_path / "run"
    solve(
        "kuhn",
        "hedge",
        traversal=Traversal(prune="threshold(c=0.5)"),
        iterations=5,
        files=Files(checkpoint=file),
    )
    assert "--prune 'threshold(c=0.5)'" in how_to_resume(file)


@pytest.mark.parametrize("command", ["solve", "compare"])
def test_the_help_names_it(command: str, shell: Shell) -> None:
    assert "--prune" in shell(f"{command} --help").ok().out
