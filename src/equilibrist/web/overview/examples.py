"""Examples as documents, and the runs that solve them when they are opened first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

import numpy as np

from equilibrist.errors import EquilibristError, UnknownNameError
from equilibrist.library.examples import (
    CHART_EXAMPLES,
    EXAMPLES,
    TARGET,
    ChartExample,
    Example,
    find_listed,
)
from equilibrist.library.listing import Entry
from equilibrist.poker.cards.cards import NUM_CARDS, card_name
from equilibrist.poker.hands.stored import stored_hand
from equilibrist.storage.kinds.file_kinds import MULTIWAY, PUSH_FOLD, SPOT_SOLUTION
from equilibrist.web.answers.jobs import State
from equilibrist.web.api.orders import SpotInput
from equilibrist.web.errors import NotFoundError, WebError
from equilibrist.web.hands.documents import HandInput
from equilibrist.web.holdem.kind import HandRun
from equilibrist.web.holdem.kinds import hand_run
from equilibrist.web.holdem.multiway import MultiwayRun
from equilibrist.web.jobs.job import Job
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.overview.answers import ExampleDocument, ExampleList
from equilibrist.web.runs.documents import new_job
from equilibrist.web.services import Services
from equilibrist.web.solutions.files import played_entries
from equilibrist.web.solutions.listing import entry_document, title_of
from equilibrist.web.store.notes import About
from equilibrist.web.store.titles import chart_facts, title_facts

_FLOP: Final = 3
_DRAWS: Final = 20
"""How often a flop is drawn again that is solved already."""
_GOES_ON: Final[frozenset[State]] = frozenset({"queued", "running", "paused", "interrupted"})
"""States of runs that a new one would only repeat."""


def known_example(name: str) -> Example | ChartExample:
    """The example of a name.

    Args:
        name: Its name.

    Raises:
        NotFoundError: There is none of this name.
    """
    try:
        return find_listed(name)
    except UnknownNameError as error:
        raise NotFoundError(
            str(error), option=error.option, given=name[:120], remedy="/api/examples lists them"
        ) from None


def example_list(services: Services) -> ExampleList:
    """All examples, each with its solution and its run.

    Args:
        services: The services of the server.
    """
    there = _There.of(services)
    rows: tuple[Example | ChartExample, ...] = (*EXAMPLES.values(), *CHART_EXAMPLES.values())
    return {"examples": [_document(row, there, services) for row in rows]}


def example_document(services: Services, name: str) -> ExampleDocument:
    """An example, with its solution and its run.

    Args:
        services: The services of the server.
        name: The name of the example.

    Raises:
        NotFoundError: There is none of this name.
    """
    return _document(known_example(name), _There.of(services), services)


def example_text(name: str) -> str:
    """The spot file of an example.

    Args:
        name: The name of the example.

    Raises:
        NotFoundError: There is no spot of this name.
    """
    example = known_example(name)
    if isinstance(example, Example):
        return example.text
    raise NotFoundError(
        f"{name} is no spot, so there is no spot file",
        option="name",
        given=name,
        expected="a spot",
        remedy=f"`{example.command}` makes the charts",
    )


def example_job(services: Services, name: str) -> Job | None:
    """Make the job that solves an example, unless it is solved, or a run of it may go on.

    Takes a while, so call it in a thread.

    Args:
        services: The services of the server.
        name: The name of the example.

    Returns:
        The job, which is not queued yet; None where there is a solution or a run.

    Raises:
        NotFoundError: There is no example of this name.
    """
    row = known_example(name)
    document = example_document(services, name)
    if document["solution"] is not None or document["job"] is not None:
        return None
    if isinstance(row, Example):
        job, _ = new_job(services, spot=SpotInput(toml=row.text), options={"target": TARGET})
    else:
        hand = HandInput(kind=row.kind, keys=dict(row.keys))
        job, _ = new_job(services, hand=hand, options=row.options)
    job.solution = services.library.free_name(name, services.jobs.solutions())
    return job


def flop_jobs(services: Services, name: str, count: int, seed: int | None) -> list[Job]:
    """Make jobs that solve a flop spot on other flops, each as likely as it is dealt.

    Takes a while, so call it in a thread.

    Args:
        services: The services of the server.
        name: The name of the spot.
        count: How many flops.
        seed: Draws them; None for any.

    Returns:
        The jobs, which are not queued yet; flops that are solved, or being solved, are left out.

    Raises:
        NotFoundError: There is no such example.
        WebError: It is no spot that begins on the flop.
    """
    row = known_example(name)
    spot = row.spot() if isinstance(row, Example) else None
    if not isinstance(row, Example) or spot is None or len(spot.cards) != _FLOP:
        raise WebError(
            f"{name} does not begin on the flop",
            option="name",
            given=name,
            expected="a spot that begins on the flop",
            remedy="/api/examples lists them, with `board` in their titles",
        )
    there, jobs = _There.of(services), dict[str, Job]()
    generator = np.random.default_rng(seed)
    for _ in range(_DRAWS * count):
        if len(jobs) == count:
            break
        board = "".join(map(card_name, generator.choice(NUM_CARDS, _FLOP, replace=False).tolist()))
        text = spot.replace(board=board).to_toml()
        if text in jobs or text in there.solutions or text in there.jobs:
            continue
        job, _ = new_job(services, spot=SpotInput(toml=text), options={"target": TARGET})
        claimed = {*services.jobs.solutions(), *(other.solution for other in jobs.values())}
        job.solution = services.library.free_name(f"{name}-{board}", claimed)
        jobs[text] = job
    return list(jobs.values())


def name_players(services: Services, name: str, job: Job) -> None:
    """Say of the solution of an example who plays whom in which pot.

    Args:
        services: The services of the server.
        name: The name of the example.
        job: The job that solves it.
    """
    row = known_example(name)
    if isinstance(row, Example):
        with suppress(EquilibristError):  # its title lacks them then
            services.notes.put(job.solution, _about(row))


def _about(row: Example) -> About:
    return About(oop=row.oop, ip=row.ip, pot_type=row.pot_type)


@dataclass(frozen=True)
class _There:
    """What there is of examples.

    Attributes:
        solutions: The best stored solutions, by what they solve.
        jobs: The newest runs that have not ended, or that may go on, by what they solve.
    """

    solutions: Mapping[object, Entry]
    jobs: Mapping[object, Job]

    @classmethod
    def of(cls, services: Services) -> _There:
        solutions, jobs = dict[object, Entry](), dict[object, Job]()
        for entry in played_entries(services):
            if entry.kind == SPOT_SOLUTION:
                solutions.setdefault(entry.solves, entry)
            elif entry.kind == PUSH_FOLD:
                solutions.setdefault(_sorted(services.library.index.title(entry)), entry)
            elif entry.kind == MULTIWAY and entry.solves is not None:
                solutions.setdefault(_of_hand(json.loads(entry.solves)[0]), entry)
        for job in services.jobs.all():
            if job.state in _GOES_ON:
                jobs.setdefault(job.spot or _sorted(job.keys or {}), job)
        return cls(solutions, jobs)


def _sorted(facts: Mapping[str, Any]) -> str:
    """A text that is equal for equal facts."""
    return json.dumps(facts, sort_keys=True)


def _of_hand(hand: Mapping[str, Any]) -> str:
    """What tells hands with bets apart from those of push or fold with the same stacks."""
    return f"hand {_sorted(hand)}"


@cache
def _run(row: ChartExample) -> HandRun:
    """The run that makes charts."""
    load_engine()
    return hand_run(row.kind, row.keys, row.options)


@cache
def _chart(row: ChartExample) -> tuple[Mapping[str, Any], object]:
    """What a title is made of, and what tells a solution of it."""
    run = _run(row)
    facts = chart_facts(run.title())
    if isinstance(run, MultiwayRun):
        return facts, _of_hand(stored_hand(run.hand))
    return facts, _sorted(facts)


def _document(row: Example | ChartExample, there: _There, services: Services) -> ExampleDocument:
    facts: Mapping[str, Any]
    seconds: float
    solves: object
    if isinstance(row, Example):
        facts, about, seconds = title_facts(SPOT_SOLUTION, row.text), _about(row), row.seconds
        solves = row.text
        job = there.jobs.get(row.text)
    else:
        facts, solves = _chart(row)
        run = _run(row)
        run.crowd = services.crowd
        seconds = run.expected_seconds() or 0.0
        about, job = About(), there.jobs.get(_sorted(row.keys))
    kind: Literal["spot", "push-fold", "multiway"] = (
        "spot" if isinstance(row, Example) else row.kind
    )
    found = there.solutions.get(solves)
    entry = None if found is None else entry_document(found, services)
    return {
        "name": row.name,
        "kind": kind,
        "title": title_of(kind, row.name, facts, about),
        "seconds": seconds,
        "target": TARGET if isinstance(row, Example) else None,
        "solution": None if entry is None else entry["name"],
        "measure": None if entry is None else entry["measure"],
        "measure_name": None if entry is None else entry["measure_name"],
        "measure_unit": None if entry is None else entry["measure_unit"],
        "measure_percent": None if entry is None else entry["measure_percent"],
        "job": None if job is None else job.id,
        "state": None if job is None else job.state,
    }
