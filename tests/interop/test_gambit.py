"""Gambit's catalogue, games and strategies both ways, and Gambit's own measures of them."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pygambit
import pytest

from benchmarks.peers.check_efg import compare
from equilibrist.errors import ConfigError, GameSpecError, MismatchError, RecallError
from equilibrist.evaluation import evaluate, nash_conv
from equilibrist.game_loading import check_game, compile_game
from equilibrist.games import load_game
from equilibrist.games.efg.game import load_efg
from equilibrist.games.efg.writer import efg_text
from equilibrist.interop.gambit import GambitGame, from_gambit, from_profile, to_gambit, to_profile
from equilibrist.strategy import Strategy
from tests.altered_games import Altered, Reseated
from tests.interop.test_openspiel import random_strategy
from tests.refusals import refuses

CATALOGUE = sorted(Path(pygambit.__path__[0]).rglob("*.efg"))
FORGETFUL = {"fig5_12", "fig10.7", "gilboa1997/fig1", "gilboa1997/fig2", "wichardt2008"}
OURS = ["kuhn", "kuhn(players=3)", "liars_dice(sides=2)", "battle_of_the_sexes", "random_tree"]
ENTRY = r"""EFG 2 R "Entry" { "new" "old" }
"Nobody comes to the second infoset who stays out."
p "" 1 9 "first" { "out" "in" } 0
t "" 1 "nothing" { 1, 0 }
p "" 1 4 "second" { "hard" "soft" } 5 "entry fee" { -1/3, 0 }
t "" 2 "war" { 0, 0 }
p "" 2 1 "third" { "fight" "share" } 0
t "" 3 "won" { 0, 1 }
t "" 4 "shared" { 1/2, 2 }
"""


def read(text: str) -> Any:
    return pygambit.read_efg(io.StringIO(text))


@pytest.mark.parametrize("file", CATALOGUE, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_every_file_of_the_catalogue(file: Path, tmp_path: Path) -> None:
    """Read by us and by Gambit: the same, and so is what we write of it; one game both ways."""
    game = load_efg(str(file))
    theirs = pygambit.read_efg(str(file))
    assert compare(game, theirs) > 4
    again = tmp_path / "again.efg"
    again.write_text(efg_text(game), "utf-8")
    compare(load_efg(str(again)), pygambit.read_efg(str(again)))
    compare(from_gambit(theirs), theirs)
    if any(f"{file.parent.name}/{file.stem}".endswith(name) for name in FORGETFUL):
        with refuses(RecallError, kind="recall"):
            evaluate(Strategy.uniform(compile_game(from_gambit(theirs))))
    else:
        measured_alike(compile_game(from_gambit(theirs)))


@pytest.mark.by_default(1)
@pytest.mark.parametrize("name", [*OURS, "leduc", "dudo(sides=2)"])
def test_our_games_in_gambit(name: str) -> None:
    tree = compile_game(name)
    game = to_gambit(tree)
    assert list(game.players) == [f"Player {p + 1}" for p in range(tree.num_players)]
    back = compile_game(from_gambit(game))
    assert back.fingerprint == tree.fingerprint
    measured_alike(tree)


def test_names_that_gambit_has_not() -> None:
    """Two spaces, line breaks, spaces at the end."""
    tree = compile_game(Spaced(load_game("kuhn"), "spaced"))
    game = from_gambit(to_gambit(tree))
    root = game.next(game.next(0, 0), 0)
    assert game.actions(root) == ("to do", "bet")
    measured_alike(tree)
    measured_alike(compile_game("openspiel:liars_dice(dice_sides=2)"))


def measured_alike(tree: Any) -> None:
    """A strategy there and back; what it pays, and the largest gain from leaving it."""
    strategy = random_strategy(tree)
    profile = to_profile(strategy)
    assert np.array_equal(from_profile(tree, profile).probabilities, strategy.probabilities)
    found = evaluate(strategy)
    payoffs = [float(profile.payoffs[player]) for player in profile.game.players]
    scale = max(1.0, float(np.abs(tree.walk.payoff).max()))
    assert payoffs == pytest.approx(found.values, abs=1e-12 * scale)
    gains = np.array(found.best_response_values) - found.values
    assert float(profile.max_regret()) == pytest.approx(gains.max(), abs=1e-12 * scale)


def test_a_game_at_hand() -> None:
    game = from_gambit(read(ENTRY))
    assert isinstance(game, GambitGame)
    assert game.name == "gambit:Entry"
    check_game(game).raise_if_bad()
    tree = compile_game(game)
    assert to_gambit(tree) is game.gambit
    assert tree.infoset_keys == ("first", "second", "third")
    assert evaluate(Strategy.first_action(tree)).values == (1.0, 0.0)
    table = {"first": {"in": 1.0}, "second": {"soft": 1.0}, "third": {"share": 1.0}}
    assert evaluate(Strategy.from_dict(tree, table)).values[0] == pytest.approx(1 / 2 - 1 / 3)


def test_their_solvers_on_our_games() -> None:
    tree = compile_game("kuhn")
    found = pygambit.nash.lcp_solve(to_gambit(tree), rational=True).equilibrium
    strategy = from_profile(tree, found)
    assert nash_conv(strategy) == pytest.approx(0.0, abs=1e-15)
    assert evaluate(strategy).values[0] == pytest.approx(-1 / 18, abs=1e-15)


def test_what_a_profile_leaves_open_is_played_uniformly() -> None:
    game = read(ENTRY)
    pure = pygambit.nash.enumpure_solve(game).equilibria[0].as_behavior()
    strategy = from_profile(compile_game(from_gambit(game)), pure)
    assert strategy["first"] == {"out": 1.0, "in": 0.0}
    assert strategy["second"] == {"hard": 0.5, "soft": 0.5}
    assert sorted(strategy["third"].values()) == [0.0, 1.0]


def test_profiles_of_pygambit_16(monkeypatch: pytest.MonkeyPatch) -> None:
    """There all mixed actions come in one row, with objects for infosets and actions."""

    class Older(SimpleNamespace):
        def mixed_actions(self) -> list[Any]:
            rows = [[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]]
            return [(object(), [(object(), p) for p in row]) for row in rows]

    monkeypatch.setattr(pygambit, "MixedBehaviorProfile", Older)
    game = read(ENTRY)
    found = from_profile(compile_game(from_gambit(game)), Older(game=game))
    assert found.probabilities.tolist() == [0.25, 0.75, 0.5, 0.5, 1.0, 0.0]


def test_what_does_not_fit_is_refused() -> None:
    kuhn = compile_game("kuhn")
    profile = to_profile(Strategy.uniform(kuhn))
    with refuses(ConfigError, option="game", given="kuhn"):
        from_gambit("kuhn")
    with refuses(GameSpecError, option="game", given="Untitled strategic game"):
        from_gambit(pygambit.StrategicGame.from_arrays([[1, 2], [3, 4]], [[1, 2], [3, 4]]))
    with refuses(ConfigError, option="profile", given=profile.as_strategy()):
        from_profile(kuhn, profile.as_strategy())
    with refuses(GameSpecError, option="game", given="bell of kuhn"):
        to_gambit(compile_game(Bell(load_game("kuhn"), "bell")))


class Seen(Altered):
    """Player 1 sees the other's card, instead of their own or beside it."""

    def __init__(self, both: bool) -> None:
        super().__init__(load_game("kuhn"), f"seen by both={both}")
        self.both = both

    def infoset(self, state: Any, /) -> str:
        key: str = self.game.infoset(state)
        return f"{state[0][0]} {key if self.both else key[1:]}" if self.game.player(state) else key


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("kuhn(players=3)", "kuhn"),
        ("liars_dice(sides=2)", "kuhn"),
        (Seen(both=True), "kuhn"),
        ("kuhn", Seen(both=True)),
        ("kuhn", Seen(both=False)),
        ("rock_paper_scissors", Reseated(load_game("rock_paper_scissors"), [1, 0])),
    ],
)
def test_profiles_belong_to_one_game(ours: Any, theirs: Any) -> None:
    """Another number of players, another tree, other infosets in the same tree, other movers."""
    profile = to_profile(Strategy.uniform(compile_game(theirs)))
    tree = compile_game(ours)
    with refuses(MismatchError, option="game", expected=tree.name):
        from_profile(tree, profile)


class Spaced(Altered):
    def actions(self, state: Any, /) -> tuple[str, ...]:
        return tuple(a.replace("pass", " to \n  do") for a in self.game.actions(state))

    def infoset(self, state: Any, /) -> str:
        return f" card\n\n{self.game.infoset(state)}  "


class Bell(Altered):
    player_names = ("a\a", "b")


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = compile_game("kuhn")
    uniform = Strategy.uniform(tree)
    monkeypatch.setitem(sys.modules, "pygambit", None)
    for call in (
        lambda: from_gambit(None),
        lambda: to_gambit(tree),
        lambda: to_profile(uniform),
        lambda: from_profile(tree, None),
    ):
        with refuses(ConfigError, option="package", given="pygambit"):
            call()
