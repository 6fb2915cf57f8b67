"""What people call infosets and actions: right in every infoset, and telling nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.errors import GameError, UnknownNameError
from equilibrist.game import CHANCE
from equilibrist.games import load_game
from equilibrist.games.efg.game import EfgGame
from equilibrist.games.efg.writer import efg_text
from equilibrist.games.library.kuhn import Kuhn
from equilibrist.play import Table
from equilibrist.play.words import shown_facts
from equilibrist.tree.shown_names import key_of_shown, shown_names
from tests.refusals import refuses


def tables(game: Any) -> Iterator[Table]:
    """Every hand in progress, at players' turns."""
    waiting = [Table.start(game)]
    while waiting:
        table = waiting.pop()
        if table.over:
            continue
        if table.player >= 0:
            yield table
        waiting += [table.play(index) for index in range(len(table.actions))]


@pytest.mark.parametrize("name", ["kuhn", "kuhn(players=3)"])
def test_kuhn_calls_them_by_what_is_faced(name: str) -> None:
    for table in tables(load_game(name)):
        moves = [move.action for move in table.moves if move.player != CHANCE]
        best = [words[0] for words in table.words]
        assert best == (["fold", "call"] if "bet" in moves else ["pass", "bet"])
        assert [set(words) >= {a} for words, a in zip(table.words, table.actions, strict=True)]
        said = dict(table.facts)["moves"].split(", ")
        bet = moves.index("bet") if "bet" in moves else len(moves)
        spelt = moves[: bet + 1] + [{"pass": "fold", "bet": "call"}[m] for m in moves[bet + 1 :]]
        assert said == (spelt or ["none yet"])


@pytest.mark.parametrize("name", ["leduc(ranks=2)", "leduc(players=3,ranks=2,raise_cap=1)"])
def test_leduc_calls_them_by_what_is_faced(name: str) -> None:
    for table in tables(load_game(name)):
        best = [words[0] for words in table.words]
        faced = dict(table.facts)["to call"] != "0"
        assert ("fold" in best) == faced == ("fold" in table.actions)
        assert ("check" in best) != ("call" in best)
        assert not faced or best == list(table.actions)
        assert faced or best == ["check", "bet"][: len(best)]


def test_a_hand_is_played_by_any_of_the_words() -> None:
    table = Table.start(load_game("kuhn")).play("1").play("2").play("check").play("bet")
    assert table.play("fold").payoffs == table.play("pass").payoffs == (-1.0, 1.0)
    assert table.play("call").moves[-1].action == "bet"
    with refuses(UnknownNameError, option="action", name="check"):
        table.play("check")


@pytest.mark.parametrize(
    "rules",
    ["liars_dice(dice=2,sides=3)", "leduc(ranks=2)", "leduc(players=3,ranks=2,raise_cap=1)"],
)
def test_shipped_rules_describe_what_the_game_itself_says(rules: str) -> None:
    """Same order of chance and actions, so that the two hands are played side by side."""
    plain = rules.replace("dice=2", "dice=[2,2]")
    waiting = [(Table.start(load_game(plain)), Table.start(load_game(f"rules:{rules}")))]
    seen = set()
    while waiting:
        one, other = waiting.pop()
        assert one.player == other.player
        if one.player >= 0:
            if one.infoset in seen:
                continue
            seen.add(one.infoset)
            assert one.infoset == other.infoset
            assert one.facts == other.facts
        waiting += [(one.play(i), other.play(i)) for i in range(len(one.actions))]
    assert len(seen) > 50


