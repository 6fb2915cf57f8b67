"""Loading games by name: canonical names, defaults, suggestions, ranges."""

from __future__ import annotations

import contextlib
import copy
import math
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import GameSpecError, UnknownNameError
from equilibrist.game import Game
from equilibrist.games import GameInfo, Parameter, list_games, load_game
from equilibrist.games.parameters import REQUIRED
from equilibrist.games.spec import parse_spec
from equilibrist.parsing.call_text import format_spec
from tests.games.walking import sizes
from tests.refusals import refuses

NAMES = [
    "kuhn",
    "kuhn_bets",
    "leduc",
    "liars_dice",
    "dudo",
    "liar_die",
    "goofspiel",
    "rock_paper_scissors",
    "biased_rock_paper_scissors",
    "matching_pennies",
    "battle_of_the_sexes",
    "shapley",
    "chicken",
    "gibson",
    "prisoners_dilemma",
    "stag_hunt",
    "hawk_dove",
    "coordination",
    "penalty_kick",
    "colonel_blotto",
    "morra",
    "travelers_dilemma",
    "volunteers_dilemma",
    "beauty_contest",
    "entry_deterrence",
    "centipede",
    "ultimatum",
    "signalling",
    "extended_shapley",
    "greenwald_sarfati",
    "outside_option",
    "chsh",
    "sheriff",
    "matrix",
    "random_tree",
]
INFOS = {info.name: info for info in list_games()}


