"""How long runs take on this machine: its speed, what other programs leave of it, earlier runs.

The constants in the kinds of runs are seconds of one machine. A probe compares this one with it,
in a tenth of a second and once; the first run of a kind that ends here replaces the comparison by
what it took itself. Both are kept in the cache, beside compiled kernels, for each version anew.
"""

from __future__ import annotations

import json
import math
import os
import platform
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np

from equilibrist._jit.places import writable_kernels_dir
from equilibrist._version import __version__
from equilibrist.errors import OutputError
from equilibrist.parsing.threads import usable_processors
from equilibrist.storage.atomic import write_bytes
from equilibrist.web.holdem.crowd import Crowd

_ALL_BUSY: Final = 0.9
"""Share of the processors: where fewer are busy, no program waits for one."""
_LOAD_SECONDS: Final = 60.0
"""Seconds in which the load of the last minute comes near to a new one, but for 1/e of the way."""
START_SECONDS: Final = 2.0
"""In which the process of a run starts, with kernels that are compiled already."""
_PROBE_SECONDS: Final = 0.0085
"""Processor seconds of a round of the probe on the machine of the constants."""
_PROBING: Final = 0.12
"""Seconds of probing: the fastest round counts, in seconds of the processor, so that other work
hardly changes it."""
_LEAST: Final = 1e-4
"""Seconds: no machine is so fast; some have clocks of threads that are not."""
_NUMBERS: Final = 1 << 20
_TABLE: Final = 1 << 16
_FILE: Final = "pace-{version}.json"
_KEPT: Final = 5
"""Runs of a kind that are remembered."""
_MACHINES: Final = 20
"""Machines that are remembered: each container has a name of its own."""
_SHORT: Final = 5.0
"""Seconds of work below which a run says little: its start would count."""
_FARTHEST: Final = 30.0
"""Factors beyond are no speed: a machine slept, or a clock was set."""


def seconds_here(
    kind: str, work: float, threads: int, crowd: Crowd, *, is_local: bool = False
) -> float:
    """How long work takes on this machine, as far as other programs leave it alone.

    Args:
        kind: The kind of the run.
        work: Seconds on the machine of the constants with as many threads.
        threads: The threads of the run.
        crowd: The other programs.
        is_local: Whether `work` was found by the speed of this machine already.

    Returns:
        Seconds, the start of the process not included.
    """
    return work * _factor(kind, is_local=is_local) * crowding(threads, crowd)


def start_here(crowd: Crowd, compiling: float = 0.0) -> float:
    """Seconds until the process of a run works.

    Args:
        crowd: The other programs.
        compiling: Seconds for which it compiles, on the machine of the constants.
    """
    return (START_SECONDS + compiling) * _probed() * crowding(1, crowd)


def crowding(threads: int, crowd: Crowd, own: float = 0.0) -> float:
    """How many times as long a run takes because other programs work.

    By the load of the last minute, less what of it has ended since, or, where that is more, by how
    long a thread waits for a processor now: other machines may share those of this one.

    Args:
        threads: The threads of the run.
        crowd: The other programs.
        own: What of the load is the run's own, which has just ended.
    """
    cores = os.cpu_count() or 1
    seen = crowd.seen()
    try:
        load = max(0.0, os.getloadavg()[0] - own)
    except (AttributeError, OSError):  # Windows has none
        load = 0.0
    if own == 0.0 and seen.busy < _ALL_BUSY * cores:  # what has ended stays in the load for minutes
        load = min(load, seen.busy)
    wanted = min(threads, usable_processors())
    free = max(cores - load, cores * wanted / (load + wanted))
    return max(wanted / free, seen.waiting)


def note_run(
    kind: str, work: float, took: float, threads: int, crowd: Crowd, *, is_local: bool = False
) -> None:
    """Remember what a run of a kind has taken, for the estimates that follow.

    Args:
        kind: The kind of the run.
        work: Seconds that its work takes on the machine of the constants.
        took: Seconds that it took here.
        threads: Its threads.
        crowd: The other programs.
        is_local: As of `seconds_here`.
    """
    if min(work * (1.0 if is_local else _probed()), took) < _SHORT:
        return
    own = threads * (1.0 - math.exp(-took / _LOAD_SECONDS))
    factor = took / work / crowding(threads, crowd, own)
    if not 1.0 / _FARTHEST < factor < _FARTHEST:
        return
    kept = _kept()
    runs = kept.setdefault("runs", {})
    runs[kind] = [*runs.get(kind, []), factor][-_KEPT:]
    _keep(kept)


def _factor(kind: str, *, is_local: bool) -> float:
    """Seconds here by those of the constants, on a machine that does nothing else."""
    earlier = _kept().get("runs", {}).get(kind)
    if earlier:
        return float(median(earlier))
    return 1.0 if is_local else _probed()


def _probed() -> float:
    """Seconds of one thread here by those on the machine of the constants."""
    kept = _kept()
    if "probe" not in kept:
        kept["probe"] = probe_seconds()
        _keep(kept)
    return float(kept["probe"]) / _PROBE_SECONDS


def probe_seconds() -> float:
    """Measure one thread: additions that wait for each other, and numbers read here and there."""
    generator = np.random.default_rng(0)
    table, places = generator.random(_TABLE), generator.integers(0, _TABLE, _NUMBERS)
    least, end = math.inf, time.perf_counter() + _PROBING
    while math.isinf(least) or time.perf_counter() < end:
        begun = time.thread_time()
        table[places].cumsum()
        least = min(least, time.thread_time() - begun)
    return max(least, _LEAST)


@cache
def _memory() -> dict[str, Any]:
    """What is remembered where no file can be written."""
    return {}


@cache
def _file() -> Path | None:
    folder = writable_kernels_dir()
    return None if folder is None else folder.parent / _FILE.format(version=__version__)


def _machine() -> str:
    """What tells machines apart that share a cache."""
    return f"{platform.node()} {platform.machine()} {usable_processors()}"


def _kept() -> dict[str, Any]:
    file = _file()
    if file is None:
        return _memory()
    with suppress(OSError, ValueError):
        found = json.loads(file.read_bytes())
        own = found.get(_machine()) if isinstance(found, dict) else None
        if isinstance(own, dict) and _is_sound(own):
            return own
    return {}


def _is_sound(kept: dict[str, Any]) -> bool:
    """Whether what is kept are numbers above 0, as they were written."""
    runs = kept.get("runs", {})
    if not isinstance(runs, dict) or not all(isinstance(row, list) for row in runs.values()):
        return False
    numbers = [kept.get("probe", 1.0), *(number for row in runs.values() for number in row)]
    return all(isinstance(n, float) and 0.0 < n < math.inf for n in numbers)


def _keep(kept: dict[str, Any]) -> None:
    file = _file()
    if file is None:
        _memory().update(kept)
        return
    machines: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        found = json.loads(file.read_bytes())
        machines = found if isinstance(found, dict) else {}
    with suppress(OSError, OutputError):  # it is measured again
        file.parent.mkdir(parents=True, exist_ok=True)
        machines.pop(own := _machine(), None)
        others = [*machines.items()][1 - _MACHINES :]
        write_bytes(file, json.dumps({**dict(others), own: kept}).encode())
