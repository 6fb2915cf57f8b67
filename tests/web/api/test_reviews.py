"""Reviews through the API: the document of the command line, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.cli.command import Shell
from tests.play.review.hands import history, on_river, text_of
from tests.play.review.test_review import PUSHES, river
from tests.web.conftest import put

HANDS = text_of(
    [
        on_river("p1 cc", "p2 cbr 100", "p1 f"),
        history("d dh p1 AcAd", "d dh p2 7h2d", "p2 cbr 1000", "p1 f"),
    ]
)


@pytest.fixture
def library(client: TestClient, tmp_path: Path) -> TestClient:
    put(client, river().save(tmp_path / "river.spot"), "river")
    put(client, PUSHES.save(tmp_path / "push.safetensors"), "push")
    return client


def review(client: TestClient, **body: Any) -> Any:
    return client.post("/api/reviews", json={"hands": HANDS, "against": ["river", "push"]} | body)


def test_the_document_is_that_of_the_command_line(
    library: TestClient, shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "hands.phhs").write_text(HANDS)
    document = review(library).json()
    against = f"--against {tmp_path}/river.spot --against {tmp_path}/push.safetensors"
    printed = shell(f"hands review {tmp_path}/hands.phhs {against} --json").ok().json
    assert {each["against"] for each in document["decisions"]} == {"river", "push", None}
    for each in (*document["decisions"], *printed["decisions"]):
        del each["against"]
    assert document == printed
    only = review(library, hero="p2").json()
    assert only["players"] == ["p2"]


@pytest.mark.parametrize(
    ("body", "status", "option"),
    [
        ({"hands": "PLAYER\n"}, 422, "hands"),
        ({"hands": ""}, 422, "hands"),
        ({"hero": "Eve"}, 422, "hero"),
        ({"against": []}, 422, "against"),
        ({"against": ["nothing"]}, 404, "name"),
        ({"stacks_within": 0.5}, 422, "stacks_within"),
    ],
)
def test_what_is_wrong_is_refused(
    library: TestClient, body: dict[str, Any], status: int, option: str
) -> None:
    answer = review(library, **body)
    assert (answer.status_code, answer.json()["option"]) == (status, option)
    assert "/tmp" not in answer.text
