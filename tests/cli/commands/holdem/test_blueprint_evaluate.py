"""`equilibrist blueprint evaluate`."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from equilibrist.cli.inputs.signals import INTERRUPTED
from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.poker import Hand, build_card_buckets
from equilibrist.poker.blueprint.evaluation import report
from equilibrist.poker.blueprint.evaluation.report import evaluate_blueprint
from equilibrist.poker.blueprint.training.train import train_blueprint
from tests.cli.command import Shell


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blueprint")
    cards = build_card_buckets(
        "all/6/6/4", folder / "q.safetensors", lowest_rank=10, restarts=1, passes=3, sample=1000,
        threads=1,
    )  # fmt: skip
    hand = Hand(stacks="3/4", bets="100%,a", raises="a", ante=0.1, deck="Q")
    blueprint = train_blueprint(hand, cards, iterations=20, batch=16)
    blueprint.save(folder / "b.safetensors")
    return folder / "b.safetensors"


@pytest.mark.slow
def test_text_has_every_part(shell: Shell, file: Path) -> None:
    out = (
        shell(
            f"blueprint evaluate {file} --exploiter 0.2s --card-response --litmus --boards 100 "
            "--lbr --hands 64 --lbr-settings fc,tree:turn"
        )
        .ok()
        .out
    )
    assert "exploitability at least " in out
    assert "card response, exact for the betting tree" in out
    assert "local best response " in out
    assert "tree:turn" in out
    assert "AA before the flop" in out
    assert "nuts on the river" in out
    assert "push or fold" not in out  # its value is of 52 cards


@pytest.mark.slow
def test_intervals_of_few_flops_boards_or_hands_are_said_to_be_rough(
    shell: Shell, file: Path
) -> None:
    few = f"blueprint evaluate {file} --card-response --flops 8 --lbr --hands 48 --lbr-settings fc"
    out = shell(few).ok().out
    assert "few flops" in out
    assert "few boards" in out
    many = few.replace("--flops 8", "--flops 20").replace("--hands 48", "--hands 160")
    assert "few " not in shell(many).ok().out


@pytest.mark.slow
def test_the_time_is_estimated_before_anything_is_measured(shell: Shell, file: Path) -> None:
    asked = f"blueprint evaluate {file} --card-response --flops 20 --lbr --hands 160"
    first, *_ = shell(f"{asked} --exploiter 0.1s --lbr-settings fc,tree").ok().err.splitlines()
    assert first.startswith("takes about ")
    assert "exploiters 0.2 s" in first
    assert "card response on 20 flops" in first
    assert "160 hands of local best responses" in first
    for quiet in ("--quiet", "--json"):
        assert "takes about" not in shell(f"{asked} {quiet}").ok().err


@pytest.mark.slow
def test_json_has_the_python_result(shell: Shell, file: Path) -> None:
    from equilibrist.poker.blueprint.policy import Blueprint

    command = f"blueprint evaluate {file} --card-response --flops 20 --litmus --boards 50 --seed 2"
    command += " --lbr --lbr-settings fcpa --hands 24"
    document = json.loads(shell(f"{command} --json").ok().out)
    found = evaluate_blueprint(
        Blueprint.load(file),
        response_flops=20,
        litmus=True,
        boards=50,
        seed=2,
        lbr=["fcpa"],
        hands=24,
    )
    assert document.pop("blueprint")["iterations"] == 20
    assert document.pop("stopped_by") is None
    assert document == json.loads(json.dumps(found.to_dict()))
    assert document["exploiter"] is None
    assert document["card_response"]["kind"] == "lower bound"
    assert document["lbr"]["setting"] == "fcpa:preflop"


@pytest.mark.parametrize("options", ["--exploiter 0.1s", "--card-response --flops 20"])
def test_an_interrupt_loses_no_part_that_is_complete(
    shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    def interrupted(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(report, "local_response", interrupted)
    line = f"blueprint evaluate {file} --boards 50 --lbr --litmus"
    ran = shell(f"{line} {options}")
    assert ran.code == INTERRUPTED
    assert "exploitability at least " in ran.out
    assert "not measured" in ran.err
    document = json.loads(shell(f"{line} {options} --json").out)
    assert document["interrupted"]
    assert (document["lbr"], document["litmus"]) == (None, None)
    part = "exploiter" if "exploiter" in options else "card_response"
    assert document[part] is not None
    none = shell(line)
    assert (none.code, none.out) == (INTERRUPTED, "")


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs alarms")
def test_the_limit_of_time_holds_for_all_parts_together(
    shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time is over while local best responses are played."""

    def played(*_args: object, **_options: object) -> None:
        signal.raise_signal(signal.SIGALRM)
        pytest.fail("nothing ended it")

    line = f"blueprint evaluate {file} --boards 50 --card-response --flops 20 --lbr --litmus"
    monkeypatch.setattr(report, "local_response", played)
    ran = shell(f"{line} --time 1h --quiet")
    assert ran.code == 0
    assert "exploitability at least " in ran.out
    assert "Cut short by --time 1:00:00" in ran.out
    document = shell(f"{line} --time 1h --json").ok().json
    assert document["stopped_by"] == "seconds"
    assert document["card_response"] is not None
    assert (document["lbr"], document["litmus"]) == (None, None)
    monkeypatch.setattr(report, "own_values", played)
    shell(f"{line} --time 1h --quiet").refused(EquilibristError, option="--time", given=3600.0)


def test_exploiters_that_take_longer_than_all_are_refused(shell: Shell, file: Path) -> None:
    asked = shell(f"blueprint evaluate {file} --exploiter 10 --time 20")
    asked.refused(ConfigError, option="--time", given=20.0)


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ("", "--exploiter"),
        ("--litmus --flops 20", "--flops"),
        ("--litmus --hands 20", "--hands"),
        ("--litmus --lbr-settings fc", "--lbr-settings"),
        ("--lbr --hands 3", "hands"),
    ],
)
def test_what_does_not_fit_is_refused(shell: Shell, file: Path, options: str, option: str) -> None:
    shell(f"blueprint evaluate {file} {options}").refused(ConfigError, option=option)
