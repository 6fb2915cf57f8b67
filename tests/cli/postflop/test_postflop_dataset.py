"""`equilibrist postflop dataset` and `train`: rows in parts, networks from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equilibrist.errors import CheckpointError, ConfigError, FileFormatError, OutputError
from equilibrist.learned.holdem_values import HoldemValues, load_holdem_values, training
from equilibrist.storage.kinds.file_kinds import HOLDEM_CHECKPOINT, HOLDEM_NETWORK
from tests.cli.command import Shell

FEW = "--solved 0 --max-ratio 0.5 --bets a --raises '' --threads 1"
MAKE = f"postflop dataset --street river --out rows {FEW}"
TRAIN = "postflop train rows -o net.safetensors"


@pytest.fixture(autouse=True)
def _in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_rows_are_made_and_more_of_them_later(shell: Shell) -> None:
    first = shell(f"{MAKE} --spots 1 --json").ok().json
    assert (first["rows"], first["made"], first["stopped_by"]) == (1, 1, "spots")
    shell(f"{MAKE} --spots 2").refused(ConfigError, option="folder")
    more = shell(f"{MAKE} --spots 2 --resume").ok()
    assert "2 of 2 situations in rows, 2 of them made now" in more.out
    other = shell(f"{MAKE} --spots 2 --resume --seed 1")
    other.refused(ConfigError, option="seed", given=1, expected=0)
    shell("inspect rows/rows-000000.safetensors").refused(FileFormatError, option="format")


@pytest.mark.parametrize(("option", "given"), [("--solved", 0.2), ("--max-ratio", 3.0)])
def test_whole_streets_draw_nothing(shell: Shell, option: str, given: float) -> None:
    line = f"postflop dataset --street turn --out rows --whole-streets --spots 1 {option} {given}"
    shell(line).refused(ConfigError, option=option, given=given)
    assert not Path("rows").exists()


def test_training_refuses_what_cannot_be(shell: Shell) -> None:
    shell(f"{TRAIN} --resume").refused(ConfigError, option="--resume")
    shell(f"{TRAIN} --hidden wide").refused(ConfigError, option="--hidden", given="wide")
    assert "Errno" not in f"{shell(TRAIN).refused(FileFormatError, option='folder').error}"


def test_a_foreign_checkpoint_is_named_for_what_it_is(shell: Shell) -> None:
    Path("rows").mkdir()
    Path("rows/dataset.json").write_text(
        json.dumps({"format": "equilibrist-holdem-dataset-1", "street": "river"})
    )
    HoldemValues.untrained("river", (8,)).save("other.safetensors")
    line = f"{TRAIN} --checkpoint other.safetensors"
    shell(f"{line} --resume").refused(
        CheckpointError, given=HOLDEM_NETWORK, expected=HOLDEM_CHECKPOINT
    )
    shell(line).refused(OutputError, given=HOLDEM_NETWORK, expected=HOLDEM_CHECKPOINT)


def test_rows_go_to_a_folder_of_their_own(shell: Shell) -> None:
    Path("notes.md").write_text("mine")
    shell("postflop dataset --street river --spots 1 --out .").refused(
        OutputError, option="folder", given="notes.md"
    )
    assert [path.name for path in Path().iterdir()] == ["notes.md"]
    made = shell("postflop dataset --street river --spots 1 --out notes.md")
    assert made.refused(OutputError, option="folder").error.remedy
    for flag in ("--solved", "--max-ratio"):
        shell(f"postflop dataset --street river --spots 1 --out new {flag} -2").refused(
            ConfigError, option=flag, given=-2.0
        )


def test_a_fit_that_was_interrupted_saves_its_network(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = training.ValueErrors(1, 0.0, 0.0, (0.0,) * 10, ())
    report = training.TrainingReport(
        values=HoldemValues.untrained("river", (8,)),
        errors=errors,
        check_down=errors,
        grid=errors,
        rows=1,
        steps=1,
        best_step=1,
        losses=((1, 0.0, 0.0),),
        seconds=0.0,
        stopped_by="interrupted",
    )
    monkeypatch.setattr(training, "train", lambda *_, **__: report)
    ended = shell(f"{TRAIN} --json")
    assert (ended.code, ended.json["stopped_by"]) == (130, "interrupted")
    assert load_holdem_values("net.safetensors").street == "river"


@pytest.mark.nets
def test_a_network_is_trained_from_rows(shell: Shell) -> None:
    shell(f"{MAKE} --spots 40").ok()
    line = f"{TRAIN} --steps 20 --hidden 8 --batch 8 --checkpoint run.ckpt"
    found = shell(line).ok()
    assert "held-out boards" in found.out
    assert load_holdem_values("net.safetensors").street == "river"
    shell(f"{MAKE} --spots 41 --resume").ok()
    refusal = shell(f"{line} --resume").refused(CheckpointError, given=40, expected=41)
    assert "--rows 40" in f"{refusal.error.remedy}"
    shell(f"{line} --resume --rows 40").ok()
