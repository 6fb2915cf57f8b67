"""Kinds of files by what they hold, and words that can only be meant as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.storage.kinds.file_kinds import KINDS, looks_like_file, remedy_for, words_of
from equilibrist.storage.kinds.recognition import sniffed_kind


@pytest.mark.parametrize(
    "word", ["jam.toml", "h.phhs", "a b.zip", "none/kuhn", "./last", "../x.spot", "~/a.nfg"]
)
def test_words_that_are_files(word: str) -> None:
    assert looks_like_file(word)


@pytest.mark.parametrize(
    "word",
    ["kuhn", "kuhn(bet=2.5)", "rules.py", "x.efg", "rules:a.py", "openspiel:leduc", "", "/", "\\"],
)
def test_words_that_may_be_games(word: str) -> None:
    assert not looks_like_file(word)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_words_and_a_way_on(kind: str) -> None:
    assert words_of(kind).startswith(("a ", "an ", "the "))
    assert remedy_for(Path("file"), kind)


def test_suffixes_do_not_decide(tmp_path: Path) -> None:
    path = tmp_path / "spot.toml"
    path.write_text("#Board#Qs Jh 2h\n")
    assert sniffed_kind(path) == "pio-tree"
    path.write_text("PokerStars Hand #1: x\n")
    assert sniffed_kind(path) == "site-hand-histories"
    path.write_text("***** 888poker Hand History for Game 1 *****\n")
    assert sniffed_kind(path) == "site-hand-histories"
    path.write_text('{"actions":["CHECK","BET 5.0"],"childrens":{"CHECK":{"player":0}},"player":1}')
    assert sniffed_kind(path) == "document"
    path.write_text('board = "Ts3h2h5c9s"\noop = "AA"\n')
    assert sniffed_kind(path) == "spot"
    assert sniffed_kind(tmp_path / "none") is None
