"""Fixed opponents, and solutions that follow bets of any size with other stacks."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.play.bots.fixed import FIXED
from equilibrist.poker import Hand
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.protocols.acpc.client import Client
from equilibrist.protocols.acpc.dealer import Dealer, MatchSettings
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.match_state import MatchState
from equilibrist.protocols.acpc.players import BotPlayer, FixedPlayer
from equilibrist.protocols.acpc.rules import rules_of
from tests.poker.blueprint.alike_cards import AlikeCards
from tests.poker.blueprint.evaluation.test_exploiter import blueprint_of
from tests.poker.blueprint.oracle import random_strategy
from tests.protocols.acpc.tables import HEADS_UP, LIMIT, LocalSeat
from tests.refusals import refuses

HANDS = {
    2: Hand(stack=12, bets="50%,100%,a", raises="100%,a", deck="Q"),
    3: Hand(stack=6, seats=3, bets="100%,a", raises="a", raise_cap=1, deck="Q"),
}


@pytest.fixture(scope="module")
def blueprints() -> dict[int, Any]:
    cards = AlikeCards(10)
    made = {}
    for seats, hand in HANDS.items():
        game = AbstractGame(hand, cards.counts)
        made[seats] = blueprint_of(game, cards, random_strategy(game, 7))
    return made


def said(definition: GameDefinition, word: str, line: str) -> str:
    return str(FixedPlayer(word)(MatchState.parse(rules_of(definition), line)))


def test_fixed_opponents() -> None:
    facing, free = "MATCHSTATE:0:3:r300:9s8h|", "MATCHSTATE:0:3:cr300c/:9s8h|/8c8d5c"
    assert [said(HEADS_UP, word, facing) for word in ("fold", "call", "raise", "all-in")] == [
        "f",
        "c",
        "r500",
        "r20000",
    ]
    assert [said(HEADS_UP, word, free) for word in ("fold", "call", "raise", "all-in")] == [
        "c",
        "c",
        "r400",
        "r20000",
    ]
    limit = "MATCHSTATE:1:3::|9s8h"
    assert [said(LIMIT, word, limit) for word in ("fold", "call", "raise", "all-in")] == [
        "f",
        "c",
        "r",
        "r",
    ]
    drawn = Counter(
        str(player(MatchState.parse(rules_of(LIMIT), limit)))
        for player in [FixedPlayer("random", 1)]
        for _ in range(300)
    )
    assert min(drawn[letter] for letter in "fcr") > 60


@pytest.mark.parametrize("seats", HANDS)
@pytest.mark.parametrize("word", FIXED)
@pytest.mark.parametrize("stack", [1.0, 0.3, 7.0])
@pytest.mark.by_default(1)
def test_a_blueprint_plays_any_opponent_with_any_stacks(
    blueprints: dict[int, Any], seats: int, word: str, stack: float
) -> None:
    own = GameDefinition.of_hand(HANDS[seats])
    definition = replace(own, stacks=tuple(max(100, round(stack * s)) for s in own.stacks))
    player = BotPlayer(blueprints[seats], definition)
    assert bool(player.notes) == (stack != 1.0)
    rules = rules_of(definition)
    others = [LocalSeat(Client(rules, FixedPlayer(word, k))) for k in range(seats - 1)]
    ours = LocalSeat(Client(rules, player))
    settings = MatchSettings(definition, 10 * seats, seed=2, duplicate=True)
    result = Dealer(settings, [ours, *others]).run()
    assert result.warnings == 0
    assert ours.client.record.warnings == []


def test_it_plays_the_probabilities_of_the_solution(blueprints: dict[int, Any]) -> None:
    definition = GameDefinition.of_hand(HANDS[2])
    rules = rules_of(definition)
    player = BotPlayer(blueprints[2], definition, seed=5)
    # 2d of this deck is the queen of diamonds, 4h the ace of hearts.
    drawn = Counter(
        str(player(MatchState.parse(rules, f"MATCHSTATE:1:{hand}::|2d4h"))) for hand in range(2000)
    )
    from equilibrist.play import SolutionAgent

    mixture = SolutionAgent(blueprints[2]).mixture_at("AhQd:")
    shares = np.array([drawn[text] for text in ("f", "c", "r200", "r300", "r1200")]) / 2000
    assert sum(drawn.values()) == sum(drawn[t] for t in ("f", "c", "r200", "r300", "r1200"))
    assert shares == pytest.approx(mixture, abs=0.05)


def test_the_same_seed_plays_the_same_hand_again(blueprints: dict[int, Any]) -> None:
    definition = GameDefinition.of_hand(HANDS[2])
    rules = rules_of(definition)
    lines = [f"MATCHSTATE:0:{hand}:r270:2d4h|" for hand in range(50)]
    played = [
        [str(BotPlayer(blueprints[2], definition, seed=seed)(MatchState.parse(rules, line)))
         for line in lines]
        for seed in (1, 1, 2)
    ]  # fmt: skip
    assert played[0] == played[1] != played[2]


@pytest.mark.parametrize(
    ("option", "definition"),
    [
        ("numPlayers", GameDefinition.of_hand(HANDS[3])),
        ("numRanks", HEADS_UP),
        (
            "limit",
            replace(LIMIT, num_ranks=3, stacks=(1200, 1200), blinds=(100, 50)),
        ),
        ("numHoleCards", replace(GameDefinition.of_hand(HANDS[2]), num_hole_cards=1)),
        ("numBoardCards", replace(GameDefinition.of_hand(HANDS[2]), num_board_cards=(0, 3, 1),
                                  first_players=(1, 0, 0), max_raises=(255,) * 3)),
    ],
)  # fmt: skip
def test_other_games_are_refused(
    blueprints: dict[int, Any], option: str, definition: GameDefinition
) -> None:
    with refuses(ConfigError, option=option):
        BotPlayer(blueprints[2], definition)
