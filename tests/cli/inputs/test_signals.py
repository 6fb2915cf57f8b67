"""What is said where a run is stopped at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.cli.inputs.signals import resumable


def test_a_second_interrupt_names_the_checkpoint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "run.ck"
    saved.write_bytes(b"state")
    with pytest.raises(KeyboardInterrupt), resumable(saved):
        raise KeyboardInterrupt
    assert f"--resume {saved}" in capsys.readouterr().err


@pytest.mark.parametrize("name", [None, "none.ck"])
def test_without_one_it_names_none(
    tmp_path: Path, name: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    with (
        pytest.raises(KeyboardInterrupt),
        resumable(None if name is None else tmp_path / name),
    ):
        raise KeyboardInterrupt
    assert "--resume" not in capsys.readouterr().err


def test_other_ends_say_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with resumable(tmp_path / "run.ck"):
        pass
    with pytest.raises(ValueError, match="other"), resumable(None):
        raise ValueError("other")
    assert capsys.readouterr() == ("", "")
