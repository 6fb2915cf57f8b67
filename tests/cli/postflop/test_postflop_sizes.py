"""`equilibrist postflop sizes`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import ConfigError, MemoryBudgetError, OutputError, UnsupportedError
from equilibrist.poker import find_menus
from equilibrist.poker.postflop.menus import study as menu_study
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.progress import Callbacks
from tests.cli.command import Shell

SPOT = Spot(
    board="Ts3s2h5h9c", oop="AcAd,QcQd,7s6s,JhJd", ip="KcKd,9s8s,QhJh", pot=60, stack=90,
    bets="50%,a", raises="a",
)  # fmt: skip
STEPS = '--steps "25%, 50%, 100%, a" --threads 1'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "spot.toml"
    path.write_text(SPOT.to_toml())
    return path


def test_the_menus_are_those_of_python_and_saved(shell: Shell, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "found.toml"
    line = f"postflop sizes {file} {STEPS} --count 2"
    document = shell(f"{line} --json --out {out}").ok().json
    study = find_menus(SPOT, 2, steps="25%, 50%, 100%, a", threads=1)
    for seat, wanted in zip(document["seats"], study.to_dict()["seats"], strict=True):
        assert {*seat} == {*wanted}
        for menu, same in zip(seat["tried"], wanted["tried"], strict=True):
            assert {**menu, "seconds": 0} == {**same, "seconds": 0}
    assert document["exploitability"] == pytest.approx(study.to_dict()["exploitability"])
    assert document["stopped_by"] is None
    assert Spot.from_toml(out) == study.spot_with()
    ran = shell(f"{line} --out {out}").ok()
    text = ran.out.splitlines()
    assert any(row.split()[:2] == ["1:", "a"] for row in text)
    assert any(row.split()[:3] == ["2:", "25%,", "a"] for row in text)
    assert f"postflop solve {out}" in ran.err
    shell(f"postflop solve {out} --target 1% -q").ok()


def test_one_seat_and_fewer_rows(shell: Shell, file: Path) -> None:
    line = f"postflop sizes {file} {STEPS} --seat IP --street river"
    text = shell(f"{line} --top 2").ok().out
    assert "OOP:" not in text
    rows = [row for row in text.splitlines() if row.strip().endswith("%") or "best" in row]
    assert sum("given up" in row or "1:" in row or "as good" in row for row in rows) <= 2
    document = shell(f"{line} --json --exhaustive").ok().json
    (ip,) = document["seats"]
    assert (ip["seat"], ip["is_exhaustive"]) == ("ip", [True])
    assert document["solved_exploitability"] is None


@pytest.mark.parametrize(
    ("words", "kind", "fields"),
    [
        ("--count 9", ConfigError, {"option": "count", "given": 9}),
        ("--count 0", ConfigError, {"option": "count", "given": 0}),
        ("--seat button", ConfigError, {"option": "seat", "given": "button"}),
        ("--street turn", ConfigError, {"option": "street", "given": "turn"}),
        ("--top 0", ConfigError, {"option": "top", "given": 0}),
        ("--rake 5%", UnsupportedError, {"option": "rake"}),
        ("--merge 10%", ConfigError, {"option": "merge"}),
        ("--memory 1kB", MemoryBudgetError, {"option": "memory"}),
        ("--time 0.000001", ConfigError, {"option": "seconds"}),
    ],
)
def test_what_is_refused(
    shell: Shell, file: Path, words: str, kind: Any, fields: dict[str, Any]
) -> None:
    shell(f"postflop sizes {file} {STEPS} {words}").refused(kind, **fields)


@pytest.mark.parametrize("option", ["--tremble", "--quantal"])
def test_perturbed_play_has_no_option(shell: Shell, file: Path, option: str) -> None:
    """Values are those of equilibria."""
    shell(f"postflop sizes {file} {STEPS} {option} 0.01").misused(option)


def test_seats_have_numbers_too(shell: Shell, file: Path) -> None:
    document = shell(f"postflop sizes {file} {STEPS} --seat 1 --json").ok().json
    assert [seat["seat"] for seat in document["seats"]] == ["ip"]


def test_a_file_of_ones_own_is_refused_before_the_search(
    shell: Shell, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr(menu_study, "find_menus", never)
    own = tmp_path / "notes.toml"
    own.write_text("[tool]\nx = 1\n")
    shell(f"postflop sizes {file} {STEPS} --out {own}").refused(OutputError)
    assert own.read_text() == "[tool]\nx = 1\n"


def test_ctrl_c_shows_and_saves_the_best_so_far(
    shell: Shell, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, out = menu_study.find_menus, tmp_path / "found.toml"

    def interrupted(*arguments: Any, **options: Any) -> Any:
        def stage(text: str) -> None:
            if "IP with 25%" in text:
                raise KeyboardInterrupt

        return real(*arguments, **{**options, "callbacks": Callbacks(on_stage=stage)})

    monkeypatch.setattr(menu_study, "find_menus", interrupted)
    ran = shell(f"postflop sizes {file} {STEPS} --out {out} --json")
    assert ran.code == 130
    assert ran.json["stopped_by"] == "interrupted"
    assert Spot.from_toml(out).oop_bets == "a"
