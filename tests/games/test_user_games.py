"""Games from users' files: how they are loaded, and how each mistake is reported."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import EquilibristError, GameSpecError, UnknownNameError
from equilibrist.game_loading import check_game, compile_game
from equilibrist.games import load_game
from tests.games.walking import sizes
from tests.refusals import refuses

COIN = '''
class Coin:
    """Guess the side of a coin that player 0 chose."""

    name = "coin"
    num_players = 2

    def __init__(self, stake=1, sides=2):
        if stake < 0:
            raise ValueError("the stake must not be negative")
        self.stake, self.sides = stake, sides

    def initial_state(self): return ()
    def player(self, s): return len(s) if len(s) < 2 else -2
    def actions(self, s): return tuple(f"side {i}" for i in range(self.sides))
    def chance(self, s): return ()
    def next(self, s, a): return (*s, a)
    def payoffs(self, s): return (-self.stake, self.stake) if s[0] == s[1] else (0, 0)
    def infoset(self, s): return f"player {len(s)}"


def make_coin(stake, *, sides=2):
    return Coin(stake, sides)


finished = Coin(7)
anything = lambda **options: Coin(**options)
number = 3


class Needy(Coin):
    def __init__(self, stake, sides): super().__init__(stake, sides)


class Unfinished:
    name = "unfinished"
    def initial_state(self): return ()
    def player(self, s): return -2


class NoPlayers(Coin):
    num_players = 0


class NamelessCoin(Coin):
    name = ""


class Moody(Coin):
    @property
    def name(self): raise RuntimeError("not today")


class Leaving(Coin):
    def __init__(self): raise SystemExit("bye")
'''


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "rules.py"
    file.write_text(COIN)
    return file


@pytest.mark.parametrize(
    ("spec", "stake", "histories"),
    [
        ("rules.py:Coin", 1, 7),
        ("rules.py:Coin(stake=3)", 3, 7),
        ("rules.py:Coin(stake=2.5, sides=3)", 2.5, 13),
        ("rules.py:make_coin(stake=4)", 4, 7),
        ("rules.py:finished", 7, 7),
        ("rules.py:anything(sides=4)", 1, 21),
        ("./rules.py:Coin", 1, 7),
    ],
)
def test_classes_functions_and_games(rules: Path, spec: str, stake: float, histories: int) -> None:
    game = load_game(spec)
    assert sizes(game).histories == histories
    assert game.payoffs((0, 0)) == (-stake, stake)


def test_whole_paths_and_keyword_arguments(rules: Path) -> None:
    assert load_game(f"{rules}:Coin", stake=9).payoffs((1, 1)) == (-9, 9)


def test_files_may_import_their_neighbours_and_use_dataclasses(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_rules.py").write_text(COIN)
    (tmp_path / "game.py").write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from neighbour_of_rules import Coin as Base\n"
        "@dataclass(frozen=True)\n"
        "class Coin(Base):\n"
        "    stake: int = 5\n"
        "    sides: int = 2\n"
    )
    path_before = list(sys.path)
    assert load_game(f"{tmp_path / 'game.py'}:Coin").payoffs((0, 0)) == (-5, 5)
    assert sys.path == path_before


def test_edits_are_seen_and_nothing_is_left_beside_the_file(rules: Path) -> None:
    load_game("rules.py:finished")
    rules.write_text(COIN.replace("Coin(7)", "Coin(8)"))
    assert load_game("rules.py:finished").payoffs((0, 0)) == (-8, 8)
    assert [path.name for path in rules.parent.iterdir()] == ["rules.py"]


@pytest.mark.parametrize(
    ("spec", "kind", "fields"),
    [
        ("missing.py:Coin", GameSpecError, dict(option="file", given="missing.py")),
        ("rules.py:Coyn", GameSpecError, dict(option="Coyn")),
        ("rules.py:Zzzzzz", GameSpecError, dict(option="Zzzzzz")),
        ("rules.py:number", GameSpecError, dict(option="number", given=3)),
        (
            "rules.py:Coin(stakes=3)",
            UnknownNameError,
            dict(option="parameter of rules.py:Coin", name="stakes", suggestions=("stake",)),
        ),
        ("rules.py:finished(stake=3)", GameSpecError, dict(option="stake")),
        ("rules.py:Needy", GameSpecError, dict(option="stake")),
        (
            "rules.py:Unfinished",
            GameSpecError,
            dict(option="actions()"),
        ),
        ("rules.py:NoPlayers", GameSpecError, dict(option="num_players", given=0)),
        ("rules.py:NamelessCoin", GameSpecError, dict(option="name", given="")),
        ("rules.py:Leaving", GameSpecError, dict(option="Leaving", given="SystemExit")),
    ],
)
def test_mistakes(
    rules: Path, spec: str, kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    with refuses(kind, **fields) as caught:
        load_game(spec)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_constructor_that_raises_is_shown_with_its_own_line(rules: Path) -> None:
    with pytest.raises(GameSpecError) as caught:
        load_game("rules.py:Coin(stake=-1)")
    line = 1 + COIN.splitlines().index(
        '            raise ValueError("the stake must not be negative")'
    )
    assert str(caught.value).splitlines() == [
        (
            "rules.py:Coin raised when called as Coin(stake=-1): "
            "ValueError: the stake must not be negative"
        ),
        f'  rules.py:{line}, in __init__: raise ValueError("the stake must not be negative")',
    ]


def test_a_property_that_raises_is_shown(rules: Path) -> None:
    with refuses(GameSpecError, option="name", given="RuntimeError"):
        load_game("rules.py:Moody")


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("x = 1\nclass Game(:\n", dict(option="file", given="SyntaxError")),
        ("import no_such_module_here", dict(option="file", given="ModuleNotFoundError")),
        (
            "def f():\n    return 1 / 0\nf()",
            dict(option="file", given="ZeroDivisionError"),
        ),
        ("raise SystemExit(3)", dict(option="file", given="SystemExit")),
        ("\0", dict(option="file", given="SyntaxError")),
    ],
)
def test_files_that_fail(rules: Path, text: str, fields: dict[str, Any]) -> None:
    rules.write_text(text)
    before = set(sys.modules)
    with refuses(GameSpecError, **fields) as caught:
        load_game("rules.py:Game")
    assert "equilibrist" not in str(caught.value)
    assert not {name for name in set(sys.modules) - before if name.startswith("_equilibrist")}


def test_a_python_module_name_is_not_a_game(rules: Path) -> None:
    with refuses(UnknownNameError, option="game", name="rules", suggestions=("rps",)):
        load_game("rules")


NAMELESS = COIN.partition("def make_coin")[0].replace('name = "coin"', "pass")


FROZEN = "from dataclasses import dataclass\n@dataclass(frozen=True)\n"


@pytest.mark.parametrize("header", ["", FROZEN])
def test_a_game_without_a_name_has_that_of_its_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, header: str
) -> None:
    monkeypatch.chdir(tmp_path)
    constructor = NAMELESS[NAMELESS.index("    def __init__") : NAMELESS.index("    def initial")]
    body = NAMELESS.replace(constructor, "    stake = 1\n    sides = 2\n") if header else NAMELESS
    (tmp_path / "rules.py").write_text(header + body.lstrip())
    assert load_game("rules.py:Coin").name == "Coin"
    assert check_game("rules.py:Coin").ok
    assert compile_game(load_game("rules.py:Coin")).name == "Coin"


def test_a_nameless_game_given_as_an_object_has_that_of_its_class() -> None:
    defined: dict[str, Any] = {}
    exec(NAMELESS, defined)
    assert compile_game(defined["Coin"]()).name == "Coin"


def test_a_nameless_game_that_takes_no_attribute_is_refused(rules: Path) -> None:
    slots = NAMELESS.replace("pass", "__slots__ = ('stake', 'sides')")
    rules.write_text(slots)
    with refuses(GameSpecError, option="name") as caught:
        load_game("rules.py:Coin")
    assert 'name = "Coin"' in (caught.value.remedy or "")


@pytest.mark.parametrize(
    ("spec", "stake"), [("one.py", 1), ("one.py:", 1), ("one.py(stake=3)", 3), ("./one.py", 1)]
)
def test_a_file_with_one_game_needs_no_name(rules: Path, spec: str, stake: int) -> None:
    rules.with_name("one.py").write_text("number = 3\n" + COIN.partition("def make_coin")[0])
    assert load_game(spec).payoffs((0, 0)) == (-stake, stake)


def test_a_file_with_one_function_needs_no_name(rules: Path) -> None:
    text = "from rules import *\ndef make(stake=2): return Coin(stake)"
    rules.with_name("one.py").write_text(text)
    assert load_game("one.py").payoffs((0, 0)) == (-2, 2)


def test_a_file_with_several_games_lists_them(rules: Path) -> None:
    with refuses(GameSpecError, option="game", given="rules.py") as caught:
        load_game("rules.py")
    assert "rules.py:NoPlayers" in (caught.value.remedy or "")
    assert "rules.py:make_coin" not in (caught.value.remedy or "")
