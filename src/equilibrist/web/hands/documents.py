"""Runs on whole hands of hold'em, as requests ask for them: forms, estimates, jobs."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from equilibrist.errors import EquilibristError, MemoryBudgetError
from equilibrist.library.examples import find_example
from equilibrist.options.option import Option
from equilibrist.web.answers.answer import Refused
from equilibrist.web.answers.jobs import HandKindName
from equilibrist.web.api.bounds import check_texts
from equilibrist.web.api.orders import SpotInput, Value, read_options
from equilibrist.web.errors import NotFoundError, WebError, as_requested, error_document
from equilibrist.web.hands.answers import CardBucketsFacts, HandEstimate, HandField, HandForm
from equilibrist.web.holdem.kind import HandRun
from equilibrist.web.holdem.kinds import HAND_KINDS, hand_run
from equilibrist.web.jobs.job import CARDS_KEY, CHECKPOINT, Job
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.services import Services
from equilibrist.web.store.library import has_card_buckets


class HandInput(BaseModel):
    """What is solved of whole hands: its kind, and its keys as on the command line."""

    model_config = ConfigDict(extra="forbid")

    kind: HandKindName = Field(
        description="push-fold, multiway or preflop, as the commands `equilibrist preflop`."
    )
    keys: dict[str, Value | None] = Field(
        default_factory=dict, description="Keys by name, as `/api/hands` lists them."
    )


class HandJobInput(BaseModel):
    """What is solved of whole hands, and how."""

    model_config = ConfigDict(extra="forbid")

    hand: HandInput
    options: dict[str, Value | None] = Field(
        default_factory=dict, description="Options of the run, as `/api/hands` lists them."
    )


def hand_forms() -> list[HandForm]:
    """The kinds of runs on whole hands, with the fields of their forms, the main ones first."""
    return [{"kind": run.NAME, "fields": _fields(run)} for run in HAND_KINDS.values()]


def _fields(run: type[HandRun]) -> list[HandField]:
    fields = [
        *(_field(name, "keys", option, run) for name, option in run.KEYS.items()),
        *(_field(name, "options", option, run) for name, option in run.OPTIONS.items()),
    ]
    order = {name: place for place, name in enumerate(run.MAIN)}
    return sorted(fields, key=lambda field: order.get(field["name"], len(order)))


def _field(
    name: str, part: Literal["keys", "options"], option: Option, run: type[HandRun]
) -> HandField:
    return {
        "name": name,
        "part": part,
        "kind": option.kind,
        "help": as_requested(option.help),
        "default": option.default or as_requested(option.default_text),
        "choices": list(option.choices),
        "is_main": name in run.MAIN,
    }


def read_hand(services: Services, body: HandInput, options: Mapping[str, Value | None]) -> HandRun:
    """Read a run; takes a while, so call it in a thread.

    Args:
        services: The services of the server.
        body: What is solved.
        options: How.

    Raises:
        WebError: A text is too long, or no choice of its field.
        EquilibristError: What the command raises before it solves.
    """
    load_engine()
    check_texts({**body.keys, **options})
    run = HAND_KINDS[body.kind]
    keys = {name: value for name, value in body.keys.items() if value not in ("", None)}
    texts = read_options(keys, run.KEYS)
    if "of" in texts and "spot" not in texts:
        texts["spot"] = spot_text(services, texts["of"])
    if "spot" in texts:
        SpotInput(toml=texts["spot"], keys={}).read()  # within the bounds of a server
    files = {}
    if CARDS_KEY in texts:
        files[CARDS_KEY] = _cards_file(services, texts[CARDS_KEY])
    found = run(texts, read_options(options, run.OPTIONS), files)
    found.crowd = services.crowd
    return found


def _cards_file(services: Services, name: str) -> Path:
    """The file of card buckets of the library; raises NotFoundError, or WebError for another."""
    try:
        entry = services.library.entry(name)
    except NotFoundError as error:
        error.option = CARDS_KEY
        raise
    if not has_card_buckets(entry):
        raise WebError(option=CARDS_KEY, given=name, expected="card buckets of the library")
    return entry.path


def card_buckets(services: Services) -> list[CardBucketsFacts]:
    """The card buckets of the library, newest first.

    Args:
        services: The services of the server.
    """
    from equilibrist.poker.buckets.card_buckets import CardBuckets

    load_engine()
    found: list[CardBucketsFacts] = []
    for entry in services.library.card_buckets():
        with suppress(EquilibristError):  # damaged: nothing can be trained with it
            counts = CardBuckets.load(entry.path).counts
            found.append(
                {"name": entry.name, "buckets": list(counts), "num_bytes": entry.num_bytes}
            )
    return found


def spot_text(services: Services, place: str) -> str:
    """The text of the spot that a request names: of a solution, a saved set-up or an example.

    Args:
        services: The services of the server.
        place: `solution:NAME`, `setup:NAME` or `example:NAME`.

    Raises:
        WebError: It is none of these, or the solution is none of a spot.
        EquilibristError: There is nothing of that name.
    """
    from equilibrist.poker.postflop.solution.result import PostflopResult

    where, _, name = place.partition(":")
    try:
        if where == "solution":
            with services.library.opened(name) as result:
                if isinstance(result, PostflopResult):
                    return result.spot.to_toml()
        if where == "setup":
            return services.setups.get(name)
        if where == "example":
            return find_example(name).text
    except EquilibristError as error:
        error.option = "of"
        raise
    raise WebError(
        option="of",
        given=place,
        expected="solution:NAME of a spot, setup:NAME or example:NAME",
    )


def hand_estimate(
    services: Services, body: HandInput, options: Mapping[str, Value | None]
) -> HandEstimate:
    """What a run needs, before it is started.

    Args:
        services: The services of the server.
        body: What is solved.
        options: How.

    Raises:
        EquilibristError: As `read_hand`.
    """
    run = read_hand(services, body, options)
    needs, limit = run.needs(), services.jobs.memory
    refusal = None
    try:
        run.check_fits(limit)
    except MemoryBudgetError as error:
        refusal = cast("Refused", error_document(error))
    return {
        "kind": run.NAME,
        "memory_bytes": needs.memory_bytes,
        "disk_bytes": needs.disk_bytes,
        "seconds": needs.seconds,
        "counts": dict(needs.counts),
        "limit_bytes": limit,
        "fits": refusal is None,
        "refusal": refusal,
        "has_checkpoints": run.has_checkpoints,
    }


def hand_job(services: Services, body: HandInput, options: Mapping[str, Value | None]) -> Job:
    """Make the job of a run on whole hands, without a name for its solution yet.

    Args:
        services: The services of the server.
        body: What is solved.
        options: How.

    Raises:
        EquilibristError: As `read_hand`.
    """
    run = read_hand(services, body, options)
    run.check_fits(services.jobs.memory)
    needs = run.needs()
    return Job(
        id=services.jobs.new_id(),
        kind=run.NAME,
        game=run.stem,
        options=run.options,
        solution="",
        memory_bytes=needs.memory_bytes,
        disk_bytes=needs.disk_bytes,
        created=time.time(),
        keys=run.keys,
        has_checkpoints=run.has_checkpoints,
        has_parts=run.HAS_PARTS,
    )


def hand_changes(
    services: Services, job: Job, limits: Mapping[str, Value | None]
) -> dict[str, str | None]:
    """Check the new limits of a run on whole hands that has ended.

    Args:
        services: The services of the server.
        job: The job of the run.
        limits: Its new limits.

    Returns:
        What changes in the options of the job; None for limits that are removed.

    Raises:
        UnknownNameError: A run of this kind has no such limit.
        EquilibristError: A limit is wrong, or the run is past it.
    """
    known = HAND_KINDS[job.kind]
    read = read_options(limits, {name: known.OPTIONS[name] for name in known.LIMITS})
    changes = {name: read.get(name) for name in known.LIMITS}
    options = {**job.options, **read}
    for name, value in changes.items():
        if value is None:
            options.pop(name, None)
    files = {}
    if job.cards is not None:
        files[CARDS_KEY] = _cards_file(services, job.cards)
    run = hand_run(job.kind, job.keys or {}, options, files)
    run.check_limits(services.jobs.folder_of(job.id) / CHECKPOINT)
    return changes


def hand_title(job: Job) -> dict[str, Any]:
    """What the title of a run on whole hands is made of.

    Args:
        job: The job of the run.
    """
    keys = tuple(sorted((job.keys or {}).items()))
    return _title_facts(job.kind, keys)


@lru_cache(500)
def _title_facts(kind: str, keys: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    load_engine()
    return hand_run(kind, dict(keys), {}).title()
