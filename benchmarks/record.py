"""Write the JSON records that `render_tables.py` turns into tables."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent / "results"


def machine() -> dict[str, Any]:
    """The processor's name and the cores this process may use."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"cpu": name, "cores": cores}


def versions(*packages: str) -> dict[str, str]:
    """Versions of Python, Equilibrist and the named packages, as installed."""
    found = {"Python": platform.python_version()}
    for package in ("equilibrist", *packages):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def write_record(
    name: str,
    what: str,
    command: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    packages: Sequence[str] = ("numpy", "numba"),
    **extra: object,
) -> Path:
    """Write benchmarks/results/NAME.json; `extra` holds configuration, seeds and raw samples."""
    record = {
        "what": what,
        "command": command,
        "machine": machine(),
        "versions": versions(*packages),
        "columns": list(columns),
        "rows": [list(row) for row in rows],
        **extra,
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    print(f"wrote {path}")
    return path
