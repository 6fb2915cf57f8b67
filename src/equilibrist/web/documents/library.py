"""Renaming and deleting solutions, in the library and in the records of jobs."""

from __future__ import annotations

from equilibrist.web.services import Services


def rename_solution(services: Services, name: str, new: str) -> str:
    """Rename a solution, in the records of jobs too.

    Args:
        services: The services of the server.
        name: Its name.
        new: Its new name.

    Returns:
        The new name.

    Raises:
        NotFoundError: There is no such solution, or the new name is not valid.
        ConflictError: The new name is taken, the solution is not in the library itself, or a job
            has not finished writing it.
    """
    services.jobs.check_settled(name)
    services.library.rename(name, new)
    services.jobs.solution_moved(name, new)
    return new


def delete_solution(services: Services, name: str) -> None:
    """Remove a solution from the library, and note that in the records of jobs.

    Args:
        services: The services of the server.
        name: Its name.

    Raises:
        NotFoundError: There is no such solution.
        ConflictError: It is not in the library itself.
    """
    services.library.delete(name)
    services.jobs.solution_moved(name, None)
