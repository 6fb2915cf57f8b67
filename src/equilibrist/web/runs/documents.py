"""Jobs as documents, and the jobs that requests ask for, checked before they are queued."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain, takewhile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from starlette.concurrency import run_in_threadpool

from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION, THREE_SPOT
from equilibrist.web.answers.jobs import Band, CheckpointDocument, JobDocument, Point, StageCode
from equilibrist.web.answers.solutions import SolutionTitle, TitleKind
from equilibrist.web.api.orders import (
    LIMITS,
    SpotInput,
    Value,
    check_game_options,
    check_options_of_three,
    check_race,
    check_spot_options,
    option_values,
    read_options,
)
from equilibrist.web.errors import ConflictError, NotFoundError, WebError
from equilibrist.web.games.options import GAME_OPTIONS, RACE_OPTIONS
from equilibrist.web.hands.documents import HandInput, hand_changes, hand_job, hand_title
from equilibrist.web.holdem.kinds import HAND_KINDS
from equilibrist.web.jobs.checkpoints import CheckpointFacts
from equilibrist.web.jobs.job import WITHOUT_NEW_LIMITS, Job
from equilibrist.web.jobs.manager import check_stands
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.security.short_names import without_folders
from equilibrist.web.security.texts import UPLOADED, check_game, is_shipped
from equilibrist.web.services import Services, public
from equilibrist.web.solutions.listing import title_of
from equilibrist.web.store.games import uploaded_game
from equilibrist.web.store.titles import title_facts

if TYPE_CHECKING:
    from equilibrist.poker.three_players.spot import ThreeSpot

_GAME_GONE: Final = "its game was deleted, so what its checkpoint had was not saved"
_STAGES: Final[Mapping[str, StageCode]] = {
    "walking": "walking",
    "about": "sampling",
    "preparing": "preparing",
    "solving": "solving",
    "running": "running",
    "going": "restoring",
    "hand": "reviewing",
    "measuring": "measuring",
    "saving": "saving",
    "counting": "counting",
    "board": "boards",
    "clustering,": "clustering",
    "writing": "writing",
}
"""Codes of what workers tell before they iterate, by its first word."""
_OF_RECORDS: Final = ("more_seeds", "renamed")
"""What of a job is told in another form."""
_SPOTS: Final = ("spot", "three")
"""Kinds of jobs on spots."""
_MOST_POINTS: Final = 400
"""Points of the curve in one answer."""
_Row = TypeVar("_Row")


def job_document(job: Job, services: Services) -> JobDocument:
    """A job for the API, with the curve thinned out, and why it waits.

    Args:
        job: The job.
        services: The services of the server.
    """
    curves = {name: _thinned(points) for name, points in job.curves.items()}
    bands = {name: _thinned(rows) for name, rows in _bands(job).items()}
    return _document(job, services, _thinned(job.points), curves, bands)


def job_line(job: Job, services: Services) -> JobDocument:
    """A job for a list, without curves.

    Args:
        job: The job.
        services: The services of the server.
    """
    return _document(job, services, [], {}, {})


def job_event(job: Job, services: Services) -> JobDocument:
    """A job for a stream, with the newest point of each curve.

    Args:
        job: The job.
        services: The services of the server.
    """
    newest = {name: points[-1:] for name, points in job.curves.items()}
    bands = {name: _newest_band(curves) for name, curves in _seed_curves(job).items()}
    return _document(job, services, job.points[-1:], newest, bands)


def job_since(job: Job, ends: Mapping[str, int], services: Services) -> JobDocument:
    """A job for a stream, with what was measured since an event before, and newest bands.

    Args:
        job: The job.
        ends: The last iteration that was told, by curve; that of the job itself has no name.
        services: The services of the server.
    """
    curves = {name: _after(points, ends.get(name, -1)) for name, points in job.curves.items()}
    bands = {name: _newest_band(runs) for name, runs in _seed_curves(job).items()}
    return _document(job, services, _after(job.points, ends.get("", -1)), curves, bands)


def _after(points: Sequence[Point], iteration: int) -> list[Point]:
    """The points of a curve behind an iteration."""
    return list(takewhile(lambda point: point[0] > iteration, reversed(points)))[::-1]


def _bands(job: Job) -> dict[str, list[Band]]:
    """The bands between the seeds, for the entries of a race with several seeds.

    Returns:
        {entry: [[iteration, seconds, least, median, greatest], ...]}, at the iterations at which
        more than half of its runs were measured; seconds are the median.
    """
    bands = {}
    for name, curves in _seed_curves(job).items():
        measured: dict[int, list[Point]] = {}
        for point in chain.from_iterable(curves):
            measured.setdefault(point[0], []).append(point)
        rows = [measured[iteration] for iteration in sorted(measured)]
        bands[name] = [_band(points) for points in rows if 2 * len(points) > len(curves)]
    return bands


def _seed_curves(job: Job) -> dict[str, list[list[Point]]]:
    """The curves of all runs of the entries that have several."""
    return {
        name: [job.curves.get(name, []), *runs.values()] for name, runs in job.more_seeds.items()
    }


def _newest_band(curves: Sequence[Sequence[Point]]) -> list[Band]:
    """The newest row of a band alone, found without a look at the others; there may be none."""
    ends = sorted((curve[-1][0] for curve in curves if curve), reverse=True)
    most = len(curves) // 2
    if len(ends) <= most:
        return []
    newest = ends[most]  # more than half got there
    points = [next((p for p in reversed(curve) if p[0] <= newest), None) for curve in curves]
    at_newest = [point for point in points if point is not None and point[0] == newest]
    return [_band(at_newest)] if len(at_newest) > most else []


def _band(points: Sequence[Point]) -> Band:
    """A row of a band, from what was measured at one iteration."""
    measures = [point[2] for point in points]
    seconds = median(point[1] for point in points)
    return (points[0][0], seconds, min(measures), median(measures), max(measures))


def _thinned(points: list[_Row]) -> list[_Row]:
    """At most so many points, the newest among them."""
    every = max(1, -(-len(points) // _MOST_POINTS))
    return points[::-1][::every][::-1]


def _document(
    job: Job,
    services: Services,
    points: list[Point],
    curves: dict[str, list[Point]],
    bands: dict[str, list[Band]],
) -> JobDocument:
    document = {
        **{name: value for name, value in job.to_dict().items() if name not in _OF_RECORDS},
        "can_resume": services.jobs.has_checkpoint(job.id),  # a worker writes it at any time
        "has_checkpoints": job.saves,
        "is_saved": services.jobs.has_solution(job),
        "waits_for": services.jobs.waits_for(job.id),
        "waiting": services.jobs.waiting(job.id),
        "stage_code": None if job.stage is None else stage_code(job.stage),
        "note_code": None
        if job.note is None
        else "game-deleted"
        if job.note == _GAME_GONE
        else "left-out",
        "title": job_title(job),
        "checkpoint_bytes": services.jobs.checkpoint_bytes(job.id),
        "checkpoint": checkpoint_document(services.jobs.checkpoint(job.id)),
        "unwritten": public(services.jobs.unwritten(job.id), services),
        "error": public(job.error, services),
        "comparison": _comparison(job),
        "review": None if job.review is None else {**job.review, "renamed": job.renamed},
        "site": None
        if job.site is None
        else {**job.site, "archive_bytes": services.jobs.archive_bytes(job)},
        "points": points,
        "curves": curves,
        "bands": bands,
    }
    return cast("JobDocument", document)


def stage_code(stage: str) -> StageCode:
    """The code of what a run does before it iterates.

    Args:
        stage: What its worker has told of it.
    """
    words = stage.split() or [""]
    return "compiling" if "compiling" in words else _STAGES.get(words[0], "working")


def job_title(job: Job) -> SolutionTitle:
    """What a job solves, as solutions are called.

    Args:
        job: The job.
    """
    if job.spot is not None:
        is_of_three = job.kind == "three"
        facts = _facts_of(job.spot, is_of_three=is_of_three)
        return title_of("three" if is_of_three else "spot", job.game, facts)
    if job.keys is not None:
        return title_of(cast("TitleKind", job.kind), job.game, hand_title(job))
    other: TitleKind = "review" if job.review else "site" if job.site else "game"
    return title_of(other, job.game, {})


@lru_cache(500)
def _facts_of(spot: str, *, is_of_three: bool) -> dict[str, Any]:
    return title_facts(THREE_SPOT if is_of_three else SPOT_SOLUTION, spot)


def _comparison(job: Job) -> dict[str, Any] | None:
    """The document of a race that has ended, in which a game of a file has no folders."""
    if job.comparison is None:
        return None
    return {**job.comparison, "game": without_folders(job.comparison["game"])}


def checkpoint_document(facts: CheckpointFacts | None) -> CheckpointDocument | None:
    """A checkpoint for the API: from where a run goes on.

    Args:
        facts: The checkpoint; None where there is none.

    Returns:
        Its facts and its age; None where there is none.
    """
    if facts is None:
        return None
    return {
        "iteration": facts.iteration,
        "seconds": facts.seconds,
        "saved": facts.saved,
        "age_seconds": max(0.0, time.time() - facts.saved),
        "bytes": facts.num_bytes,
    }


def new_job(
    services: Services,
    *,
    game: str | None = None,
    spot: SpotInput | None = None,
    hand: HandInput | None = None,
    algorithms: Sequence[str] | None = None,
    options: Mapping[str, Value | None],
) -> tuple[Job, str]:
    """Make a job from a request; takes a while, so call it in a thread.

    Args:
        services: The services of the server.
        game: The game, as a request names it; None for a spot.
        spot: The spot; None for a game.
        hand: What is solved of whole hands; None for a game or a spot.
        algorithms: The entries of a race on the game; None for a solve.
        options: Options of the solve or the race, by name.

    Returns:
        The job, which is not queued yet, and how a worker names its game.

    Raises:
        WebError: Not exactly one problem is given, or a race on a spot is asked for.
        EquilibristError: What the command line raises for a wrong game, spot or option.
    """
    load_engine()
    if hand is not None and game is None and spot is None and algorithms is None:
        job = hand_job(services, hand, options)
        if job.kind == "flops":
            job.report = f"{job.game}-{job.id[:6]}"
        else:
            job.solution = _solution_name(services, job.game, job.id)
        return job, job.game
    if spot is not None and algorithms is not None:
        raise WebError(
            "algorithms race on games, not on spots",
            option="algorithms",
            remedy="start one job for each algorithm",
        )
    if spot is not None and game is None:
        job = _spot_job(spot, options, services)
        job.solution = _solution_name(services, f"{job.game}-{job.kind}", job.id)
        return job, job.game
    if game is None or spot is not None or hand is not None:
        raise WebError(
            "a job solves a game, a spot or a hand",
            option="game",
            expected="one of `game`, `spot` and `hand`",
            remedy="give one of them",
        )
    if algorithms is not None:
        return _race(services, game, algorithms, options)
    from equilibrist.library.saving import default_stem
    from equilibrist.solving.algorithm import default_algorithm, read_sampler

    read = read_options(options, GAME_OPTIONS)
    check_game_options(read)
    values = option_values(read)
    memory = values.get("memory") or services.jobs.memory // 2
    sampler = read_sampler(read.get("sampler"), values.get("explicit_tree"))
    algorithm = read.get("algorithm") or default_algorithm(
        sampled=sampler is not None, prune=read.get("prune")
    )
    stem = default_stem(game.removeprefix(UPLOADED), algorithm, sampler)
    name = services.jobs.new_id()
    job = Job(
        id=name,
        kind="game",
        game=game,
        options={**read, "memory": str(memory)},
        solution=_solution_name(services, stem, name),
        memory_bytes=memory,
        created=time.time(),
    )
    return job, job_source(services, job)


def _race(
    services: Services, game: str, algorithms: Sequence[str], shared: Mapping[str, Value | None]
) -> tuple[Job, str]:
    """The race of algorithms on a game, and how a worker names the game.

    Args:
        services: The services of the server.
        game: The game, as a request names it.
        algorithms: The entries, such as `lcfr@external`.
        shared: The options that they share.
    """
    options = read_options(shared, RACE_OPTIONS)
    check_race(algorithms, options)
    memory = option_values(options).get("memory") or services.jobs.memory // 2
    job = Job(
        id=services.jobs.new_id(),
        kind="compare",
        game=game,
        options={**options, "memory": str(memory)},
        solution="",
        memory_bytes=memory,
        created=time.time(),
        algorithms=[text.strip() for text in algorithms],
    )
    return job, job_source(services, job)


def continue_changes(
    services: Services, job: Job, limits: Mapping[str, Value | None]
) -> tuple[str, dict[str, str | None]]:
    """Check the new limits of a run that is to be continued.

    Args:
        services: The services of the server.
        job: The job of the run.
        limits: Its new limits: iterations, target, deals, seconds; None for those that are removed.

    Returns:
        How a worker names the game, and what changes in the options of the job.

    Raises:
        WebError: No limit is given, or one that its checkpoint has passed.
        ConflictError: The job waits or runs, or is a race.
        EquilibristError: What wrong options raise.
    """
    if job.kind in WITHOUT_NEW_LIMITS:
        name = WITHOUT_NEW_LIMITS[job.kind]
        raise ConflictError(
            f"a {name} takes no new limits",
            option="kind",
            given=job.kind,
            remedy=f"start a new {name} with these limits",
        )
    check_stands(job, "continue")
    if all(value is None for value in limits.values()):
        raise WebError(
            "no new limit",
            option="limits",
            expected=", ".join(HAND_KINDS[job.kind].LIMITS if job.keys is not None else LIMITS),
            remedy="give one, or resume the run with those that it had",
        )
    limits = {name: value for name, value in limits.items() if value is not None}
    if job.keys is not None:
        return job.game, hand_changes(services, job, limits)
    read = read_options(limits, RUN_OPTIONS if job.kind in _SPOTS else GAME_OPTIONS)
    changes = {option: read.get(option) for option in LIMITS}
    options = {**job.options, **read}
    for option, value in changes.items():
        if value is None:
            options.pop(option, None)
    if job.kind in _SPOTS:
        most = check_spot_options(options).get("iterations")
    else:
        check_game_options(options)
        most = option_values(options).get("iterations")
    _check_goes_on(services.jobs.checkpoint(job.id), most)
    return job_source(services, job), changes


def _check_goes_on(checkpoint: CheckpointFacts | None, most: int | None) -> None:
    """Raise WebError for a limit that the checkpoint of a run has passed: its process would fail.

    What the run had reached since then counts no more.
    """
    if checkpoint is not None and most is not None and most <= checkpoint.iteration:
        raise WebError(
            f"the run is at iteration {checkpoint.iteration:,} already",
            option="iterations",
            given=most,
            expected=f"more than {checkpoint.iteration}",
            remedy="give more iterations, or start a new run",
        )


def job_source(services: Services, job: Job) -> str:
    """The text by which a worker loads the game of a job.

    Args:
        services: The services of the server.
        job: The job.

    Raises:
        ForbiddenError: It may not load that game.
        NotFoundError: There is no such game any more.
        EquilibristError: Parameters of the game are out of range.
    """
    if job.kind in (*_SPOTS, "review", "site") or job.keys is not None:
        return job.game
    if job.game.startswith(UPLOADED):
        path: Path = uploaded_game(services.folders.games, job.game.removeprefix(UPLOADED))[0]
        return f"efg:{path}"
    source = check_game(job.game, services.settings)
    if is_shipped(source):
        from equilibrist.games import load_game

        load_game(source)
    return source


async def stop_job(services: Services, name: str) -> Job:
    """End a job and keep its solution so far, whatever its state.

    Args:
        services: The services of the server.
        name: The name of the job.

    Returns:
        The job, which waits or runs until its solution is saved. Where its game was deleted it is
        stopped without, and its note says so.

    Raises:
        NotFoundError: There is no such job.
        ConflictError: It has ended, and has nothing to save.
        EquilibristError: What `job_source` raises where its game is needed to save.
    """
    job, source, unsaved = services.jobs.get(name), None, ""
    if job.state != "running" and services.jobs.has_unsaved(job):
        try:
            source = await run_in_threadpool(job_source, services, job)
        except NotFoundError:
            unsaved = _GAME_GONE
    return await services.jobs.stop(name, source, unsaved=unsaved)


def _spot_job(
    spot_input: SpotInput, options: Mapping[str, Value | None], services: Services
) -> Job:
    from equilibrist.poker.postflop.solving.needs import spot_needs
    from equilibrist.poker.three_players.spot import ThreeSpot

    spot = spot_input.read_any()
    read = read_options(options, RUN_OPTIONS)
    if isinstance(spot, ThreeSpot):
        return _three_job(spot, read, services)
    values: dict[str, Any] = dict(check_spot_options(read, spot.pot))
    names = ("algorithm", "tremble", "quantal", "storage", "threads")
    of_the_run: dict[str, Any] = {name: values.get(name) for name in names}
    needs = spot_needs(spot, memory=2**62, **of_the_run)
    return Job(
        id=services.jobs.new_id(),
        kind="spot",
        game=spot.board,
        spot=spot.to_toml(),
        options=read,
        solution="",
        memory_bytes=needs.most_bytes,
        disk_bytes=needs.disk_bytes,
        created=time.time(),
    )


def _three_job(spot: ThreeSpot, options: dict[str, str], services: Services) -> Job:
    """The job of a spot of three players, of which there are no checkpoints."""
    from equilibrist.poker.three_players.needs import three_needs

    values = check_options_of_three(options, spot.pot)
    of_the_run = {name: values.get(name) for name in ("algorithm", "tremble", "threads")}
    return Job(
        id=services.jobs.new_id(),
        kind="three",
        game=spot.board,
        spot=spot.to_toml(),
        options=options,
        solution="",
        memory_bytes=three_needs(spot, memory=2**62, **of_the_run).memory_bytes,
        created=time.time(),
        has_checkpoints=False,
    )


def _solution_name(services: Services, stem: str, job: str) -> str:
    """A name that neither the library nor another job has, which says what is solved."""
    word = stem.lstrip("-_+.")[:80].rstrip("-_+.") or "solution"
    name = f"{word}-{job[:6]}".replace("..", ".")
    return services.library.free_name(name, services.jobs.solutions())
