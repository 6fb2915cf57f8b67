"""Rules modules by name: what is read, and what is refused with a reason."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from equilibrist.errors import EquilibristError, GameSpecError, UnknownNameError
from equilibrist.games import load_game
from equilibrist.games.spec import parse_spec
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import load_rules
from equilibrist.rules.sources import fingerprint
from tests.refusals import refuses
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


def test_parts_of_shipped_rules_count_in_their_fingerprint_and_are_no_rules() -> None:
    rules = load_rules("holdem")
    folder = Path(str(rules.module.__file__)).parent
    parts = {path.stem for path in folder.glob("holdem_*.py")}
    assert len(parts) > 4
    assert {Path(str(module.__file__)).stem for module in rules.modules} == {"holdem", *parts}
    assert fingerprint([*rules.modules]) == rules.fingerprint
    for part in rules.modules[1:]:
        others = [module for module in rules.modules if module is not part]
        assert fingerprint(others) != rules.fingerprint
        with refuses(UnknownNameError, option="rules"):
            load_rules(Path(str(part.__file__)).stem)


def test_parameters_beside_the_string() -> None:
    assert load_game("rules:liars_dice(dice=2)", sides=3).name == "rules:liars_dice(dice=2,sides=3)"
    with refuses(GameSpecError, option="dice", given=3, position=17):
        load_game("rules:liars_dice(dice=2)", dice=3)


def test_loaded_rules_take_the_texts_that_games_have(tmp_path: Path) -> None:
    for text in ("rules:liars_dice(dice=2,sides=3)", "liars_dice(dice=2, sides=3)"):
        assert load_rules(text).name == "rules:liars_dice(dice=2,sides=3)"
    assert load_rules("rules:leduc").name == "rules:leduc"
    assert load_rules("liars_dice(dice=2)", sides=3).name == "rules:liars_dice(dice=2,sides=3)"
    path = write_rules(tmp_path)
    assert load_rules(f"{path}(rounds=3)").name == f"rules:{path}(rounds=3)"
    with refuses(GameSpecError, option="dice", given=3):
        load_rules("liars_dice(dice=2)", dice=3)
    with refuses(GameSpecError, option="game", position=22):
        load_rules("rules:liars_dice(dice=")


def test_own_rules_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_rules(tmp_path)
    assert load_game(f"rules:{path}(rounds=3)").name == f"rules:{path}(rounds=3)"
    monkeypatch.chdir(tmp_path)
    assert load_game("rules:own.py").name == "rules:own.py"
    spec = parse_spec("rules:sub folder/own.py(rounds=1)")
    assert (spec.is_rules, spec.path, spec.params) == (True, "sub folder/own.py", {"rounds": 1})
    assert not parse_spec("own.py:Rules").is_rules
    with refuses(GameSpecError, option="game", given="own.py", position=6):
        load_game("own.py")


@pytest.mark.parametrize(
    ("text", "kind", "fields"),
    [
        ("rules:", GameSpecError, dict(position=6)),
        ("rules:leduc(players=2", GameSpecError, dict(position=21)),
        ("rules:leduc)", GameSpecError, dict(position=5)),
        ("rules:leduc(players=2.5)", GameSpecError, dict(option="players", given=2.5)),
        ("rules:leduc(players=true)", GameSpecError, dict(option="players", given=True)),
        ("rules:leduc(ante=99999999999999999999)", GameSpecError, dict(option="ante")),
        ("rules:leduc(ante=2147483648)", GameSpecError, dict(option="ante", given=2**31)),
        ("rules:none.py", GameSpecError, dict(option="file", given="none.py")),
        ("rules:leduk", UnknownNameError, dict(option="rules", suggestions=("leduc",))),
        (
            "rules:leduc(player=2)",
            UnknownNameError,
            dict(option="parameter of the rules leduc", name="player", suggestions=("players",)),
        ),
    ],
)
def test_wrong_names(text: str, kind: type[EquilibristError], fields: dict[str, Any]) -> None:
    with refuses(kind, **fields):
        load_game(text)


@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        ("def payoff", "def pay", dict(option="payoff")),
        (
            "PARAMETERS = {",
            "PARAMETERS = {1: 2.5, ",
            dict(option="PARAMETERS", given="{1: 2.5, 'rounds': 2}"),
        ),
        ("PARAMETERS = {", "PARAMETERS = 3 + {", dict(option="file", given="TypeError")),
        ("    return 3\n", "    return 0\n", dict(option="state_size", given=0)),
        ("    return 3\n", "    return 2.5\n", dict(option="state_size", given=2.5)),
        (
            "    return 3\n",
            "    return 1 // 0\n",
            dict(option="state_size", given="ZeroDivisionError"),
        ),
        (
            "    return 3\n",
            "    return 2**20 + 1\n",
            dict(option="state_size", given=1048577),
        ),
        ("g[0] + 1", "10**25", dict(option="max_moves", given=10000000000000000000000000)),
        (
            "    return 2\n\n\ndef max_m",
            "    return 65536\n\n\ndef max_m",
            dict(option="max_actions", given=65536),
        ),
        (
            "def start",
            "def fits(g):\n    return g[9]\n\n\ndef start",
            dict(option="fits", given="IndexError"),
        ),
        ("def start", "def fits(g):\n    return False\n\n\ndef start", dict(option="fits")),
    ],
)
def test_wrong_modules(tmp_path: Path, old: str, new: str, fields: dict[str, Any]) -> None:
    assert old in OWN
    with refuses(GameSpecError, **fields):
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
