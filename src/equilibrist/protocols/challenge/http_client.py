"""Documents sent to a server, and what it answers: one deadline a call, and no redirections."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from http.client import HTTPException
from ipaddress import ip_address
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import SplitResult, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from equilibrist._version import __version__
from equilibrist.errors import PeerError
from equilibrist.parsing.arguments import bad_argument, real_number

SECONDS: Final = 60.0
_MOST_SECONDS: Final = 86_400.0
_MOST_BYTES: Final = 1_000_000
_PIECE: Final = 65_536
_FIRST_PAUSE: Final = 0.25
_LONGEST_PAUSE: Final = 8.0

Post = Callable[[str, dict[str, Any]], Any]
"""Sends a document to a call by its name, such as `new_hand`; returns the document answered."""
IsBusy = Callable[[str, int], bool]
"""Whether a call that is answered by a status was not taken, and may be sent again."""


class _BusyError(Exception):
    """The server asks to come again; has what it said."""


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirection: what is sent, a key above all, is for one server."""

    def redirect_request(self, *_arguments: Any) -> None:
        """Answer none."""
        return


_OPENER: Final = build_opener(_NoRedirects)


def poster(
    url: str,
    seconds: float = SECONDS,
    *,
    path: str = "",
    headers: Mapping[str, str] | None = None,
    is_busy: IsBusy = lambda _call, _status: False,
) -> Post:
    """Make what sends documents to a server.

    Args:
        url: Its address.
        seconds: How long to wait for a whole answer, however slowly it comes.
        path: Where the calls are, if the address has no path.
        headers: More headers, such as that of a key; they go to this machine, or encrypted.
        is_busy: Which calls are sent again after a pause, as long as there is time.

    Returns:
        The function.

    Raises:
        ConfigError: The address is none of HTTP, or has a name, a password, a query or a fragment;
            headers would go to another machine in clear text; or `seconds` is no time.
    """
    real_number("seconds", seconds, 0, _MOST_SECONDS)
    parts = _address(url)
    if headers and parts.scheme == "http" and not _is_here(f"{parts.hostname}"):
        raise bad_argument(
            "url", url, "an address that begins with https://, as a key is sent in clear text else"
        )
    base = url.rstrip("/") if parts.path.strip("/") else f"{url.rstrip('/')}{path}"
    sent = {
        "Content-Type": "application/json",
        "User-Agent": f"equilibrist/{__version__}",
        **(headers or {}),
    }

    def post(call: str, document: dict[str, Any]) -> Any:
        request = Request(f"{base}/{call}", json.dumps(document).encode(), sent)  # noqa: S310
        deadline, pause = time.monotonic() + seconds, _FIRST_PAUSE
        while True:
            try:
                return _in_time(request, url, call, is_busy, deadline, seconds)
            except _BusyError as error:
                if time.monotonic() + pause > deadline:
                    raise failed(url, f"{error}") from None
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    return post


def _address(url: str) -> SplitResult:
    """The parts of an address; ConfigError for what is none, without a password in it."""
    expected = "an address such as https://slumbot.com"
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a bracket, or a port that is no number
        raise bad_argument("url", _shown(url), expected) from None
    if not is_address:
        raise bad_argument("url", _shown(url), expected)
    if "@" in parts.netloc or "?" in url or "#" in url:
        raise bad_argument("url", _shown(url), f"{expected}, without a name, a query or a fragment")
    return parts


def _shown(url: str) -> str:
    """An address without what may be secret in it."""
    scheme, mark, rest = url.rpartition("://")
    place = re.split(r"[?#]", rest.rpartition("@")[2])[0]
    return f"{scheme}{mark}{place}"


def _is_here(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def failed(server: str, reason: str) -> PeerError:
    """The error of a server.

    Args:
        server: Its address, or what it is called.
        reason: What is wrong.

    Returns:
        The error.
    """
    return PeerError(f"{server}: {reason}", server, option="server", given=reason)


def _in_time(
    request: Request, url: str, call: str, is_busy: IsBusy, deadline: float, seconds: float
) -> Any:
    """What a server answers before the deadline."""
    answered: Future[Any] = Future()

    def ask() -> None:
        try:
            answered.set_result(_answer(request, url, call, is_busy, deadline, seconds))
        except Exception as error:
            answered.set_exception(error)

    # The time of a socket begins anew with every byte: the one deadline is out here.
    threading.Thread(target=ask, daemon=True).start()
    try:
        return answered.result(max(0.0, deadline - time.monotonic()))
    except TimeoutError:
        raise failed(url, _too_late(seconds)) from None


def _answer(
    request: Request, url: str, call: str, is_busy: IsBusy, deadline: float, seconds: float
) -> Any:
    """What a server answers; PeerError for what is no JSON in time."""
    left = max(0.001, deadline - time.monotonic())
    try:
        with _OPENER.open(request, timeout=left) as answer:
            return json.loads(_read(answer, deadline))
    except HTTPError as error:
        reason = _reason(error, deadline)
        if is_busy(call, error.code):
            raise _BusyError(reason) from None
        raise failed(url, reason) from None
    except TimeoutError:
        raise failed(url, _too_late(seconds)) from None
    except (OSError, ValueError, RecursionError, HTTPException) as error:
        raise failed(url, f"{error}") from None


def _read(answer: Any, deadline: float) -> bytes:
    """The bytes of an answer; TimeoutError after the deadline."""
    content = b""
    while len(content) < _MOST_BYTES and (piece := answer.read1(_PIECE)):
        content += piece
        if time.monotonic() > deadline:
            raise TimeoutError
    return content


def _too_late(seconds: float) -> str:
    return f"no whole answer within {seconds:g} seconds"


def _reason(error: HTTPError, deadline: float) -> str:
    """What a server says of a call that it refuses."""
    try:
        with error:
            document = json.loads(_read(error, deadline))
        said = document.get("error_msg") or document["detail"]
        return f"{said}"[:500] + f" (status {error.code})"
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        HTTPException,
    ):
        return f"status {error.code}"
