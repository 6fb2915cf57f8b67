"""Solves through the API: processes of their own, with the command line's numbers."""

from __future__ import annotations

from starlette.testclient import TestClient

import equilibrist
from tests.web.following import ended, started


def test_a_solve_has_the_bits_of_the_command_line(client: TestClient) -> None:
    job = ended(client, started(client, game="kuhn", options={"iterations": 300}))
    assert (job["state"], job["stopped_by"]) == ("done", "iterations"), job["error"]
    shown = client.get(f"/api/solutions/{job['solution']}").json()["solution"]
    expected = equilibrist.solve("kuhn", iterations=300).to_dict()
    for key in ("strategy", "values", "exploitability", "iterations", "fingerprint"):
        assert shown[key] == expected[key], key
