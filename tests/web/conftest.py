"""A server without a socket: its application, and a client that asks it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist import poker
from equilibrist.web.application import guarded, make_api
from equilibrist.web.holdem import crowd
from equilibrist.web.jobs import manager
from equilibrist.web.services import Services
from equilibrist.web.settings import Limits, Settings
from tests.cli.command import Shell
from tests.poker.three_players.test_profile import SMALL
from tests.web.described import DescribedClient
from tests.web.scripted import ScriptedWorker

HOST = "127.0.0.1:8137"
SPOT = poker.Spot(board="Ts3h2h5c", oop="AA,QQ", ip="KK,QsJs:0.5", pot=100, stack=100, bets="50%")

THREE = poker.ThreeSpot(**{**SMALL, "board": "Qs9h5d3c"}, stacks=[100, 40, 250])
"""A turn of three players with a few hands each."""


@cache
def _api() -> FastAPI:
    """One for all servers: what differs comes with each request."""
    return make_api()


@pytest.fixture(autouse=True)
def data_of_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is stored there yet: `last` is what a test solves."""
    monkeypatch.setenv("EQUILIBRIST_DATA_DIR", str(tmp_path / "own"))


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server looks at other programs.

    A look takes half a second, in a thread that outlives its server and reads the clock meanwhile,
    also where another test has set it.
    """
    monkeypatch.setattr(crowd, "look", crowd.Look)


@pytest.fixture
def make_client(tmp_path: Path) -> Iterator[Callable[..., TestClient]]:
    """Makes clients of servers; all of them have one data folder."""
    with ExitStack() as stack:

        def make(
            *, limits: dict[str, Any] | None = None, host: str = HOST, **how: Any
        ) -> TestClient:
            settings = Settings(data=tmp_path / "data", **how)
            settings = replace(settings, limits=replace(Limits(), **(limits or {})))
            services = Services.of(settings)
            app = guarded(_api(), services)
            client = DescribedClient(app, base_url=f"http://{host}", raise_server_exceptions=False)
            client.described = _api()
            client.services = services  # type: ignore[attr-defined]
            stack.enter_context(client)
            stack.callback(client.portal.call, services.jobs.close)
            return client

        yield make


@pytest.fixture
def client(make_client: Callable[..., TestClient]) -> TestClient:
    """A client of a server on loopback."""
    return make_client()


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    """The command line, whose documents are held against those of the API."""
    return Shell(capsys)


@pytest.fixture(scope="session")
def spot_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The solution of a small spot from the turn on."""
    solution = poker.solve(SPOT, iterations=10)
    return solution.save(tmp_path_factory.mktemp("spot") / "turn.safetensors")


@pytest.fixture(scope="session")
def three_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The solution of `THREE`."""
    solution = poker.solve_three(THREE, iterations=30, threads=1)
    return solution.save(tmp_path_factory.mktemp("three") / "three.safetensors")


@pytest.fixture(scope="session")
def kuhn_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A solution of Kuhn poker."""
    result = eq.solve("kuhn", iterations=20)
    return result.save(tmp_path_factory.mktemp("game") / "kuhn.safetensors")


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[ScriptedWorker]:
    """Those that run, in the order of their start."""
    ScriptedWorker.running.clear()
    monkeypatch.setattr(manager, "Worker", ScriptedWorker)
    return ScriptedWorker.running


def put(client: TestClient, file: Path, name: str) -> None:
    """Put a file into the library of a server."""
    copy = file.with_name(f"{name}.copy")
    shutil.copy(file, copy)
    client.services.library.add(name, copy)  # type: ignore[attr-defined]
