"""A solver of a game runs in one thread at a time: a second one is refused, and loses nothing."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, get_ident
from typing import Any

import pytest

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.solvers import CFR, FSICFR, MCCFR, XFP, ImplicitMCCFR, RegretMatching
from tests.refusals import refuses

MAKERS: dict[str, Callable[[], Any]] = {
    "CFR": lambda: CFR("kuhn", threads=1),
    "XFP": lambda: XFP("kuhn"),
    "MCCFR": lambda: MCCFR("kuhn"),
    "FSICFR": lambda: FSICFR("kuhn"),
    "ImplicitMCCFR": lambda: ImplicitMCCFR("rules:leduc"),
    "RegretMatching": lambda: RegretMatching("rps"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_a_second_thread_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    solver, begun, end, here = MAKERS[name](), Event(), Event(), get_ident()
    method = next(cls for cls in type(solver).__mro__ if "run" in vars(cls))
    module = sys.modules[method.__module__]
    checked = module.checked_iterations

    def paused(iterations: object) -> int:
        if get_ident() != here:
            begun.set()
            assert end.wait(60)
        return int(checked(iterations))

    monkeypatch.setattr(module, "checked_iterations", paused)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(solver.run, 3)
        assert begun.wait(60)
        try:
            with refuses(UnsupportedError, option="solver", given=name):
                solver.run(2)
            if name != "ImplicitMCCFR":  # which cannot be copied
                assert copy.deepcopy(solver).run(2).iteration == 2
                assert pickle.loads(pickle.dumps(solver)).run(2).iteration == 2
        finally:
            end.set()
        assert running.result().iteration == 3
    assert solver.run(2).iteration == 5  # here again, and nothing is left behind
    assert solver.__getstate__().keys() == vars(solver).keys()


def test_a_failed_run_does_not_hold_the_solver() -> None:
    solver = CFR("kuhn")
    with pytest.raises(ConfigError) as refused:
        solver.run(-1)
    assert refused.value.option == "iterations"
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(solver.run, 3).result().iteration == 3
