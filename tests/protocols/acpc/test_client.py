"""The client: whatever it is sent, and whatever its player answers, it sends legal actions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import PeerError
from equilibrist.protocols.acpc.betting import AcpcAction
from equilibrist.protocols.acpc.client import Client
from equilibrist.protocols.acpc.rules import rules_of
from tests.protocols.acpc.random_hands import RandomPlayer, messages
from tests.protocols.acpc.tables import HEADS_UP, SIX, always_call
from tests.refusals import refuses

RULES = rules_of(HEADS_UP)
TO_ACT = "MATCHSTATE:0:3:cr300c/:9s8h|/8c8d5c"
END = "MATCHSTATE:0:3:cr300c/cc/cc/cc:9s8h|AcAd/8c8d5c/2c/2d"


class Script:
    """A dealer that says some lines, then is gone."""

    def __init__(self, *lines: str, gone: Exception | None = None) -> None:
        self._lines = list(lines)
        self._gone = gone or PeerError("it closed the connection", "it")
        self.sent: list[str] = []

    def send(self, line: str) -> None:
        self.sent.append(line)

    def receive(self, seconds: float | None = None) -> str:
        if not self._lines:
            raise self._gone
        return self._lines.pop(0)


def test_it_answers_with_the_state_and_the_action() -> None:
    script = Script("# hello", "; too", "", TO_ACT, END)
    record = Client(RULES, always_call).run(script)
    assert script.sent == [f"{TO_ACT}:c"]
    assert (record.hands, record.actions, record.warnings) == (1, 1, [])
    assert record.won == Fraction(300)  # three eights against two pair


def test_it_is_silent_where_others_act() -> None:
    client = Client(RULES, always_call)
    assert client.answer("MATCHSTATE:1:3:cr300c/:|9s8h/8c8d5c") is None
    assert client.answer("MATCHSTATE:1:3:cr300f:|9s8h") is None
    assert client.record.warnings == []


@pytest.mark.parametrize(
    ("action", "sent"),
    [
        (AcpcAction("f"), "c"),
        (AcpcAction("r"), "c"),
        (AcpcAction("r", 1), "r400"),
        (AcpcAction("r", 10**15), "r20000"),
        (AcpcAction("x"), "c"),
        (None, "c"),
    ],
)
def test_illegal_actions_of_a_player_are_not_sent(action, sent: str) -> None:
    client = Client(RULES, lambda _state: action)
    assert client.answer(TO_ACT) == f"{TO_ACT}:{sent}"
    assert len(client.record.warnings) == 1


def test_a_player_that_fails_calls() -> None:
    def fails(_state):
        raise ZeroDivisionError

    warnings: list[str] = []
    client = Client(RULES, fails, warnings.append)
    assert client.answer(TO_ACT) == f"{TO_ACT}:c"
    assert warnings == client.record.warnings
    assert len(warnings) == 1


def test_a_dealer_that_vanishes() -> None:
    for lines in ((TO_ACT,), (END, "MATCHSTATE:1:4::|9s8h")):
        client = Client(RULES, always_call)
        with refuses(PeerError, peer="the dealer", place=f"hand {len(lines) - 1}"):
            client.run(Script(*lines))
        assert client.record.hands == len(lines) - 1
    assert Client(RULES, always_call).run(Script()).hands == 0


def test_a_dealer_that_says_nothing() -> None:
    with refuses(PeerError, peer="the dealer"):
        Client(RULES, always_call).run(Script(gone=TimeoutError()), 0.0)


def test_a_state_that_comes_twice_counts_once() -> None:
    client = Client(RULES, always_call)
    client.run(Script(TO_ACT, TO_ACT, END, END))
    assert client.record.hands == 1


@given(st.integers(0, 10**6), st.data())
def test_garbage_is_ignored(seed: int, data: st.DataObject) -> None:
    lines = [str(state) for state in messages(SIX, 1, seed)]
    client = Client(rules_of(SIX), RandomPlayer(seed))
    for line in lines:
        cut = data.draw(st.integers(0, len(line)))
        noise = data.draw(st.text(max_size=5))
        answer = client.answer(line[:cut] + noise + data.draw(st.sampled_from(["", line[cut:]])))
        assert answer is None or AcpcAction.parse(answer.rpartition(":")[2]) is not None


def test_only_the_first_warnings_are_kept() -> None:
    told: list[str] = []
    client = Client(RULES, always_call, told.append)
    for number in range(250):
        client.answer(f"junk {number}")
    assert client.record.warning_count == len(told) == 250
    assert client.record.warnings == told[:100]
