"""Files that commit b8f4883 wrote open with the same figures.

`files_of_b8f4883.json` holds their headers and arrays as text, and the document that each result
had before it was saved.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import FileFormatError
from equilibrist.results import ImplicitResult, Result, StoredStrategy
from equilibrist.storage.archive import write_archive
from tests.refusals import refuses

FILES: dict[str, Any] = json.loads(
    (Path(__file__).parent / "files_of_b8f4883.json").read_text("utf-8")
)


def written(name: str, folder: Path, **changed: object) -> Path:
    """One of the files, as it was but for some entries of its header."""
    found = FILES[name]
    arrays = {
        key: np.array(each["values"], dtype=each["dtype"]).reshape(each["shape"])
        for key, each in found["arrays"].items()
    }
    path = folder / name
    in_parts = found["kind"] == "spot-solution"
    write_archive(path, found["kind"], found["header"] | changed, arrays, in_parts=in_parts)
    return path


@pytest.mark.parametrize("name", FILES)
def test_the_document_is_what_it_was(name: str, tmp_path: Path) -> None:
    path = written(name, tmp_path)
    document = json.loads(json.dumps(eq.load_result(path).to_dict()))
    assert document.pop("solution_file", str(path)) == str(path)
    before = dict(FILES[name]["document"])
    if "config" in before:  # options that have other names today
        config = before["config"] = dict(before["config"])
        config["seconds"] = config.pop("time")
        config["alternating"] = {False: None, True: False}[config.pop("simultaneous")]
    if name != "spot":  # early files have no such figure
        assert document.pop("rounding") == {"kuhn": 0.0, "liars_dice": None}[name]
    if "missed_frequency" in before:
        before["frequency_error"] = before.pop("missed_frequency")
    if "exploitability_pct" in before:
        before["exploitability_percent"] = before.pop("exploitability_pct")
    for new in ("abstraction", "actions"):  # early files have none
        if document.get(new, 0) is None:
            document.pop(new)
    if name == "spot":  # seconds had three decimals; `converged` and the EV of actions are new
        assert document.pop("converged") is True
        assert document.pop("leaf_values") is None
        assert document.pop("folded") == []
        assert document.pop("ev_error_chips") is None
        assert document.pop("mean_gain_chips") == before["exploitability_chips"]
        assert document.pop("mean_gain_percent") == before["exploitability_percent"]
        assert document.pop("unlocked_mean_gain_chips") is None
        for new in ("quantal", "temperature", "tremble", "trembling_gain_chips"):
            assert document.pop(new) is None
        node = document["node"]
        assert node.pop("action_ev")
        assert node.pop("resolved_mean_gain_chips") is None
        assert all(len(hand.pop("action_ev")) == 2 for hand in node["hands"].values())
        assert document["seconds"] == pytest.approx(before.pop("seconds"), abs=0.0005)
        document.pop("seconds")
    assert document == before


def test_each_is_a_result_of_its_kind(tmp_path: Path) -> None:
    kuhn = eq.load_result(written("kuhn", tmp_path))
    assert isinstance(kuhn.strategy, StoredStrategy)
    measured = eq.evaluate(kuhn.strategy.on(eq.compile_game("kuhn")))
    assert kuhn.evaluation is not None
    assert measured.rounding > kuhn.evaluation.rounding == 0.0
    assert replace(kuhn.evaluation, rounding=measured.rounding) == measured
    assert isinstance(eq.load_result(written("liars_dice", tmp_path)), ImplicitResult)
    spot = eq.load_result(written("spot", tmp_path))
    assert isinstance(spot, eq.poker.PostflopResult)
    assert (spot.target, spot.trace, spot.keep, spot.storage) == (None, (), "all", "float32")
    assert all(isinstance(each, Result) for each in (kuhn, spot))
    with refuses(
        FileFormatError,
        option="format",
        given="spot-solution",
        remedy="`load_result(path)` opens it",
    ):
        Result.load(tmp_path / "spot")
    with refuses(FileFormatError, option="format", remedy="use load_result(path)"):
        eq.poker.PostflopResult.load(tmp_path / "spot")


def test_a_time_limit_had_another_name(tmp_path: Path) -> None:
    for name in ("kuhn", "spot"):
        result = eq.load_result(written(name, tmp_path, stopped_by="time"))
        assert result.stopped_by == result.to_dict()["stopped_by"] == "seconds"
    made = FILES["liars_dice"]["header"]["made"] | {"stopped_by": "time"}
    path = written("liars_dice", tmp_path, made=made)
    assert eq.load_result(path).stopped_by == "seconds"
    again = eq.load_result(eq.load_result(tmp_path / "kuhn").save(tmp_path / "again.safetensors"))
    assert again.stopped_by == "seconds"


def test_the_error_of_a_frequency_had_another_name(tmp_path: Path) -> None:
    spot = eq.load_result(written("spot", tmp_path, missed_frequency=0.0025))
    assert spot.frequency_error == 0.0025
    assert eq.load_result(spot.save(tmp_path / "again.spot")).frequency_error == 0.0025
    assert spot.to_dict()["frequency_error"] == 0.0025


def test_what_is_read_of_a_sampler(tmp_path: Path) -> None:
    """Without a tree: early files lack the executor, the threads and whether a table is shared."""
    made = FILES["liars_dice"]["header"]["made"]
    whole = eq.load_result(written("liars_dice", tmp_path)).details
    early = {key: made[key] for key in made if key not in {"executor", "threads", "shared"}}
    assert eq.load_result(written("liars_dice", tmp_path, made=early)).details == whole
    for wrong in (made | {"seed": "1"}, {key: made[key] for key in made if key != "seed"}):
        with refuses(FileFormatError, option="content"):
            eq.load_result(written("liars_dice", tmp_path, made=wrong))
