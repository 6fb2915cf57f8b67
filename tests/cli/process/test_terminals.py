"""What a terminal sees: colours, and one live line that never wraps."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from equilibrist.cli.inputs.signals import INTERRUPTED
from tests.cli.command import PROGRAM
from tests.cli.process.running import ended


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


def watched(leader: int, process: subprocess.Popen[bytes], *texts: bytes) -> bytes:
    """All that a run writes to its terminal; it is interrupted when it has written the texts."""
    seen, waits = b"", True
    try:
        while chunk := os.read(leader, 4096):
            seen += chunk
            if waits and all(text in seen for text in texts):
                process.send_signal(signal.SIGINT)
                waits = False
    except OSError:
        pass
    os.close(leader)
    return seen


@pytest.mark.slow
def test_a_terminal_sees_a_live_line(folder: Path) -> None:
    leader, follower = os.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "solve", "leduc", "--time", "600"],
        stdout=subprocess.PIPE,
        stderr=follower,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(follower)
    watched(leader, process, b"exploitability", b"it/s", b"ETA")
    out, _ = ended(process)
    assert process.returncode == INTERRUPTED
    assert b"\x1b" not in out


@pytest.mark.slow
@pytest.mark.parametrize("width", [40, 60, 79, 80, 120])
def test_the_live_line_never_wraps(folder: Path, width: int) -> None:
    leader, follower = os.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "LINES"}}
    process = subprocess.Popen(
        [*PROGRAM, "solve", "leduc(players=2)", "--time", "600", "--target", "1e-9"],
        stdout=subprocess.DEVNULL,
        stderr=follower,
        env={**environment, "TERM": "xterm"},
    )
    os.close(follower)
    seen = watched(leader, process, b"exploitability")
    assert process.wait(timeout=60) == INTERRUPTED
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode())
    lines = [line.rstrip() for line in re.split(r"[\r\n]+", text.partition("Next: ")[0])]
    live = [line for line in lines if line and line[0] in "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"]
    assert max(map(len, live)) < width
    assert any("exploitability" in line for line in live)
    assert [line for line in lines if line and line not in live] == []
