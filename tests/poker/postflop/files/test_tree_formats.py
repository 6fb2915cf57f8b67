"""Trees as JSON, JSON lines, CSV and Parquet: all say the same."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow.parquet
import pytest

from equilibrist.poker import export
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.postflop.solution.node import Node
from equilibrist.poker.postflop.solution.tree_files.tree_filter import NodeFilter
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.spot import Spot
from tests.poker.postflop.files.exported_trees import FLOP, HANDS, RIVER, TURN, exported, solved


def test_a_node_in_each_line(tmp_path: Path) -> None:
    nodes = exported(solved(RIVER), tmp_path / "tree.json")
    export(solved(RIVER), tmp_path / "tree.jsonl")
    lines = (tmp_path / "tree.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == nodes


@pytest.mark.by_default(1)
@pytest.mark.parametrize(("spot", "filters"), [
    (RIVER, {"ends": True}), (TURN, {}), (TURN, HANDS), (FLOP, {"line": "X-X|2c", "ends": True}),
])  # fmt: skip
def test_every_line_is_the_document_of_its_node(
    spot: Spot, filters: dict[str, Any], tmp_path: Path
) -> None:
    """To the last byte: the text is made by array operations, not by `json.dumps`."""
    solution, path = solved(spot), tmp_path / "tree.jsonl"
    export(solution, path, **filters)
    choice = NodeFilter(spot, **filters)
    only = None if choice.hands is None else choice.hands.weights > 0
    expected = [
        json.dumps({**node.to_dict(only), "runouts": board.runouts})
        for board in choice.boards()
        for node in solution.nodes(board.runout, board.nodes)
    ]
    assert path.read_text(encoding="utf-8").splitlines() == expected


@pytest.mark.by_default(1)
@pytest.mark.parametrize("spot", [RIVER, TURN])
def test_csv_says_what_json_says(spot: Spot, tmp_path: Path) -> None:
    nodes = exported(solved(spot), tmp_path / "tree.json", ends=True)
    export(solved(spot), tmp_path / "tree.csv", ends=True)
    with (tmp_path / "tree.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert not any(None in row or None in row.values() for row in rows)
    place = iter(rows)
    for number_of_node, node in enumerate(nodes):
        for player, seat in enumerate(SEATS):
            looked_up = number_of_node % 25 == 0
            eqrs = realised(solved(spot).at(node["line"]), player) if looked_up else {}
            acts = player == node["player"]
            hands = node["hands" if player == (node["player"] or 0) else "other_hands"]
            totals = {key: node[key][player] for key in ("equity", "ev")}
            weight = sum(figures["weight"] for figures in hands.values())
            summary = {"weight": weight, **totals, "strategy": node["frequency"]}
            summary["action_ev"] = node["action_ev"]
            for hand, figures in {"all": summary, **hands}.items():
                row = next(place)
                for key in ("line", "street", "board", "runouts", "pot"):
                    assert row[key] == str(node[key])
                assert row["acts"] == ("" if node["player"] is None else SEATS[node["player"]])
                assert (row["player"], row["hand"]) == (seat, hand)
                assert row["eqr"] == eqrs.get(hand, row["eqr"])
                numbers = [number(row[key]) for key in ("weight", "equity", "ev")]
                assert numbers[1:] == [figures["equity"], figures["ev"]]
                assert numbers[0] == pytest.approx(figures["weight"], rel=1e-5)
                shares = figures["strategy"] if acts else []
                found = [(row[f"action{k}"], row[f"share{k}"]) for k in range(1, 4)]
                assert [name for name, _ in found if name] == (node["actions"] if acts else [])
                assert [number(share) for name, share in found if name] == shares
                evs = [number(row[f"ev{k}"]) for k in range(1, 1 + len(shares))]
                assert evs == (figures["action_ev"] if acts else [])
    assert next(place, None) is None


def realised(node: Node, player: int) -> dict[str, str]:
    """The EQR of each hand of a player, as a cell."""
    combos = node.combos(player)
    rounded = (np.round(node.realised(player)[combos], 6) + 0.0).tolist()
    texts = [f"{eqr:.6f}".rstrip("0").rstrip(".") if eqr == eqr else "" for eqr in rounded]
    return dict(zip(map(combo_name, combos.tolist()), texts, strict=True))


def number(text: str) -> float | None:
    return float(text) if text else None


@pytest.mark.by_default(1)
@pytest.mark.parametrize(("spot", "filters"), [(RIVER, {}), (TURN, {"ends": True}), (TURN, HANDS)])
def test_parquet_says_what_csv_says(
    spot: Spot, filters: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equilibrist.poker.postflop.solution.tree_files.parquet.ROWS", 500)
    counts = [
        export(solved(spot), tmp_path / name, **filters) for name in ("tree.csv", "tree.parquet")
    ]
    assert counts[0] == counts[1] > 0
    texts = pandas.read_csv(tmp_path / "tree.csv", dtype=dict.fromkeys(("line", "acts"), str))
    table = pandas.read_parquet(tmp_path / "tree.parquet")
    assert list(table.columns) == list(texts.columns)
    assert (table["line"].eq("")).sum() == texts["line"].isna().sum()
    for name in texts.columns:
        ours, theirs = table[name].astype(object), texts[name].astype(object)
        if name == "line":
            theirs = theirs.fillna("")
        assert ours.isna().equals(theirs.isna()), name
        known = ~theirs.isna()
        if name == "weight":  # six digits in text
            assert ours[known].tolist() == pytest.approx(theirs[known].tolist(), rel=1e-5)
        else:
            assert ours[known].tolist() == theirs[known].tolist(), name
    assert table["runouts"].dtype == "int64"
    groups = pyarrow.parquet.ParquetFile(tmp_path / "tree.parquet").num_row_groups
    assert groups >= len(table) // 1000
