"""Tree configurations of PioSOLVER."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from equilibrist.errors import (
    BetSizeSyntaxError,
    CardSyntaxError,
    ConfigError,
    FileFormatError,
    RangeSyntaxError,
    UnknownNameError,
)
from equilibrist.poker import Spot, read_setup, write_setup
from equilibrist.poker.postflop.setups.files import read_setup_text
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import PIO
from tests.poker.postflop.setups.same_trees import check_same
from tests.refusals import refuses

OOP = "AA,KK,QQ,JJ,TT,99:0.75,88:0.75,AK,AQs,AQo:0.75,KQs"
IP = "QQ:0.5,JJ:0.75,TT,99,88,77,AKo:0.25,AQs,KJ"
HEAD = f"""#TreeBuilding#V2
#Range0#{OOP}
#Range1#{IP}
#Board#Qs Jh 2h
#Pot#180
#EffectiveStacks#910
"""
USUAL = """#AllinThreshold#67
#AddAllinOnlyIfLessThanThisTimesThePot#500
#MinimumBetsize#0
#UseUnifiedBetAfterRaise#False
#UnifiedBetAfterRaise#
#ForceIPBet#False
#ForceOOPBet#False
#Cap#0
#CapEnabled#False
#CapMode#NoLimit
#RemovedLines#
#ExtraLines#
#FlopConfig.BetSize#52
#FlopConfig.RaiseSize#3x
#FlopConfig.AddAllin#False
#FlopConfig.DonkBetSize#
#TurnConfig.BetSize#50, 100
#TurnConfig.RaiseSize#3x
#TurnConfig.AddAllin#False
#TurnConfig.DonkBetSize#
#RiverConfig.BetSize#30 66
#RiverConfig.RaiseSize#a
#RiverConfig.AddAllin#False
#RiverConfig.DonkBetSize#30
#FlopConfigIP.BetSize#50
#FlopConfigIP.RaiseSize#50
#FlopConfigIP.AddAllin#False
#FlopConfigIP.Dont3bet#False
#TurnConfigIP.BetSize#2e
#TurnConfigIP.RaiseSize#
#TurnConfigIP.AddAllin#False
#TurnConfigIP.Dont3bet#False
#RiverConfigIP.BetSize#75, 200c
#RiverConfigIP.RaiseSize#
#RiverConfigIP.AddAllin#False
#RiverConfigIP.Dont3bet#False
#Rake.Cap#8
#Rake.Fraction#0.05
#Rake.Enabled#True
#ICM.Enabled#False
#ICM.Payouts#0\\n0
#ICM.Stacks#0
"""
SPR = 910 / 180
BY_HAND = Spot(
    board="QsJh2h",
    oop=OOP,
    ip=IP,
    pot=180,
    stack=910,
    oop_bets="52%|50%,100%|30%,66%",
    oop_raises="3x|3x|a",
    ip_bets="50%|2e|75%,200c",
    ip_raises="50%||",
    donks="|none|30%",
    force_all_in=SPR * 0.33 / (1 + 2 * SPR * 0.67),
    rake=0.05,
    rake_cap=8,
)


def write(folder: Path, text: str, name: str = "tree.txt") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["tree.txt", "tree.cfg", "tree", "spot.toml", "tree.json"])
def test_a_configuration_is_the_spot_that_one_writes_by_hand(tmp_path: Path, name: str) -> None:
    found = read_setup(write(tmp_path, HEAD + USUAL, name))
    check_same(found.spot, BY_HAND)
    assert found.program == "PioSOLVER"
    assert found.note == ""


def test_windows_files_and_comments(tmp_path: Path) -> None:
    text = "# 3bet pot\r\n" + (HEAD + USUAL).replace("\n", "\r\n") + "\r\n# end\r\n"
    (tmp_path / "a.txt").write_bytes(text.encode("utf-16"))
    check_same(read_setup(tmp_path / "a.txt").spot, BY_HAND)
    check_same(read_setup_text(f"\ufeff{text.removeprefix('# 3bet pot')}").spot, BY_HAND)


@pytest.mark.parametrize(
    "spelt",
    [
        str.lower,
        str.upper,
        lambda key: f" {key} ",
        lambda key: f"\t{key}",
        lambda key: key.replace("Config", " Config").replace(".", " . ").replace("All", "All "),
        lambda key: f" {key.lower()}",
    ],
    ids=["lower", "upper", "blanks", "tab", "inside", "both"],
)
def test_spelling_of_keys(tmp_path: Path, spelt: Callable[[str], str]) -> None:
    lines = [line.split("#", 2) for line in (HEAD + USUAL).splitlines()]
    text = "\n".join(f"  #{spelt(key)}#{value}" for _, key, value in lines)
    path = write(tmp_path, f"# the odds # 3\n{text}\n")
    assert file_kind(path) == PIO
    check_same(read_setup(path).spot, read_setup(write(tmp_path, HEAD + USUAL, "usual.txt")).spot)


def test_a_short_configuration_of_a_river(tmp_path: Path) -> None:
    text = HEAD.replace("2h", "2h 3c 9d") + "#RiverConfig.BetSize#50\n#FlopConfig.BetSize#33\n"
    found = read_setup(write(tmp_path, text)).spot
    wanted = Spot(
        board="QsJh2h3c9d", oop=OOP, ip=IP, pot=180, stack=910, oop_bets="50%", ip_bets="none"
    )
    check_same(found, wanted)


@pytest.mark.parametrize(
    ("pots", "turn", "removed", "added"),
    [
        (250, True, (), 2.5),
        (500, True, (), 5),
        (1_000_000, True, (), 0),
        (600, False, (), 0),
        (500, False, ("X-X|A", "X-X|X-A", "X-X|X-X|A", "X-X|X-X|X-A"), 0),
    ],
)
def test_all_in_is_added_where_flags_and_their_limit_say_so(
    tmp_path: Path, pots: int, turn: bool, removed: tuple[str, ...], added: float
) -> None:
    """One number says it if all lists have it; else it is a size, and all-ins above it are gone."""
    config = f"#AddAllinOnlyIfLessThanThisTimesThePot#{pots}\n"
    for street in ("Flop", "Turn", "River"):
        for seat in ("", "IP"):
            config += f"#{street}Config{seat}.BetSize#50\n"
            config += f"#{street}Config{seat}.AddAllin#{turn or street != 'Flop'}\n"
    found = read_setup(write(tmp_path, HEAD + config)).spot
    assert found.add_all_in == added
    assert found.removed_lines == removed
    if added:
        wanted = Spot(
            board="QsJh2h", oop=OOP, ip=IP, pot=180, stack=910, bets="50%", donks="|none|none",
            add_all_in=added,
        )  # fmt: skip
    else:
        bets = "50%,a" if turn else "50%|50%,a|50%,a"
        wanted = Spot(
            board="QsJh2h", oop=OOP, ip=IP, pot=180, stack=910, bets=bets, donks="|none|none",
            removed_lines=removed,
        )  # fmt: skip
    check_same(found, wanted)
    check_same(read_setup(write_setup(found, tmp_path / "again.txt", "pio")).spot, found)


def test_what_is_not_taken_over_is_named(tmp_path: Path) -> None:
    changed = USUAL.replace("#ICM.Enabled#False", "#ICM.Enabled#True")
    changed = changed.replace("#Cap#0\n#CapEnabled#False", "#Cap#2\n#CapEnabled#True")
    changed = changed.replace("#RemovedLines#", "#RemovedLines#Check, Bet, Call, Check, Check")
    changed = changed.replace("#TurnConfigIP.Dont3bet#False", "#TurnConfigIP.Dont3bet#True")
    changed = changed.replace("#ForceIPBet#False", "#ForceIPBet#True")
    changed = changed.replace("#FlopConfig.DonkBetSize#", "#FlopConfig.DonkBetSize#65")
    found = read_setup(write(tmp_path, HEAD + changed))
    assert set(found.left_out) == {
        "prizes (ICM)",
        "#Cap#2 (see --raise-cap)",
        "#RemovedLines#Check, Bet, Call, Check, Check",
        "#TurnConfigIP.Dont3bet#True",
        "#ForceIPBet#True",
        "#FlopConfig.DonkBetSize#65",
    }
    assert found.note.startswith("not taken over from PioSOLVER: ")
    check_same(found.spot, BY_HAND)
    again = read_setup(tmp_path / "tree.txt", raise_cap=2)  # which says it in place of the file
    assert "Cap" not in again.note


def test_changes_come_before_what_follows_from_them(tmp_path: Path) -> None:
    """The threshold belongs to the stack, and lists of both players replace those of each."""
    path = write(tmp_path, HEAD + USUAL)
    found = read_setup(path, stack=360, pot=90, bets="50%", rake=0).spot
    assert found.force_all_in == pytest.approx(4 * 0.33 / (1 + 8 * 0.67), abs=1e-6)
    assert (found.bets, found.oop_bets, found.ip_bets) == ("50%", None, None)
    assert found.oop_raises == "3x|3x|a"


@pytest.mark.parametrize(
    ("line", "kind", "line_number", "key"),
    [
        ("#Pot#sixty", ConfigError, 7, "#Pot#"),
        ("#Board#Qs Jh", CardSyntaxError, 7, "#Board#"),
        ("#Range0#AA,K5-Q2", RangeSyntaxError, 7, "#Range0#"),
        ("#FlopConfig.BetSize#50, big", BetSizeSyntaxError, 7, "#FlopConfig.BetSize#"),
        ("#FlopConfigIP.RaiseSize#0.5x", BetSizeSyntaxError, 7, "#FlopConfigIP.RaiseSize#"),
        ("#AllinThreshold#high", FileFormatError, 7, "#AllinThreshold#"),
        ("#TurnConfig.AddAllin#perhaps", FileFormatError, 7, "#TurnConfig.AddAllin#"),
        ("#Rake.Fraction#5", FileFormatError, 7, "#Rake.Fraction#"),
        ("#Range0 AA", FileFormatError, 7, "line"),
        ("pot = 60", FileFormatError, 7, "line"),
        ("#EffectiveStacks#910\n#EffectiveStacks#5", FileFormatError, 8, "#EffectiveStacks#"),
    ],
)
def test_malformed_lines_are_named(
    tmp_path: Path, line: str, kind: type[Exception], line_number: int, key: str
) -> None:
    name = line.partition("#")[2].partition("#")[0]
    head = "".join(
        "\n" if text.startswith(f"#{name}#") else f"{text}\n" for text in HEAD.splitlines()
    )
    path = write(tmp_path, f"{head}{line}\n")
    with pytest.raises(kind) as caught:
        read_setup(path)
    assert caught.value.option == key  # type: ignore[attr-defined]
    assert f"{path}, line {line_number}" in str(caught.value.place)  # type: ignore[attr-defined]


def test_what_lacks_is_named_by_its_key(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD.replace("#Board#Qs Jh 2h\n", ""))
    with refuses(ConfigError, option="board"):
        read_setup(path)
    assert read_setup(path, board="QsJh2h").spot.board == "QsJh2h"
    for key, wrong in (("Board", "Bord"), ("EffectiveStacks", "EffectiveStack")):
        path = write(tmp_path, HEAD.replace(f"#{key}#", f"#{wrong}#"))
        with refuses(UnknownNameError, option=f"#{wrong}#") as caught:
            read_setup(path)
        assert caught.value.suggestions == (key,)
    path = write(tmp_path, "#PreflopConfiguration\n#PreflopRangeOOP#1 1 1\n")
    with refuses(FileFormatError, place=f"{path}, line 1"):
        read_setup(path)


def test_a_tree_from_before_the_flop_is_told(tmp_path: Path) -> None:
    path = write(tmp_path, "#Type#NoLimit\n#Preflop.Enabled#True\n#Pot#3\n")
    with pytest.raises(FileFormatError) as caught:
        read_setup(path)
    assert (caught.value.option, caught.value.place) == ("#Preflop.Enabled#", f"{path}, line 2")
    off = write(tmp_path, HEAD + USUAL + "#Preflop.Enabled#False\n#Preflop.Stacks#100\n")
    check_same(read_setup(off).spot, BY_HAND)
