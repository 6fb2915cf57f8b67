"""Files of Gambit's: every feature of the format, round trips, and clear errors for the rest."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.errors import EquilibristError, GameSpecError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import check_game, compile_game
from equilibrist.games import load_game
from equilibrist.games.efg.game import EfgGame
from equilibrist.games.efg.parser import parse_efg
from equilibrist.games.efg.writer import _fractions, efg_text
from equilibrist.strategy import Strategy
from tests.games.walking import play
from tests.refusals import refuses
from tests.slow_cases import examples

# Everything at once: a comment over two lines, quotes and backslashes in names, payoffs on the way
# (at a chance node, at a player's), fractions and decimals, with and without commas, infosets and
# outcomes named by their number alone, the empty outcome, actions without a name of their own.
GOOD = r"""EFG 2 R "The \"toll\" game" { "Ann" "Bob \ Sons" }
"A comment
of two lines \n"
c "root" 1 "weather" { "dry" 1/3 "wet" 0.333333, "so" 1/3 } 7 "toll" { -1/4 .25 }
p "" 1 1 "road" { "left" "right" } 0
p "" 2 1 "Bob's \"turn\"" { "up" "" "up" } 2 "on the way" { 1, -1 }
t "" 1 "" { 1.5 -1.5e0 } t "" 1
t "" 0
t "leaf" 3 "" { 1e1, -10 }
p "" 1 1 0
  p "" 2 1 2
    t "" 1 t "" 1 "" { 3/2 , -3/2 } t "" 3
  t "" 0
