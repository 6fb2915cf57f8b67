"""What is done with solutions of the library, and followed in the records of their jobs."""

from __future__ import annotations

from equilibrist.web.services import Services


def rename_solution(services: Services, name: str, new: str) -> str:
    """Rename a solution; returns its new name.

    Raises NotFoundError, and ConflictError where the name is taken, the solution is none of the
    library's, or a job is still writing it.
    """
    services.jobs.check_settled(name)
    services.library.rename(name, new)
    services.jobs.solution_moved(name, new)
    return new


def delete_solution(services: Services, name: str) -> None:
    """Remove a solution from the library; raises NotFoundError and ConflictError."""
    services.library.delete(name)
    services.jobs.solution_moved(name, None)
