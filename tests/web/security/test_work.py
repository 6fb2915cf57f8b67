"""Turns for what takes long: so many at a time, for all pages and requests, and then a sentence."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist.errors import MemoryBudgetError
from equilibrist.web.api import bounds
from equilibrist.web.api.bounds import bounded, check_texts
from equilibrist.web.api.orders import SpotInput
from equilibrist.web.errors import LimitError, TooLargeError
from equilibrist.web.security.work import Work
from equilibrist.web.setup.form import check_form, example_form
from tests.web.conftest import SPOT, put


def test_so_many_work_at_once_and_so_many_wait() -> None:
    ends, begun = threading.Event(), []

    def works(number: int) -> int:
        begun.append(number)
        ends.wait(20)
        return number

    async def all_of_them() -> list[Any]:
        work = Work(most=2, waiting=1, seconds=20.0)
        first = [asyncio.create_task(work.run(works, number)) for number in range(3)]
        while len(begun) < 2:
            await asyncio.sleep(0.01)
        with pytest.raises(LimitError) as refused:
            await work.run(works, 9)
        assert refused.value.option == "work"
        assert sorted(begun) == [0, 1]  # the third waits
        ends.set()
        return await asyncio.gather(*first)

    assert asyncio.run(all_of_them()) == [0, 1, 2]
    assert sorted(begun) == [0, 1, 2]


def test_nobody_waits_for_ever_and_a_failure_ends_its_turn() -> None:
    async def tries() -> None:
        work = Work(most=1, waiting=5, seconds=0.01)
        async with work.turn():
            with pytest.raises(LimitError):
                await work.run(int)
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                await work.run(lambda: 1 // 0)
        assert await work.run(int, "7") == 7

    asyncio.run(tries())


SPOT_TEXT = {"toml": SPOT.to_toml()}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/spots/check", SPOT_TEXT),
        ("POST", "/api/spots/estimate", SPOT_TEXT),
        ("POST", "/api/spots/tree", SPOT_TEXT),
        ("POST", "/api/spots/tree/bet", {**SPOT_TEXT, "amount": 50}),
        ("POST", "/api/jobs", {"spot": SPOT_TEXT}),
        ("GET", "/api/solutions/turn/runouts?line=X-X", None),
        ("GET", "/api/reports/batch", None),
        ("GET", "/api/games/kuhn/tree", None),
        ("GET", "/api/games/kuhn/walk", None),
        ("GET", "/api/games/kuhn/lesson", None),
        ("GET", "/api/games/kuhn", None),
        ("GET", "/api/games?sizes=true", None),
    ],
)
def test_requests_take_turns(
    make_client: Callable[..., TestClient], spot_file: Any, method: str, path: str, body: Any
) -> None:
    busy = make_client(limits={"working": 0, "waiting_seconds": 0.01})
    put(busy, spot_file, "turn")
    refused = busy.request(method, path, json=body)
    assert (refused.status_code, refused.json()["option"]) == (429, "work")
    assert busy.get("/api/version").status_code == 200


def test_many_sizes_are_refused_before_they_are_read(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*_: object, **__: object) -> None:
        raise AssertionError("the sizes are read")

    monkeypatch.setattr("equilibrist.poker.betting.bet_size_parser._size", read)
    many = ",".join(f"{k}%" for k in range(1, 3000))
    for name in ("bets", "raises", "ip_raises", "donks"):
        keys = {**SPOT.model_dump(exclude_defaults=True, mode="json"), name: f"50%|{many}|"}
        answer = client.post("/api/spots/estimate", json={"keys": keys})
        assert (answer.status_code, answer.json()["option"]) == (413, name)
    checked = check_form({**example_form_without_reading(), "ip_bets_turn": many})
    assert "30" in checked.errors["ip_bets_turn"]


def example_form_without_reading() -> dict[str, Any]:
    from equilibrist.web.setup.form import blank_form

    return {**blank_form(), "board": "Td9d6hQc", "oop": "AA", "ip": "KK", "pot": "10", "stack": "9"}


@pytest.mark.parametrize(
    "keys",
    [
        {"added_lines": ["X-B1"] * 400},
        {"removed_lines": ["X"] * 400},
        {"locks": ["X: Check 100%"] * 400},
        {"locks": ["X" * 300_000]},
        {"oop": "AA," * 100_000},
        {"board": "Ts" * 200_000},
    ],
)
def test_what_is_too_long_is_refused(client: TestClient, keys: dict[str, Any]) -> None:
    with pytest.raises(TooLargeError) as refused:
        check_texts(keys)
    assert refused.value.option == next(iter(keys))
    with pytest.raises(TooLargeError):
        SpotInput(toml=None, keys=keys).read()
    with pytest.raises(TooLargeError):
        SpotInput(toml="# " * 200_000).read()


def test_betting_without_end_is_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    form = example_form()
    assert check_form(form).spot is not None
    monkeypatch.setattr(bounds, "MOST_STATES", 20)
    checked = check_form(form)
    assert checked.spot is None
    assert "20 distinct states" in checked.errors[""]
    with pytest.raises(MemoryBudgetError) as refused:
        SpotInput(toml=SPOT.replace(bets="20%,30%,40%,50%,60%,70%", raises="2x").to_toml()).read()
    assert refused.value.given == 20


def test_the_betting_that_was_bounded_is_that_of_the_spot() -> None:
    ours, expected = bounded(SPOT.replace(bets="33%,75%")), SPOT.replace(bets="33%,75%")
    assert ours.betting.num_nodes == expected.betting.num_nodes
    assert ours.warnings == expected.warnings
