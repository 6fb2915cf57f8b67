"""`equilibrist cards`, and what other commands do with card buckets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist.cli.inputs.signals import INTERRUPTED
from equilibrist.errors import ConfigError, FileFormatError, MemoryBudgetError, NotationError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.poker.buckets.build import file_bytes
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.buckets.hand_report import hand_report
from equilibrist.poker.buckets.spec import bucket_spec
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import parse_combo
from tests.cli.command import Shell

BUILD = "cards build --buckets 20/30/30/20 --deck 20 --restarts 1 --passes 3 --sample 1000"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from equilibrist.cli import main

    path = tmp_path_factory.mktemp("cards") / "c.safetensors"
    assert main.run([*BUILD.split(), "--quiet", "-o", str(path)]) == 0
    return path


def test_build_says_what_was_built(shell: Shell, built: Path, tmp_path: Path) -> None:
    build = BUILD.replace("--deck 20", "--deck T")
    ran = shell(f"{build} --threads 2 -o {tmp_path / 'd.safetensors'}").ok()
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["deck", "20", "cards"] in lines
    assert ["hash", CardBuckets.load(built).hash] in lines
    assert [line[:3] for line in lines if line[:1] in (["flop"], ["river"])] == [
        ["flop", "histogram", "30"],
        ["river", "equity", "20"],
    ]
    for street in ("river", "turn", "flop"):
        assert street in ran.err
    assert "Next: equilibrist cards show AhKh --cards" in ran.err
    size = (tmp_path / "d.safetensors").stat().st_size
    assert (
        bytes_text(file_bytes(bucket_spec("20/30/30/20", lowest_rank=8)))
        in (ran.err.splitlines()[0])
    )
    assert file_bytes(bucket_spec("20/30/30/20", lowest_rank=8)) == pytest.approx(size, rel=0.02)


def test_the_size_of_a_file_is_said_before_it_is_built(shell: Shell, tmp_path: Path) -> None:
    """405 MB for the first command of the tour, beside a blueprint of 0.2 MB."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("equilibrist.poker.buckets.build._Streets.build", interrupted)
        ran = shell(f"cards build --buckets 169/200/200/200 -o {tmp_path / 'c.safetensors'}")
    assert ran.code == INTERRUPTED
    assert "404.8 MB" in ran.err.splitlines()[0]
    assert "1.1 GB of memory" in ran.err.splitlines()[0]


def test_a_hand_on_a_board(shell: Shell, built: Path) -> None:
    ran = shell(f"cards show AhKh TdJd Qh --cards {built}").ok()
    report = hand_report(CardBuckets.load(built), parse_cards("TdJdQh"), parse_combo("AhKh"))
    first, *rest = ran.out.splitlines()
    assert first == f"AhKh on TdJdQh: bucket {report.bucket} of 30 (flop, histogram)"
    assert rest[0] == f"  equity  {report.equity:.2%}"
    assert f"{len(report.mates)} other hands on this board in this bucket:" in rest
    told = shell(f"cards show AhKh TdJdQh --cards {built} --json").ok().json
    assert told["bucket"] == report.bucket
    assert told["mates"] == [{"hand": hand, "equity": equity} for hand, equity in report.mates]
    assert sum(told["histogram"]) == pytest.approx(1)


def test_all_mates_are_shown_when_asked_for(shell: Shell, built: Path) -> None:
    words = f"cards show 2s2h --cards {built}".replace("2s2h", "TsTh")
    assert "bucket" in shell(words).ok().out
    all_of_them = shell(f"cards show AhKh TdJdQh --cards {built} --all").ok().out
    report = hand_report(CardBuckets.load(built), parse_cards("TdJdQh"), parse_combo("AhKh"))
    assert all(f"\n  {hand}  " in all_of_them for hand, _ in report.mates)


def test_a_file_is_described(shell: Shell, built: Path) -> None:
    shown = shell(f"cards show {built}").ok().out
    assert shown == shell(f"inspect {built}").ok().out
    told = shell(f"cards show {built} --json").ok().json
    assert told["kind"] == "card-buckets"
    assert [street["buckets"] for street in told["streets"]] == [20, 30, 30, 20]
    assert all(sum(street["shares"]) == pytest.approx(1) for street in told["streets"])


def test_other_commands_name_the_one_to_call(shell: Shell, built: Path) -> None:
    for command in ("evaluate", "play", "export"):
        words = f"{command} {built}" + (" x.csv" if command == "export" else "")
        ran = shell(words).refused(FileFormatError, given="card-buckets")
        assert f"equilibrist cards show {built}" in ran.err
    shell(f"inspect {built} key").refused(ConfigError, option="KEY")


def test_a_file_of_another_kind(shell: Shell, tmp_path: Path) -> None:
    other = tmp_path / "k.safetensors"
    shell(f"solve kuhn --iterations 5 --out {other}").ok()
    shell(f"cards show {other}").refused(FileFormatError, given="solution")
    shell(f"cards show AhKh --cards {other}").refused(FileFormatError, given="solution")


@pytest.mark.parametrize(
    ("words", "kind", "fields"),
    [
        ("--buckets 26/30/30/20", NotationError, {"option": "buckets", "position": 0}),
        ("--buckets 20/30", NotationError, {"option": "buckets"}),
        ("--buckets 20/30/30/20 --kind x/y/z/w", NotationError, {"option": "kind"}),
        ("--buckets 20/30/30/20 --deck 21", ConfigError, {"option": "--deck", "given": "21"}),
        ("--buckets 20/30/30/20 --memory 1MB", MemoryBudgetError, {"option": "memory"}),
        ("--buckets 20/30/30/20 --sample 5", ConfigError, {"option": "sample"}),
    ],
)
def test_bad_options_are_refused(
    shell: Shell, words: str, kind: type, fields: dict[str, Any]
) -> None:
    deck = "" if "--deck" in words else "--deck 20"
    shell(f"cards build {words} {deck} -o c.safetensors").refused(kind, **fields)
    assert not Path("c.safetensors").exists()


def test_a_hand_needs_a_file_of_buckets(shell: Shell, built: Path) -> None:
    shell("cards show AhKh Td9d6h").refused(ConfigError, option="--cards")
    shell(f"cards show 9h9d --cards {built}").refused(ConfigError, option="hand")
