"""Improbable paths on the command line."""

from __future__ import annotations

from equilibrist.errors import ConfigError
from tests.cli.command import Shell

GAME = "leduc(suit_isomorphism=true)"


def test_the_command(shell: Shell) -> None:
    ran = shell(f"solve '{GAME}' --drop-below 0.04 -a cfr+ -n 20 --quiet --json").ok().json
    assert ran["config"]["drop_below"] == 0.04
    assert ran["exploitability"] > 0.5
    shell("solve kuhn --drop-below 2").refused(ConfigError, option="drop_below")
    shell("solve kuhn --drop-play uniform").refused(ConfigError, option="drop_play")
