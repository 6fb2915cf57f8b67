"""The plan on a Ray cluster of this machine: the same bits, also when workers are killed."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.errors import ClusterError, ConfigError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solvers.sampling import ray_cluster
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.sampling.samplers import External, Tables
from tests.refusals import refuses
from tests.slow_cases import slow
from tests.solve_options import grouped

LEDUC = compile_game(load_game("leduc"))


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a cluster with two cores."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        from ray.cluster_utils import Cluster

        found = Cluster(True, head_node_args={"num_cpus": 2, "include_dashboard": False})
        yield found.address
        found.shutdown()


@dataclass(frozen=True)
class Mortal(External):
    """External sampling in a process that is killed where a file of `folder` says so.

    The file's name is the iteration after which that happens, once.
    """

    folder: str = ""
    driver: int = 0

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        super().run(tables, start, count, averaging, weight)
        if os.getpid() == self.driver:
            return
        for order in Path(self.folder).iterdir():
            if start <= int(order.name) < start + count:
                try:
                    order.unlink()
                except FileNotFoundError:  # another process has been quicker
                    continue
                except OSError:  # a folder: the order stands
                    pass
                os.kill(os.getpid(), signal.SIGKILL)


def bits(solver: MCCFR) -> tuple[object, ...]:
    state = solver.state
    return (
        state.iteration,
        state.nodes_touched,
        state.regret.tobytes(),
        state.strategy_sum.tobytes(),
    )


def on_cluster(**options: Any) -> MCCFR:
    return MCCFR(LEDUC, threads=2, period=2000, executor="ray", **options)


@pytest.fixture(scope="class")
def connection(cluster: str) -> Iterator[None]:
    import ray

    ray.init(cluster, log_to_driver=False, logging_level=logging.ERROR)
    yield
    assert ray.is_initialized()
    ray.shutdown()


@pytest.mark.slow
@pytest.mark.usefixtures("connection")
class TestConnected:
    """This process is connected to the cluster already, and stays so."""

    @pytest.mark.parametrize(
        "options",
        [
            {},
            slow({"sampler": "outcome", "algorithm": "lcfr"}),
            slow({"averaging": "full"}),
            slow({"averaging": "walk"}),
        ],
    )
    def test_the_same_bits(self, options: dict[str, Any], tmp_path: Path) -> None:
        serial = MCCFR(LEDUC, threads=2, period=2000, executor="serial", **options).run(7500)
        with closing(on_cluster(**options)) as solver:
            solver.run(4900).checkpoint(tmp_path / "c")
        resumed = on_cluster(**options).resume(tmp_path / "c").run(2600)
        assert bits(resumed) == bits(serial)

    def test_killed_workers_cost_their_batch_and_change_no_bit(self, tmp_path: Path) -> None:
        for iteration in (700, 9900):
            (tmp_path / str(iteration)).touch()
        sampler = Mortal(folder=str(tmp_path), driver=os.getpid())
        solver = on_cluster(sampler=sampler).run(12_345)
        assert not list(tmp_path.iterdir())
        serial = MCCFR(LEDUC, threads=2, period=2000, executor="serial").run(12_345)
        assert bits(solver) == bits(serial)

    def test_a_batch_that_always_kills_its_worker_ends_the_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ray_cluster, "_RETRIES", 1)
        (tmp_path / "2500").mkdir()
        solver = on_cluster(sampler=Mortal(folder=str(tmp_path), driver=os.getpid()))
        with refuses(ClusterError, option="cluster"):
            solver.run(3000)
        assert solver.iteration == 2000

    def test_another_version(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ray_cluster, "kernel_fingerprint", lambda: "other")
        with refuses(ClusterError, option="version"):
            on_cluster()


@pytest.mark.slow
@pytest.mark.parametrize("there", [True, False])
def test_solve_connects_and_leaves(
    cluster: str, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray

    options: dict[str, Any] = {"sampler": "external", "threads": 2, "period": 300, "seed": 4}
    before = signal.getsignal(signal.SIGTERM)
    address = cluster if there else None
    found = eq.solve(
        "kuhn",
        iterations=1000,
        **grouped(options, executor="ray", address=address),
    )
    assert not ray.is_initialized()
    assert signal.getsignal(signal.SIGTERM) is before
    assert found.to_dict()["executor"] == "ray"
    same = eq.solve("kuhn", iterations=1000, **grouped(options))
    assert found.strategy.probabilities.tobytes() == same.strategy.probabilities.tobytes()


@pytest.mark.slow
def test_a_closed_solver_connects_again(cluster: str) -> None:
    import ray

    with closing(on_cluster(address=cluster).run(2500)) as solver:
        solver.close()
        assert not ray.is_initialized()
        solver.run(500)
    assert not ray.is_initialized()
    assert bits(solver) == bits(MCCFR(LEDUC, threads=2, period=2000, executor="serial").run(3000))


# What can go wrong before it begins


def solve(address: str | None = None) -> None:
    eq.solve(
        "kuhn",
        sampling=eq.Sampling("external", executor="ray", address=address),
        threads=2,
        iterations=9,
    )


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with refuses(ConfigError, option="package", given="ray"):
        solve()


@pytest.mark.parametrize("address", ["", "here", "here:there", ":1", "ray://here:10001"])
def test_what_is_no_address(address: str) -> None:
    with refuses(ConfigError, option="address", given=address):
        solve(address)


def test_no_cluster_at_the_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    for address in (f"127.0.0.1:{port}", "nobody.invalid:6379", "127.0.0.1:99999"):
        with refuses(ClusterError, option="address", given=address):
            solve(address)


@pytest.mark.slow
def test_somebody_else_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "_PATIENCE", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with refuses(ClusterError, option="address", given=address):
            solve(address)


@pytest.mark.parametrize("trial", ["", "print(flush=True);"])
def test_nobody_is_left_who_tries_to_connect(monkeypatch: pytest.MonkeyPatch, trial: str) -> None:
    """Ctrl-C ends the trial, also while it still imports Ray."""
    started, main = [], threading.get_ident()

    class Noted(subprocess.Popen[str]):
        def __init__(self, *arguments: Any, **keywords: Any) -> None:
            super().__init__(*arguments, **keywords)
            started.append(self)
            threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT)).start()

    monkeypatch.setattr(subprocess, "Popen", Noted)
    monkeypatch.setattr(ray_cluster, "_TRIAL", f"{trial}import time; time.sleep(600)")
    with pytest.raises(KeyboardInterrupt):
        ray_cluster._try_out("127.0.0.1:1")
    (process,) = started
    assert process.wait(30) == -signal.SIGKILL
