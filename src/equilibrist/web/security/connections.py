"""Connections of browsers and programs, within the limits of the server."""

from __future__ import annotations

from equilibrist.protocols.serving.connections import TimedConnection
from equilibrist.web.settings import Limits


class Connection(TimedConnection):
    """A connection that is closed if headers are not whole, or an answer is not read, in time."""

    stalled_seconds = Limits.stalled_seconds
    unread_seconds = Limits.unread_seconds
    most_headers = Limits.headers
