"""Hands of an exact solution: a process solves their flops, and keeps the latest of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from equilibrist.errors import EquilibristError
from equilibrist.web.workers.order import Events, HandsOrder


def answer(order: HandsOrder, events: Events) -> None:
    """Answer questions on standard input, one a line, until it ends.

    A question has `do`, which is `mixture`, `advise` or `ranges`, the key of an `infoset`, and for
    advice what was `chosen`.

    Args:
        order: The solution.
        events: Where answers are sent, with the error of a question that has one.
    """
    from equilibrist.play import SolutionAgent, SolutionCoach
    from equilibrist.play.solutions.players import SolutionRanges
    from equilibrist.poker.preflop.exact.flops.solved import SolvedFlops
    from equilibrist.poker.preflop.exact.solution import read_preflop
    from equilibrist.web.errors import error_document

    flops = SolvedFlops(read_preflop(order.path))
    agent, coach, ranges = SolutionAgent(flops), SolutionCoach(flops), SolutionRanges(flops)

    def advice(asked: dict[str, Any]) -> Any:
        advised = coach.advise(asked["infoset"], asked["chosen"])
        return {"values": advised.values, "mixture": advised.mixture, "actions": advised.actions}

    def mixtures(asked: dict[str, Any]) -> Any:
        return [vars(mixture) for mixture in ranges.mixtures(asked["infoset"])]

    answers: dict[str, Callable[[dict[str, Any]], Any]] = {
        "mixture": lambda asked: agent.mixture_at(asked["infoset"]),
        "advise": advice,
        "ranges": mixtures,
    }
    events.send("ready")
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            events.send("answer", result=answers[asked["do"]](asked))
        except EquilibristError as error:
            events.send("error", document=error_document(error))
