"""Settings shared by all tests: no wall-clock deadlines, no display, plain output."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

os.environ.setdefault("MPLBACKEND", "Agg")
os.environ["COLUMNS"] = "120"
os.environ["NO_COLOR"] = "1"
os.environ.pop("FORCE_COLOR", None)

import pytest
from hypothesis import HealthCheck, settings

# A first call compiles a kernel, so an example's time says nothing: no deadline. Examples are
# the same on every run under CI, where a new failure should point at the change that made it.
settings.register_profile(
    "equilibrist",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("equilibrist")


@pytest.fixture
def default_interrupts() -> Iterator[None]:
    """Ctrl-C as Python handles it, also where whoever runs the tests ignores it."""
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, old)
