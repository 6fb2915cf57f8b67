"""Under which names the server is reached, and from which pages requests may come."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from equilibrist.web.settings import LOOPBACK_NAMES, Settings


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
