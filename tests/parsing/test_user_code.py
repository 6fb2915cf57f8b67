"""Failures of users' code: their own frames, none of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, GameError, UnsupportedError
from equilibrist.parsing.user_code import failure_text, load_object, public_names
from equilibrist.tree.walk.user_errors import user_error
from tests.refusals import refuses

RULES = """
import json

class Rules:
    def next(self, state, action):
        return json.loads("{")

    def player(self, state):
        return self.player(state)

    def infoset(self, state):
        raise Unprintable

class Unprintable(Exception):
    def __str__(self):
        raise ValueError
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.py").write_text(RULES)
    made = load_object("rules.py", "Rules", ConfigError)
    assert isinstance(made, type)
    return made()


def raised_by(game: object, method: str, *arguments: object) -> Exception:
    try:
        getattr(game, method)(*arguments)
    except Exception as error:
        # The first frame is this test's; what catches a user's error in earnest is ours.
        frames = error.__traceback__
        return error.with_traceback(frames.tb_next if frames else None)
    raise AssertionError


def test_library_frames_are_left_out(game: object) -> None:
    text = failure_text(raised_by(game, "next", (), 0))
    first, *frames = text.splitlines()
    assert first.startswith("JSONDecodeError: Expecting property name")
    assert frames == ['  rules.py:6, in next: return json.loads("{")']


def test_deep_recursions_are_cut(game: object) -> None:
    lines = failure_text(raised_by(game, "player", ())).splitlines()
    assert lines[0].startswith("RecursionError")
    assert lines[1].endswith("outer frames of yours left out")
    assert lines[2:] == ["  rules.py:9, in player: return self.player(state)"] * 3


def test_exceptions_that_cannot_be_printed(game: object) -> None:
    text = failure_text(raised_by(game, "infoset", ()))
    assert text.splitlines()[0] == "Unprintable: (its text cannot be shown)"


def test_user_error_carries_method_frame_and_history(game: object) -> None:
    error = user_error(game, "next", ("deal", "bet"), raised_by(game, "next", (), 0))
    assert isinstance(error, GameError)
    assert error.history == ("deal", "bet")
    lines = str(error).splitlines()
    assert lines[0].startswith("Rules.next raised JSONDecodeError")
    assert lines[1].startswith("  rules.py:6, in next")
    assert lines[-1] == "  (history: deal > bet)"


def test_our_own_errors_keep_their_words(game: object) -> None:
    error = user_error(game, "next", ("deal",), UnsupportedError("no such thing"))
    assert str(error) == "Rules.next refused: no such thing (history: deal)"


def test_loading_raises_what_the_caller_asks_for(tmp_path: Path) -> None:
    with refuses(ConfigError, option="file", given=tmp_path):
        load_object(str(tmp_path), "Rules", ConfigError)
    (tmp_path / "empty.py").write_text("")
    with refuses(ConfigError, option="Rules"):
        load_object(str(tmp_path / "empty.py"), "Rules", ConfigError)


def test_public_names(tmp_path: Path) -> None:
    file = tmp_path / "names.py"
    file.write_text("class A: ...\ndef b(): ...\nc = d = 1\n_e = 2\nimport os\n")
    assert public_names(str(file)) == ("A", "b", "c", "d")
    assert public_names(str(tmp_path / "missing.py")) == ()
