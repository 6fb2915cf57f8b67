"""All sentences of errors in one file; `transcript` says how it is read and rewritten."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import equilibrist.errors as module
from equilibrist.errors import EquilibristError
from tests.messages.transcript import FILE, run_section, sections

TEXT = FILE.read_text("utf-8")
SECTIONS = sections(TEXT)


@pytest.mark.parametrize("name", SECTIONS)
def test_errors_say_what_the_file_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change of words: `python -m tests.messages`, and review the difference."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EQUILIBRIST_DEBUG", raising=False)
    found = run_section(SECTIONS[name], tmp_path)
    assert found.rstrip("\n") == SECTIONS[name].rstrip("\n")


def test_every_class_of_errors_is_in_the_file() -> None:
    classes = [kind for kind in vars(module).values() if isinstance(kind, type)]
    raised = set(re.findall(r"^(\w+Error)\(", TEXT, re.MULTILINE))
    wanted = {kind.__name__ for kind in classes if issubclass(kind, EquilibristError)}
    assert wanted - raised <= {"EquilibristError", "NotationError", "ClusterError"}


def test_every_error_names_what_is_at_fault() -> None:
    assert not re.findall(r"^\w+Error\((?!option=).*$", TEXT, re.MULTILINE)
