"""`equilibrist blueprint train`: what Python trains, pauses, storage, and several seats."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    FileFormatError,
    UnsupportedError,
)
from equilibrist.poker.blueprint.policy import Blueprint
from tests.cli.command import Shell
from tests.cli.commands.holdem.conftest import HAND


def test_training_is_that_of_python(shell: Shell, folder: Path, tmp_path: Path) -> None:
    from equilibrist.poker.blueprint.training.train import train_blueprint

    found = Blueprint.load(folder / "b.safetensors")
    again = train_blueprint(found.hand, found.cards, iterations=5, batch=8)
    np.testing.assert_array_equal(found.bucket_probabilities(0), again.bucket_probabilities(0))
    cards = folder / "c.safetensors"
    ran = shell(
        f"blueprint train {HAND} --cards {cards} --iterations 5 --batch 8 --json "
        f"-o {tmp_path / 'j.safetensors'}"
    ).ok()
    assert ran.json["boards"] == 40
    assert ran.json["cards"] == found.cards.hash
    assert ran.json["value_mbb"] == found.record["value_mbb"]


@pytest.mark.slow
def test_training_in_16_bits(shell: Shell, folder: Path, tmp_path: Path) -> None:
    cards, state = folder / "c.safetensors", tmp_path / "b.ckpt"
    start = f"blueprint train {HAND} --cards {cards} --batch 8"
    ran = shell(f"{start} --storage int16 --iterations 2 --checkpoint {state} --json").ok()
    assert ran.json["storage"] == "int16"
    assert shell(f"inspect {state} --json").ok().json["storage"] == "int16"
    again = shell(f"blueprint train --resume {state} --iterations 5 --json").ok().json
    whole = shell(f"{start} --storage int16 --iterations 5 --json -o {tmp_path / 'b'}").ok().json
    same = ("average_regret_mbb", "value_mbb", "storage", "boards")
    assert [again[key] for key in same] == [whole[key] for key in same]
    given = f"{start} --iterations 1 -o {tmp_path / 'c'}"
    shell(f"{given} --storage int8").misused("int8")
    shell(f"{given} --storage int16 --algorithm external").refused(ConfigError, option="storage")
    shell(f"{given} --storage int16 --workers 2").refused(ConfigError, option="storage")
    kept = shell(f"blueprint train --resume {state} --storage int16 --iterations 9")
    kept.refused(ConfigError, option="storage")


def test_resume_from_the_command_line(shell: Shell, folder: Path, tmp_path: Path) -> None:
    state, out = tmp_path / "b.ckpt", tmp_path / "b.safetensors"
    cards = folder / "c.safetensors"
    shell(
        f"blueprint train {HAND} --cards {cards} --iterations 2 --batch 8 --checkpoint {state}"
    ).ok()
    shell(f"blueprint train --resume {state} --iterations 5 -o {out}").ok()
    np.testing.assert_array_equal(
        Blueprint.load(out).bucket_probabilities(0),
        Blueprint.load(folder / "b.safetensors").bucket_probabilities(0),
    )
    again = shell(f"blueprint train --resume {state} --stack 6 --iterations 9 -o {out}")
    again.refused(ConfigError, option="stack")
    past = shell(f"blueprint train --resume {state} --iterations 4 -o {out}")
    past.refused(CheckpointError, option="iterations", given=4, expected=5)
    same = shell(f"blueprint train --resume {state} --iterations 9 -o {state}")
    same.refused(ConfigError, option="--out", given=state)
    out.unlink()
    ended = shell(f"blueprint train --resume {state} --iterations 5 -o {out}").ok()
    assert "nothing was trained" in ended.err
    assert out.exists()


def test_the_checkpoint_of_a_training(shell: Shell, folder: Path, tmp_path: Path) -> None:
    state, cards = tmp_path / "b.ckpt", folder / "c.safetensors"
    train = f"blueprint train {HAND} --cards {cards} --batch 8 --checkpoint {state}"
    shell(f"{train} --iterations 2 --seed 3").ok()
    told = shell(f"inspect {state} --json").ok().json
    keys = ("kind", "algorithm", "iteration", "boards", "seed", "game")
    found = Blueprint.load(folder / "b.safetensors")
    assert [told[key] for key in keys] == [
        "blueprint-checkpoint", "vector", 2, 16, 3, found.hand.name,
    ]  # fmt: skip
    assert told["cards"]["hash"] == found.cards.hash
    assert 0 < told["seconds"] < 60
    command = f"equilibrist blueprint train --resume {state} --time 10m"
    assert told["resume"] == command
    shown = shell(f"inspect {state}").ok()
    assert ["boards", "16"] in [line.split() for line in shown.out.splitlines()]
    assert command in shown.err
    refused = shell(f"evaluate {state}")
    refused.refused(FileFormatError, option="format", given="blueprint-checkpoint")
    assert f"`{command} --out OUT`" in refused.err.replace("\n", " ")
    content = bytearray(state.read_bytes())
    content[-4] ^= 0xFF
    state.write_bytes(content)
    shell(f"inspect {state}").refused(CheckpointError)


def test_three_seats(shell: Shell, folder: Path, tmp_path: Path) -> None:
    out, cards = tmp_path / "three.safetensors", folder / "c.safetensors"
    hand = "--stacks 4/3/5 --seats 3 --deck T --bets a --raises a"
    words = f"blueprint train {hand} --cards {cards} --iterations 1 --threads 1"
    told = shell(f"{words} --batch 500 --json -o {out}").ok().json
    assert told["algorithm"] == "external"
    assert told["boards"] == 500
    lines = shell(f"blueprint show {out}").ok().out.splitlines()
    assert "after the deal the button acts" in lines
    ranges = shell(f"blueprint export {out} --line F-A --json").ok().json
    assert ranges.keys() == {"line", "reach", "small_blind", "big_blind", "button"}
    assert ranges["reach"].keys() == {"line", "small_blind", "big_blind", "button"}
    refused = shell(f"{words} --algorithm vector -o {out}")
    refused.refused(UnsupportedError, option="seats", given=3)
    refused = shell(f"postflop solve --from {out} --line C-C-X --board AsKsTh7d2c --bets 50%")
    refused.refused(UnsupportedError, option="seats", given=3)


def test_exploiters_in_between(folder: Path) -> None:
    from equilibrist.cli.commands.holdem.blueprint_train import _exploited
    from equilibrist.cli.text.holdem.blueprint_text import live_texts
    from equilibrist.progress import Progress

    found = Blueprint.load(folder / "b.safetensors")
    gain = _exploited(0.01, 1)(found)
    progress = Progress(
        algorithm="vector",
        iteration=3,
        seconds=1.0,
        iterations_per_second=3.0,
        deals=144,
        deals_per_second=144.0,
        updates=3,
        average_regret=50.0,
        evaluated=gain,
    )
    assert f"exploiter {gain.gain.mean:.1f}" in live_texts(progress)[0]


def test_what_is_no_hand_is_refused_before_buckets_are_asked_for(
    shell: Shell, folder: Path
) -> None:
    log = folder / "one.log"
    log.write_text("STATE:0:r300f:AsKs|QdQc:100|-100:A|B\n")
    shell(f"blueprint train {log} -o b.blueprint").refused(FileFormatError)
