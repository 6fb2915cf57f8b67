"""Trembles, logit responses and `equilibrist postflop mistakes`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist import load_result
from equilibrist.errors import CheckpointError, ConfigError
from equilibrist.poker import PostflopResult, Spot, solve
from tests.cli.command import Shell

KEYS = '--board Td9d6hQc2s --oop "QJs,T8s:0.5,99,A5s" --ip "KTs:0.25,JTs,98s,66,A2s" --pot 100'
KEYS += ' --stack 300 --bets "50%, a" --raises 60%'


def test_mistakes_of_a_stored_solution(shell: Shell, folder: Path) -> None:
    shell(f"postflop solve {KEYS} --iterations 300 --out out.spot").ok()
    printed = shell("postflop mistakes out.spot").ok().out.splitlines()
    assert "exploitability" in printed[0]
    document = shell("postflop mistakes out.spot --below 100% --json").ok().json
    assert document["iterations"] == 300
    (river, every) = document["summary"]
    assert (river["street"], every["street"]) == ("river", "all")
    assert river["mistakes"] == every["mistakes"] == len(document["mistakes"])
    assert {"line", "loss", "loss_alike", "frequency"} <= document["mistakes"][0].keys()
    shell("postflop mistakes out.spot --below often").refused(
        ConfigError, option="below", given="often"
    )
    shell("postflop mistakes out.spot --worst -1").refused(ConfigError, option="worst", given=-1)
    shell("postflop mistakes out.spot --quantal 0.01").refused(ConfigError, option="--quantal")


@pytest.mark.slow
def test_options_reach_the_run(shell: Shell, folder: Path) -> None:
    document = shell(f"postflop solve {KEYS} --iterations 5 --quantal 0.05 --json").ok().json
    assert (document["quantal"], document["tremble"]) == (0.05, None)
    assert document["temperature"] > 0.05
    command = f"postflop solve {KEYS} --tremble 0.01 --iterations"
    printed = shell(f"{command} 5 --checkpoint a.ckpt").ok().out
    assert "trembles" in printed
    assert "but for decisions with locks" not in printed
    locked = f"{command} 5 --lock 'X: frequency = Check 40%'"
    assert "but for decisions with locks" in shell(locked).ok().out
    assert (
        shell("postflop solve --resume a.ckpt --iterations 8 --json").ok().json["tremble"] == 0.01
    )
    shell("postflop solve --resume a.ckpt --iterations 9 --tremble 0.02").refused(
        CheckpointError, option="tremble", given=0.02
    )
    shell(f"postflop solve {KEYS} --quantal 2 --iterations 1").refused(
        ConfigError, option="quantal"
    )
    for option in ("--tremble 0.1", "--quantal 0.1"):
        turn = KEYS.replace("Td9d6hQc2s", "Td9d6hQc")
        shell(f"postflop solve {turn} --values check-down --iterations 1 {option}").refused(
            ConfigError, option=option.split()[0]
        )


@pytest.mark.slow
@pytest.mark.parametrize("option", [{"tremble": 0.01}, {}])
def test_nodes_say_who_never_comes_there(
    shell: Shell, folder: Path, option: dict[str, Any]
) -> None:
    """IP never raises what it could only call: with trembles it does, now and then."""
    spot = Spot(board="Ts3h2h5c9s", oop="AA", ip="KK,98s:0.01", pot=100, stack=100, bets="a")
    solution = solve(spot, iterations=300, storage="float64", **option)
    solution.save(folder / "out.spot")
    loaded = load_result(folder / "out.spot")
    assert isinstance(loaded, PostflopResult)
    for line in ("", "X", "A"):
        absent = solution.at(line).absent
        assert loaded.at(line).absent == absent
        printed = shell(f"postflop show out.spot --line '{line}'").ok().out
        assert ("not reached" in printed) == bool(absent)
    if option:
        assert not any(solution.at(line).absent for line in ("", "X", "A"))
    else:
        assert solution.at("").absent == ()
        assert solution.at("X-A").absent == ("ip",)
