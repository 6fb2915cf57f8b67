"""Merge functions of users: what they are told, and what goes wrong in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.abstraction import make_abstraction
from equilibrist.errors import ConfigError
from equilibrist.game_loading import compile_game
from tests.refusals import refuses

KUHN = compile_game("kuhn")


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "rules.py"


def test_a_function_is_told_key_player_and_facts(written: Path) -> None:
    written.write_text(
        "def merge(key, player, facts):\n"
        "    assert facts['actions'] == ('pass', 'bet')\n"
        "    assert facts['your card'][0] == key[0] == facts['hand'][0]\n"
        "    assert ''.join(facts['moves']) == key[1:] or facts['moves'] == ()\n"
        "    if player == 1:\n"
        "        return None\n"
        "    return ('low' if facts['hand'][0] in '12' else 'high') + key[1:]\n"
    )
    found = make_abstraction(KUHN, "rules.py:merge")
    expected = make_abstraction(KUHN, "0:cards(JQ.K);1:none")
    assert found.abstract_of.tolist() == expected.abstract_of.tolist()
    assert found.to_dict()["2pb"] == "lowpb"
    one = make_abstraction(KUHN, "1:cards(JQ.K);0:rules.py:merge")
    assert one.num_infosets == 8


def test_an_abstract_key_is_its_player_own(written: Path) -> None:
    """Both players' keys `1` stand for different infosets; their names say whose."""
    written.write_text("def merge(key, player, facts):\n    return key[0]\n")
    found = make_abstraction(KUHN, "rules.py:merge")
    assert found.num_infosets == 6
    assert found.keys[:2] == ("1 (seat 0)", "2 (seat 0)")


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ("return 3", {"given": 3, "place": "infoset '1'"}),
        ("raise KeyError(key)", {"given": "KeyError", "place": "infoset '1'"}),
        ("return facts['nothing']", {"given": "KeyError"}),
    ],
)
def test_a_function_that_fails(written: Path, body: str, fields: dict[str, object]) -> None:
    written.write_text(f"def merge(key, player, facts):\n    {body}\n")
    with refuses(ConfigError, option="abstraction", **fields):
        make_abstraction(KUHN, "rules.py:merge")


def test_files_that_are_none(written: Path) -> None:
    with refuses(ConfigError, option="abstraction", given="rules.py"):
        make_abstraction(KUHN, "rules.py:merge")
    written.write_text("other = 3\n")
    with refuses(ConfigError, option="abstraction"):
        make_abstraction(KUHN, "rules.py:merge")
    with refuses(ConfigError, option="abstraction", given=3):
        make_abstraction(KUHN, "rules.py:other")
    written.write_text("def merge(key, player, facts):\n    return key\n")
    with refuses(ConfigError, option="abstraction", given="k=2"):
        make_abstraction(KUHN, "rules.py:merge(k=2)")


def test_different_actions_are_refused_with_both_keys(written: Path) -> None:
    written.write_text("def merge(key, player, facts):\n    return 'all'\n")
    leduc = compile_game("leduc(suit_isomorphism=true)")
    with refuses(ConfigError, option="abstraction", expected="J"):
        make_abstraction(leduc, "rules.py:merge")