@pytest.mark.parametrize("variant", ["", "imp_info=0", "order=0", "players=3"])
def test_goofspiel_rules_describe_the_bids(variant: str) -> None:
    for table in tables(load_game(f"rules:goofspiel(cards=3{',' * bool(variant)}{variant})")):
        facts = dict(table.facts)
        assert facts["you are"] == f"player {table.player}"
        assert facts["your cards"].split() == list(table.actions)
        (rounds,) = (fact for name, fact in table.facts if name.startswith("so far"))
        own = [m.action for m in table.moves if m.player == table.player]
        played = rounds.split("; ") if rounds != "nothing" else []
        assert len(played) == len(own)
        for text, bid in zip(played, own, strict=True):
            bids = text.partition(": ")[2].partition(" (")[0].split()
            assert bids[table.player if variant == "imp_info=0" else 0] == bid


def spiel(name: str) -> Any:
    return load_game(f"openspiel:{name}")


OPENSPIEL = [
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(numdice=1,dice_sides=3)",
    "turn_based_simultaneous_game(game=goofspiel(num_cards=3,imp_info=true))",
    "turn_based_simultaneous_game(game=goofspiel(num_cards=3))",
    "tiny_hanabi",
    "turn_based_simultaneous_game(game=matrix_rps())",
    "dark_hex(num_rows=2,num_cols=2)",
    "turn_based_simultaneous_game(game=oshi_zumo(coins=3,size=1,horizon=3))",
]


@pytest.mark.parametrize(
    "game", [*(f"openspiel:{name}" for name in OPENSPIEL), "rules:leduc(ranks=2)", "efg"]
)
def test_equal_infosets_are_described_alike(game: str, tmp_path: Path) -> None:
    rules = spiel(game.partition(":")[2]) if game.startswith("openspiel") else None
    rules = rules or (kuhn_file(tmp_path) if game == "efg" else load_game(game))
    facts: dict[str, Any] = {}
    hidden: dict[str, set[Any]] = {}
    for table in tables(rules):
        assert table.facts
        said = table.facts, table.words
        assert facts.setdefault(table.infoset, said) == said
        hidden.setdefault(table.infoset, set()).add(tuple(m.action for m in table.moves))
    assert max(map(len, hidden.values())) > 1


def kuhn_file(folder: Path) -> EfgGame:
    path = folder / "kuhn.efg"
    path.write_text(efg_text(load_game("kuhn")))
    game = load_game(str(path))
    assert isinstance(game, EfgGame)
    return game


def test_files_of_gambit_show_the_moves_that_are_known(tmp_path: Path) -> None:
    game = kuhn_file(tmp_path)
    deal = Table.start(game).play(0).play(0)
    first = deal.play("pass").play("bet")
    facts = dict(first.facts)
    assert set(facts) == {"you are", "so far"}
    moves = facts["so far"].split("; ")
    assert len(moves) == 4
    assert moves[0].startswith("chance: ")
    assert "?" not in moves[0]  # the own card
    assert moves[1] == "chance: ?"
    assert [move.partition(": ")[2] for move in moves[2:]] == ["pass", "bet"]


UNEVEN = """EFG 2 R "Uneven" { "Ann" "Bob" }
p "" 1 1 "first" { "in" "out" } 0
c "" 1 "" { "up" 1/2 "down" 1/2 } 0
p "" 2 1 "late" { "a" "b" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
t "" 3 "" { 0, 0 }
p "" 2 1 "late" { "a" "b" } 0
t "" 4 "" { 2, -2 }
t "" 5 "" { -2, 2 }
"""


def test_histories_of_unequal_length_tell_the_own_moves_only(tmp_path: Path) -> None:
    path = tmp_path / "uneven.efg"
    path.write_text(UNEVEN)
    table = Table.start(load_game(str(path)))
    assert table.facts == (("you are", "Ann"), ("so far", "nothing"))
    late = table.play("out")
    assert late.facts == (("you are", "Bob"), ("your moves", "nothing"))
    assert table.play("in").play("up").facts == late.facts


def test_open_games_of_openspiel_show_the_position() -> None:
    table = Table.start(spiel("tic_tac_toe"))
    for move in ("x(0,2)", "o(0,1)", "x(1,1)"):
        table = table.play(move)
    assert table.facts == (
        ("you are", "player 1"),
        ("so far", "x(0,2), o(0,1), x(1,1)"),
        ("position", ".ox"),
        ("", ".x."),
        ("", "..."),
    )


