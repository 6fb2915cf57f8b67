"""check_game: every kind of mistake is found, at its history, with a remedy."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.errors import GameError
from equilibrist.game_loading import check_game
from equilibrist.games import list_games, load_game
from equilibrist.games.library.kuhn import Kuhn
from tests.refusals import refuses
from tests.small_games import Written
from tests.tree.checks.broken_rules import Coin, broken, first


def test_a_sound_game() -> None:
    report = check_game(Coin())
    assert report.ok
    assert report.problems == ()
    assert (report.num_histories, report.num_terminals, report.depth) == (15, 8, 3)
    assert (report.num_infosets, report.num_sequences) == (4, 10)
    assert report.perfect_recall
    assert report.complete
    assert report.constant_sum == 0
    report.raise_if_bad()
    assert str(report) == (
        "coin: 2 players, 15 histories, 8 terminal, 4 infosets, 10 sequences, depth 3, "
        "perfect recall, constant sum 0\nno problem found\n"
        "note: player 1 never observes a chance outcome: none changes the key of any of its "
        "infosets. If it should, put what the player sees of chance into the key"
    )


def test_one_of_a_kind_is_not_many() -> None:
    """A single payoff: one player, one history, one sequence."""
    found = str(check_game(Written((3.0,), 1, "prize")))
    assert found.startswith("prize: 1 player, 1 history, 1 terminal, 0 infosets, 1 sequence, ")


@pytest.mark.by_default(1)
@pytest.mark.parametrize("info", list_games(), ids=lambda info: info.name)
def test_our_own_games_are_sound(info: Any) -> None:
    params = {"payoffs": [[1, -1]]} if info.name == "matrix" else {}
    report = check_game(load_game(info.name, **params), max_histories=30_000)
    assert report.ok, str(report)


class ForgottenCard(Kuhn):
    """Kuhn poker whose player 0 does not look at its card; player 1 does."""

    def infoset(self, state: Any, /) -> str:
        key = super().infoset(state)
        return key if len(key) % 2 == 0 else f"?{key[1:]}"


class SeesTheOther(Kuhn):
    """Kuhn poker whose player 0 sees the card of player 1 alone, as in Indian poker."""

    def infoset(self, state: Any, /) -> str:
        key = super().infoset(state)
        return key if len(key) % 2 == 0 else f"{state[0][1]}{key[1:]}"


def noted(game: Any, **limits: Any) -> list[str]:
    """The players that notes of the report name."""
    report = check_game(game, **limits)
    assert report.ok
    assert all("never observes a chance outcome" in note for note in report.notes)
    return [note.split()[1] for note in report.notes]


def test_a_player_who_never_observes_chance_is_noted() -> None:
    assert noted(ForgottenCard()) == ["0"]
    assert noted(Coin()) == ["1"]


@pytest.mark.parametrize("game", [Kuhn(), SeesTheOther(), Kuhn(players=3)])
def test_players_who_observe_chance_are_not_noted(game: Any) -> None:
    assert noted(game) == []


@pytest.mark.by_default(1)
@pytest.mark.parametrize("name", ["rps", "leduc", "liars_dice", "goofspiel(cards=3)", "dudo"])
def test_no_note_where_there_is_no_chance_or_all_see_it(name: str) -> None:
    assert noted(load_game(name), max_histories=50_000) == []


def test_a_part_of_a_game_says_nothing_of_what_is_never_observed() -> None:
    assert noted(ForgottenCard(), max_histories=20) == []


def test_notes_are_left_out_where_there_are_problems() -> None:
    report = check_game(broken(payoffs=lambda self, s: (1,)))
    assert not report.ok
    assert report.notes == ()


def test_sums() -> None:
    assert check_game(load_game("bos")).constant_sum is None
    assert not check_game(load_game("bos")).is_constant_sum
    assert check_game(broken(payoffs=lambda self, s: (s[0], 3 - s[0]))).constant_sum == 3


def test_users_exceptions_carry_their_line_and_history() -> None:
    def payoffs(self: Any, state: Any) -> Any:
        return (1 / state[1], 0)

    problem = first(broken(payoffs=payoffs), "exception")
    assert problem.history == ("heads", "say heads", "yes")
    lines = problem.message.splitlines()
    assert lines[0] == "Broken.payoffs raised ZeroDivisionError: division by zero"
    assert lines[1].endswith("in payoffs: return (1 / state[1], 0)")
    assert "test_validate.py:" in lines[1]
    assert len(lines) == 2


@pytest.mark.parametrize(
    "method", ["initial_state", "player", "actions", "chance", "next", "payoffs", "infoset"]
)
def test_no_exception_escapes(method: str) -> None:
    def fails(self: Any, *arguments: Any) -> Any:
        raise SystemExit("no")

    problem = first(broken(**{method: fails}), "exception")
    assert f"Broken.{method} raised SystemExit: no" in problem.message


def test_what_is_no_exception_does_not_escape() -> None:
    def fails(self: Any, *arguments: Any) -> Any:
        raise GeneratorExit("off")

    problem = first(broken(payoffs=fails), "exception")
    assert "Broken.payoffs raised GeneratorExit: off" in problem.message


def test_the_walk_continues_after_an_exception() -> None:
    def payoffs(self: Any, state: Any) -> Any:
        if state[1] == 0:
            raise ValueError("not yet written")
        return (1.0, -1.0)

    report = check_game(broken(payoffs=payoffs))
    assert report.problem_counts == {"exception": 4}
    assert len(report.problems) == 3
    assert report.num_terminals == 4
    assert "4 problems found" in str(report)
    assert "(and 1 more of this kind)" in str(report)
    with refuses(GameError, kind="exception") as caught:
        report.raise_if_bad()
    assert caught.value.history == ("heads", "say heads", "yes")


@pytest.mark.parametrize("count", [0, -1, 2.0, None, True])
def test_number_of_players(count: Any) -> None:
    problem = first(broken(num_players=count), "players")
    assert "num_players is" in problem.message
    failing = broken(num_players=property(lambda self: 1 / 0), name=property(lambda self: 1 / 0))
    assert "Broken.num_players raised ZeroDivisionError" in first(failing, "exception").message
    assert check_game(failing).name == "Broken"


def test_several_kinds_are_collected() -> None:
    game = broken(
        payoffs=lambda self, s: (1.0,),
        chance=lambda self, s: (0.3, 0.3),
        infoset=lambda self, s: "everybody",
    )
    report = check_game(game)
    assert set(report.problem_counts) == {"payoffs", "probabilities", "owners"}
    text = str(report)
    assert text.count("history: ") == len(report.problems)
    assert text.count("remedy: ") == len(report.problems)


def test_large_games_are_sampled_beyond_the_limit() -> None:
    class LateMistake(Coin):
        """Only the last of very many histories pays the wrong number of players."""

        def player(self, state: Any) -> Any:
            return 0 if len(state) < 12 else -2

        def actions(self, state: Any) -> Any:
            return ("left", "right")

        def payoffs(self, state: Any) -> Any:
            return (0.0, 0.0) if state[0] == 0 else (0.0,)

        def infoset(self, state: Any) -> Any:
            return "".join(str(move) for move in state) or "start"

    report = check_game(LateMistake(), max_histories=100)
    assert not report.complete
    assert report.num_histories == 100
    assert "more than 100 histories" in str(report)
    assert report.problem_counts.keys() == {"payoffs"}
    assert report.problems[0].history[0] == "right"
    assert len(report.problems[0].history) == 12
    sound = check_game(load_game("leduc"), max_histories=500)
    assert sound.ok
    assert "no problem found in the part that was walked" in str(sound)


def test_no_sum_is_claimed_of_payoffs_that_were_not_seen() -> None:
    nowhere = check_game(broken(player=lambda self, s: 7))
    assert str(nowhere).splitlines()[0].endswith("depth 0, perfect recall")
    for name, words in (("leduc", "constant sum 0"), ("shapley", "perfect recall")):
        sampled = check_game(load_game(name), max_histories=2)
        assert sampled.num_terminals == 0
        assert str(sampled).splitlines()[0].endswith(words)


def test_the_progress_counts_the_playouts_too() -> None:
    seen: list[int] = []
    assert check_game(load_game("leduc"), on_walk=seen.append).complete
    assert seen == list(range(1024, 9457, 1024))
    seen.clear()
    assert not check_game(load_game("leduc"), max_histories=1000, on_walk=seen.append).complete
    assert seen == list(range(1024, 1024 * len(seen) + 1, 1024))
    assert seen[-1] > 1000 + 500 * 4


def test_reports_are_values() -> None:
    assert check_game(load_game("kuhn")) == check_game(load_game("kuhn"))
