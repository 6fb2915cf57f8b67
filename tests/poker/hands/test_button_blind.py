"""Short deck's forced bets: antes of all and a blind of the button, and antes of one seat."""

from __future__ import annotations

import random
from typing import Any

import pytest

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.play.agents import UniformAgent
from equilibrist.play.hands.game import HandGame
from equilibrist.play.histories.hands import whole_hand_history
from equilibrist.play.session import Session
from equilibrist.poker import Hand
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD
from equilibrist.poker.preflop.push_fold.game import push_fold_keys
from tests.play.review.hands import hands_of
from tests.poker.hands.pokerkit_hands import pokerkit_payoffs
from tests.refusals import refuses

SHORT: dict[str, Any] = {"button_blind": 1, "ante": 1, "deck": "short"}


def test_who_posts_and_who_acts_first() -> None:
    rules = Hand(stack=50, seats=4, **SHORT).rules
    assert rules.blinds == (0, 0, 0, 1)
    assert rules.antes == (1, 1, 1, 1)
    assert rules.bets == (1, 1, 1, 1)
    assert [rules.first_to_act(street) for street in range(4)] == [0, 0, 0, 0]
    two = Hand(stack=50, **SHORT).rules
    assert two.blinds == (1, 0)
    assert [two.first_to_act(street) for street in range(4)] == [1, 1, 1, 1]
    assert not Hand(stack=50, **SHORT).in_big_blinds


@pytest.mark.parametrize(("seats", "antes"), [(2, (1, 0)), (3, (0, 0, 1)), (6, (0,) * 5 + (1,))])
def test_an_ante_of_the_button(seats: int, antes: tuple[int, ...]) -> None:
    hand = Hand(stack=50, seats=seats, blinds="1/2", ante=1, ante_kind="button")
    assert hand.rules.antes == antes
    assert hand.rules.dead_antes == antes


def random_hand(chance: random.Random) -> Hand:
    seats = chance.choice([2, 3, 6])
    stacks = "/".join(str(chance.choice([1, 2, 5, 8, 13, 40])) for _ in range(seats))
    keys: dict[str, Any] = {"stacks": stacks, "seats": seats, "bets": "50%,100%,a", "raises": "a"}
    if chance.random() < 0.6:
        return Hand(**keys, **{**SHORT, "button_blind": chance.choice([1, 2])})
    return Hand(**keys, blinds="1/2", ante=1, ante_kind="button")


def test_hands_pay_what_pokerkit_pays() -> None:
    compared = 0
    for number in range(60):
        try:
            game = HandGame(random_hand(random.Random(number)))
        except ConfigError:  # posting leaves nobody to act
            continue
        players = [UniformAgent(f"{k}") for k in range(game.num_players)]
        session = Session(game, players, seed=number)
        session.deal()
        (record,) = [session.last]
        state = game.initial_state()
        for move in record.moves:
            state = game.next(state, move.index)
        holes = [(int(FIRST_CARD[combo]), int(SECOND_CARD[combo])) for combo in state.hands]
        won = pokerkit_payoffs(game.rules, holes, state.board, state.betting.line)
        assert record.payoffs == tuple(float(game.rules.scale.chips(chips)) for chips in won)
        compared += 1
    assert compared > 40


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize(
    "keys", [SHORT, {"blinds": "1/2", "ante": 1, "ante_kind": "button"}], ids=["blind", "ante"]
)
def test_played_hands_say_who_posted(seats: int, keys: dict[str, Any]) -> None:
    hand = Hand(stacks="/".join("567890"[:seats]).replace("0", "20"), seats=seats, bets="a", **keys)
    game = HandGame(hand)
    session = Session(game, [UniformAgent(f"{k}") for k in range(seats)], seed=3)
    session.deal()
    record = session.last
    assert record is not None
    history = whole_hand_history(game, record, [f"p{k}" for k in range(seats)])
    (read,) = hands_of(history)
    assert (read.hand.rules.blinds, read.hand.rules.antes) == (hand.rules.blinds, hand.rules.antes)
    assert read.hand.rules.stacks == hand.rules.stacks
    assert read.hand.deck == hand.deck


@pytest.mark.parametrize(
    ("keys", "option"),
    [
        ({"blinds": "1/2"}, "blinds"),
        ({"straddle": "4", "seats": 4}, "straddle"),
        ({"ante_kind": "big-blind"}, "ante_kind"),
        ({"button_blind": -1}, "button_blind"),
    ],
)
def test_what_does_not_go_together(keys: dict[str, Any], option: str) -> None:
    with refuses(ConfigError, option=option):
        Hand(**{"stack": 50, **SHORT, **keys})


def test_push_or_fold_names_what_it_lacks() -> None:
    with refuses(UnsupportedError, option="button_blind"):
        push_fold_keys(Hand(stack=10, button_blind=1))
    with refuses(UnsupportedError, option="ante_kind"):
        push_fold_keys(Hand(stack=10, ante=1, ante_kind="button"))
