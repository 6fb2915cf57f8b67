"""Settings shared by all tests: no wall-clock deadlines, no display, plain output, warm kernels."""

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

import pytest
from hypothesis import HealthCheck, settings

from tests import warming

# A first call compiles a kernel, so an example's time says nothing: no deadline. Examples are
# the same on every run under CI, where a new failure should point at the change that made it.
settings.register_profile(
    "equilibrist",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("equilibrist")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Once, before pytest-xdist starts its workers."""
    if warming.worthwhile(config.args, config.option.keyword) and not config.option.collectonly:
        codes = warming.warm()
        if any(codes):
            line = f"The kernels could not be compiled beforehand: exit codes {codes}"
            config.get_terminal_writer().line(line)
