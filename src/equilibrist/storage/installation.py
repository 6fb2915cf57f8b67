"""Where Equilibrist is installed: to stay, or for one run of `uvx` or `pipx run`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

PACKAGE: Final = "equilibrist"
_RUNNERS: Final = {"uvx": "uvx --from", "pipx": "pipx run --spec"}
"""How each program is told what it runs a command of."""
_INSTALLERS: Final = {"uvx": "uv tool install", "pipx": "pipx install"}
"""How each installs a program that stays."""
_CACHES: Final = frozenset({".cache", "cache", "caches"})
_TAG: Final = "CACHEDIR.TAG"
"""What lies in a folder of which everything may be removed (https://bford.info/cachedir)."""


def runner_of(environment: Path) -> str | None:
    """Find the program that made an environment for one run and may remove it.

    Args:
        environment: The folder of the environment, `sys.prefix`.

    Returns:
        `uvx` or `pipx`; None for an environment that stays.
    """
    above = environment.parents
    if not any(part.name.lower() in _CACHES or (part / _TAG).is_file() for part in above):
        return None
    if any(part.name == "pipx" for part in above):
        return "pipx"
    try:
        settings = (environment / "pyvenv.cfg").read_text("utf-8", errors="replace")
    except OSError:
        return None
    is_of_uv = any(line.partition("=")[0].strip() == "uv" for line in settings.splitlines())
    return "uvx" if is_of_uv else None


def install_command(extra: str, environment: Path) -> str:
    """The command that brings the packages of an extra.

    Args:
        extra: The extra, such as `web`.
        environment: The folder of the environment, `sys.prefix`.

    Returns:
        `pip install "equilibrist[web]"`, or how the program of `runner_of` is told to add them.
    """
    runner = runner_of(environment)
    if runner is None:
        return f'pip install "{PACKAGE}[{extra}]"'
    return f'{_RUNNERS[runner]} "{_requirement(extra)}" {PACKAGE}'


def lasting_command(extra: str, runner: str) -> str:
    """The command by which the program of `runner_of` installs Equilibrist to stay.

    Args:
        extra: The extra that is installed with it.
        runner: `uvx` or `pipx`.
    """
    return f'{_INSTALLERS[runner]} "{_requirement(extra)}"'


def _requirement(extra: str) -> str:
    """What installs Equilibrist from where it was installed, with an extra."""
    from importlib.metadata import PackageNotFoundError, distribution  # these take a while
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    named = f"{PACKAGE}[{extra}]"
    try:
        origin = json.loads(distribution(PACKAGE).read_text("direct_url.json") or "")
        address = str(origin["url"])
        parts = urlsplit(address)
        system = f"{origin['vcs_info']['vcs']}+" if "vcs_info" in origin else ""
    except (PackageNotFoundError, ValueError, KeyError, TypeError):  # of an index
        return named
    if parts.scheme == "file" and not system:
        return f"{url2pathname(parts.path)}[{extra}]"
    return f"{named} @ {system}{address}"
