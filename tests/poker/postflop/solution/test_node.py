"""What a node of a solved spot says, on figures that are made up or small enough for the head."""

from __future__ import annotations

import json
import math
import re
import sys
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker.cards.combos import CLASS_NAMES, combo_name, parse_combo
from equilibrist.poker.decisions import strategy_grid
from equilibrist.poker.postflop.solution.node import Node
from equilibrist.poker.postflop.solution.node_aggregates import NodeValues, class_values
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.typing import FloatArray
from tests.poker.postflop.solution.made_up import made_up_solution
from tests.poker.postflop.spot.spots import TURN
from tests.refusals import refuses, unchecked

DUEL = Spot(
    board="Ts3h2h5c9s", oop="AsAh,QsQh:0.5,Qs2c", ip="KsKh,AsKd:0.5", pot=100, stack=100, bets="a"
)
"""AsAh meets KsKh alone, the other hands of OOP meet both of IP's."""


def column(**hands: float) -> FloatArray:
    """float64[1326]: figures by the names of hands, NaN elsewhere."""
    figures = np.full(1326, np.nan)
    for name, figure in hands.items():
        figures[parse_combo(name)] = figure
    return figures


def duel(strategy: FloatArray | None = None) -> Node:
    weight = np.array([each.weights for each in DUEL.ranges])
    matchups = np.array(
        [
            np.nan_to_num(column(AsAh=1, QsQh=1.5, Qs2c=1.5)),
            np.nan_to_num(column(KsKh=2.5, AsKd=1.5)),
        ]
    )
    ev = np.array([column(AsAh=130, QsQh=20, Qs2c=-10), column(KsKh=30, AsKd=10)])
    equity = np.array([column(AsAh=1, QsQh=0.25, Qs2c=0.0), column(KsKh=0.4, AsKd=0.5)])
    if strategy is None:
        strategy = np.array(
            [column(AsAh=0.0, QsQh=0.5, Qs2c=0.9), column(AsAh=1.0, QsQh=0.5, Qs2c=0.1)]
        )
    action_ev = np.array([column(AsAh=100, QsQh=30, Qs2c=-10), column(AsAh=130, QsQh=10, Qs2c=-10)])
    rules = DUEL.rules()
    return Node(
        DUEL.cards,
        rules.root(),
        (),
        rules.actions(rules.root()),
        NodeValues(weight, matchups, ev, equity, strategy, action_ev),
    )


def test_frequencies_by_matchups_and_by_combos() -> None:
    # weights 1, 1/2, 1; weights times matchups 1, 3/4, 3/2
    node = duel()
    assert node.frequency == pytest.approx(
        {"Check": (0.375 + 1.35) / 3.25, "All-in 100": (1 + 0.375 + 0.15) / 3.25}
    )
    assert node.frequency_by_combos == pytest.approx(
        {"Check": (0.25 + 0.9) / 2.5, "All-in 100": (1 + 0.25 + 0.1) / 2.5}
    )


def test_totals_are_means_over_matchups() -> None:
    equity, ev, eqr = duel().totals
    assert ev == pytest.approx(((130 + 0.75 * 20 - 1.5 * 10) / 3.25, (75 + 7.5) / 3.25))
    assert equity == pytest.approx(((1 + 0.1875) / 3.25, (1 + 0.375) / 3.25))
    assert eqr == pytest.approx((ev[0] / equity[0] / 100, ev[1] / equity[1] / 100))


def test_what_a_node_is() -> None:
    node = made_up_solution(**TURN).at("X-B120-C|8h")
    assert (node.line, node.board, node.street) == ("X-B120-C|8h", "Td9d6hQc8h", "river")
    assert (node.player, node.pot, node.to_call) == (0, 440, 0)
    assert [str(action) for action in node.actions] == ["Check", "Bet 264", "All-in 780"]
    facing = made_up_solution(**TURN).at("X-B120")
    assert (facing.player, facing.pot, facing.to_call) == (0, 320, 120)
    assert repr(facing) == "<Node X-B120: OOP to act on Td9d6hQc, pot 320>"


def test_data_frames() -> None:
    node = duel()
    columns = ["weight", "equity", "ev", "eqr", "Check", "All-in 100"]
    assert list(node.hands.columns) == [*columns, "Check ev", "All-in 100 ev"]
    assert list(node.hands.index) == ["AsAh", "QsQh", "Qs2c"]
    assert node.hands.loc["QsQh"].tolist() == [0.5, 0.25, 20, 0.8, 0.5, 0.5, 30, 10]
    assert math.isnan(node.hands.loc["Qs2c", "eqr"])
    assert node.strategy.loc["Qs2c"].to_dict() == {"Check": 0.9, "All-in 100": 0.1}
    assert node.action_ev.loc["AsAh"].to_dict() == {"Check": 100, "All-in 100": 130}
    assert list(node.hands_of(1).columns) == ["weight", "equity", "ev", "eqr"]
    assert node.ev.loc["AsAh", "oop"] == 130
    assert math.isnan(node.ev.loc["AsAh", "ip"])
    assert node.equity.loc["KsKh", "ip"] == 0.4
    assert sorted(node.equity.index) == sorted(["AsAh", "QsQh", "Qs2c", "KsKh", "AsKd"])


