"""`equilibrist equity`."""

from __future__ import annotations

import pytest

from equilibrist.errors import CardSyntaxError, ConfigError, RangeSyntaxError
from equilibrist.poker.equities.equity import equity
from tests.cli.command import Shell, spawn


def test_two_ranges_on_a_flop(shell: Shell) -> None:
    out = shell('equity "AsAh" "KsKh" --board 2c3d7h').ok().out
    share = equity("AsAh", "KsKh", "2c3d7h").oop
    assert out.splitlines() == [
        "board     2c 3d 7h",
        "matchups  1",
        "boards    all (1,176 enumerated)",
        "",
        "        equity  range",
        f"  OOP  {share:.3%}  AsAh",
        f"  IP    {1 - share:.3%}  KsKh",
    ]


def test_before_the_flop(shell: Shell) -> None:
    out = shell("equity AA KK").ok().out
    assert "all (134,459 enumerated)" in out
    assert "81.946%  AA" in out
    assert "board " not in out


def test_json(shell: Shell) -> None:
    document = shell('equity "AA,QQ" KK --board Ts3h2h5c9s --dead Ac --hands --json').ok().json
    assert document["board"] == "Ts3h2h5c9s"
    assert document["dead"] == "Ac"
    assert document["ranges"] == ["AA,QQ", "KK"]
    assert document["equity"] == [pytest.approx(3 / 9), pytest.approx(6 / 9)]
    assert document["exact"] is True
    assert document["intervals"] is None
    assert document["matchups"] == 54
    first, second = document["hands"]
    assert len(first) == 9
    assert first["AsAh"] == {"weight": 1, "equity": 1}
    assert first["QsQh"] == {"weight": 1, "equity": 0}
    assert second["KsKh"] == {"weight": 1, "equity": pytest.approx(2 / 3)}


def test_drawn_boards(shell: Shell) -> None:
    line = "equity AhKh QQ --samples 1e3 --seed 4"
    found = equity("AhKh", "QQ", samples=1000, seed=4)
    assert found.interval is not None
    low, high = found.interval
    out = shell(line).ok().out
    assert "boards    1,000 sampled, seed 4" in out
    assert f"{found.oop:.3%}  {low:.3%} to {high:.3%}  AhKh" in out
    assert f"{found.ip:.3%}  {1 - high:.3%} to {1 - low:.3%}  QQ" in out
    document = shell(f"{line} --json").ok().json
    assert document["equity"] == [found.oop, found.ip]
    assert document["intervals"] == [[low, high], [1 - high, 1 - low]]
    assert (document["boards"], document["seed"], document["exact"]) == (1000, 4, False)
    assert "hands" not in document


def test_threads_give_the_same(shell: Shell) -> None:
    line = "equity AhKh QQ --samples 2e3 --hands --json"
    assert shell(f"{line} --threads 3").ok().out == shell(line).ok().out


def test_every_hand(shell: Shell) -> None:
    out = shell("equity AA,QQ:0.5 KhKd --board Ts3h2h5c9s --hands").ok().out
    tables = out.split("\n\n")[2:]
    rows = [line.split() for line in tables[0].splitlines()]
    assert rows[0] == ["OOP", "weight", "equity"]
    assert rows[1] == ["AsAh", "1", "100.000%"]
    assert rows[-1] == ["QdQc", "0.5", "0.000%"]
    assert tables[1].split() == ["IP", "weight", "equity", "KhKd", "1", "33.333%"]


def test_all_boards_are_enumerated_where_samples_would_be_more(shell: Shell) -> None:
    ran = shell("equity AA KK --board 2c3d7h8s --samples 1000").ok()
    assert "the result is exact" in ran.err
    assert "drawn" not in ran.out


def test_errors(shell: Shell) -> None:
    shell("equity AA,AQo:1.1 KK").refused(RangeSyntaxError, position=7)
    shell("equity TT TT --board TdTh6h").refused(ConfigError, option="ranges")
    shell("equity AA KK --board QsJh").refused(CardSyntaxError, position=0)
    shell("equity AA KK --board QsQs2h").refused(CardSyntaxError, position=2)
    shell("equity AA KK --samples 5.5").refused(ConfigError, option="samples", given="5.5")
    shell("equity AA KK --samples 50").refused(ConfigError, option="samples", given=50)
    shell("equity AA KK --samples 1000 --exact").refused(
        ConfigError, option="samples", given=1000, remedy="leave out samples or exact"
    )
    shell("equity AA KK --seed -1").refused(ConfigError, option="seed", given=-1)
    shell("equity AA KK --threads 0").refused(ConfigError, option="threads", given=0)
    shell("equity AA KK QQ").misused("QQ")


def test_help_loads_no_compiler() -> None:
    ran = spawn("equity --help", env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert ran.code == 0
    assert "--samples" in ran.out
    assert "numba" not in ran.err
