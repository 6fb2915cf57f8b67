"""Hand histories in PHH: PokerKit replays every hand to the same chips."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory

import equilibrist as eq
from equilibrist.errors import ConfigError, FileFormatError, OutputError
from equilibrist.play import (
    Person,
    PhhLog,
    Session,
    SolutionAgent,
    SolutionCoach,
    SpotGame,
    UniformAgent,
    hand_history,
)
from equilibrist.poker import Spot
from tests.play.spots.test_game import RIVER, TURN, solved
from tests.refusals import refuses

SPOTS = {
    "river": RIVER.replace(rake=0.0, rake_cap=None),
    "turn": TURN.replace(rake=0.0, rake_cap=None),
    "flop": Spot(board="Ts3h2h", oop="22+", ip="A2s+", pot=100, stack=350, bets="33%,a"),
    "short deck": Spot(
        board="Th9h9c",
        oop="AhKh,QhJh,AsKs",
        ip="TT,AdAc,99",
        pot=10,
        stack=30,
        bets="50%,a",
        deck="short",
    ),
    "small chips": Spot(
        board="Ts3h2h5c", oop="AA,KK", ip="QQ,JJ", pot=6.5, stack=19.75, bets="75%", raises="50%"
    ),
}


def played(spot: Spot, hands: int, seed: int = 1) -> Session:
    return Session(SpotGame(spot), [UniformAgent("one"), UniformAgent("two")], seed=seed)


@pytest.mark.parametrize("spot", SPOTS.values(), ids=SPOTS)
def test_pokerkit_ends_with_the_same_chips(spot: Spot) -> None:
    session: Any = played(spot, 40)
    streets, folds = set(), 0
    for record in session.play(40):
        history = HandHistory.loads(hand_history(session.game, record, ["one", "two"]).dumps())
        states = list(history)
        assert not states[-1].status, "the hand is not over"
        stacks = [float(left) for left in states[-1].stacks]
        ours = [spot.stack + payoff for payoff in record.payoffs]
        assert stacks == pytest.approx(ours)
        assert [float(left) for left in history.finishing_stacks or ()] == pytest.approx(ours)
        names = [("one", "two")[seat] for seat in record.seats]
        assert history.players == names
        streets.add(sum(action.startswith("d db") for action in history.actions))
        folds += any(action.endswith(" f") for action in history.actions)
    assert 0 < folds < 40
    assert max(streets) == 3


def test_hands_in_which_trips_beat_straights_are_no_phh() -> None:
    spot = SPOTS["short deck"].replace(deck="short-trips")
    session: Any = played(spot, 1)
    (record,) = session.play(1)
    with refuses(ConfigError, option="game"):
        hand_history(session.game, record, ["one", "two"])


def test_actions_of_a_hand() -> None:
    """A hand in full, from the rules of PHH."""
    solution = solved(RIVER)
    session = Session(
        SpotGame(RIVER),
        [Person("you"), SolutionAgent(solution)],
        seed=2,
        coach=SolutionCoach(solution),
    )
    session.deal()
    session.choose("Bet 50")
    assert session.last is not None
    history = hand_history(SpotGame(RIVER), session.last, ["you", "AI"])
    loss = session.last.moves[2].ev_loss
    first, second = (move.action.split()[1] for move in session.last.moves[:2])
    assert session.last.moves[-1].action == "Call"
    assert history.actions[:9] == [
        f"d dh p1 {first}", f"d dh p2 {second}",
        "p1 cc", "p2 cc", "d db Ts3h2h", "p1 cc", "p2 cc", "d db 5c", "p1 cc",
    ]  # fmt: skip
    assert history.actions[9:] == [
        "p2 cc", "d db 9s", f"p1 cbr 50 # EV loss {loss:.4g}", "p2 cc",
        f"p1 sm {first}", f"p2 sm {second}",
    ]  # fmt: skip
    assert history.antes == [50, 50]
    assert history.starting_stacks[0] == pytest.approx(147.5)
    assert history.user_defined_fields["_rake"] == "0.05, at most 7"
    assert float(history.finishing_stacks[1]) == 97.5 - 50 + 200 - 7


def test_the_log_is_added_to(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    spot = SPOTS["river"]
    for start in (0, 3):
        session = played(spot, 3)
        with PhhLog(path) as log:
            log.begin(session)
            for record in session.play(3):
                log.add(record)
        assert len(list(HandHistory.loads_all(path.read_text()))) == start + 3
    assert path.read_text().count("\n[6]\n") == 1


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "hands.phhs"
    path.write_text("no TOML")
    with refuses(FileFormatError, option="log"):
        PhhLog(path)
    with refuses(OutputError):
        PhhLog(tmp_path / "none" / "hands.phhs")
    kuhn = Session(eq.load_game("kuhn"), [UniformAgent("a"), UniformAgent("b")])
    with refuses(ConfigError, option="log"):
        PhhLog(tmp_path / "new.phhs").begin(kuhn)
    plain = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "pokerkit":
            raise ImportError("none", name="pokerkit")
        return plain(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with refuses(ConfigError, option="package", given="pokerkit"):
        PhhLog(tmp_path / "new.phhs")
