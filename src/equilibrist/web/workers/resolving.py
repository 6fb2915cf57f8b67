"""What a file does not keep, solved in a process of its own, which can be ended.

Streets of a spot, the flops of an exact solution, and the reductions of a spot that fit.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from equilibrist.errors import EquilibristError
from equilibrist.web.workers.order import Events, FitOrder, HandsOrder, ResolveOrder


def resolve(order: ResolveOrder, events: Events) -> None:
    """Solve the street of a line and save it, or report on all next cards.

    Args:
        order: The solution, the line, and the file for the street.
        events: Where the end is sent.

    Raises:
        EquilibristError: What `load_result` and `PostflopResult.at` raise.
        OutputError: The file cannot be written.
    """
    from equilibrist.poker.postflop.files.runout_report import (
        distinct_runouts,
        plain,
        rows_of_runouts,
    )
    from equilibrist.poker.postflop.files.storage import load_spot, resolve_street

    solution = load_spot(order.path)
    if order.into is None:
        rows = [*distinct_runouts(solution, order.line)]
        runouts = [plain(row) for row in rows_of_runouts(solution, order.line, rows)]
        events.send("resolved", runouts=runouts)
        return
    street = resolve_street(solution, order.line)
    if street is not None:
        street.save(order.into)
    events.send("resolved", is_reached=street is not None)


def answer(order: HandsOrder, events: Events) -> None:
    """Answer questions about hands of an exact solution: standard input, one a line, to its end.

    Flops are solved when they are first asked about, and the latest are kept.

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


def fit(order: FitOrder, events: Events) -> None:
    """Send each reduction that fits, in the order of how much of the spot it keeps.

    Args:
        order: The spot and the memory that it may take.
        events: Where reductions are sent.
    """
    from equilibrist.poker.postflop.estimate.reductions import smaller_spots
    from equilibrist.poker.postflop.spot.spot import spot_from_text

    spot = spot_from_text(order.spot)
    smaller = smaller_spots(
        spot, order.memory, order.storage, predicts=order.predicts, threads=order.threads,
        responds=order.responds, iterations=None,
    )  # fmt: skip
    for reduction in smaller:
        events.send("found", reduction=reduction.to_dict())