def test_names_of_players_are_no_part_of_a_word() -> None:
    table = Table.start(spiel("turn_based_simultaneous_game(game=goofspiel(num_cards=3))"))
    while table.player < 0:
        table = table.play(0)
    assert table.words[0] == ("Bid: 1", "[P0]Bid: 1")
    assert table.play("Bid: 1").moves[-1].action == "[P0]Bid: 1"


class Odd(Kuhn):
    words: Any = ()
    facts: Any = ()

    def action_words(self, key: str, labels: Any, /) -> Any:
        return self.words

    def infoset_facts(self, key: str, /) -> Any:
        return self.facts


@pytest.mark.parametrize(
    "words", ["pb", (), ("p", "b"), (("p",),), (("p",), ()), (("p",), (1,)), None, 3]
)
def test_words_that_are_none_are_one_error(words: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Odd, "words", words)
    table = Table.start(Odd()).play("1").play("2")
    with refuses(GameError, kind="words", given=words):
        _ = table.words


@pytest.mark.parametrize("facts", ["ab", ["ab"], [("a",)], [("a", 1)], None, 3, {"a": "b"}])
def test_facts_that_are_none_are_one_error(facts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Odd, "facts", facts)
    with refuses(GameError, kind="words", given=facts):
        _ = Table.start(Odd()).play("1").play("2").facts


def test_a_word_of_two_actions_means_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Odd, "words", (("go", "x", "bet"), ("go", "y", "y")))
    table = Table.start(Odd()).play("1").play("2")
    assert table.words == (("x", "pass"), ("y", "bet"))
    with refuses(UnknownNameError, option="action", name="go"):
        table.play("go")
    assert table.play("bet").moves[-1].index == 1


def test_what_words_raise_names_the_method() -> None:
    class Failing(Kuhn):
        def action_words(self, key: str, labels: Any, /) -> Any:
            raise KeyError(key)

    table = Table.start(Failing()).play("1").play("2")
    with refuses(GameError, kind="exception", option="action_words", given="KeyError"):
        _ = table.words


@pytest.mark.slow
def test_check_game_finds_descriptions_that_tell_too_much(tmp_path: Path) -> None:
    shipped = Path(eq.__file__).parent / "rules" / "shipped" / "liars_dice.py"
    text = shipped.read_text()
    for change, message in (
        ('("your dice", str(s[FACES:]))', "for the same key"),
        ("3", "not pairs of texts"),
    ):
        path = tmp_path / "telling.py"
        path.write_text(text.replace('("your dice", " ".join(own_dice(g, s)))', change))
        report = eq.check_game(load_game(f"rules:{path}"), max_histories=3000)
        assert any(p.kind == "words" and message in p.message for p in report.problems), report


def test_what_is_shown_is_understood() -> None:
    names = shown_names(load_game("kuhn"))
    assert [key_of_shown(names, typed) for typed in ("Jpb", "1pb", "K", "nothing")] == [
        "1pb", "1pb", "3", "nothing"
    ]  # fmt: skip
    for name, key in (("kuhn", "1pb"), ("kuhn_bets", "1:kb2")):
        game: Any = load_game(name)
        shown = shown_facts(tuple(game.infoset_facts(key)), shown_names(game))
        assert shown[0] == ("your card", "J")
        assert shown[1:] == tuple(game.infoset_facts(key))[1:], "a pot of 3 is no king"


@pytest.mark.parametrize("answer", [None, ["J"], {"1": 2}, {1: "J"}])
def test_shown_names_are_texts_by_texts(answer: Any) -> None:
    class Named(Kuhn):
        def shown_names(self) -> Any:
            return answer

    with refuses(GameError, option="shown_names"):
        shown_names(Named())
