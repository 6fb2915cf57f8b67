"""Commands that take games take payoff tables, and the others say which command does."""

from __future__ import annotations

from pathlib import Path

from equilibrist.errors import FileFormatError, GameSpecError
from tests.cli.command import Shell
from tests.games.test_payoffs import FORMS


def test_commands_take_them(shell: Shell, folder: Path) -> None:
    (folder / "pd.tsv").write_text(FORMS["pairs.tsv"][0])
    (folder / "sel.nfg").write_text(FORMS["payoffs.nfg"][0])
    (folder / "coins").write_text("1 -1\n-1 1\n")
    assert "C" in shell("solve pd.tsv --iterations 20").out
    assert "pd.tsv" in shell("inspect last").out
    assert shell("inspect sel.nfg").code == 0
    assert shell("play pd.tsv --seats ai,ai --hands 1 --quiet").code == 0
    assert shell("check sel.nfg").code == 0
    shell("solve coins --iterations 2").refused(GameSpecError, option="game", given="coins")
    assert shell("solve payoffs:coins --iterations 2").code == 0
    for line in ("evaluate pd.tsv --game kuhn", "match sel.nfg uniform", "postflop show pd.tsv"):
        error = shell(line).one_error().error
        assert isinstance(error, FileFormatError)
        assert error.given in ("payoff-table", "normal-form")
        assert "equilibrist" in str(error.remedy)
