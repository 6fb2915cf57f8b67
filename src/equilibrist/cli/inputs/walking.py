"""The live line of a walk of the rules, on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from equilibrist.cli.text.progress import LiveLine
from equilibrist.library.limits import Limits


def reported_limits(*, quiet: bool = False, **limits: Any) -> Limits:
    """Limits on the size of a game, whose walk is reported on standard error unless `quiet`.

    `limits` are those of `Limits`.
    """
    return Limits(**limits, report=partial(reported_walk, quiet=quiet))


@contextmanager
def reported_walk(*, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """The callback that reports the count of histories on standard error."""
    with LiveLine(quiet=quiet) as live:
        live.stage("walking the rules", aloud=False)
        yield live.walked