def test_arrays_and_documents_need_no_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    node = duel()
    assert node.to_dict()["hands"]["AsAh"]["ev"] == 130
    assert "AKs" in node._repr_html_()
    with refuses(
        ConfigError, option="package", given="pandas", remedy='pip install "equilibrist[pandas]"'
    ):
        _ = node.hands


def test_document() -> None:
    document = duel().to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["actions"] == ["Check", "All-in 100"]
    assert document["codes"] == ["X", "A100"]
    assert document["player"] == 0
    assert document["hands"] == {
        "AsAh": {"weight": 1.0, "equity": 1.0, "ev": 130.0, "strategy": [0.0, 1.0]}
        | {"action_ev": [100.0, 130.0]},
        "QsQh": {"weight": 0.5, "equity": 0.25, "ev": 20.0, "strategy": [0.5, 0.5]}
        | {"action_ev": [30.0, 10.0]},
        "Qs2c": {"weight": 1.0, "equity": 0.0, "ev": -10.0, "strategy": [0.9, 0.1]}
        | {"action_ev": [-10.0, -10.0]},
    }
    # weights times matchups times frequency: 0, 0.375, 1.35 check; 1, 0.375, 0.15 go all-in
    checks, jams = (0.375 * 30 - 1.35 * 10) / 1.725, (130 + 0.375 * 10 - 0.15 * 10) / 1.525
    assert document["action_ev"] == [round(checks, 6), round(jams, 6)]
    assert document["other_hands"] == {
        "AsKd": {"weight": 0.5, "equity": 0.5, "ev": 10.0},
        "KsKh": {"weight": 1.0, "equity": 0.4, "ev": 30.0},
    }
    assert document["frequency"] == [round(1.725 / 3.25, 6), round(1.525 / 3.25, 6)]
    assert document["frequency_by_combos"] == [0.46, 0.54]
    assert document["ev"] == [40.0, round(82.5 / 3.25, 6)]


@pytest.mark.parametrize("line", ["", "X-B120-C", "X-X|8h", "X-X|Ad|X-B120-F", "A-C|2c"])
def test_no_hand_shares_a_card_with_the_board(line: str) -> None:
    node = made_up_solution(**TURN).at(line)
    document = node.to_dict()
    board = set(zip(node.board[::2], node.board[1::2], strict=True))
    for hands in (document["hands"], document["other_hands"]):
        assert len(hands) > 100
        for hand, figures in hands.items():
            assert not {tuple(hand[:2]), tuple(hand[2:])} & board
            assert hand == combo_name(parse_combo(hand))
            assert figures["weight"] > 0
            assert len(figures.get("strategy", node.actions)) == len(node.actions)


def test_a_hand_that_blocks_all_opposing_hands_has_no_values() -> None:
    blocked = made_up_solution(
        board="Ts3h2h5c9s", oop="AsAh,KK", ip="AsAd,AsAc", pot=10, stack=10, bets="a"
    ).at("X")
    assert blocked.player == 1
    assert "AsAh" not in blocked.to_dict()["hands"]
    figures = blocked.to_dict()["other_hands"]["AsAh"]
    assert figures == {"weight": 0.5, "equity": None, "ev": None}


def test_where_play_never_comes() -> None:
    node = duel()
    values = node.values._replace(weight=np.array([np.zeros(1326), node.values.weight[1]]))
    rules = DUEL.rules()
    never = Node(DUEL.cards, rules.root(), (), rules.actions(rules.root()), values)
    assert never.to_dict()["frequency"] == [None, None]
    assert never.to_dict()["ev"][0] is None
    assert never.to_dict()["hands"] == {}
    assert "OOP (acts)       -           -        -" in str(never)
    assert "linear-gradient" not in never._repr_html_()


def test_where_nobody_acts() -> None:
    solution = made_up_solution(**TURN)
    for line, what in {
        "X-X": "a card comes",
        "X-A-F": "OOP folded",
        "A-C": "showdown",
        "A-C|2c": "showdown",
    }.items():
        node = solution.at(line)
        assert node.what == what
        assert (node.player, node.actions, node.frequency) == (None, (), {})
        assert node.to_dict()["player"] is None
        assert node.to_dict()["frequency"] == []
        assert next(iter(node.to_dict()["hands"].values()))["strategy"] == []
        assert node.hands_of(1).shape[1] == 4
        assert node._repr_html_().count(">AKs</td>") == 2
        remedy = "use hands_of(0) or hands_of(1)"
        with refuses(ConfigError, option="line", given=node.line, remedy=remedy):
            _ = node.strategy


@pytest.mark.parametrize("player", [2, -1, True, None])
@pytest.mark.parametrize("method", ["combos", "classes", "hands_of", "realised"])
def test_players_are_0_and_1(method: str, player: Any) -> None:
    with refuses(ConfigError, option="player", given=player, expected="a whole number from 0 to 1"):
        getattr(duel(), method)(player)


