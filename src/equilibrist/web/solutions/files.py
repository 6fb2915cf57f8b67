"""Solutions of the library: which are played, and renaming and deleting them."""

from __future__ import annotations

from equilibrist.library.kinds import SAVED
from equilibrist.library.listing import Entry, best_first
from equilibrist.web.errors import NotFoundError, WebError
from equilibrist.web.security.texts import UPLOADED
from equilibrist.web.services import Services
from equilibrist.web.store.games import delete_game, game_text


def played_entries(services: Services) -> list[Entry]:
    """The solutions that can be played, those of one game together, the best of them first.

    Args:
        services: The services of the server.
    """
    return best_first(entry for entry in services.library.entries() if entry.kind in SAVED)


def played_solution(services: Services, name: str | None, game: str | None) -> str:
    """The name of the solution that is played: the one that is named, or the best of a game.

    Args:
        services: The services of the server.
        name: A solution; None for the best one of `game`.
        game: A game, as solutions are said to be of; None for the solution `name`.

    Raises:
        WebError: Both are given, or neither.
        NotFoundError: No solution of the game is stored.
    """
    if (name is None) is (game is None):
        raise WebError(
            "a solution is played, or the best one of a game",
            option="solution",
            given=name,
            expected="one of `solution` and `game`",
            remedy="give one of them",
        )
    if name is not None:
        return name
    entries, folder = played_entries(services), services.folders.games
    for entry in entries:
        if entry.game is not None and game_text(folder, entry.game) == game:
            return next(best.name for best in entries if best.problem == entry.problem)
    raise NotFoundError(
        "no solution of this game is stored",
        option="game",
        given=game,
        remedy="solve the game; /api/solutions lists what is stored",
    )


def delete_uploaded(services: Services, name: str) -> None:
    """Remove an uploaded game that no run needs any more.

    Args:
        services: The services of the server.
        name: The name of the game, without `library:`.

    Raises:
        NotFoundError: There is no such game.
        ConflictError: A run of it has not ended.
    """
    services.jobs.check_unused(f"{UPLOADED}{name}")
    delete_game(services.folders.games, name)


def rename_solution(services: Services, name: str, new: str) -> str:
    """Rename a solution, in the records of jobs too.

    Args:
        services: The services of the server.
        name: Its name.
        new: Its new name.

    Returns:
        The new name.

    Raises:
        NotFoundError: There is no such solution.
        WebError: The new name is not valid.
        ConflictError: The new name is taken, or a job saves its solution under it; the solution is
            not in the library itself, a job has not finished writing it, a run trains on it, or a
            review judges by it.
    """
    services.jobs.check_settled(name)
    services.jobs.check_untrained(name, may_go_on=False)
    services.library.new_path(new)  # it is a name
    services.jobs.check_unread(name)
    if new != name:
        services.jobs.check_unclaimed(new)
    services.library.rename(name, new)
    services.jobs.solution_moved(name, new)
    services.notes.moved(name, new)
    return new


def delete_solution(services: Services, name: str) -> None:
    """Remove a solution from the library, and note that in the records of jobs.

    Args:
        services: The services of the server.
        name: Its name.

    Raises:
        NotFoundError: There is no such solution.
        ConflictError: It is not in the library itself, a run trains on it that may go on, or a
            review judges by it.
    """
    services.jobs.check_untrained(name, may_go_on=True)
    services.jobs.check_unread(name)
    services.library.delete(name)
    services.jobs.solution_moved(name, None)
    services.notes.moved(name, None)
