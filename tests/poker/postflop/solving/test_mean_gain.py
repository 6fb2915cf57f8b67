"""What best responses gain is called exploitability without rake alone: with it, mean gain."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from equilibrist import load_result
from equilibrist.cli.main import run
from equilibrist.cli.postflop.run_options import progress_texts
from equilibrist.poker import PostflopResult, Spot, batch, solve
from equilibrist.poker.postflop.files.batch_folder import BatchFolder
from equilibrist.progress import Progress
from equilibrist.storage.archive import write_archive
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.storage.mapped_archive import MappedArchive

PLAIN = Spot(board="Ts3s2h5h", oop="AA,QQ", ip="KK", pot=60, stack=60, bets="a", locks=["X: X 1"])
RAKED = PLAIN.replace(rake=0.05, rake_cap=4)


def words(document: Any) -> set[str]:
    """All keys of a document that name the measure, without their units."""
    text = json.dumps(document)
    names = ("exploitability", "mean_gain")
    return {name for name in names if name in text}


def test_the_measure_of_a_solution() -> None:
    plain, raked = solve(PLAIN, iterations=3), solve(RAKED, iterations=3)
    assert plain.exploitability == plain.mean_gain > 0
    assert plain.exploitability_percent == plain.mean_gain_percent
    assert plain.unlocked_exploitability == plain.unlocked_mean_gain is not None
    assert min(raked.mean_gain, raked.mean_gain_percent) > 0
    assert raked.unlocked_mean_gain is not None
    assert raked.exploitability is None
    assert raked.exploitability_percent is None
    assert raked.unlocked_exploitability is None
    assert "; exploitability " in str(plain)
    assert "; mean gain " in str(raked)
    documents = plain.to_dict("X-X|2c"), raked.to_dict("X-X|2c")
    for document in documents:
        assert words(document) == {"exploitability", "mean_gain"}
    assert [{*each} for each in documents] == [{*documents[0]}] * 2
    facts = raked.facts()
    assert facts["exploitability_chips"] is facts["exploitability_percent"] is None
    assert plain.facts()["exploitability_chips"] == plain.facts()["mean_gain_chips"]
    assert facts["mean_gain_chips"] == pytest.approx(raked.mean_gain, abs=1e-6)
    assert facts["mean_gain_percent"] == pytest.approx(raked.mean_gain_percent, abs=1e-6)
    assert facts["unlocked_mean_gain_chips"] == pytest.approx(raked.unlocked_mean_gain, abs=1e-6)


@pytest.mark.parametrize("spot", [PLAIN, RAKED])
def test_files_of_earlier_versions(spot: Spot, tmp_path: Path) -> None:
    """They say exploitability, whether the spot is raked or not."""
    before = solve(spot, iterations=3)
    before.save(tmp_path / "a")
    archive = MappedArchive(tmp_path / "a", SPOT_SOLUTION)
    header = dict(archive.header)
    assert words(header) == {"mean_gain"}
    for name in ("mean_gain", "unlocked_mean_gain"):
        header[name.replace("mean_gain", "exploitability")] = header.pop(name)
    arrays = {name: archive.read(name) for name in archive.shapes()}
    write_archive(tmp_path / "old", SPOT_SOLUTION, header, arrays, in_parts=True)
    after = load_result(tmp_path / "old")
    assert after.mean_gain == before.mean_gain
    assert after.unlocked_mean_gain == before.unlocked_mean_gain
    assert after.facts() == before.facts()


def test_streets_that_are_solved_again(tmp_path: Path) -> None:
    solve(RAKED, iterations=20).save(tmp_path / "a", "first-street")
    node = load_result(tmp_path / "a", threads=1).at("X-X|2c")
    assert node.resolved is not None
    assert ", mean gain " in str(node)
    assert node.to_dict()["resolved_mean_gain_chips"] == node.resolved


def told(spot: Spot) -> PostflopResult:
    """Solved, with what is said meanwhile."""
    seen: list[Progress] = []
    solution = solve(spot, iterations=3, callbacks=seen.append)
    assert seen[-1].measure == solution.mean_gain
    assert f"  {spot.measure_name} " in progress_texts(seen[-1])[0]
    return solution


def test_what_is_said_meanwhile() -> None:
    told(PLAIN)
    told(RAKED)


@pytest.mark.parametrize(("rake", "name"), [("0", "exploitability"), ("5%", "mean gain")])
def test_the_command_line(rake: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    keys = "--board Ts3s2h5h --oop AA --ip KK --pot 60 --stack 60 --bets a --iterations 2"
    assert run(["postflop", "solve", *keys.split(), "--rake", rake]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith(f"{name} ")


def test_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = ["Ts3s2h5h", "KsQd7c2c"]
    spot = RAKED.replace(locks=[])
    report = batch(spot, boards, tmp_path, iterations=2)
    assert words(report.rows) == {"mean_gain"}
    most = max(row["mean_gain_percent"] for row in report.rows[:-1])
    assert report.rows[-1]["mean_gain_percent"] == most > 0
    write = BatchFolder.write

    def earlier(folder: BatchFolder, board: str, found: Mapping[str, Any]) -> None:
        names = {"mean_gain_percent": "exploitability_pct"}
        write(folder, board, {names.get(key, key): value for key, value in found.items()})

    with monkeypatch.context() as patch:  # a folder that an earlier version wrote
        patch.setattr(BatchFolder, "write", earlier)
        batch(spot, boards, tmp_path / "old", iterations=2)
    old = [json.loads((tmp_path / "old" / f"{board}.json").read_text()) for board in boards]
    assert words(old) == {"exploitability"}
    again = batch(spot, boards, tmp_path / "old", iterations=2, resume=True)
    assert [*again.rows[0]] == [*report.rows[0]]
    assert again.rows[0]["mean_gain_percent"] == report.rows[0]["mean_gain_percent"]
