"""Rules modules by name: what is read, and what is refused with a reason."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from equilibrist.errors import GameSpecError, UnknownNameError
from equilibrist.games import load_game
from equilibrist.games.spec import parse_spec
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import load_rules
from tests.rules.own_rules import OWN, write_rules


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("rules:leduc", "rules:leduc"),
        ("rules:leduc()", "rules:leduc"),
        (" rules: liars_dice ( dice = 2, sides=6 ) ", "rules:liars_dice(dice=2)"),
        ("rules:goofspiel(order=-1,cards=5)", "rules:goofspiel(cards=5)"),
    ],
)
def test_shipped_rules_by_name(text: str, name: str) -> None:
    game = load_game(text)
    assert isinstance(game, RulesGame)
    assert game.name == name
    assert load_game(name).name == name


def test_parameters_beside_the_string() -> None:
    assert load_game("rules:liars_dice(dice=2)", sides=3).name == "rules:liars_dice(dice=2,sides=3)"
    with pytest.raises(GameSpecError, match="given both"):
        load_game("rules:liars_dice(dice=2)", dice=3)


def test_own_rules_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_rules(tmp_path)
    assert load_game(f"rules:{path}(rounds=3)").name == f"rules:{path}(rounds=3)"
    monkeypatch.chdir(tmp_path)
    assert load_game("rules:own.py").name == "rules:own.py"
    spec = parse_spec("rules:sub folder/own.py(rounds=1)")
    assert (spec.is_rules, spec.path, spec.params) == (True, "sub folder/own.py", {"rounds": 1})
    assert not parse_spec("own.py:Rules").is_rules
    with pytest.raises(GameSpecError, match=r"a rules module, which is written rules:own\.py"):
        load_game("own.py")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules:", "expected rules, as in rules:liars_dice"),
        ("rules:leduc(players=2", r"expected ',' or '\)'"),
        ("rules:leduc)", r"expected '\('|unknown rules"),
        ("rules:leduc(players=2.5)", "players is 2.5; parameters of rules are integers"),
        ("rules:leduc(players=true)", "players is True; parameters of rules are integers"),
        ("rules:leduc(ante=99999999999999999999)", "parameters of rules are integers"),
        ("rules:leduc(ante=2147483648)", r"integers below 2\^31 in size"),
        ("rules:none.py", "there is no rules module 'none.py'"),
        ("rules:leduk", "did you mean 'leduc'"),
        ("rules:leduc(player=2)", "did you mean 'players'"),
    ],
)
def test_wrong_names(text: str, message: str) -> None:
    with pytest.raises((GameSpecError, UnknownNameError), match=message):
        load_game(text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("def payoff", "def pay", r"define no payoff\(\)"),
        ("PARAMETERS = {", "PARAMETERS = {1: 2.5, ", "expected names and integers"),
        ("PARAMETERS = {", "PARAMETERS = 3 + {", "raised while it was loaded: TypeError"),
        ("    return 3\n", "    return 0\n", r"state_size\(\) of .* is 0; expected a whole number"),
        ("    return 3\n", "    return 2.5\n", r"state_size\(\) of .* is 2.5; expected a whole"),
        ("    return 3\n", "    return 1 // 0\n", "raised ZeroDivisionError"),
        (
            "    return 3\n",
            "    return 2**20 + 1\n",
            r"state_size\(\) of .* is 1048577; .*1,048,576",
        ),
        ("g[0] + 1", "10**25", r"max_moves\(\) of .* is 10{25}; expected .* to 2,147,483,647"),
        (
            "    return 2\n\n\ndef max_m",
            "    return 65536\n\n\ndef max_m",
            r"max_actions\(\) of .*65,535",
        ),
        (
            "def start",
            "def fits(g):\n    return g[9]\n\n\ndef start",
            r"fits\(\) of .* raised Index",
        ),
        ("def start", "def fits(g):\n    return False\n\n\ndef start", "make no sense, or cannot"),
    ],
)
def test_wrong_modules(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in OWN
    with pytest.raises(GameSpecError, match=message):
        load_rules(write_rules(tmp_path, OWN.replace(old, new)))


def test_helpers_beside_the_module_are_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each folder's helper is loaded for its own rules, and counts in their fingerprint."""
    another = ModuleType("bonus")
    monkeypatch.setitem(sys.modules, "bonus", another)
    fingerprints: list[str] = []
    for number in (1, 2, 2):
        folder = tmp_path / str(len(fingerprints))
        folder.mkdir()
        (folder / "bonus.py").write_text(f"def bonus():\n    return {number}\n")
        text = OWN.replace("value = s[1] - 1.5 * g[0]", "return bonus() * 1.0")
        rules = load_rules(write_rules(folder, "from bonus import bonus\n" + text))
        assert rules.function("payoff")(rules.g, [0, 0, 0], 0) == float(number)
        assert [Path(str(m.__file__)).name for m in rules.modules] == ["own.py", "bonus.py"]
        fingerprints.append(rules.fingerprint)
    assert fingerprints[0] != fingerprints[1] == fingerprints[2]
    assert sys.modules["bonus"] is another
