"""Solutions of the library as documents, and what of them a request may look up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from equilibrist.storage.archive import kind_of
from equilibrist.storage.kinds.file_kinds import SOLUTION, THREE_SPOT, looks_like_file
from equilibrist.storage.mapped_archive import MappedArchive
from equilibrist.web.answers.solutions import SolutionRun
from equilibrist.web.errors import ConflictError, NotFoundError
from equilibrist.web.security.short_names import without_folders
from equilibrist.web.services import Services, check_owner, public
from equilibrist.web.store.games import game_text

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection
    from typing_extensions import TypeIs

    from equilibrist.poker.betting.actions import Action
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.three_players.solution import ThreeSolution
    from equilibrist.results import Result
    from equilibrist.web.jobs.manager import Jobs

    SpotResult: TypeAlias = PostflopResult | ThreeSolution
    """The solution of a spot of two players, or of three."""

Document = dict[str, Any]
_FILES: Final = {"out", "plot", "save_device", "checkpoint", "resume", "warm_start"}
"""What of the configuration of a run names files."""


def run_document(name: str, jobs: Jobs) -> SolutionRun | None:
    """The run that has saved a solution and goes on; None where there is none.

    Args:
        name: The solution.
        jobs: The jobs of the server.
    """
    job = jobs.going_on(name)
    if job is None:
        return None
    iteration = None if job.progress is None else job.progress["iteration"]
    return {"job": job.id, "state": job.state, "iteration": iteration}


def present_solution(services: Services, name: str, stamp: str) -> tuple[str, bool]:
    """Find the solution that a link means, where it may have another name now.

    A solution that its own run has saved again since is the later one.

    Args:
        services: The services of the server.
        name: The solution in the address.
        stamp: The stamp of its file when the link was made, and perhaps its run behind a dot; empty
            for whatever has the name.

    Returns:
        Its present name, and whether it is a later one.

    Raises:
        NotFoundError: It has been replaced or deleted.
    """
    if not stamp:
        return name, False
    try:
        return services.library.name_with(name, stamp), False
    except NotFoundError:
        later = _saved_again(services, stamp.partition(".")[2])
        if later is None:
            raise
        return later, True


def _saved_again(services: Services, run: str) -> str | None:
    """The name of the solution that a run has saved; None where it has none any more."""
    try:
        job = services.jobs.get(run)
    except NotFoundError:
        return None
    return job.solution if services.jobs.has_solution(job) else None


def without_path(document: Document, services: Services) -> Document:
    """The document without the places of files on this machine.

    Args:
        document: The document of a solution.
        services: The services of the server.

    Returns:
        A new one, in which names of files are null, and a game of a file is named without folders.
    """
    hidden = dict.fromkeys(document.keys() & {"solution_file"})
    if isinstance(config := document.get("config"), dict):
        hidden["config"] = _config_by_names(config)
        if isinstance(notes := document.get("notes"), list | tuple):
            files = [path for name in _FILES if isinstance(path := config.get(name), str)]
            hidden["notes"] = [_with_names(note, files) for note in notes]
    stated = {key: text for key, text in document.items() if isinstance(text, str)}
    if "game" in stated:
        stated["game"] = game_text(services.folders.games, stated["game"])
    return {**document, **public({**_by_names(stated), **hidden}, services)}


def guest_file(path: Path, services: Services) -> tuple[int, Iterator[bytes]]:
    """The file of a solution without the places of files on this machine.

    Args:
        path: The file.
        services: The services of the server.

    Returns:
        How many bytes it has, and the bytes, piece by piece.

    Raises:
        FileFormatError: The file is damaged.
    """
    archive = MappedArchive(path, kind_of(path) or SOLUTION)
    header = _by_names(archive.header)
    if isinstance(config := header.get("config"), dict):
        header["config"] = _config_by_names(config)
    return archive.relabelled(public(header, services))


def _config_by_names(config: Document) -> Document:
    """The configuration of a run, without the files of this machine, or with their names alone."""
    named = {
        key: Path(value).name if looks_like_file(value) else _by_names(value)
        for key, value in config.items()
    }
    return {**named, **dict.fromkeys(config.keys() & _FILES)}


def _with_names(text: str, files: Iterable[str]) -> str:
    """A sentence in which these files have their names alone."""
    for path in sorted(files, key=len, reverse=True):
        text = text.replace(path, Path(path).name)
    return text


def _by_names(value: Any) -> Any:
    """A JSON value in which whatever names a file by its folders has the name alone."""
    if isinstance(value, str):
        return without_folders(value)
    if isinstance(value, dict):
        return {key: _by_names(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_by_names(entry) for entry in value]
    return value


def is_of_three(result: object) -> TypeIs[ThreeSolution]:
    """Whether a solution is that of a spot of three players."""
    return getattr(result, "KIND", None) == THREE_SPOT


def any_spot_of(name: str, result: Result[Any] | ThreeSolution) -> SpotResult:
    """The solution of a spot of two or three players; ConflictError for that of a game."""
    return result if is_of_three(result) else spot_of(name, result)


def spot_of(name: str, result: Result[Any] | ThreeSolution) -> PostflopResult:
    """The solution of a spot of two players; ConflictError for others."""
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.value_unit import refuse_prizes
    from equilibrist.results import ImplicitResult

    if is_of_three(result):
        raise ConflictError(
            f"{name} is a spot of three players, for which there is no such thing",
            option="players",
            given=3,
            expected=2,
            remedy=f"/api/solutions/{name}/study has its nodes",
        )
    if not isinstance(result, PostflopResult):
        kind = "packed strategy" if isinstance(result, ImplicitResult) else "solution of a game"
        raise ConflictError(
            f"{name} is a {kind}: it has infosets",
            option="name",
            given=name,
            remedy=f"/api/solutions/{name}/infosets lists them",
        )
    refuse_prizes(result.spot, "the browser")
    return result


def check_kept(
    request: HTTPConnection, solution: SpotResult, line: str, resolve: bool, dealt: int = 0
) -> None:
    """Raise where a street would have to be re-solved, and nobody who may has asked for that.

    `dealt` are the cards that are dealt after the line.
    """
    if is_kept(solution, line, dealt):
        return
    check_owner(request, "re-solve a street")
    if not resolve:
        raise ConflictError(
            "the file does not keep this street",
            option="line",
            given=line,
            remedy="add resolve=true to re-solve it, which may take a while",
        )


def is_kept(solution: SpotResult, line: str, dealt: int = 0) -> bool:
    """Whether the file keeps the street of a line, after `dealt` further cards.

    Files of three players keep all streets.
    """
    if is_of_three(solution):
        return True
    from equilibrist.poker.postflop.solution.spot_file import kept_streets
    from equilibrist.poker.postflop.solution.spot_strategy import follow_line

    _, runout = follow_line(solution.spot, line)
    return len(runout) + dealt < kept_streets(solution.spot, solution.keep)


def action_roles(actions: Sequence[Action]) -> list[str]:
    """Name the role of each action for a palette; they are in the order of size."""
    count = sum(action.amount > 0 for action in actions)
    roles, bets = [], 0
    for action in actions:
        if action.amount:
            roles.append(f"bet:{bets}/{count}")
            bets += 1
        else:
            roles.append("fold" if action.code == "F" else "passive")
    return roles
