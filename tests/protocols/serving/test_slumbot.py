"""Hands by calls like those of Slumbot: dealt, played, counted; what is refused."""

from __future__ import annotations

import re
from threading import Lock
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.protocols.acpc.betting import AcpcAction, Betting
from equilibrist.protocols.acpc.match_state import MatchState
from equilibrist.protocols.acpc.players import FixedPlayer
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.protocols.serving.slumbot import SlumbotTables
from equilibrist.protocols.slumbot_notation import slumbot_text
from tests.protocols.acpc.random_hands import RandomPlayer
from tests.protocols.acpc.tables import HEADS_UP, LIMIT, SIX, always_call
from tests.refusals import refuses


def tables(word: str = "call") -> SlumbotTables:
    return SlumbotTables(HEADS_UP, lambda seed: FixedPlayer(word, seed), seed=1)


def text(betting: str) -> str:
    return slumbot_text(Betting.parse(rules_of(HEADS_UP), betting))


def test_actions_are_totals_of_the_street() -> None:
    assert text("") == ""
    assert text("cc/r300c/r900r1700f") == "ck/b200c/b600b1400f"
    assert text("r20000c///") == "b20000c///"
    assert text("r300c/cc/") == "b300c/kk/"


def test_a_hand_to_its_end() -> None:
    desk = tables()
    hand = desk.new_hand()
    assert hand["client_pos"] == 0
    assert hand["action"] == "c"  # the bot has the small blind, and calls
    assert len(hand["hole_cards"]) == 2
    assert (hand["board"], hand["winnings"]) == ([], None)
    token = hand["token"]
    hand = desk.act(token, "b300")
    assert hand["action"] == "cb300c/"
    assert hand["old_action"] == "c"
    assert len(hand["board"]) == 3
    for street in range(3):
        hand = desk.act(token, "k")
        assert len(hand["board"]) == min(5, 4 + street)
    assert hand["action"] == "cb300c/kk/kk/kk"
    assert hand["winnings"] in (-300, 0, 300)
    assert len(hand["bot_hole_cards"]) == 2
    assert (hand["session_num_hands"], hand["session_total"]) == (1, hand["winnings"])
    hand = desk.new_hand(token)
    assert (hand["client_pos"], hand["action"]) == (1, "")
    hand = desk.act(token, "f")
    assert (hand["winnings"], hand["board"]) == (-50, [])
    assert len(hand["bot_hole_cards"]) == 2


@pytest.mark.parametrize("word", ["fold", "call", "raise", "random", "all-in"])
def test_random_clients_play_whole_hands(word: str) -> None:
    desk = tables(word)
    generator = np.random.default_rng(2)
    token, total = None, 0.0
    for number in range(40):
        hand = desk.new_hand(token)
        token = hand["token"]
        while hand["winnings"] is None:
            assert not _is_client_last(hand)
            hand = desk.act(token, _random_action(desk, token, generator))
        total += hand["winnings"]
        assert hand["session_num_hands"] == number + 1
        assert hand["session_total"] == pytest.approx(total)


def _is_client_last(hand: dict[str, Any]) -> bool:
    """Whether the hand is at its end although nothing was won yet."""
    return hand["action"].endswith("f")


def _random_action(desk: SlumbotTables, token: str, generator: np.random.Generator) -> str:
    """A legal action, as the error of an illegal one names them."""
    with pytest.raises(ConfigError) as caught:
        desk.act(token, "x")
    words = str(caught.value.expected).split(", ")
    word = words[int(generator.integers(len(words)))]
    if match := re.fullmatch(r"b(\d+) to b(\d+)", word):
        return f"b{generator.integers(int(match[1]), int(match[2]) + 1)}"
    return word


def test_illegal_actions_change_nothing() -> None:
    desk = tables()
    token = desk.new_hand()["token"]
    for incr in ("c", "b100", "b20001", "b", "", "k k", "r200", "b200.5", "b-1", "f", "b٣٠٠"):
        with refuses(ConfigError, option="incr", given=incr):
            desk.act(token, incr)
    assert desk.act(token, "b200")["action"] == "cb200c/"
    facing = tables("raise")
    token = facing.new_hand()["token"]
    with refuses(ConfigError, option="incr"):
        facing.act(token, "k")


def test_tokens_and_games_that_are_none() -> None:
    desk = tables()
    with refuses(ConfigError, option="token"):
        desk.act("nobody", "k")
    with refuses(ConfigError, option="token"):
        desk.new_hand("nobody")
    token = desk.new_hand()["token"]
    with refuses(ConfigError, option="token"):
        desk.new_hand(token)
    for game in (SIX, LIMIT):
        with refuses(ConfigError, option="game"):
            SlumbotTables(game, RandomPlayer)


def test_bots_act_while_the_lock_is_held() -> None:
    lock, held = Lock(), list[bool]()

    def player(state: MatchState) -> AcpcAction:
        held.append(lock.locked())
        return always_call(state)

    SlumbotTables(HEADS_UP, lambda _seed: player, lock=lock).new_hand()
    assert held == [True]
    assert not lock.locked()


def test_sessions_are_apart() -> None:
    desk = tables()
    first, second = desk.new_hand(), desk.new_hand()
    assert first["token"] != second["token"]
    assert first["hole_cards"] != second["hole_cards"]
    desk.act(first["token"], "b300")
    assert desk.act(second["token"], "k")["action"] == "ck/"
    again = tables().new_hand()
    assert again["hole_cards"] == first["hole_cards"]


class FailingPlayer:
    """Calls, but fails at the questions with these numbers, from 1."""

    def __init__(self, *fails: int) -> None:
        self._fails, self._asked = fails, 0

    def __call__(self, state: MatchState) -> AcpcAction:
        self._asked += 1
        if self._asked in self._fails:
            raise ConfigError("it failed", option="player")
        return always_call(state)


def test_a_bot_that_fails_leaves_the_hand_as_it_was() -> None:
    player = FailingPlayer(2, 5)
    desk = SlumbotTables(HEADS_UP, lambda _seed: player, seed=1)
    token = desk.new_hand()["token"]
    with refuses(ConfigError, option="player"):
        desk.act(token, "b300")
    again = desk.act(token, "b300")  # at the client's turn, not at the bot's
    assert (again["old_action"], again["action"]) == ("c", "cb300c/")
    assert desk.act(token, "b300")["action"] == "cb300c/b300c/"
    with refuses(ConfigError, option="player"):
        desk.act(token, "b400")
    with refuses(ConfigError, option="token"):  # the hand is not over
        desk.new_hand(token)
    assert desk.act(token, "b400")["action"] == "cb300c/b300c/b400c/"


def test_a_bot_that_fails_before_a_hand_deals_it_again() -> None:
    player = FailingPlayer(5)
    desk = SlumbotTables(HEADS_UP, lambda _seed: player, seed=1)
    token = desk.new_hand()["token"]
    for _ in range(4):
        desk.act(token, "k")
    assert desk.act(desk.new_hand(token)["token"], "f")["session_num_hands"] == 2
    with refuses(ConfigError, option="player"):
        desk.new_hand(token)
    with refuses(ConfigError, option="token"):  # no hand is played
        desk.act(token, "k")
    hand = desk.new_hand(token)
    assert (hand["client_pos"], hand["action"]) == (0, "c")
