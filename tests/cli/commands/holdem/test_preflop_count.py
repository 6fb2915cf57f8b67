"""`equilibrist preflop count`."""

from __future__ import annotations

from pathlib import Path

from equilibrist.errors import ConfigError
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.game_size import count_hand
from tests.cli.command import Shell


def test_the_document_and_the_screen_have_all_digits(shell: Shell) -> None:
    counted = count_hand(Hand(stack=1000, blinds="1/2"))
    document = shell("preflop count --stack 1000 --blinds 1/2 --json").ok().json
    assert document == counted.to_dict()
    out = shell("preflop count --stack 1000 --blinds 1/2").ok().out
    assert f"{counted.infosets:,}" in out
    assert f"{counted.states:,}" in out
    assert "1.28702e62" in out


def test_hands_by_name_take_options_and_files_come_first(shell: Shell, tmp_path: Path) -> None:
    wanted = count_hand(Hand.named("royal", stack=8, deck="Q")).to_dict()
    for words in ('"royal(bets=all,stack=8)" --deck Q', "royal --stack 8 --deck Q"):
        assert shell(f"preflop count {words} --json").ok().json == wanted
    file = tmp_path / "royal"
    file.write_text(Hand(stack=5, blinds="1/2", board="3").to_toml(), "utf-8")
    assert shell(f"preflop count {file} --json").ok().json != wanted
    shell('preflop count "royal(stack=8"').refused(ConfigError, given="royal(stack=8")
