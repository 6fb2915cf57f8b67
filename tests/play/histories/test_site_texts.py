"""Texts of poker sites: random hands in their formats come back as PokerKit played them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from equilibrist.play.histories.ohh import read_ohh
from equilibrist.play.histories.pokerstars import read_site_text
from equilibrist.protocols.converting import SUFFIXES, convert_hands
from equilibrist.protocols.hand_files import read_hands
from tests.play.histories.site_texts import SCALE, Played, ohh, play, stars

FORMATS: dict[str, Callable[[Played], str]] = {
    "pokerstars": stars,
    "ggpoker": lambda hand: stars(hand, gg=True),
    "ohh": ohh,
    "ohh, raises add": lambda hand: ohh(hand, adds=True),
}


def same_hand(found: Any, hero: int | None, played: Played) -> None:
    """Assert that a history is the hand that was played."""
    right, scale = played.history, SCALE[played.symbol]

    def units(amounts: Any) -> list[int]:
        return [int(Decimal(str(amount)) * scale) for amount in amounts]

    for name in ("starting_stacks", "finishing_stacks", "winnings", "antes", "blinds_or_straddles"):
        assert units(getattr(found, name)) == getattr(right, name), name
    actions = []
    for action in found.actions:
        words = action.split()
        if words[1] == "cbr":
            words[2] = str(units([words[2]])[0])
        actions.append(" ".join(words))
    assert actions == right.actions
    assert found.players == played.names
    assert found.seats == played.seats
    assert hero == played.hero


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("number", [25, pytest.param(600, marks=pytest.mark.slow)])
def test_random_hands_come_back(form: str, number: int, tmp_path: Path) -> None:
    hands = [play(seed, straddles=seed % 5 == 0) for seed in range(number)]
    path = tmp_path / "hands.txt"
    text = "".join(map(FORMATS[form], hands))
    path.write_bytes(
        text.replace("\n", "\r\n").encode("utf-16" if form == "ggpoker" else "utf-8-sig")
    )
    read = read_hands(path)
    assert read.left_out == ()
    assert read.form == form.partition(",")[0]
    for found, played in zip(read.hands, hands, strict=True):
        same_hand(found.history, found.hero, played)
        assert text.splitlines()[found.line - 1] != ""


@pytest.mark.parametrize("form", ["phhs", "ohh", "jsonl", "pokerstars"])
def test_hands_go_round_through_convert(form: str, tmp_path: Path) -> None:
    hands = [play(seed, straddles=seed % 5 == 0) for seed in range(100, 120)]
    (tmp_path / "a.txt").write_text("".join(map(stars, hands)))
    converted = convert_hands(tmp_path / "a.txt", tmp_path / f"b{SUFFIXES[form]}")
    assert (converted.hands, converted.left_out) == (len(hands), ())
    back = convert_hands(tmp_path / f"b{SUFFIXES[form]}", tmp_path / "c.phhs")
    assert back.hands == len(hands)
    for found, played in zip(read_hands(tmp_path / "c.phhs").hands, hands, strict=True):
        same_hand(found.history, found.hero, played)


def test_a_bad_hand_is_named_with_its_line() -> None:
    texts = [stars(play(seed)) for seed in range(6)]
    middle = texts[3].replace("posts big blind", "posts big blnd")
    read = read_site_text("".join([*texts[:3], middle, *texts[4:], texts[0][:200]]))
    assert [out.number for out in read.left_out] == [4, 7]
    assert len(read.hands) == 5
    broken = "".join(map(ohh, (play(1), play(2)))).replace('"rounds"', '"round"', 1)
    assert [(out.number, out.line) for out in read_ohh(broken).left_out] == [(1, 1)]
    cut = ohh(play(1))[:700] + ohh(play(2))
    assert (len(read_ohh(cut).hands), len(read_ohh(cut).left_out)) == (1, 1)
