"""What a terminal sees: colours, and one live line that never wraps."""

from __future__ import annotations

import fcntl
import os
import re
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from tests.cli.command import PROGRAM
from tests.cli.process.running import ended
from tests.slow_cases import slow_but


@pytest.mark.parametrize(
    ("variables", "bold"), [({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)]
)
def test_colour_only_on_terminals_that_want_it(
    folder: Path, variables: dict[str, str], bold: bool
) -> None:
    leader, follower = os.openpty()
    subprocess.run(
        [*PROGRAM, "games", "rps"],
        stdout=follower,
        check=True,
        env={**os.environ, "TERM": "xterm", **variables},
    )
    os.close(follower)
    written = b""
    try:
        while chunk := os.read(leader, 4096):
            written += chunk
    except OSError:  # a closed terminal ends so
        pass
    os.close(leader)
    assert b"rock_paper_scissors" in written
    assert (b"\x1b[1m" in written) is bold


def test_a_terminal_sees_a_live_line(folder: Path) -> None:
    leader, follower = os.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "solve", "leduc", "--time", "0.5"],
        stdout=subprocess.PIPE,
        stderr=follower,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(follower)
    seen = b""
    try:
        while chunk := os.read(leader, 4096):
            seen += chunk
    except OSError:
        pass
    os.close(leader)
    out, _ = ended(process)
    assert process.returncode == 0
    assert b"\x1b" not in out
    assert b"exploitability" in seen
    assert b"it/s" in seen
    assert b"ETA" in seen


@pytest.mark.by_default(1)
@pytest.mark.parametrize("width", slow_but([40, 80], [40, 60, 79, 80, 120]))
def test_the_live_line_never_wraps(folder: Path, width: int) -> None:
    leader, follower = os.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "LINES"}}
    process = subprocess.Popen(
        [*PROGRAM, "solve", "leduc(players=2)", "--time", "0.3", "--target", "1e-9"],
        stdout=subprocess.DEVNULL,
        stderr=follower,
        env={**environment, "TERM": "xterm"},
    )
    os.close(follower)
    seen = b""
    try:
        while chunk := os.read(leader, 4096):
            seen += chunk
    except OSError:
        pass
    os.close(leader)
    assert process.wait(timeout=60) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode())
    lines = [line.rstrip() for line in re.split(r"[\r\n]+", text.partition("Next: ")[0])]
    assert max(map(len, lines)) < width
    assert any("exploitability" in line for line in lines)
    assert all(line == "" or line[0] in "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏" for line in lines)
