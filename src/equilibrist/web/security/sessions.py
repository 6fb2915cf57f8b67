"""Tokens, and the sessions of browsers that have given one."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from typing import Final, Literal

from equilibrist.web.errors import LimitError
from equilibrist.web.settings import Settings

Role = Literal["owner", "guest"]
"""An owner may do everything; a guest may look."""
LEAST_TOKEN: Final = 16
"""The fewest characters of a token: guessing must be hopeless."""
_IDLE_SECONDS: Final = 30 * 24 * 3600.0


@dataclass
class _Session:
    role: Role
    used: float


class Sessions:
    """Who is owner and who is guest: by tokens of programs, and by sessions of browsers.

    Where the server has no token, everybody who reaches it is the owner.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._tokens: dict[Role, str | None] = {
            "owner": settings.token,
            "guest": settings.guest_token,
        }
        self._most, self._clock = settings.limits.sessions, clock
        self._sessions: dict[bytes, _Session] = {}
        self._codes: dict[bytes, Role] = {}
        self.cookie = f"equilibrist_{settings.port}"

    @property
    def is_open(self) -> bool:
        """Whether the server requires no token."""
        return self._tokens["owner"] is None

    def of_token(self, given: str) -> Role | None:
        """The role of a token, None if it is wrong; compared in constant time."""
        found: Role | None = None
        for role, token in self._tokens.items():
            if token is not None and compare_digest(_digest(given), _digest(token)):
                found = found or role
        return found

    def new_code(self) -> str:
        """A code that opens one session of the owner, once: for the link that is printed."""
        code = secrets.token_urlsafe(24)
        self._codes[_digest(code)] = "owner"
        return code

    def enter(self, given: str) -> str | None:
        """Open a session with a token or a code, and return what its cookie holds.

        Raises LimitError where there are too many.
        """
        role = self.of_token(given)
        code = _digest(given)
        if role is None and (role := self._codes.get(code)) is None:
            return None
        now = self._clock()
        for key, session in list(self._sessions.items()):
            if now - session.used > _IDLE_SECONDS:
                del self._sessions[key]
        if len(self._sessions) >= self._most:
            raise LimitError(
                f"{self._most} browsers are signed in, which is the limit",
                option="sessions",
                given=len(self._sessions),
                expected=self._most,
                remedy="sign out elsewhere, or restart the server",
            )
        self._codes.pop(code, None)
        cookie = secrets.token_urlsafe(32)
        self._sessions[_digest(cookie)] = _Session(role, now)
        return cookie

    def of_cookie(self, cookie: str | None) -> Role | None:
        """The role of a session; None if there is none."""
        if cookie is None:
            return None
        session = self._sessions.get(_digest(cookie))
        if session is None:
            return None
        session.used = self._clock()
        return session.role

    def leave(self, cookie: str | None) -> None:
        """Close a session."""
        if cookie is not None:
            self._sessions.pop(_digest(cookie), None)


def _digest(text: str) -> bytes:
    """Of the same length for every text; nothing that is looked up by it tells it apart by time."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
