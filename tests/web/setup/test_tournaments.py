"""What stacks are worth, through the API: the document of the command line, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.cli.command import Shell


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ({"stacks": "5000/3000/2000", "payouts": "50,30,20"}, "5000/3000/2000 --payouts 50/30/20"),
        ({"stacks": [5e3, 3e3, 0], "payouts": [50, 30, 20]}, "5000/3000/0 --payouts 50/30/20"),
        (
            {"stacks": "Ann:5k Bob:3k", "payouts": "60% 40%", "pool": "$1,200", "leave": 100},
            "Ann:5k/Bob:3k --payouts 60%/40% --pool 1200 --leave 100",
        ),
        ({"stacks": [5, 3], "payouts": [60, 40], "pool": "200"}, "5/3 --payouts 120/80"),
        ({"stacks": [5, 3], "payouts": [60, 40], "pool": 200}, "5/3 --payouts 120/80"),
        (
            {"stacks": [5, 3], "payouts": [99.99999, 1e-5], "pool": 1e6},
            "5/3 --payouts 99.99999%/0.00001% --pool 1m",
        ),
        ({"stacks": "10x12", "payouts": "5/3/2"}, "10x12 --payouts 5/3/2"),
        (
            {"stacks": "5/3/2", "payouts": "5/3/2", "samples": 50, "seed": 3},
            "5/3/2 --payouts 5/3/2 --samples 50 --seed 3",
        ),
    ],
)
def test_the_document_is_that_of_the_command_line(
    client: TestClient, shell: Shell, body: dict[str, Any], line: str
) -> None:
    answer = client.post("/api/icm", json=body)
    assert answer.status_code == 200
    assert answer.json() == shell(f"icm {line} --json").ok().json


@pytest.mark.parametrize(
    "body",
    [
        {"stacks": "5000/x", "payouts": "50/30"},
        {"stacks": [], "payouts": "50/30"},
        {"stacks": "0/0", "payouts": "50/30"},
        {"stacks": "5/3", "payouts": "50/30/20"},
        {"stacks": "5/3", "payouts": "50/30", "pool": "100"},
        {"stacks": "5/3", "payouts": "50/30", "prizes": "1"},
        {"stacks": "5/3", "payouts": "60%/40%", "pool": 0},
        {"stacks": "1x1001", "payouts": "50/30"},
        {"stacks": "5/3"},
    ],
)
def test_what_is_refused(client: TestClient, body: dict[str, Any]) -> None:
    answer = client.post("/api/icm", json=body)
    assert answer.status_code in {400, 422}
    assert answer.json()["error"]
