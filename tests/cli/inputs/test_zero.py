"""Zero: no limit of a run may be 0, while a checkpoint may be saved at every opportunity."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist import Stop
from equilibrist.errors import ConfigError
from tests.cli.command import Shell
from tests.refusals import refuses

SPOT = "--board Td9d6h2c3s --oop TT --ip QQ --pot 60 --stack 100"


@pytest.mark.parametrize("line", ["solve kuhn", "compare kuhn", f"postflop solve {SPOT}"])
def test_no_limit_is_zero(shell: Shell, folder: Path, line: str) -> None:
    for name, flag in (("iterations", "-n"), ("seconds", "--time"), ("target", "--target")):
        flag = "--iterations" if (flag, line[0]) == ("-n", "p") else flag
        shell(f"{line} {flag} 0").refused(ConfigError, option=name)


def test_no_target_of_a_spot_is_zero() -> None:
    for target in ("0%", "0c", "0.0 chips", ".0%"):
        with refuses(ConfigError, option="target", given=target):
            Stop(target=target)


@pytest.mark.parametrize("line", ["solve kuhn", f"postflop solve {SPOT}"])
def test_no_time_may_pass_between_checkpoints(shell: Shell, folder: Path, line: str) -> None:
    shell(f"{line} --iterations 3 --checkpoint a --checkpoint-every 0").ok()
    assert Path("a").exists()