p "" 1 2 "" { "left" "right" } 7 t "" 3 t "" 4 "" { 2 3 }
"""


def write(folder: Path, text: str) -> str:
    (folder / "game.efg").write_text(text, "utf-8")
    return str(folder / "game.efg")


def test_every_feature(tmp_path: Path) -> None:
    game = load_game(write(tmp_path, GOOD))
    assert isinstance(game, EfgGame)
    assert game.title == 'The "toll" game'
    assert game.comment == "A comment\nof two lines \\n"
    assert game.player_names == ("Ann", "Bob \\ Sons")
    assert game.name == str(tmp_path / "game.efg")
    check_game(game).raise_if_bad()
    tree = compile_game(game)
    assert (tree.num_nodes, tree.num_terminals) == (16, 10)
    assert tree.infoset_keys == ("road", "player 1, infoset 2", 'Bob\'s "turn"')
    assert tree.action_labels == (("left", "right"), ("left", "right"), ("up #1", "#2", "up #3"))
    start = game.initial_state()
    assert game.chance(start) == pytest.approx((1 / 3, 1 / 3, 1 / 3), abs=1e-6)
    assert math.fsum(game.chance(start)) == pytest.approx(1, abs=1e-15)
    toll = -0.25
    assert game.payoffs(play(game, "dry", "right")) == (10 + toll, -10 - toll)
    left = play(game, "dry", "left")
    gathered = [game.payoffs(game.next(left, a)) for a in range(3)]
    assert gathered == [(1 + 1.5 + toll, -2.5 - toll)] * 2 + [(1 + toll, -1 - toll)]
    last = game.next(game.next(start, 2), 1)
    assert game.payoffs(last) == (2 + 2 * toll, 3 - 2 * toll)
    assert evaluate(Strategy.uniform(tree)).nash_conv > 0


def test_payoffs_add_up_exactly(tmp_path: Path) -> None:
    """Ten times a tenth is one, which sums of floats miss."""
    steps = "".join(f'p "" 1 {n} "" {{ "on" }} {n} "" {{ 0.1 0 }}\n' for n in range(1, 11))
    game = load_game(write(tmp_path, f'EFG 2 R "" {{ "a" "b" }} {steps} t "" 0'))
    assert compile_game(game).max_payoff.tolist() == [1.0, 0.0]


OURS = [
    "kuhn",
    "kuhn(players=3)",
    "leduc(suit_isomorphism=true)",
    "liars_dice(sides=2)",
    "goofspiel(cards=3)",
    "shapley",
    "random_tree",
    "random_tree(players=4,seed=3)",
    "matrix(payoffs=[[0.1,-1e-9],[1e20,3]])",
    "openspiel:kuhn_poker",
    "openspiel:turn_based_simultaneous_game(game=matrix_rps())",
]


@pytest.mark.parametrize("name", OURS)
def test_round_trip(tmp_path: Path, name: str) -> None:
    """The fingerprint holds tree, infosets, keys, labels, chance and payoffs to the last bit."""
    game = load_game(name)
    text = efg_text(game)
    back = load_game(write(tmp_path, text))
    assert compile_game(back).fingerprint == compile_game(game).fingerprint
    assert back.title == game.name  # type: ignore[attr-defined]
    assert chance_labels(back) == chance_labels(game)
    assert efg_text(back) == text


def test_round_trip_of_a_file(tmp_path: Path) -> None:
    game = load_game(write(tmp_path, GOOD))
    back = EfgGame("again.efg", parse_efg(efg_text(game), "again.efg"))
    assert compile_game(back).fingerprint == compile_game(game).fingerprint
    assert isinstance(game, EfgGame)
    said = (back.title, back.comment, back.player_names)
    assert said == (game.title, game.comment, game.player_names)


def chance_labels(game: Any) -> list[tuple[str, ...]]:
    found, waiting = [], [game.initial_state()]
    while waiting:
        state = waiting.pop()
        if game.player(state) == -2:
            continue
        labels = tuple(game.actions(state))
        if game.player(state) == -1:
            found.append(labels)
        waiting += [game.next(state, a) for a in range(len(labels))]
    return found


@pytest.mark.parametrize("name", ["kuhn(players=3)", "random_tree(players=2,seed=8)", "shapley"])
def test_openspiel_reads_what_we_write(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, efg_text(load_game(name)))
    theirs, ours = compile_game(f"openspiel:efg_game(filename={path})"), compile_game(name)
    assert theirs.walk.parent.tolist() == ours.walk.parent.tolist()
    assert theirs.walk.infoset.tolist() == ours.walk.infoset.tolist()
    assert theirs.walk.payoff == pytest.approx(ours.walk.payoff)


@pytest.mark.parametrize("again", ["", '""', '"i"', '"" { "l" "r" }', '"i" { "l" "r" }'])
def test_an_infoset_that_comes_again_may_leave_out_its_name(tmp_path: Path, again: str) -> None:
    end = 't "" 1 "" { 1 0 }'
    text = f'{HEAD}p "" 1 1 "i" {{ "l" "r" }} 0 p "" 1 1 {again} 0 {end} t "" 2 "" {{ 0 1 }} {end}'
    game = load_game(write(tmp_path, text))
    root = game.initial_state()
    assert game.infoset(root) == game.infoset(game.next(root, 0)) == "i"
    assert game.actions(root) == game.actions(game.next(root, 0)) == ("l", "r")


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=9))
def test_probabilities_are_fractions_that_add_up_to_one(weights: list[int]) -> None:
    odds = [w / sum(weights) for w in weights]
    found = _fractions(odds)
    assert sum(found) == 1
    assert [float(f) for f in found] == pytest.approx(odds, rel=1e-12, abs=1e-15)
    assert _fractions([0.2] * 5) == [Fraction(1, 5)] * 5


def test_odds_that_are_a_little_off(tmp_path: Path) -> None:
    """Within the rounding of what is written, chance is made to add up; beyond it is refused."""

    def game(*odds: str) -> str:
        events = " ".join(f'"{i}" {p}' for i, p in enumerate(odds))
        leaves = 't "" 0 ' * len(odds)
        return write(tmp_path, f'EFG 2 R "" {{ "a" }} c "" 1 "" {{ {events} }} 0 {leaves}')

    for odds in (["0.333333"] * 3, ["0.333", "1/3", "1/3"], ["1/3"] * 3, ["0.5", "1/2"], ["1"]):
        compile_game(load_game(game(*odds)))
    for odds in (
        ["0.3333", "0.3333", "0.3300"],
        ["1/3", "1/3", "0.33"],
        ["0.5", "0.4"],
        ["0", "0"],
    ):
        with refuses(GameSpecError, place="line 1, column 32"):
            load_game(game(*odds))


HEAD = 'EFG 2 R "x" { "a" "b" }\n'
WRONG = [
    ("", 1, 1),
    ("NFG 1 R", 1, 1),
    ('EFG 3 R "x"', 1, 5),
    ('EFG 2 X "x"', 1, 7),
    ("EFG 2 R x", 1, 9),
    ('EFG 2 R "x', 1, 9),
    ('EFG 2 R "x" "a"', 1, 13),
    ('EFG 2 R "x" { "a" b }', 1, 19),
    ('EFG 2 R "x" { }', 1, 16),
    (HEAD, 2, 1),
    (HEAD + "q", 2, 1),
    (HEAD + "t 1", 2, 3),
    (HEAD + 't ""', 2, 5),
    (HEAD + 't "" 1', 2, 7),
    (HEAD + 't "" -1 { 1 2 }', 2, 6),
    (HEAD + 't "" 1 "" { 1 }', 2, 15),
    (HEAD + 't "" 1 "" { 1 x }', 2, 15),
    (HEAD + 't "" 1 "" { 1 1/0 }', 2, 15),
    (HEAD + 't "" 1 "" { 1 1e999 }', 2, 15),
    (HEAD + 't "" 1 "" { 1 1e99999 }', 2, 15),
    (HEAD + f't "" 1 "" {{ 1 {"9" * 2000} }}', 2, 15),
    (HEAD + 't "" 0 { 1 2 }', 2, 8),
    (HEAD + 't "" 0 t "" 0', 2, 8),
    (HEAD + 'p "" 3 1 "" { "l" } 0', 2, 6),
    (HEAD + 'p "" 1 1 0', 2, 10),
    (HEAD + 'p "" 1 1 "" { } 0', 2, 10),
    (HEAD + 'p "" 1 1 "" { "l" } 0 p "" 1 1 "" { "r" } 0', 2, 32),
    (HEAD + 'p "" 1 1 "i" { "l" } 0 p "" 1 1 "j" { "l" } 0', 2, 33),
    (HEAD + 'p "" 1 1 "" { "l" } 1 "" { 1 2 }\nt "" 1 "" { 1 3 }', 3, 8),
    (HEAD + 'c "" 1 "" { "l" -1 "r" 2 } 0', 2, 17),
    (HEAD + 'c "" 1 "" { "l" 1/3 "r" 1/3 } 0', 2, 13),
    (HEAD + 'c "" 1 "" { "l" "r" } 0', 2, 17),
]


@pytest.mark.parametrize(("text", "line", "column"), WRONG)
def test_errors_name_the_place(tmp_path: Path, text: str, line: int, column: int) -> None:
    path = write(tmp_path, text)
    with refuses(GameSpecError, text=path, place=f"line {line}, column {column}") as caught:
        load_game(path)
    assert caught.value.remedy


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with refuses(GameSpecError, option="file", given="no.efg"):
        load_game("no.efg")
    with refuses(GameSpecError, option="file", given="no"):
        load_game("efg:no")
    with refuses(GameSpecError, option="file", given=tmp_path):
        load_game(f"efg:{tmp_path}")
    (tmp_path / "odd.efg").write_bytes(b'EFG 2 R "\x81" { "a" }')
    with refuses(GameSpecError, option="file", given=tmp_path / "odd.efg"):
        load_game(str(tmp_path / "odd.efg"))
    with refuses(GameSpecError, option="players"):
        load_game(write(tmp_path, GOOD), players=3)
    with refuses(GameSpecError, given="a\\"):
        efg_text(load_game("matrix(payoffs=[[1,2]],labels=[['a\\\\'],[x,y]])"))


def test_a_marked_file_under_another_name(tmp_path: Path) -> None:
    (tmp_path / "toll").write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    game = load_game(f"efg:{tmp_path / 'toll'}")
    assert game.name == f"efg:{tmp_path / 'toll'}"
    assert load_game(game.name).name == game.name


SEEDS = [GOOD, efg_text(load_game("kuhn")), HEAD + 't "" 1 "" { 1 2 }']
PIECES = st.sampled_from(
    [
        '"',
        "{",
        "}",
        "\\",
        ",",
        "0",
        "1",
        "9",
        "-1",
        "1/0",
        "1e9",
        ".",
        "c",
        "p",
        "t",
        "\n",
        "\0",
        "",
    ]
) | st.text(max_size=3)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A good file with a few pieces cut out, doubled, moved or replaced."""
    text = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 20))
        cut = text[at : at + length]
        put = draw(PIECES | st.just(cut + cut))
        text = text[:at] + put + text[at + length :]
    return text


@settings(max_examples=examples(500), deadline=None)
@given(damaged() | st.text(max_size=60))
def test_damaged_files_end_in_a_clear_error(text: str) -> None:
    """It is a game that the walk takes, or one of our own errors says what is wrong."""
    error: EquilibristError | None = None
    try:
        compile_game(EfgGame("game.efg", parse_efg(text, "game.efg")), max_histories=10_000)
    except EquilibristError as raised:
        error = raised
    assert error is None or error.remedy, error
