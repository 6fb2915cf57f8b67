"""Tokens, and the sessions of browsers that have given one, which outlive the server."""

from __future__ import annotations

import json
import logging
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest, digest
from pathlib import Path
from typing import Any, Final, Literal

from equilibrist.errors import OutputError
from equilibrist.storage.atomic import failures, write_bytes
from equilibrist.web.errors import LimitError
from equilibrist.web.settings import Settings

Role = Literal["owner", "guest"]
"""An owner may do everything; a guest may look."""
LEAST_TOKEN: Final = 16
"""The fewest characters of a token: guessing must be hopeless."""
_IDLE_SECONDS: Final = 30 * 24 * 3600.0
_WRITTEN: Final = 3600.0
"""Seconds between two notes on disk of when a session was used."""
_LOG: Final = logging.getLogger("equilibrist.web")


@dataclass
class _Session:
    """A session; `on_end` is called when it ends, by whoever has something open in its name."""

    role: Role
    used: float
    on_end: set[Callable[[], None]] = field(default_factory=set)


class Sessions:
    """Who is owner and who is guest: by tokens of programs, and by sessions of browsers.

    Where the server has no token, everybody who reaches it is the owner.

    Args:
        settings: How the server was started.
        clock: The time in seconds, the same for the next server.
        file: Where sessions are kept for the next server, by digests of their cookies; None to
            forget them. A session holds as long as the token stays with which it was opened.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], float] = time.time,
        file: Path | None = None,
    ) -> None:
        self._tokens: dict[Role, str | None] = {
            "owner": settings.token,
            "guest": settings.guest_token,
        }
        self._most, self._clock = settings.limits.sessions, clock
        self._most_guests = settings.limits.guest_sessions
        self._file = None if self.is_open else file
        self._sessions: dict[bytes, _Session] = {}
        self._codes: dict[bytes, Role] = {}
        self._written = clock()
        self.cookie = f"equilibrist_{settings.port}"
        self._load()

    @property
    def is_open(self) -> bool:
        """Whether the server requires no token."""
        return self._tokens["owner"] is None

    def of_token(self, token_text: str) -> Role | None:
        """The role of a token, None if it is wrong; compared in constant time."""
        matching: Role | None = None
        for role, token in self._tokens.items():
            if token is not None and compare_digest(_digest(token_text), _digest(token)):
                matching = matching or role
        return matching

    def new_code(self) -> str:
        """A code that opens one session of the owner, once: for the link that is printed."""
        code = secrets.token_urlsafe(24)
        self._codes[_digest(code)] = "owner"
        return code

    def enter(self, secret: str) -> str | None:
        """Open a session with a token or a code, and return what its cookie holds.

        Raises LimitError where there are too many; guests leave room for owners.
        """
        role = self.of_token(secret)
        code = _digest(secret)
        if role is None and (role := self._codes.get(code)) is None:
            return None
        now = self._clock()
        for key, session in list(self._sessions.items()):
            if now - session.used > _IDLE_SECONDS:
                self._end(key)
        kinds = [(len(self._sessions), self._most, "browsers")]
        if role == "guest":  # so that guests leave room for owners
            guests = sum(session.role == "guest" for session in self._sessions.values())
            kinds.append((guests, self._most_guests, "guests"))
        for count, most, who in kinds:
            if count >= most:
                raise LimitError(
                    f"{most} {who} are signed in, which is the limit",
                    option="sessions",
                    given=count,
                    expected=most,
                    remedy="sign out elsewhere, or restart the server with another token",
                )
        self._codes.pop(code, None)
        cookie = secrets.token_urlsafe(32)
        self._sessions[_digest(cookie)] = _Session(role, now)
        self._write()
        return cookie

    def of_cookie(self, cookie: str | None) -> Role | None:
        """The role of a session; None if there is none."""
        return None if cookie is None else self.of_key(_digest(cookie))

    def key_of(self, cookie: str | None) -> bytes | None:
        """Find the key of the session of a cookie; None if there is none."""
        return None if self.of_cookie(cookie) is None else _digest(cookie or "")

    def of_key(self, key: bytes) -> Role | None:
        """The role of a session, by what `key_of` gave; None once it has ended."""
        session = self._sessions.get(key)
        if session is None:
            return None
        if self._clock() - session.used > _IDLE_SECONDS:
            self._end(key)
            return None
        session.used = self._clock()
        if session.used - self._written > _WRITTEN:
            self._write()
        return session.role

    def on_end(self, key: bytes, call: Callable[[], None]) -> Callable[[], None]:
        """Have something called when a session ends, at once if it has ended.

        Args:
            key: The session.
            call: What is called.

        Returns:
            A function after which it is not called any more.
        """
        session = self._sessions.get(key)
        if session is None:
            call()
            return lambda: None
        session.on_end.add(call)
        return lambda: session.on_end.discard(call)

    def leave(self, cookie: str | None) -> None:
        """Close a session, with all that is open in its name."""
        if cookie is not None and self._end(_digest(cookie)):
            self._write()

    def _end(self, key: bytes) -> bool:
        session = self._sessions.pop(key, None)
        for call in () if session is None else tuple(session.on_end):
            call()
        return session is not None

    def _load(self) -> None:
        """Read the sessions of the server before; those of other tokens have ended."""
        if self._file is None:
            return
        stored: Any = []
        with suppress(OSError, ValueError, RecursionError):
            stored = json.loads(self._file.read_bytes())
        for entry in stored if isinstance(stored, list) else []:
            with suppress(TypeError, ValueError, KeyError, AttributeError, OverflowError):
                key, role, used = bytes.fromhex(entry["key"]), entry["role"], float(entry["used"])
                bound = self._bound(key, role)
                if bound is not None and compare_digest(bound, str(entry["bound"])):
                    self._sessions[key] = _Session(role, used)

    def _write(self) -> None:
        """Keep the sessions; where the disk does not let us, they end with the server."""
        self._written = self._clock()
        if self._file is None:
            return
        kept = [
            {
                "key": key.hex(),
                "role": session.role,
                "used": session.used,
                "bound": self._bound(key, session.role),
            }
            for key, session in self._sessions.items()
        ]
        try:
            with failures(self._file):
                self._file.touch(mode=0o600)
            write_bytes(self._file, json.dumps(kept).encode())
        except OutputError as error:
            _LOG.warning("browsers that are signed in are not kept: %s", error)

    def _bound(self, key: bytes, role: Role) -> str | None:
        """Make what ties a session to the token of its role; None where there is no such token."""
        token = self._tokens.get(role)
        return None if token is None else digest(token.encode(), key, "sha256").hex()


def _digest(text: str) -> bytes:
    """SHA-256 of a token, code or cookie.

    Tables are keyed by it: no secret is stored, and the time of a look-up tells nothing about one
    (timing attack).
    """
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
