"""Whoever asks: what they may do, which sections they see, and the limits that they meet."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection

from equilibrist.web.answers.catalogue import VisitorFacts
from equilibrist.web.documents.orders import MOST_ENTRIES, MOST_RUNS
from equilibrist.web.security.lasting import SESSION
from equilibrist.web.services import role_of, services_of

SECTIONS: Final = {
    "library": "/",
    "spot": "/spot",
    "hands": "/hands",
    "games": "/games",
    "race": "/race",
    "runs": "/runs",
    "play": "/play",
    "learn": "/learn",
}
"""The sections of the bar, by name, and their addresses."""
_OF_OWNERS: Final = ("solve", "upload", "delete", "rename", "save")
_OF_ALL: Final = ("look", "play", "set_up")


def visitor_facts(request: HTTPConnection) -> VisitorFacts:
    """Describe who asks.

    Args:
        request: The request.
    """
    services, role = services_of(request), role_of(request)
    is_owner = role == "owner"
    limits = services.settings.limits
    return {
        "role": "owner" if is_owner else "guest",
        "is_open": services.sessions.is_open,
        "can_sign_out": request.scope.get(SESSION) is not None,
        "sections": [{"name": name, "address": address} for name, address in SECTIONS.items()],
        "may": [*_OF_ALL, *(_OF_OWNERS if is_owner else ())],
        "limits": {
            "memory_bytes": services.jobs.memory,
            "running": limits.running,
            "queue": limits.queue,
            "jobs": limits.jobs,
            "upload_bytes": limits.upload,
            "game_upload_bytes": limits.game_upload,
            "body_bytes": limits.body,
            "streams": limits.streams,
            "tables": limits.tables if is_owner else limits.guest_tables,
            "hands": limits.hands,
            "race_algorithms": MOST_ENTRIES,
            "race_runs": MOST_RUNS,
        },
    }
