"""Questions to a bot as JSON documents, and its answers: what HTTP and JSON lines share."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import asdict
from threading import Lock
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from equilibrist.errors import EquilibristError
from equilibrist.play.bots.bot import Bot
from equilibrist.poker.hands.hand import Hand
from equilibrist.storage.plain_file import refuse_repeated

_MOST_SESSIONS: Final = 1000
"""Sessions that are remembered; the one that asked the longest time ago is forgotten first."""
_LONGEST: Final = 10_000
"""Characters of a text in a question."""

MOST_SECONDS: Final = 60.0
"""The most time of a search that a question over HTTP may ask for, where the server names none."""

MakeBot = Callable[[int], Bot]
"""Makes a bot with a seed."""


class Question(BaseModel):
    """What a bot is asked; `Bot.act` describes cards, line, actions and time."""

    model_config = ConfigDict(extra="forbid", strict=True)

    hole_cards: str = Field(max_length=_LONGEST, description="The own cards: AhKh.")
    line: str = Field(
        default="", max_length=_LONGEST, description="The line so far: R2.5-C|Td9d6h|X."
    )
    legal_actions: list[str] | None = Field(
        default=None,
        max_length=_LONGEST,
        description="The legal actions: F, C, R7.5; by default all.",
    )
    seconds: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="The most time of a search."
    )
    hand: int | None = Field(
        default=None, ge=0, description="The number of the hand; a new one begins a hand."
    )
    table: dict[str, Any] | None = Field(
        default=None, description="Keys of the hand that is really played, if it is another."
    )
    session: str = Field(
        default="",
        max_length=100,
        description="Whose hand it is, where several tables ask by turns.",
    )
    id: str | int | None = Field(default=None, description="Anything; the answer has it, too.")


class BotDesk:
    """Answers questions, those of each session by a bot of its own.

    Args:
        make: Makes the bots; all have the same seed.
        seed: The seed.
        table: The hand that is played where a question says none; None for that of the strategy.
        lock: Held while a bot acts; all who read one solution share it. None for its own.
        most_seconds: The most time of a search, whatever a question asks for; None for any.
    """

    def __init__(
        self,
        make: MakeBot,
        seed: int = 0,
        table: Hand | None = None,
        *,
        lock: Lock | None = None,
        most_seconds: float | None = None,
    ) -> None:
        """Open the desk; the class describes the arguments."""
        self._make, self._seed, self._own_table = make, seed, table
        self._sessions: OrderedDict[str, tuple[Bot, int | None]] = OrderedDict()
        self._lock = lock or Lock()
        self._most_seconds = most_seconds

    def answer(self, question: Question) -> dict[str, Any]:
        """Answer a question.

        Args:
            question: The question.

        Returns:
            The fields of a `BotAnswer`, as JSON has them.

        Raises:
            EquilibristError: As from `Bot.act`, or the table is none.
        """
        table = self._own_table if question.table is None else Hand(**question.table)
        seconds = question.seconds
        if seconds is not None and self._most_seconds is not None:
            seconds = min(seconds, self._most_seconds)
        with self._lock:  # solutions are read by one thread at a time
            bot = self._bot(question)
            answer = bot.act(
                question.hole_cards,
                question.line,
                question.legal_actions,
                seconds,
                table=table,
            )
        document = asdict(answer)
        document["decided_by"] = str(answer.decided_by)
        for mapped in document["mapped"]:
            shares = mapped["bet"]["shares"]
            mapped["bet"]["shares"] = {str(action): share for action, share in shares.items()}
        return document if question.id is None else document | {"id": question.id}

    def _bot(self, question: Question) -> Bot:
        """The bot of the session, at the hand of the question."""
        bot, hand = self._sessions.pop(question.session, (None, None))
        if bot is None:
            bot = self._make(self._seed)
        if question.hand is not None and question.hand != hand:
            bot.begin(question.hand + 1)
        self._sessions[question.session] = (bot, question.hand)
        while len(self._sessions) > _MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return bot


def error_document(error: Exception) -> dict[str, Any]:
    """What is answered where a question is none: the message, and its parts.

    Args:
        error: The error.

    Returns:
        The document.
    """
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the document"
        return {"error": f"{place}: {first['msg']}", "option": place}
    document: dict[str, Any] = {"error": f"{error}"}
    if isinstance(error, EquilibristError):
        for name in ("option", "given", "expected", "place"):
            value = getattr(error, name)
            if value is not None:
                document[name] = _plain(value)
    return document


def _plain(value: object) -> object:
    """A value as JSON has it, as text where it is none of JSON, such as NaN."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return str(value)
    return value


def answer_lines(desk: BotDesk, lines: Iterable[str], send: Callable[[str], None]) -> None:
    """Answer JSON lines, a question a line, until there are no more.

    Args:
        desk: What answers.
        lines: The lines; empty ones are skipped.
        send: Called with each answer, a line of JSON: that of the bot, or an error.
    """
    for line in lines:
        if not line.strip():
            continue
        question: Question | None = None
        try:
            question = Question.model_validate_json(line)
            refuse_repeated(line, "the question")
            document = desk.answer(question)
        except (ValidationError, EquilibristError) as error:
            document = error_document(error)
            if question is not None and question.id is not None:
                document["id"] = question.id
        send(json.dumps(document))
