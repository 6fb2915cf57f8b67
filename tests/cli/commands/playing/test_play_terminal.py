"""`equilibrist play` at a terminal, and in a process that is killed or loses its reader."""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.play import read_log
from tests.cli.command import PROGRAM


@pytest.fixture(autouse=True)
def solutions(folder: Path) -> None:
    """Solved games in the working folder, so that no test solves them again."""
    for name in ("kuhn", "leduc"):
        eq.solve(name, iterations=100, files=eq.Files(out=f"{name}-dcfr.safetensors"))


class Terminal:
    """The program at a terminal of its own."""

    def __init__(self, line: str) -> None:
        self.leader, follower = os.openpty()
        self.process = subprocess.Popen(
            [*PROGRAM, *shlex.split(line)],
            stdin=follower,
            stdout=follower,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TERM": "xterm"},
            start_new_session=True,
        )
        os.close(follower)
        self.seen = ""

    def until(self, text: str) -> str:
        """What appears up to and including `text`."""
        end = time.monotonic() + 30
        while text not in self.seen:
            left = end - time.monotonic()
            assert select.select([self.leader], [], [], max(0.0, left))[0], self.seen
            try:
                self.seen += os.read(self.leader, 4096).decode()
            except OSError:
                break
        assert text in self.seen, self.seen
        before, _, self.seen = self.seen.partition(text)
        return before + text

    def type(self, text: str) -> None:
        os.write(self.leader, text.encode())

    def interrupt(self) -> None:
        """Press Ctrl-C once the program waits for a key.

        Python does not notice a signal between its last look for one and the wait for a line.
        """
        status = Path(f"/proc/{self.process.pid}/stat")
        while status.exists() and status.read_text().rpartition(")")[2].split()[0] != "S":
            time.sleep(0.01)
        time.sleep(0.2)
        self.process.send_signal(signal.SIGINT)

    def rest(self) -> str:
        try:
            while select.select([self.leader], [], [], 30)[0]:
                self.seen += os.read(self.leader, 4096).decode()
        except OSError:  # a closed terminal ends so
            pass
        self.process.wait(timeout=30)
        os.close(self.leader)
        return self.seen


def test_a_person_at_a_terminal() -> None:
    terminal = Terminal("play kuhn --seed 1")
    assert "your card" in terminal.until("you> ")
    terminal.type("nonsense\n")
    assert "is not one of the actions" in terminal.until("you> ")
    terminal.type("b\n")
    assert "is over" in terminal.until("you> ")
    terminal.type("\x04")  # Ctrl-D
    assert "the score after 1 hand" in terminal.rest()
    assert terminal.process.returncode == 0


@pytest.mark.slow
def test_ctrl_c_at_a_terminal_shows_the_score() -> None:
    terminal = Terminal("play kuhn --seed 1")
    terminal.until("you> ")
    terminal.type("b\n")
    terminal.until("you> ")
    terminal.interrupt()
    rest = terminal.rest()
    assert "the score after 1 hand" in rest
    assert "\n" in rest.partition("kuhn: the score")[0]  # not behind the prompt
    assert terminal.process.returncode == 130


def test_two_people_at_a_terminal_do_not_see_each_other() -> None:
    terminal = Terminal("play kuhn --seats human,human --seed 1")
    first = terminal.until("Press Enter")
    assert "\x1b[2J" in first
    assert "person 1 (player 0)" in first
    assert "your card" not in first
    terminal.type("\n")
    assert "your card" in terminal.until("person 1> ")
    terminal.type("bet\n")
    assert "\x1b" not in terminal.until("Press Enter when you have read this")
    terminal.type("\n")
    between = terminal.until("Press Enter when only you")
    assert "\x1b[2J\x1b[3J\x1b[H" in between
    assert "your card" not in between.split("\x1b[H")[-1]
    terminal.type("\n")
    assert "moves      bet" in terminal.until("person 2> ")
    terminal.type("pass\n")
    assert "is over: person 1 +1, person 2 -1" in terminal.until("Press Enter when you have read")
    terminal.type("\n")
    assert "person 2 (player 0)" in terminal.until("Press Enter when only you")
    terminal.type("\n")
    terminal.until("person 2> ")
    terminal.type("q\n")
    assert "the score after 1 hand" in terminal.rest()
    assert terminal.process.returncode == 0


@pytest.mark.slow
def test_a_killed_program_loses_no_hand(folder: Path) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "play", "kuhn", "--seed", "1", "--log", "hands.jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("bet\npass\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith("Hand 3:"):
            break
    process.kill()
    process.communicate(timeout=60)
    (session,) = read_log("hands.jsonl")
    assert len(session.hands) == 2
    for hand in session.hands:
        hand.replay(eq.load_game("kuhn"))


@pytest.mark.slow
def test_a_reader_that_goes_away_costs_no_hand(folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*PROGRAM, "play", "kuhn", "--seats", "ai,uniform", "--hands", "3", "--log", "h.jsonl"],
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    assert done.returncode in (0, 141)
    assert "Traceback" not in done.stderr
    assert len(read_log("h.jsonl")[0].hands) >= 1
