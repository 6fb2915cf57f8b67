"""The game string: what it can say, where it goes wrong, and that it round-trips."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import GameSpecError
from equilibrist.games import load_game
from equilibrist.games.spec import parse_spec
from equilibrist.parsing.call_text import format_spec
from tests.refusals import refuses, unchecked

values = st.recursive(
    st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)
keys = st.from_regex(r"[a-z_][a-z0-9_]{0,6}", fullmatch=True)
names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)


def refusal(text: str) -> int | None:
    """Where a game string is refused, None if it is read; -1 if the error does not say."""
    try:
        parse_spec(text)
    except GameSpecError as error:
        return error.position if error.text == text and error.position is not None else -1
    return None


@given(name=names, params=st.dictionaries(keys, values, max_size=4))
def test_what_is_written_is_read_back(name: str, params: dict[str, object]) -> None:
    parsed = parse_spec(format_spec(name, params))
    assert (parsed.path, parsed.name, parsed.params) == ("", name, params)
    kinds = {key: type(value) for key, value in params.items()}
    assert {key: type(value) for key, value in parsed.params.items()} == kinds


@pytest.mark.parametrize(
    "word", ["true", "True", "FALSE", "1", "-1", "a,b", "it's", "\\", "", "a\nb"]
)
def test_texts_that_look_like_something_else(word: str) -> None:
    assert parse_spec(format_spec("kuhn", {"x": word, "y": [word]})).params == {
        "x": word,
        "y": [word],
    }


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused_with_its_column(text: str) -> None:
    place = refusal(text)
    assert place is None or 0 <= place <= len(text)


def test_spaces_signs_and_nesting() -> None:
    parsed = parse_spec(" leduc ( bets = [ 2 , 4.5 ] , x=-1e-3, y='a b', z=[[1],[ ]], w=True, ) ")
    assert parsed.name == "leduc"
    assert parsed.params == {
        "bets": [2, 4.5],
        "x": -1e-3,
        "y": "a b",
        "z": [[1], []],
        "w": True,
    }
    assert isinstance(parsed.params["bets"][0], int)


@pytest.mark.parametrize(
    ("text", "path", "name"),
    [
        ("rules.py:MyGame", "rules.py", "MyGame"),
        ("dir/my (1) rules.py:make(n=3)", "dir/my (1) rules.py", "make"),
        (r"C:\games\rules.py:Game", r"C:\games\rules.py", "Game"),
        ("rules.py:Game(file='other.py:Thing')", "rules.py", "Game"),
    ],
)
def test_users_files(text: str, path: str, name: str) -> None:
    parsed = parse_spec(text)
    assert (parsed.path, parsed.name) == (path, name)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("3kuhn", 0),
        ("kuhn(players=3", 14),
        ("kuhn(players=3))", 15),
        ("kuhn players=3", 5),
        ("kuhn(3)", 5),
        ("kuhn(players)", 12),
        ("kuhn(players=)", 13),
        ("kuhn(players=", 13),
        ("kuhn(players=3 4)", 15),
        ("kuhn(players=3,players=4)", 15),
        ("kuhn(x='abc)", 7),
        ("kuhn(x=[1,2)", 11),
        ("kuhn(x=[1,2", 7),
        ("kuhn(x=3abc)", 7),
        ("kuhn(x=" + "[" * 40, 23),
        ("rules.py:3", 9),
        ("rules.py:Game]", 13),
    ],
)
def test_mistakes_are_placed(text: str, position: int) -> None:
    with refuses(GameSpecError, text=text, position=position) as caught:
        parse_spec(text)
    assert caught.value.place == f"column {position + 1}"
    assert str(caught.value).endswith("\n  " + text + "\n  " + " " * position + "^")


@pytest.mark.parametrize("text", ["rules.py", "rules.py:", "rules.py(a=3)"])
def test_a_file_is_not_a_game(text: str) -> None:
    with refuses(GameSpecError, option="game", given=text, position=8):
        parse_spec(text)


def test_only_texts_name_games() -> None:
    with refuses(GameSpecError, option="game", given=3):
        parse_spec(unchecked(3))


def test_what_a_string_cannot_hold() -> None:
    nothing = object()
    with refuses(GameSpecError, given=nothing):
        format_spec("kuhn", {"x": nothing})


@pytest.mark.parametrize("digits", [309, 400, 999])
@pytest.mark.parametrize("sign", ["", "-"])
def test_whole_numbers_beyond_floats_are_out_of_range(digits: int, sign: str) -> None:
    number = f"{sign}{'9' * digits}"
    with refuses(GameSpecError, option="players", given=int(number)):
        load_game(f"kuhn(players={number})")
    with refuses(GameSpecError, option="payoffs", given=int(number)):
        load_game(f"matrix(payoffs=[[{number},1],[1,2]])")
    with refuses(GameSpecError, option="seed", given=int(number)):
        load_game(f"random_tree(seed={number})")
