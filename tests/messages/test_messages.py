"""All sentences of errors in one file; `transcript` says how it is read and rewritten."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import equilibrist.errors as module
from equilibrist.errors import EquilibristError, NotationError, UnknownNameError
from equilibrist.options.solve_options import SOLVE_OPTIONS
from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS, SPOT_OPTIONS
from tests.messages.transcript import FILE, run_section, sections
from tests.unhurried import do_not_hurry

TEXT = FILE.read_text("utf-8")
SECTIONS = sections(TEXT)


@pytest.mark.by_default(3)
@pytest.mark.parametrize("name", SECTIONS)
def test_errors_say_what_the_file_says(
    name: str,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After a change of words: `python -m tests.messages`, and review the difference."""
    do_not_hurry(monkeypatch)  # a slow walk gives way to an estimate
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EQUILIBRIST_DEBUG", raising=False)
    monkeypatch.setenv("EQUILIBRIST_DATA_DIR", str(tmp_path_factory.mktemp("data")))
    errors: list[EquilibristError] = []
    found = run_section(SECTIONS[name], tmp_path, errors.append)
    assert found.rstrip("\n") == SECTIONS[name].rstrip("\n")
    assert not [str(error) for error in errors if not _says_what_to_do(error)]


def _says_what_to_do(error: EquilibristError) -> bool:
    """By a remedy, by what was expected, or by pointing at a text whose notation it explains."""
    place = error.place or ""
    if isinstance(error, UnknownNameError | NotationError) or "column " in place:
        return True
    return error.remedy is not None or error.expected is not None


def test_every_class_of_errors_is_in_the_file() -> None:
    classes = [kind for kind in vars(module).values() if isinstance(kind, type)]
    raised = set(re.findall(r"^(\w+Error)\(", TEXT, re.MULTILINE))
    wanted = {kind.__name__ for kind in classes if issubclass(kind, EquilibristError)}
    assert wanted - raised <= {"EquilibristError", "NotationError", "ClusterError"}


def test_every_error_names_what_is_at_fault() -> None:
    assert not re.findall(r"^\w+Error\((?!option=).*$", TEXT, re.MULTILINE)


def _sentences(mark: str) -> list[str]:
    """The sentences of the errors below lines that begin with `mark`."""
    found = re.findall(
        rf"^{re.escape(mark)}.*\n(?:\.\.\. .*\n)*\w+Error\(.*\n((?: .*\n|\n(?= ))+)",
        TEXT,
        re.MULTILINE,
    )
    assert len(found) > 50
    return [str(each) for each in found]


def test_the_command_line_names_no_argument_of_python() -> None:
    """Names with underscores, values given by name, and what stays in backquotes."""
    names = {*SOLVE_OPTIONS, *RUN_OPTIONS, *SPOT_OPTIONS, "max_nodes", "best_response"}
    apart = "|".join(name for name in names if "_" in name)
    python = re.compile(rf"\b(?:{apart})\b|\b(?:{'|'.join(names)})=|`(?:\w+|\w+=.*?)`")
    assert not [each for each in _sentences("$ ") if python.search(each)]


def test_python_names_no_option_of_the_command_line() -> None:
    """But in a whole command, which it may name."""
    sentences = [re.sub("`equilibrist .*?`", "", each) for each in _sentences(">>> ")]
    assert not [each for each in sentences if re.search(r"(?<![\w-])--[a-z]", each)]
