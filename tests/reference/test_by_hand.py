"""One infoset worked out on paper: the textbook's Kuhn regret, in both reckonings."""

from __future__ import annotations

import pytest

from equilibrist.errors import UnknownNameError
from equilibrist.games import load_game
from equilibrist.reference.by_hand import regrets_by_hand
from equilibrist.reference.cfr import ReferenceCFR
from equilibrist.solvers.variants.registry import VARIANTS
from tests.refusals import refuses
from tests.small_games import Written


def test_the_textbook_regret_with_and_without_chance() -> None:
    """Card 1 after pass and bet, all players uniform: 1/4 in one deal, 1/12 with chance."""
    sheet = regrets_by_hand(load_game("kuhn"), "1pb")
    assert len(sheet.histories) == 2  # the text says one path; there are two deals
    for history in sheet.histories:
        assert history.chance_reach == pytest.approx(1 / 6)
        assert history.others_reach == 0.5
        assert history.own_reach == 0.5
        assert history.values == {"pass": -1.0, "bet": -2.0}
        assert history.others_reach * history.value == -0.75
        assert history.others_reach * history.values["pass"] == -0.5
        assert history.regrets_without_chance == {"pass": 0.25, "bet": -0.25}
        assert history.regrets["pass"] == pytest.approx(1 / 24)
    assert sheet.regrets == pytest.approx({"pass": 1 / 12, "bet": -1 / 12})
    text = str(sheet)
    assert "regret without chance = others 1/2 * (action - current): pass 1/4" in text
    assert "(with chance, all histories): pass 1/12" in text


@pytest.mark.parametrize("spec", ["kuhn", "kuhn(players=3)", "random_tree(seed=4)"])
def test_sheets_are_what_cfr_sums(spec: str) -> None:
    solver = ReferenceCFR(load_game(spec), VARIANTS["cfr+"])
    solver.run(3)
    for player in range(solver.game.num_players):
        regrets, reach = solver.instant_regrets(player)
        for key, row in regrets.items():
            sheet = regrets_by_hand(solver.game, key, solver.strategy)
            assert list(sheet.regrets.values()) == pytest.approx(row, abs=1e-12)
            assert sheet.player == player
            assert sheet.histories[0].own_reach == pytest.approx(reach[key])


def test_outcomes_of_chance_with_one_name_are_told_apart() -> None:
    """Files of Gambit's may call all outcomes alike."""
    worth = [(0, "a", {"l": (1.0, -1.0), "r": (2.0, -2.0)})]
    worth.append((0, "a", {"l": (30.0, -30.0), "r": (10.0, -10.0)}))
    game = Written(("chance", {("o", 0.25): worth[0], ("o", 0.75): worth[1]}), 2)
    sheet = regrets_by_hand(game, "a")
    assert [history.chance_reach for history in sheet.histories] == [0.25, 0.75]
    assert [history.values for history in sheet.histories] == [
        {"l": 1.0, "r": 2.0}, {"l": 30.0, "r": 10.0},
    ]  # fmt: skip
    assert sheet.regrets == {"l": 0.25 * -0.5 + 0.75 * 10, "r": 0.25 * 0.5 - 0.75 * 10}


def test_unknown_infoset() -> None:
    with refuses(UnknownNameError, option="infoset", name="1bp"):
        regrets_by_hand(load_game("kuhn"), "1bp")
