"""Packages that commands need beyond those that are always installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from equilibrist.errors import ConfigError
from equilibrist.storage.installation import install_command


@contextmanager
def needs_extra(extra: str, what: str, instead: str = "") -> Iterator[None]:
    """Import packages of an extra inside of this.

    Args:
        extra: The extra, such as `web`.
        what: What needs it, at the beginning of a sentence.
        instead: What to do without them; begins the remedy.

    Raises:
        ConfigError: A package is not installed; the remedy installs the extra.
    """
    try:
        yield
    except ImportError as error:
        if (error.name or "").startswith("equilibrist"):
            raise
        install = install_command(extra, Path(sys.prefix))
        raise ConfigError(
            f"{what} needs packages that are not installed ({error.name})",
            option="package",
            given=error.name,
            remedy=f"{instead}, or {install}" if instead else install,
        ) from None
