"""Settings shared by all tests: no wall-clock deadlines, no display, plain output."""

from __future__ import annotations

import os
import signal

os.environ.setdefault("MPLBACKEND", "Agg")
os.environ["COLUMNS"] = "120"
os.environ["NO_COLOR"] = "1"
os.environ.pop("FORCE_COLOR", None)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Scripts start what runs in their background so, and its children inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

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
