"""`equilibrist icm`."""

from __future__ import annotations

import json

import pytest

from equilibrist.errors import ConfigError, EquilibristError, NotationError
from equilibrist.poker import tournament_values
from tests.cli.command import Shell


def test_a_table_of_values(shell: Shell) -> None:
    out = shell("icm 5000/3000/2000 --payouts 50/30/20").ok().out
    assert out.splitlines()[5:] == [
        "            stack   chips  worth  of pool  per chip  chip chop     1st     2nd     3rd",
        "  Player 1  5,000  50.00%  38.39   38.39%  0.007679      40.00  50.00%  33.93%  16.07%",
        "  Player 2  3,000  30.00%  32.75   32.75%   0.01092      32.00  30.00%  37.50%  32.50%",
        "  Player 3  2,000  20.00%  28.86   28.86%   0.01443      28.00  20.00%  28.57%  51.43%",
    ]


def test_the_document_is_that_of_python(shell: Shell) -> None:
    out = shell("icm Ann:5k,Bob:3k,Cy:2k --payouts 50%,30%,20% --pool 200 --leave 10 --json").out
    values = tournament_values(
        [5000, 3000, 2000], [100, 60, 40], names=["Ann", "Bob", "Cy"], leave=10
    )
    assert json.loads(out) == values.to_dict()
    out = shell("icm 5k/3k --names A/B --payouts 2 --samples 50 --seed 4 --json").out
    values = tournament_values([5000, 3000], [2], names=["A", "B"], samples=50, seed=4)
    assert json.loads(out) == values.to_dict()


def test_a_sample_and_a_long_table(shell: Shell) -> None:
    out = shell("icm 1x60 --payouts 5/3 --samples 100").ok().out
    assert "95 % interval" in out
    assert "... 10 more" in out
    assert len(shell("icm 1x60 --payouts 5/3 --samples 100 --all").ok().out.splitlines()) == 67


def test_players_without_chips_and_pools_with_signs(shell: Shell) -> None:
    assert "Bob has no chips" in shell("icm Ann:5/Bob:0 --payouts 3/2").ok().err
    assert "share the last 2 places" in shell("icm 5/0/0 --payouts 3/2").ok().err
    signed = shell("icm 5/3 --payouts 60%/40% --pool '$1,200' --leave 1k --json")
    signed.refused(ConfigError, option="leave")
    assert shell("icm 5/3 --payouts 60%/40% --pool '$1,200' --json").ok().json["prize_pool"] == 1200


@pytest.mark.parametrize(
    ("line", "kind", "option"),
    [
        ("icm 5/3", ConfigError, "payouts"),
        ("icm 5/3 --payouts 3/2/1", ConfigError, "payouts"),
        ("icm 5/3 --payouts 2/3", ConfigError, "payouts"),
        ("icm 5/3 --payouts 50/30 --pool 100", ConfigError, "pool"),
        ("icm 5/3 --payouts 80%/30% --pool 100", ConfigError, "payouts"),
        ("icm 5/3 --payouts 3 --names A", ConfigError, "names"),
        ("icm 5/3 --payouts 3 --leave 4", ConfigError, "leave"),
        ("icm 5/3 --payouts 3 --samples 0", ConfigError, "samples"),
        ("icm 5/three --payouts 3", NotationError, None),
    ],
)
def test_what_is_refused(
    shell: Shell, line: str, kind: type[EquilibristError], option: str | None
) -> None:
    fields = {} if option is None else {"option": option}
    shell(line).refused(kind, **fields)