def test_classes_are_means_of_their_hands() -> None:
    node = duel()
    classes = node.classes(0)
    aces, queens = CLASS_NAMES.index("AA"), CLASS_NAMES.index("QQ")
    assert classes.weight.flat[aces] == pytest.approx(1 / 6)
    assert classes.weight.flat[queens] == pytest.approx(0.5 / 6)
    assert classes.weight.flat[CLASS_NAMES.index("Q2o")] == pytest.approx(1 / 9)  # 2h is dealt
    assert classes.ev.flat[aces] == 130
    assert classes.strategy[:, queens // 13, queens % 13].tolist() == [0.5, 0.5]
    assert np.isnan(classes.strategy.reshape(2, -1)[:, CLASS_NAMES.index("KK")]).all()
    assert node.classes(1).strategy.shape == (0, 13, 13)


def test_classes_are_weighted() -> None:
    weight = np.zeros((2, 1326))
    matchups = np.zeros((2, 1326))
    one, other = parse_combo("AsAh"), parse_combo("AdAc")
    weight[0, [one, other]] = 1.0, 0.5
    matchups[0, [one, other]] = 1.0, 4.0
    check = np.full(1326, np.nan)
    check[[one, other]] = 0.0, 1.0
    strategy = np.array([check, 1 - check])
    values = NodeValues(weight, matchups, weight, weight, strategy, strategy)
    by_matchups = class_values(values, 0, (0, 1, 2), acts=True)
    assert by_matchups.strategy[:, 0, 0] == pytest.approx([2 / 3, 1 / 3])
    by_combos = class_values(values, 0, (0, 1, 2), acts=True, by_combos=True)
    assert by_combos.strategy[:, 0, 0] == pytest.approx([1 / 3, 2 / 3])


def test_summary() -> None:
    lines = str(duel()).splitlines()
    assert lines[0] == "root: OOP to act"
    assert lines[1] == "river Ts3h2h5c9s, pot 100"
    assert lines[3:6] == [
        "            equity          EV      EQR",
        "OOP (acts)  36.54%       40.00   109.5%",
        "IP          42.31%       25.38    60.0%",
    ]
    assert lines[7:] == [
        "action      frequency (adjusted for card removal)          EV  line",
        "Check                                       53.1%       -1.30  X",
        "All-in 100                                  46.9%       86.72  A100",
    ]


def test_html_splits_each_cell() -> None:
    page = duel()._repr_html_()
    cells = dict(re.findall(r'<td title="(\w+)[:,].*?style="(.*?)">', page, re.DOTALL))
    assert len(cells) == 169
    assert "linear-gradient(to right,rgb(245,158,11) 0% 100%) bottom/100% 100%" in cells["AA"]
    assert (
        "rgb(245,158,11) 0% 50%,rgb(34,197,94) 50% 100%) bottom/100% 50% no-repeat" in cells["QQ"]
    )
    assert "gradient" not in cells["KK"]
    assert "http" not in page
    assert (
        "AA: weight 0.167\nCheck 0.0%, EV 100.00 chips\nAll-in 100 100.0%, EV 130.00 chips" in page
    )
    assert "chips\nequity 100.0%, EV 130.00 chips" in page


def test_the_picture_of_a_node() -> None:
    node = duel()
    assert node.title == "Ts3h2h5c9s, root: OOP to act, pot 100"
    picture = node.to_svg()
    assert f"<title>{node.title}</title>" in picture
    assert picture == strategy_grid.svg(node.classes(0), node.actions, node.title)
    with refuses(ConfigError, option="line", given="X-X"):
        made_up_solution(**TURN).at("X-X").to_svg()


def test_figures_never_run_together() -> None:
    node = duel()
    huge = node.values._replace(ev=1e9 * node.values.ev, action_ev=-1e9 * node.values.action_ev)
    wide = Node(DUEL.cards, node._state, (), node.actions, huge)
    lines = str(wide).splitlines()
    assert [len(line.split()) for line in lines[3:6]] == [3, 5, 4]
    assert [len(line.split()) for line in lines[8:]] == [4, 5]
    assert len({len(line) for line in lines[3:6]}) == 1


@pytest.mark.parametrize(("name", "number"), [("oop", 0), ("ip", 1), ("OOP", 0), (" IP ", 1)])
def test_players_are_named_as_tables_do(name: str, number: int) -> None:
    node = duel()
    assert node.range_of(name) == node.range_of(number)
    np.testing.assert_array_equal(node.combos(name), node.combos(number))
    np.testing.assert_array_equal(node.realised(name), node.realised(number))
    np.testing.assert_array_equal(node.classes(name).weight, node.classes(number).weight)
    assert node.hands_of(name).equals(node.hands_of(number))
    for wrong in ("sb", "", 2, -1, True, None, 0.5):
        for ask in (node.range_of, node.combos, node.realised, node.classes, node.hands_of):
            with refuses(ConfigError, option="player"):
                ask(unchecked(wrong))
