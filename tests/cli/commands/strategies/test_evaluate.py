"""`evaluate`: solutions measured again, and best responses."""

from __future__ import annotations

import pytest

from equilibrist.results import Result
from tests.cli.command import Shell


def test_a_saved_solution_is_measured_again(shell: Shell, solution: str) -> None:
    saved = Result.load(solution)
    document = shell(f"evaluate {solution} --json").ok().json
    assert document["game"] == "kuhn"
    assert document["values"] == pytest.approx(saved.values)
    assert document["gains"] == pytest.approx(saved.gains)
    assert document["nash_conv"] == pytest.approx(saved.nash_conv)
    assert document["exploitability"] == pytest.approx(saved.nash_conv / 2)
    assert document["best_response_values"] == pytest.approx(
        [v + g for v, g in zip(saved.values, saved.gains, strict=True)]
    )
    assert document["best_response"] is None
    out = shell(f"evaluate {solution}").ok().out
    assert f"the strategy in {solution}" in out
    assert "alpha = " in out


@pytest.mark.parametrize("suffix", ["csv", "json", "safetensors"])
@pytest.mark.parametrize("player", [0, 1])
def test_the_exploiting_strategy_earns_what_it_promises(
    shell: Shell, solution: str, suffix: str, player: int
) -> None:
    promised = shell(
        f"evaluate {solution} --best-response exploit.{suffix} --player {player} --json"
    ).ok().json  # fmt: skip
    response = promised["best_response"]
    assert response["player"] == player
    assert response["value"] == promised["best_response_values"][player]
    assert response["gain"] == promised["gains"][player] > 1e-4
    kept = shell(f"evaluate exploit.{suffix} --game kuhn --json").ok().json
    assert kept["values"][player] == pytest.approx(response["value"], abs=1e-12)
    assert kept["gains"][player] == pytest.approx(0, abs=1e-12)


def test_the_report_says_where_the_best_response_went(shell: Shell, solution: str) -> None:
    out = shell(f"evaluate {solution} --best-response a.csv --player 1").ok().out
    assert "Best response of player 1: value" in out
    assert "saved to a.csv" in out


def test_the_best_response_is_that_of_who_gains_most(shell: Shell, solution: str) -> None:
    gains = shell(f"evaluate {solution} --json").ok().json["gains"]
    most = gains.index(max(gains))
    ran = shell(f"evaluate {solution} --best-response a.csv --json").ok()
    assert ran.json["best_response"]["player"] == most
    assert ran.json["best_response"]["gain"] == pytest.approx(max(gains))
    out = shell(f"evaluate {solution} --best-response a.csv").ok().out
    assert f"Best response of player {most}: value" in out


def test_exploitability_is_not_claimed_where_it_means_nothing(shell: Shell) -> None:
    shell("solve 'kuhn(players=3)' -n 20 -q").ok()
    ran = shell("evaluate last").ok()
    assert "exploitability" not in ran.out
    assert "NashConv" in ran.out
    assert shell("evaluate last --json").json["exploitability"] is None
