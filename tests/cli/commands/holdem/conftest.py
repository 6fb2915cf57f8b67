"""A trained blueprint and its card buckets."""

from __future__ import annotations

from pathlib import Path

import pytest

HAND = "--stack 5 --deck T --bets 100%,a --raises 100%,a"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from equilibrist.cli import main

    path = tmp_path_factory.mktemp("blueprint")
    cards, out = path / "c.safetensors", path / "b.safetensors"
    build = "cards build --buckets all/20/20/10 --deck 20 --restarts 1 --passes 3 --sample 1000"
    assert main.run([*build.split(), "--quiet", "-o", str(cards)]) == 0
    train = f"blueprint train {HAND} --cards {cards} --iterations 5 --batch 8 --quiet -o {out}"
    assert main.run(train.split()) == 0
    return path
