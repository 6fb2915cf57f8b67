"""Where Equilibrist is installed: to stay, or for one run of `uvx` or `pipx run`."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

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
    return f'{_RUNNERS[runner]} "{_source()}[{extra}]" {PACKAGE}'


def lasting_command(extra: str, runner: str) -> str:
    """The command by which the program of `runner_of` installs Equilibrist to stay.

    Args:
        extra: The extra that is installed with it.
        runner: `uvx` or `pipx`.
    """
    return f'{_INSTALLERS[runner]} "{_source()}[{extra}]"'


def _source() -> str:
    """What Equilibrist was installed from: a folder or a file, as a path, else its name."""
    try:
        text = distribution(PACKAGE).read_text("direct_url.json")
        address = urlsplit(str(json.loads(text)["url"])) if text else None
    except (PackageNotFoundError, ValueError, KeyError, TypeError):
        return PACKAGE
    if address is None or address.scheme != "file":
        return PACKAGE
    return url2pathname(address.path)