def some_values(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Small values inside a parameter's range."""
    low = 0 if parameter.minimum is None else int(parameter.minimum)
    high = low + 3 if parameter.maximum is None else min(int(parameter.maximum), low + 3)
    match parameter.kind:
        case "integer":
            return st.integers(low, high)
        case "integers":
            return st.integers(low, high) | st.lists(st.integers(low, high), min_size=2, max_size=2)
        case "number":
            return st.integers(low, high) | st.floats(low, high)
        case "flag":
            return st.booleans()
        case "choice":
            return st.sampled_from(parameter.choices)
        case _:
            table = st.lists(st.lists(st.integers(-9, 9), min_size=2, max_size=2), min_size=1)
            return table if parameter.name == "payoffs" else st.just([1, 2.5])


@st.composite
def games_and_params(draw: st.DrawFn) -> tuple[GameInfo, dict[str, Any]]:
    info = draw(st.sampled_from(list_games()))
    chosen = [p for p in info.parameters if p.default == REQUIRED or draw(st.booleans())]
    chosen = [p for p in chosen if p.name != "labels"]
    return info, {p.name: draw(some_values(p)) for p in chosen}


@given(games_and_params())
def test_the_name_loads_the_same_game(drawn: tuple[GameInfo, dict[str, Any]]) -> None:
    info, params = drawn
    try:
        game = load_game(info.name, **params)
    except GameSpecError:  # parameters may contradict each other
        return
    again = load_game(game.name)
    assert again == game
    assert again.name == game.name
    assert load_game(format_spec(info.name, params)) == game


@given(games_and_params())
def test_the_name_is_the_shortest(drawn: tuple[GameInfo, dict[str, Any]]) -> None:
    info, params = drawn
    try:
        game = load_game(info.name, **params)
    except GameSpecError:
        return
    written = parse_spec(game.name).params
    for name in written:
        fewer = {key: value for key, value in written.items() if key != name}
        if name == "payoffs":
            continue
        with contextlib.suppress(GameSpecError):
            assert load_game(info.name, **fewer) != game


def test_all_games_are_listed() -> None:
    assert sorted(INFOS) == sorted(NAMES)
    for info in INFOS.values():
        assert info.summary
        assert all(p.doc and p.expected for p in info.parameters)


@pytest.mark.parametrize("info", INFOS.values(), ids=lambda info: info.name)
def test_defaults_and_aliases(info: GameInfo) -> None:
    params = {"payoffs": [[1, -1]]} if info.name == "matrix" else {}
    game = load_game(info.name, **params)
    assert isinstance(game, Game)
    assert game.name.partition("(")[0] == info.name
    for alias in info.aliases:
        assert load_game(alias, **params) == game
    for parameter in info.parameters:
        if parameter.default not in (REQUIRED, None, ()):
            assert load_game(info.name, **params | {parameter.name: parameter.default}) == game


def test_names_are_distinct() -> None:
    names = [name for info in list_games() for name in (info.name, *info.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("Kuhn", "kuhn"),
        ("LIARS-DICE", "liars_dice"),
        ("rps", "rock_paper_scissors"),
        ("kuhn(players=2,cards=3)", "kuhn"),
        ("kuhn( cards=4, players=3 )", "kuhn(players=3)"),
        ("kuhn(players=3,cards=6)", "kuhn(players=3,cards=6)"),
        ("kuhn(ante=1.0)", "kuhn"),
        ("kuhn(bet=2.0)", "kuhn(bet=2)"),
        ("leduc(players=3,ranks=4)", "leduc(players=3)"),
        ("leduc(bets=[2.0,4])", "leduc"),
        ("leduc(suit_isomorphism=TRUE)", "leduc(suit_isomorphism=true)"),
        ("goofspiel(points_order=Descending)", "goofspiel(points_order=descending)"),
    ],
)
def test_canonical_names(spec: str, name: str) -> None:
    assert load_game(spec).name == name


def test_parameters_beside_the_string() -> None:
    assert load_game("kuhn", players=3).name == "kuhn(players=3)"
    assert load_game("kuhn(players=3)", bet=2).name == "kuhn(players=3,bet=2)"
    with refuses(GameSpecError, option="players", given=3, position=5):
        load_game("kuhn(players=3)", players=3)


@pytest.mark.parametrize(
    ("spec", "suggestion"),
    [("khun", "kuhn"), ("Leduk", "leduc"), ("liar-dice", "liars_dice"), ("gofspiel", "goofspiel")],
)
def test_unknown_games_suggest_the_nearest(spec: str, suggestion: str) -> None:
    with refuses(UnknownNameError, option="game") as caught:
        load_game(spec)
    assert caught.value.suggestions[0] == suggestion


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        (
            "kuhn(player=3)",
            dict(option="parameter of kuhn", name="player", suggestions=("players",)),
        ),
        ("rps(players=3)", dict(option="parameter of rock_paper_scissors", name="players")),
        ("leduc(zzz=1)", dict(option="parameter of leduc", name="zzz")),
    ],
)
def test_unknown_parameters(spec: str, fields: dict[str, Any]) -> None:
    with refuses(UnknownNameError, **fields):
        load_game(spec)


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        ("kuhn(players=1)", dict(option="players", given=1)),
        ("kuhn(players=2.5)", dict(option="players", given=2.5)),
        ("kuhn(players=two)", dict(option="players", given="two")),
        ("kuhn(players=true)", dict(option="players", given=True)),
        ("kuhn(players=[2])", dict(option="players", given="[2]")),
        ("kuhn(players=1e400)", dict(option="players", given=math.inf)),
        ("kuhn(bet=-1)", dict(option="bet", given=-1)),
        ("leduc(suit_isomorphism=1)", dict(option="suit_isomorphism", given=1)),
        ("goofspiel(points_order=up)", dict(option="points_order", given="up")),
        ("random_tree(stop=1.5)", dict(option="stop", given=1.5)),
        ("liars_dice(sides=1)", dict(option="sides", given=1)),
    ],
)
def test_values_out_of_range(spec: str, fields: dict[str, Any]) -> None:
    with refuses(GameSpecError, **fields):
        load_game(spec)


def test_not_a_number_from_python() -> None:
    with refuses(GameSpecError, option="bet", given=math.nan):
        load_game("kuhn", bet=float("nan"))
    nothing = object()
    with refuses(GameSpecError, option="players", given=nothing):
        load_game("kuhn", players=nothing)


SMALL = [
    "kuhn",
    "leduc(suit_isomorphism=true)",
    "liars_dice(sides=2)",
    "goofspiel(cards=3)",
    "rps",
    "matrix(payoffs=[[1,2],[3,4]])",
    "random_tree",
]


@pytest.mark.parametrize("spec", SMALL)
def test_games_and_states_can_be_copied_and_pickled(spec: str) -> None:
    game = load_game(spec)
    before = sizes(game)
    for other in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert other == game
        assert sizes(other) == before
    state = game.initial_state()
    while game.player(state) != -2:
        fresh = pickle.loads(pickle.dumps(state))
        assert fresh == state
        assert hash(fresh) == hash(state)
        state = load_game(spec).next(fresh, 0)  # a game that has never seen the states before


def test_games_need_neither_numpy_nor_numba() -> None:
    code = (
        "import sys; from equilibrist.games import load_game; load_game('leduc');"
        "print([name for name in ('numpy', 'numba', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
