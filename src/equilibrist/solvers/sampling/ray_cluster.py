"""Batches on a Ray cluster: the one file that imports Ray."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any, Final, Generic

from equilibrist._jit import kernel_fingerprint
from equilibrist.errors import ClusterError, ConfigError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.solvers.sampling.batches import Batch, Gain_co, Gaining, Start_contra

_LOCAL: Final = "local"
_RETRIES: Final = 20
"""How often a batch is repeated after its worker was lost, before the run fails."""
_PATIENCE: Final = 20.0
"""Seconds to wait for a cluster: Ray itself would wait for minutes."""
_TRIAL: Final = "import sys, ray; print(flush=True); ray.init(sys.argv[1], log_to_driver=False)"


class Ray(Generic[Start_contra, Gain_co]):
    """Every batch is a task for one core. The runner goes once through the object store.

    A task keeps nothing: one whose worker dies is run again from the same tables, and gains the
    same. Moritz et al., Ray: a distributed framework for emerging AI applications (OSDI 2018).
    """

    def __init__(
        self, runner: Gaining[Start_contra, Gain_co], threads: int, address: str | None
    ) -> None:
        """Connect, unless this process is connected already.

        Raises ConfigError without Ray, ClusterError if the cluster does not answer or has another
        version of Equilibrist.
        """
        check_cluster(address)
        import ray

        self._ray: Any = ray
        self._given, self._threads, self._address = runner, threads, address or _LOCAL
        self._start()

    def _start(self) -> None:
        """Connect, and hand the tree out."""
        ray = self._ray
        self._mine = not ray.is_initialized()
        if self._mine:
            _connect(ray, self._threads, self._address)
        self._left = False
        task: Any = ray.remote(num_cpus=1, max_retries=_RETRIES)
        try:
            (version,) = self._results([task(_version).remote()])
            if version != kernel_fingerprint():
                raise ClusterError(
                    "the Ray cluster has another version of equilibrist",
                    option="version",
                    given=version,
                    remedy="install one everywhere",
                )
        except ClusterError:
            self.close()
            raise
        self._gain = task(_gain)
        self._runner = ray.put(self._given)

    def gains(
        self, start: Start_contra, batches: Sequence[Batch], weight: float
    ) -> Sequence[Gain_co]:
        """The gains of the batches, run on the cluster; ClusterError if it fails."""
        if self._left:
            self._start()
        tables = self._ray.put(start)
        return self._results([self._gain.remote(self._runner, tables, b, weight) for b in batches])

    def close(self) -> None:
        """Disconnect, until the next batch; a cluster that was started here ends."""
        if self._mine and not self._left:
            self._left = True
            self._ray.shutdown()

    def _results(self, tasks: list[Any]) -> list[Any]:
        try:
            results: list[Any] = self._ray.get(tasks)
        except self._ray.exceptions.RayError as error:
            lines = str(error).strip().splitlines() or [type(error).__name__]
            raise ClusterError(
                f"the Ray cluster failed: {lines[-1]}", option="cluster", given=type(error).__name__
            ) from error
        return results


def _version() -> str:
    return kernel_fingerprint()


def _gain(
    runner: Gaining[Start_contra, Gain_co], start: Start_contra, batch: Batch, weight: float
) -> Gain_co:
    return runner.gain(start, batch, weight)


def check_cluster(address: object) -> None:
    """Check that there is Ray, and a cluster at `address`: ConfigError or ClusterError."""
    try:
        import ray  # noqa: F401
    except ImportError:
        raise ConfigError(
            "executor ray needs Ray, which is not installed",
            option="package",
            given="ray",
            remedy='pip install "equilibrist[ray]"',
        ) from None
    if address in (None, _LOCAL, "auto"):
        return
    host, colon, port = str(address).rpartition(":")
    if not (isinstance(address, str) and host and colon and port.isdecimal() and "/" not in host):
        raise bad_argument(
            "address", address, "host:port of the cluster's head node, auto (find it) or local"
        )
    try:
        socket.create_connection((host, int(port)), _PATIENCE).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise ClusterError(
            f"there is no Ray cluster at {address} ({error})",
            option="address",
            given=address,
            remedy="start one with `ray start --head`, which prints the address",
        ) from None


def _connect(ray: Any, threads: int, address: str) -> None:
    own: dict[str, Any] = {"num_cpus": threads, "include_dashboard": False}
    if address != _LOCAL:
        own = {}
    on_terminate = signal.getsignal(signal.SIGTERM)
    try:
        if ":" in address:
            _try_out(address)
        ray.init(address, log_to_driver=False, logging_level="ERROR", **own)
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, on_terminate)  # Ray has put its own there
    except Exception as error:  # what Ray raises depends on its version
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise ClusterError(
            f"no Ray cluster answers at {address}: {lines[-1]}", option="address", given=address
        ) from error


def _try_out(address: str) -> None:
    """Connect in another process, which can be ended if nothing comes of it.

    The time in which it must connect begins when it has imported Ray, which takes longer the busier
    this machine is, and says nothing about the cluster.
    """
    with subprocess.Popen(
        [sys.executable, "-c", _TRIAL, address],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as trial:
        assert trial.stdout is not None
        try:
            trial.stdout.readline()
            _, message = trial.communicate(timeout=_PATIENCE)
        except BaseException as error:
            trial.kill()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            raise TimeoutError(
                f"what listens there is not its head node, or took more than {_PATIENCE:g} seconds"
            ) from None
    if trial.returncode:
        raise ConnectionError(message)
