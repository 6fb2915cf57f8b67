"""Tables of whole hands with three seats as documents: seats, hidden cards, ranges, the coach."""

from __future__ import annotations

import pytest

from equilibrist.errors import ConfigError
from equilibrist.library.opponents import holdem_opponent
from equilibrist.poker import Hand
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.storage.kinds.file_kinds import BLUEPRINT
from equilibrist.web.play.ranges import ranges_document
from equilibrist.web.play.table import bet_document, hand_document, table_document
from equilibrist.web.playing.table import PlayTable
from tests.poker.blueprint.alike_cards import AlikeCards
from tests.poker.blueprint.evaluation.test_exploiter import blueprint_of
from tests.poker.blueprint.oracle import random_strategy
from tests.refusals import refuses

HAND = Hand(stack=6, seats=3, bets="100%,a", raises="100%,a", raise_cap=1, deck="Q")
NAMES = ["SB", "BB", "BTN"]


@pytest.fixture(scope="module")
def opponent():
    cards = AlikeCards(10)
    game = AbstractGame(HAND, cards.counts)
    blueprint = blueprint_of(game, cards, random_strategy(game, 3))
    return holdem_opponent("bp", BLUEPRINT, blueprint)


def table_at(opponent, seat, seed=2):
    table = PlayTable(opponent, seat, seed, 10)
    table.deal()
    return table


def test_a_table_has_its_seats_and_hides_their_cards(opponent):
    table = table_at(opponent, 2)
    found = table_document("t", table)
    assert (found["players"], found["seat_names"]) == (3, NAMES)
    scene = found["turn"]["scene"]
    assert scene["you"] == "BTN"
    assert [player["seat"] for player in scene["players"]] == NAMES
    assert [player["name"] for player in scene["players"]] == ["AI 1", "AI 2", "you"]
    assert [player["cards"] is None for player in scene["players"]] == [True, True, False]
    assert (scene["total"], scene["to_call"]) == (1.5, 1)
    quoted = bet_document(table, 3.2)
    assert sum(one["probability"] for one in quoted["shares"]) == pytest.approx(1)
    with refuses(ConfigError, option="seat"):
        PlayTable(opponent, 3, 2, 10)


def test_the_coach_gives_estimates_with_intervals(opponent, monkeypatch):
    monkeypatch.setattr("equilibrist.poker.blueprint.evaluation.sampled_values.BLOCK", 128)
    table = table_at(opponent, 2)
    turn = table_document("t", table)["turn"]
    table.choose(1, turn["move"], "C", None)
    said = table_document("t", table)["decisions"][0]
    assert said["estimated"]
    assert said["study"].startswith("/charts/bp")
    fold, *others = said["actions"]
    assert (fold["ev"], fold["error"]) == (0, 0)
    assert all(row["error"] > 0 for row in others)


def test_ranges_and_moves_name_the_seats(opponent, monkeypatch):
    monkeypatch.setattr("equilibrist.poker.blueprint.evaluation.sampled_values.BLOCK", 128)
    table = next(
        table
        for seed in range(9)
        if (table := table_at(opponent, 1, seed)).session.turn is not None
    )
    found = ranges_document(table)["decisions"]
    assert [one["who"] for one in found] == ["AI 2 (BTN)", "AI 1 (SB)"]
    assert found[0]["line"] == ""
    while table.session.turn is not None:
        turn = table_document("t", table)["turn"]
        table.choose(1, turn["move"], len(turn["actions"]) - 1, None)
    over = hand_document(table, table.hand(1))
    assert sum(over["payoffs"]) == pytest.approx(0)
    first, last = over["scenes"][0], over["scenes"][-1]
    assert first["moves"][0]["moves"] == []
    assert [player["name"] for player in last["players"]] == ["AI 1", "you", "AI 2"]
    assert all(player["cards"] for player in last["players"])
    assert [who for who, _ in last["moves"][0]["moves"]][:3] == ["BTN", "SB", "BB"]
