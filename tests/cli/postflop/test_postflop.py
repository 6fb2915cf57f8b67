"""`equilibrist postflop`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from equilibrist.errors import (
    BetSizeSyntaxError,
    ConfigError,
    FileFormatError,
    MemoryBudgetError,
    UnknownNameError,
)
from equilibrist.formatting.amounts import bytes_text
from equilibrist.poker import estimate
from equilibrist.poker.cards.flops import flop_subset
from equilibrist.poker.postflop.spot.fields import SPOT_KEYS
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.ranges.range_files import write_range_file
from tests.cli.command import IMPORTS, Shell, spawn
from tests.poker.postflop.spot.spots import FLOP, TURN

AS_OPTIONS = (
    '--board "Td9d6hQc" --oop "{oop}" --ip "{ip}" --pot 200 --stack 900 --bets "60%, e, a" '
    '--raises "2.5x" --add-all-in 150% --force-all-in 0.15 --merge 10%'
).format(**TURN)


@pytest.fixture
def spot(folder: Path) -> Path:
    file = folder / "spot.toml"
    file.write_text(Spot(**TURN).to_toml())
    return file


def test_estimate_of_a_file(shell: Shell, spot: Path) -> None:
    out = shell("postflop estimate spot.toml").ok().out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "hands 167 out of position, 250 in position" in lines
    need, beside = estimate(Spot(**TURN)).memory_bytes(), estimate(Spot(**TURN)).overhead.total(1)
    assert f"memory {bytes_text(need)} in float32" in lines
    assert f"of which {bytes_text(beside)} are tables and working memory" in lines
    assert "river 48 48 58 1,378,896 11.0 MB" in lines
    assert re.search(r"\ntime +about \S+( s)? to 0.3%, one thread, 100 iterations\n", out)
    assert "suits" not in out


def test_options_say_the_same(shell: Shell, spot: Path) -> None:
    document = shell("postflop estimate spot.toml --json").ok().json
    again = shell(f"postflop estimate {AS_OPTIONS} --json").ok().json
    assert again | {"seconds": 0} == document | {"seconds": 0}
    size = estimate(Spot(**TURN))
    assert document["float32_bytes"] == size.float32_bytes
    assert document["int16_bytes"] == size.int16_bytes
    assert document["memory_bytes"] == {
        storage: size.memory_bytes(storage) for storage in ("float32", "int16", "float64")
    }
    assert document["hands"] == [167, 250]
    assert [street["street"] for street in document["streets"]] == ["turn", "river"]
    assert document["streets"][1]["entries"] == size.streets[1].entries


def test_ranges_in_files(shell: Shell, spot: Path, folder: Path) -> None:
    write_range_file(Range(TURN["oop"]), folder / "oop.txt")
    write_range_file(Range(TURN["ip"]), folder / "all.json", "BTN/call")
    named = shlex.split(AS_OPTIONS.replace(TURN["oop"], "oop.txt"))
    line = shlex.join(named).replace(shlex.quote(TURN["ip"]), "all.json#BTN/call")
    assert "oop.txt" in line
    assert "all.json" in line
    found, same = (shell(f"postflop estimate {x} --json").ok().json for x in (line, "spot.toml"))
    assert found | {"seconds": 0} == same | {"seconds": 0}
    shell("postflop estimate spot.toml --oop none.txt").refused(FileFormatError, option="oop")
    shell("postflop estimate spot.toml --ip all.json#x").refused(UnknownNameError, option="ip")


def test_options_go_before_the_file(shell: Shell, spot: Path) -> None:
    line = "postflop estimate spot.toml --board Td9d6h --bets 60% --oop-bets '33%, a' --json"
    line += " --donk '||20c' --raise-cap 1 --min-bet 2 --rake 5% --rake-cap 30"
    line += " --add-line X-B150 --add-line X-B160 --remove-line X-B120"
    changes = {
        "oop_bets": "33%, a",
        "donks": "||20c",
        "raise_cap": 1,
        "min_bet": 2,
        "rake": 0.05,
        "rake_cap": 30,
        "added_lines": ["X-B150", "X-B160"],
        "removed_lines": ["X-B120"],
    }
    expected = estimate(Spot(**FLOP | changes))
    document = shell(line).ok().json
    assert document["entries"] == expected.entries
    assert document["symmetries"] == 2
    assert "2 suit symmetries" in shell("postflop estimate spot.toml --board Td9d6h").ok().out


def test_time(shell: Shell, spot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equilibrist.poker.postflop.estimate.runtime.copy_bandwidth", lambda: 1e9)
    monkeypatch.setattr("equilibrist.poker.postflop.estimate.runtime.usable_processors", lambda: 2)
    line = "postflop estimate spot.toml --target 0.2c --threads 2"
    document = shell(f"{line} --json").ok().json
    expected = estimate(Spot(**TURN)).estimate_run("0.2c", threads=2)
    assert (document["iterations"], document["seconds"]) == (180, expected.seconds)
    assert (document["target"], document["threads"]) == ("0.2c", 2)
    assert "time        about 7.9 s to 0.2c, 2 threads, 180 iterations\n" in shell(line).ok().out
    shell("postflop estimate spot.toml --target 1").refused(
        ConfigError,
        option="target",
        given="1",
        remedy="add the unit, % or c",
    )
    shell("postflop estimate spot.toml --target 1p").refused(
        ConfigError, option="target", given="1p"
    )
    shell("postflop estimate spot.toml --target 0%").refused(
        ConfigError, option="target", given="0%"
    )
    shell("postflop estimate spot.toml --target 1e-9%").refused(
        ConfigError, option="target", given="1e-9%", remedy="give a larger target"
    )
    shell("postflop estimate spot.toml --threads 0").refused(
        ConfigError, option="threads", given="0"
    )


def test_what_fits_depends_on_the_storage(shell: Shell, spot: Path) -> None:
    line = "postflop estimate spot.toml --memory 7MB"
    document = shell(f"{line} --json").ok().json
    assert (document["storage"], document["fits"]) == ("float32", False)
    small = shell(f"{line} --storage int16 --json").ok().json
    assert (small["storage"], small["fits"], small["reductions"]) == ("int16", True, [])
    out = shell(f"{line} --storage int16").ok().out
    assert "7.0 MB: the spot fits" in out
    assert "entries  16 bits\n" in out
    assert "5.5 MB" in out.splitlines()[-1]
    less = shell(f"{line} --memory 5MB --storage int16").ok().out
    assert "the spot does not fit in 16 bits" in less
    assert "--storage" not in less


def test_a_spot_that_fits(shell: Shell, spot: Path) -> None:
    out = shell("postflop estimate spot.toml --memory 12MB").ok().out
    assert "limit       12.0 MB: the spot fits" in out
    assert "what fits" not in out
    assert (
        "(half of this machine's memory): the spot fits"
        in shell("postflop estimate spot.toml").ok().out
    )


def test_what_makes_a_spot_fit(shell: Shell, spot: Path) -> None:
    wide = TURN | {
        "oop": "22+,A2+,K2+,Q2+",
        "ip": "22+,A2+,K2+,J2+",
    }  # small spots go on in float64
    spot.write_text(Spot(**wide).to_toml())
    less = {"bets": "60%, e, a|60%, e, a|e, a"}
    limit = estimate(Spot(**wide | less)).most_bytes()
    out = shell(f"postflop estimate spot.toml --memory {limit}").ok().out
    assert f"limit       {bytes_text(limit)}: the spot does not fit in float32" in out
    table = out.split("\n\n")[2].splitlines()
    assert table[0].split() == ["what", "fits", "memory", "saves", "options"]
    rows = {line.split("  ")[0]: line.split("  ")[-1] for line in table[1:]}
    assert rows["16-bit storage"] == "--storage int16"
    assert rows["no 60% bet on the river"] == f"--bets '{less['bets']}'"
    smaller = shell(f"postflop estimate spot.toml --memory {limit} --json").ok().json
    assert (smaller["limit_bytes"], smaller["fits"]) == (limit, False)
    found = {tuple(row.pop("changes")): row for row in smaller["reductions"]}
    assert next(iter(found)) == ("16-bit storage",)
    assert found["16-bit storage",]["num_bytes"] == estimate(Spot(**wide)).most_bytes("int16")
    assert found["no 60% bet on the river",] == {
        "steps": [{"code": "bet", "size": "60%", "street": "river", "seat": None, "figure": None}],
        "keys": less,
        "storage": "float32",
        "num_bytes": limit,
    }
    hopeless = shell("postflop estimate spot.toml --memory 1kB").ok().out
    assert "no reduction found that fits" in hopeless
    shell("postflop estimate spot.toml --memory much").refused(
        ConfigError, option="memory", given="much"
    )


def test_every_key_has_an_option(shell: Shell) -> None:
    out = shell("postflop solve --help").ok().out
    names = {key: f"--{key.replace('_', '-')} " for key in SPOT_KEYS}
    names |= {"added_lines": "--add-line ", "removed_lines": "--remove-line ", "donks": "--donks, "}
    names["locks"] = "--lock "
    for name in names.values():
        assert f" {name}" in out


def test_bad_input(shell: Shell, spot: Path) -> None:
    shell("postflop estimate").refused(ConfigError, option="spot")
    assert "none.toml" in shell("postflop estimate none.toml").one_error().err
    shell("postflop estimate --board Td9d6h").refused(
        ConfigError, option="oop", remedy="give the range of the player who acts first"
    )
    shell("postflop estimate spot.toml --pot 0").refused(ConfigError, option="pot", given=0)
    shell("postflop estimate spot.toml --pot 1.55555").refused(
        ConfigError, option="pot", given="1.55555"
    )
    for bad in ("nan", "1e400", "97,5", "0.00001"):
        shell(f"postflop estimate spot.toml --stack {bad}").refused(
            ConfigError, option="stack", given=bad
        )
    shell("postflop estimate spot.toml --stack=-97.5").refused(
        ConfigError, option="stack", given="-97.5"
    )
    shell("postflop estimate spot.toml --unit 0.5").refused(ConfigError, option="unit", given="0.5")
    shell("postflop estimate spot.toml --rake 5").refused(ConfigError, option="rake", given="5")
    shell("postflop estimate spot.toml --bets 75z").refused(BetSizeSyntaxError, position=0)
    shell("postflop estimate spot.toml --bets 1c --raises 1c --stack 1000000").refused(
        MemoryBudgetError, histories=200000
    )
    spot.write_text("bord = 3\n" + spot.read_text())
    shell("postflop estimate spot.toml").refused(
        UnknownNameError, option="bord", name="bord", suggestions=("board",)
    )
    spot.write_text("pot = \n")
    shell("postflop estimate spot.toml").refused(FileFormatError, path="spot.toml")


def test_flops(shell: Shell) -> None:
    lines = shell("postflop flops --csv").ok().out.splitlines()
    assert lines[:3] == [
        "flop,weight,suits,ranks",
        "AsAhAd,4,rainbow,trips",
        "AsAhKs,12,two-tone,paired",
    ]
    assert sum(int(line.split(",")[1]) for line in lines[1:]) == 22_100
    document = shell("postflop flops --json").ok().json
    assert len(document) == 1755
    assert document[0] == {"flop": "AsAhAd", "weight": 4, "suits": "rainbow", "ranks": "trips"}
    out = shell("postflop flops").ok().out.splitlines()
    assert out[1].split() == ["AsAhAd", "4", "rainbow", "trips"]
    assert out[-1] == "1,755 flops stand for 22,100"


def test_a_subset_of_flops(shell: Shell) -> None:
    document = shell("postflop flops --subset 49 --json").ok().json
    assert [row["flop"] for row in document] == [flop.name for flop in flop_subset(49)]
    assert sum(row["weight"] for row in document) == pytest.approx(22_100)
    assert "49 flops stand for 22,100" in shell("postflop flops --subset 49").ok().out
    shell("postflop flops --subset 921").refused(ConfigError, option="subset", given=921)
    shell("postflop flops --subset x").refused(ConfigError, option="subset", given="x")
    short = shell("postflop flops --deck short --json").ok().json
    assert (len(short), sum(row["weight"] for row in short)) == (573, 7140)
    assert "5 flops stand for 7,140" in shell("postflop flops --deck 6+ --subset 5").ok().out
    shell("postflop flops --deck short --subset 298").refused(ConfigError, option="subset")
    shell("postflop flops --csv --json").refused(ConfigError, option="--csv")


def test_no_compiler_is_loaded(spot: Path) -> None:
    estimated = spawn(f"postflop estimate {shlex.quote(str(spot))}", env=IMPORTS).ok().imported
    assert "equilibrist.poker.postflop.estimate.size" in estimated
    assert "numba" not in estimated
    helped = spawn("postflop estimate --help", env=IMPORTS).ok().imported
    assert not {"numpy", "equilibrist.poker.betting.rules"} & helped


@pytest.mark.slow  # compiles the passes behind folded ranges
def test_folded_ranges(shell: Shell, folder: Path) -> None:
    write_range_file(Range("A2s+,KJo"), folder / "button.txt")
    spot = '--board Ks9h5d3c8s --oop "AA,KQs" --ip "QQ,98s" --pot 60 --stack 90 --bets a'
    line = f'postflop solve {spot} --folded button.txt --folded "KTs,QJo" --iterations 5'
    document = shell(f"{line} --json").ok().json
    assert document["folded"] == ["A2s+,KJo", "KTs,QJo"]
    assert document["ev_error_chips"] is None
    out = shell(f"{line} --folded 22-55").ok().out
    assert "behind 3 folded ranges" in out
    assert "95% confidence" in out
    shell(f"{line} --folded none.txt").refused(FileFormatError, option="folded")


def test_folded_ranges_of_a_file_are_taken_away(shell: Shell, spot: Path) -> None:
    text = spot.read_text()
    (spot.parent / "behind.toml").write_text(f'folded = ["AA"]\n{text}')
    plain, behind = (
        shell(f"postflop estimate {x} --json").ok().json
        for x in ("behind.toml --folded none", "behind.toml")
    )
    assert (
        plain["memory_bytes"]
        == shell("postflop estimate spot.toml --json").ok().json["memory_bytes"]
    )
    assert behind["memory_bytes"]["float32"] > plain["memory_bytes"]["float32"]
