"""Under which names the server is reached, and from which pages requests may come."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from equilibrist.errors import ConfigError
from equilibrist.web.settings import LOOPBACK_NAMES, Settings

_NAMED: Final = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*", re.ASCII)
"""A host name that is no address."""


@dataclass(frozen=True)
class Addresses:
    """The names that a `Host` header may have.

    A name that is not known may be one that another site has pointed at this machine (DNS
    rebinding), so that its pages could read what the server answers. A bare address cannot be.

    Attributes:
        names: Names and addresses in lower case.
        any_address: Whether every bare address is right, since the server listens on all of them.
    """

    names: frozenset[str]
    any_address: bool

    @classmethod
    def of(cls, settings: Settings) -> Addresses:
        """The host names by which a server may be addressed."""
        if settings.is_loopback:
            return cls(LOOPBACK_NAMES | {name.lower() for name in settings.names}, False)
        own = socket.gethostname().lower()
        names = {own, f"{own.partition('.')[0]}.local", settings.host.lower()}
        return cls(LOOPBACK_NAMES | names | {name.lower() for name in settings.names}, True)

    def knows(self, host: str | None) -> bool:
        """Whether a `Host` header names this server."""
        name = _name(host)
        if name is None:
            return False
        return name in self.names or (self.any_address and _is_address(name))

    def is_own(self, origin: str, host: str | None) -> bool:
        """Whether a request comes from a page of this server.

        Args:
            origin: The header `Origin`.
            host: The header `Host`; None without one.
        """
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        if parts.scheme not in ("http", "https") or host is None:
            return False
        return self.knows(host) and parts.netloc.lower() == host.lower()


def host_names(names: Iterable[str]) -> tuple[str, ...]:
    """Host names as browsers send them: in lower case, in ASCII (IDNA), addresses unbracketed.

    Args:
        names: Names that the server was given.

    Raises:
        ConfigError: One is not a host name alone, so that no `Host` header would ever have it.
    """
    return tuple(map(_host_name, names))


def _host_name(given: str) -> str:
    with suppress(ValueError):
        return str(ip_address(given.strip("[]")))
    with suppress(UnicodeError):  # an empty part, or one that is too long
        name = given.lower().removesuffix(".").encode("idna").decode()
        if _NAMED.fullmatch(name) is not None:
            return name
    raise ConfigError(
        f"name is {given!r}; expected a host name alone, without http://, port or path",
        option="name",
        given=given,
        expected="a host name, such as study.example",
        remedy="give it as in --name study.example",
    )


def _name(host: str | None) -> str | None:
    """The name in a `Host` header, without its port and the brackets of an address."""
    try:
        parts = urlsplit(f"//{host or ''}")
        _ = parts.port  # raises ValueError where it is none
    except ValueError:
        return None
    return parts.hostname if parts.netloc == host and parts.username is None else None


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
