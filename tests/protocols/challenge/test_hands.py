"""Playing by Slumbot's calls against a local double: our own tables, and servers that misbehave."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import PeerError
from equilibrist.play.bots.answers import BotAnswer, DecidedBy
from equilibrist.protocols.acpc.betting import AcpcAction
from equilibrist.protocols.acpc.client import Player
from equilibrist.protocols.acpc.log import MatchLog, read_log
from equilibrist.protocols.acpc.players import FixedPlayer
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.protocols.challenge.hands import HEADS_UP, Challenge, ServedHand, heading
from equilibrist.protocols.challenge.slumbot import SlumbotServer
from equilibrist.protocols.opening import OpenedStrategy, SearchPool
from equilibrist.protocols.serving.slumbot import SlumbotTables
from equilibrist.search.holdem.street_search import StreetSearch
from tests.play.bots.hands import small_blueprint
from tests.protocols.acpc.random_hands import RandomPlayer
from tests.refusals import refuses


class Double:
    """A server in this process; keeps the last answer."""

    def __init__(self, player: Player | None = None) -> None:
        player = player or FixedPlayer("random", 3)
        self.tables = SlumbotTables(HEADS_UP, lambda _seed: player, seed=1)
        self.answers: list[dict[str, Any]] = []

    def __call__(self, call: str, document: dict[str, Any]) -> Any:
        if call == "new_hand":
            self.answers.append(self.tables.new_hand(document.get("token")))
        else:
            self.answers.append(self.tables.act(document["token"], document["incr"]))
        return self.answers[-1]


@pytest.mark.parametrize("player", [RandomPlayer(5), FixedPlayer("call"), FixedPlayer("all-in")])
def test_hands_are_played_and_counted(player: Player, tmp_path: Path) -> None:
    double = Double()
    with MatchLog(tmp_path / "s.log", appends=True) as log:
        ours = Challenge(SlumbotServer(double), player, "we", log=log)
        result = ours.play(60)
    assert result.hands == 60
    assert result.warnings == 0
    assert float(result.scores[0]) == double.answers[-1]["session_total"]
    record = read_log(tmp_path / "s.log", rules_of(HEADS_UP))
    assert [hand.hand for hand in record.hands] == list(range(60))
    assert {hand.names for hand in record.hands} == {("we", "opponent"), ("opponent", "we")}
    won = [hand.values[hand.names.index("we")] for hand in record.hands]
    assert sum(won) == result.scores[0]


def test_the_log_goes_on(tmp_path: Path) -> None:
    for hands in (5, 12):
        with MatchLog(tmp_path / "s.log", appends=True) as log:
            result = Challenge(SlumbotServer(Double()), FixedPlayer("call"), log=log).play(hands)
    assert result.hands == 7
    assert len(read_log(tmp_path / "s.log", rules_of(HEADS_UP)).hands) == 12


def test_players_are_told_apart_by_what_they_play() -> None:
    def identity(seconds: float | None = None, **options: Any) -> str:
        searches = SearchPool(lambda: StreetSearch(**options))
        return OpenedStrategy("b", small_blueprint(), searches, seconds).identity()

    assert identity() == identity()
    others = {identity(), identity(2.0), identity(iterations=5), OpenedStrategy("call").identity()}
    others.add(OpenedStrategy("b", small_blueprint()).identity())
    assert len(others) == 5
    assert len({heading("http://double", HEADS_UP, other) for other in others}) == 5


def test_illegal_actions_are_not_sent() -> None:
    double, warnings = Double(FixedPlayer("call")), list[str]()
    ours = Challenge(SlumbotServer(double), lambda _state: None, warn=warnings.append)  # type: ignore[arg-type,return-value]
    assert ours.play(3).warnings == len(warnings) > 0


GOOD = {
    "token": "t",
    "client_pos": 0,
    "hole_cards": ["Ac", "9d"],
    "board": [],
    "action": "b200",
    "winnings": None,
}


ALL_IN = GOOD | {"board": ["2c", "3c", "4c", "7d", "8h"], "action": "b20000c"}


def telling(answer: Any) -> SlumbotServer:
    """A server that answers so, once it was told the call of an all-in."""
    is_called = isinstance(answer, dict) and answer.get("action") == ALL_IN["action"]
    answers = iter([*[GOOD | {"action": "b20000"}] * is_called, answer])
    return SlumbotServer(lambda _call, _document: next(answers))


@pytest.mark.parametrize(
    "answer",
    [
        GOOD | {"action": "f", "winnings": 50},
        ALL_IN | {"winnings": 0},
        ALL_IN | {"winnings": 20000},
        ALL_IN | {"bot_hole_cards": ["Kc", "Qd"], "winnings": 20000},
    ],
)
def test_winnings_that_the_cards_allow(answer: Any) -> None:
    ours = Challenge(telling(answer), FixedPlayer("call"))
    assert ours.play(1).scores[0] == answer["winnings"]


@pytest.mark.parametrize("action", ["b200", "b200f", "b200c", "b300c/kk", "b200b600b1800c"])
def test_an_answer_goes_on_from_what_was_sent(action: str) -> None:
    """A server that answers the same state again would be asked without end."""
    calls = 0

    def answers(_call: str, _document: object) -> Any:
        nonlocal calls
        calls += 1
        assert calls < 10
        return GOOD | ({"action": action} if calls > 1 else {})

    ours = Challenge(SlumbotServer(answers), lambda _state: AcpcAction("r", 600))
    with refuses(PeerError, option="server", peer="opponent"):
        ours.play(1)
    assert calls == 2


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        "text",
        {},
        {"error_msg": "no"},
        GOOD | {"client_pos": 2},
        GOOD | {"client_pos": 1},
        GOOD | {"hole_cards": ["Ac"]},
        GOOD | {"hole_cards": ["Ac", "Ac"]},
        GOOD | {"hole_cards": ["Ac", "Xx"]},
        GOOD | {"board": ["2c", "3c", "4c"], "action": "b200c/", "client_pos": 1},
        GOOD | {"board": ["2c", "3c", "Ac"], "action": "b200c/"},
        GOOD | {"action": "b200c/"},
        GOOD | {"action": "b20"},
        GOOD | {"action": "nonsense"},
        GOOD | {"winnings": 100},
        GOOD | {"winnings": "many"},
        GOOD | {"action": "f", "winnings": float("nan")},
        GOOD | {"action": "f", "winnings": float("inf")},
        GOOD | {"action": "f", "winnings": 1e6},
        GOOD | {"action": "f", "winnings": -50},
        ALL_IN | {"winnings": 100},
        ALL_IN | {"bot_hole_cards": ["Kc", "Qd"], "winnings": -20000},
    ],
)
def test_answers_that_are_no_state_of_a_hand(answer: Any) -> None:
    ours = Challenge(telling(answer), FixedPlayer("call"))
    with refuses(PeerError, option="server", peer="opponent"):
        ours.play(1)
    assert ours.result.hands == 0


def test_the_hands_so_far_stay_when_the_server_is_gone(tmp_path: Path) -> None:
    double = Double(FixedPlayer("call"))
    calls = 0

    def leaving(call: str, document: dict[str, Any]) -> Any:
        nonlocal calls
        calls += 1
        if calls == 30:
            raise PeerError("it is gone", "it")
        return double(call, document)

    with MatchLog(tmp_path / "s.log", appends=True) as log:
        ours = Challenge(SlumbotServer(leaving), FixedPlayer("call"), log=log)
        with refuses(PeerError, peer="it"):
            ours.play(100)
    assert ours.result.hands > 1
    assert len(read_log(tmp_path / "s.log", rules_of(HEADS_UP)).hands) == ours.result.hands


class Telling:
    """A server of hands in which the opponent folds, with its own figures without luck."""

    def __init__(self, *figures: float | None) -> None:
        self.figures = iter(figures)

    def new_hand(self) -> ServedHand:
        return ServedHand(0, "Ac9d", "", "f", 50, "KcQd", next(self.figures))

    def act(self, taken: str) -> ServedHand:
        raise AssertionError(taken)


def test_figures_without_luck_are_of_one_account(tmp_path: Path) -> None:
    with MatchLog(tmp_path / "s.log", appends=True) as log:
        some = Challenge(Telling(1.0, None), FixedPlayer("call"), log=log)
        result = some.play(2)
    assert result.corrected_by == "hands"
    assert result.without_luck == tuple(some.without_luck)
    assert some.told == [1.0, None]
    ours = Challenge(Telling(1.0, 2.0), FixedPlayer("call")).play(2)
    assert (ours.corrected_by, ours.without_luck) == ("server", (1.0, 2.0))


@pytest.mark.parametrize("figure", [1e300, -1e7, float("nan")])
def test_figures_without_luck_that_no_hand_has(figure: float) -> None:
    ours = Challenge(Telling(figure), FixedPlayer("call"))
    with refuses(PeerError, option="server", peer="opponent"):
        ours.play(1)
    assert ours.result.hands == 0


class Drawing:
    """Draws between a fold and a raise, which has drawn one that is too large."""

    answer = BotAnswer("R", {"F": 0.5, "R": 0.5}, DecidedBy.BLUEPRINT)

    def __call__(self, _state: object) -> AcpcAction:
        return AcpcAction("r", 10**6)


def test_luck_is_taken_out_of_draws_that_were_made_legal() -> None:
    won = {}
    for player in (Drawing(), FixedPlayer("call")):
        shown = ALL_IN | {"bot_hole_cards": ["Kc", "Qd"], "winnings": 20000}
        ours = Challenge(telling(shown), player)
        ours.play(1)
        won[ours.warnings] = ours.without_luck
    assert won[1] != won[0]
