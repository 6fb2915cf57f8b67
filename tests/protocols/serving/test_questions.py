"""Questions to a bot as JSON: what is answered, and what is no question."""

from __future__ import annotations

import json
from threading import Lock
from typing import Any

import pytest

from equilibrist.errors import CardSyntaxError, ConfigError
from equilibrist.play import Bot, FixedAgent
from equilibrist.play.bots.answers import BotAnswer
from equilibrist.poker import Hand
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.protocols.serving.questions import (
    BotDesk,
    Question,
    answer_lines,
    error_document,
)
from tests.poker.blueprint.alike_cards import AlikeCards
from tests.poker.blueprint.evaluation.test_exploiter import blueprint_of
from tests.poker.blueprint.oracle import random_strategy

HAND = Hand(stack=12, bets="50%,100%,a", raises="100%,a", deck="Q")


@pytest.fixture(scope="module")
def blueprint() -> Any:
    cards = AlikeCards(10)
    game = AbstractGame(HAND, cards.counts)
    return blueprint_of(game, cards, random_strategy(game, 7))


@pytest.fixture
def desk(blueprint: Any) -> BotDesk:
    return BotDesk(lambda seed: Bot(blueprint, seed=seed))


def asked(desk: BotDesk, *lines: str) -> list[dict[str, Any]]:
    sent: list[str] = []
    answer_lines(desk, lines, sent.append)
    assert all("\n" not in text for text in sent)
    return [json.loads(text) for text in sent]


def test_the_answer_is_that_of_the_bot(desk: BotDesk, blueprint: Any) -> None:
    document = desk.answer(Question(hole_cards="AhKh", line="R2.7", hand=4))
    bot = Bot(blueprint, seed=0)
    bot.begin(5)
    answer = bot.act("AhKh", "R2.7")
    assert document["action"] == answer.action
    assert document["mixture"] == answer.mixture
    assert document["decided_by"] == "blueprint"
    assert document["mapped"][0]["action"] == "R2.7"
    json.dumps(document, allow_nan=False)


def test_lines_of_json(desk: BotDesk) -> None:
    answers = asked(
        desk,
        '{"hole_cards": "AhKh", "id": "first"}',
        "",
        '{"hole_cards": "AhKh", "legal_actions": ["F", "C"], "line": "R2", "id": 2}',
        '{"hole_cards": "AhKh", "table": {"stack": 1000, "blinds": "50/100", "deck": "Q"}}',
    )
    assert answers[0]["id"] == "first"
    assert answers[1]["action"] in ("F", "C")
    assert answers[1]["id"] == 2
    assert answers[2]["depth"] == {"table": 10.0, "strategy": 12.0}


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("nonsense", "the document"),
        ("[]", "the document"),
        ("{}", "hole_cards"),
        ('{"hole_cards": 3}', "hole_cards"),
        ('{"hole_cards": "AhKh", "line": "", "line": "F"}', "line"),
        ('{"hole_cards": "AhKh", "seconds": -1}', "seconds"),
        ('{"hole_cards": "AhKh", "hand": 1.5}', "hand"),
        ('{"hole_cards": "AhKh", "more": 1}', "more"),
        ('{"hole_cards": "AhKx"}', "hole_cards"),
        ('{"hole_cards": "AhKh", "line": "R3-"}', None),
        ('{"hole_cards": "AhKh", "legal_actions": ["up"]}', "legal_actions"),
        ('{"hole_cards": "AhKh", "table": {"stack": -1}}', "stack"),
        ('{"hole_cards": "AhKh", "table": {"stacked": 1}}', None),
        ('{"hole_cards": "' + "A" * 20_000 + '"}', "hole_cards"),
    ],
)
def test_what_is_no_question_is_an_error_with_its_id(
    desk: BotDesk, line: str, option: str | None
) -> None:
    (answer,) = asked(desk, line)
    assert "error" in answer
    assert option is None or answer["option"] == option
    (good,) = asked(desk, '{"hole_cards": "AhKh"}')
    assert "action" in good


def test_errors_of_the_bot_have_the_id(desk: BotDesk) -> None:
    (answer,) = asked(desk, '{"hole_cards": "AhAh", "id": 7}')
    assert answer["id"] == 7
    document = error_document(CardSyntaxError("no card", "Ax", 1, option="hole_cards", given="x"))
    assert (document["option"], document["given"]) == ("hole_cards", "x")
    assert error_document(ConfigError(option="x", given=object(), expected="y"))["given"]


def test_sessions_have_bots_of_their_own(blueprint: Any) -> None:
    made: list[int] = []

    def make(seed: int) -> Bot:
        made.append(seed)
        return Bot(blueprint, seed=seed)

    desk = BotDesk(make, seed=3)
    for session in ("a", "b", "a", "b"):
        desk.answer(Question(hole_cards="AhKh", session=session, hand=1))
    assert made == [3, 3]


def test_the_time_that_a_question_asks_for_has_a_limit() -> None:
    asked: list[float | None] = []

    class Timed(Bot):
        def act(self, *arguments: Any, **options: Any) -> BotAnswer:
            asked.append(arguments[3])
            return super().act(*arguments, **options)

    def opened(most: float | None) -> BotDesk:
        make = lambda seed: Timed(FixedAgent("call"), seed=seed)  # noqa: E731
        return BotDesk(make, table=Hand(stack=100), most_seconds=most)

    for most, seconds in ((5.0, 1e6), (5.0, 2.0), (5.0, None), (None, 1e6)):
        opened(most).answer(Question(hole_cards="AhKh", seconds=seconds))
    assert asked == [5.0, 2.0, None, 1e6]


def test_desks_of_one_solution_have_one_lock() -> None:
    lock = Lock()
    held: list[bool] = []

    class Watched(Bot):
        def act(self, *arguments: Any, **options: Any) -> BotAnswer:
            held.append(lock.locked())
            return super().act(*arguments, **options)

    make = lambda seed: Watched(FixedAgent("call"), seed=seed)  # noqa: E731
    desk = BotDesk(make, table=Hand(stack=100), lock=lock)
    desk.answer(Question(hole_cards="AhKh"))
    assert held == [True]
    assert not lock.locked()


def test_answers_to_numbers_that_are_none_are_json(desk: BotDesk) -> None:
    sent: list[str] = []
    answer_lines(desk, ['{"hole_cards": "AhKh", "table": {"stack": NaN}}'], sent.append)

    def refuse(word: str) -> None:
        raise AssertionError(word)

    assert json.loads(sent[0], parse_constant=refuse)["error"]


def test_fixed_opponents_play_at_the_table_of_the_desk() -> None:
    desk = BotDesk(lambda seed: Bot(FixedAgent("call"), seed=seed), table=Hand(stack=100))
    assert desk.answer(Question(hole_cards="AhKh", line="R3"))["action"] == "C"
    bare = BotDesk(lambda seed: Bot(FixedAgent("call"), seed=seed))
    (answer,) = asked(bare, '{"hole_cards": "AhKh"}')
    assert answer["option"] == "table"
