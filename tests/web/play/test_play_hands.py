"""Whole hands against a blueprint through the API: bets of any size, estimates, hidden cards."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist.poker import Hand, build_card_buckets
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.policy import WHOLE, Blueprint
from tests.web.conftest import put

HAND = Hand(stack=6, bets="100%,a", raises="100%,a", raise_cap=1, deck="T")


@pytest.fixture(scope="module")
def blueprint(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Uniform play."""
    import numpy as np

    folder = tmp_path_factory.mktemp("blueprint")
    cards = build_card_buckets(
        "all/5/5/5", folder / "c.safetensors", lowest_rank=8, restarts=1, passes=2, sample=1000,
        threads=1,
    )  # fmt: skip
    game = AbstractGame(HAND, cards.counts)
    strategy = np.full(game.num_slots, WHOLE // 4, np.uint16)
    Blueprint(game, cards, strategy).save(folder / "b.safetensors")
    return folder / "b.safetensors"


@pytest.mark.slow
def test_a_hand_is_played_to_its_end(client: TestClient, blueprint: Any) -> None:
    put(client, blueprint, "bp")
    answer = client.post("/api/play/tables", json={"solution": "bp", "seed": 5, "seat": 0})
    assert answer.status_code == 201, answer.text
    table = answer.json()
    assert (table["kind"], table["unit"]) == ("hand", "big blinds")
    scene = table["turn"]["scene"]
    assert (scene["you"], scene["total"], len(scene["cards"])) == ("SB", 1.5, 2)
    assert [player["cards"] for player in scene["players"]] == [scene["cards"], None]
    quoted = client.get(f"/api/play/tables/{table['id']}/bet?amount=2.6").json()
    assert quoted["amount"] == 2.6
    at = f"/api/play/tables/{table['id']}"
    played = {"hand": 1, "move": table["turn"]["move"], "amount": 2.6}
    both = client.post(f"{at}/choose", json={**played, "action": 0})
    assert (both.status_code, both.json()["option"]) == (422, "amount")
    table = client.post(f"{at}/choose", json=played).json()
    first = table["decisions"][0]
    assert first["estimated"]
    assert first["grade"] is None
    assert first["study"].startswith("/charts/bp?line=&board=&stamp=")
    while table["state"] == "turn":
        turn = table["turn"]
        given = {"hand": 1, "move": turn["move"], "action": len(turn["actions"]) - 1}
        table = client.post(f"{at}/choose", json=given).json()
    last = table["over"]["scenes"][-1]
    assert all(player["cards"] for player in last["players"])
    assert sum(table["over"]["payoffs"]) == pytest.approx(0)


@pytest.mark.slow
def test_charts_of_a_blueprint(client: TestClient, blueprint: Any) -> None:
    put(client, blueprint, "bp")
    first = client.get("/api/solutions/bp/chart").json()
    assert len(first["classes"]) == 25
    assert client.get("/api/solutions/bp/chart?line=C-X").status_code == 422  # without a board
    flop = client.get("/api/solutions/bp/chart?line=C-X&board=TdQdAh").json()
    assert (flop["street"], flop["seat"]) == ("flop", "BB")
    for one in flop["classes"].values():
        assert sum(one["strategy"]) == pytest.approx(1, abs=1e-5)
