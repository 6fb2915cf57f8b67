"""Blueprints of three seats: units, pictures and charts, and what takes two seats alone."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.errors import UnsupportedError
from equilibrist.library.kinds import Saved
from equilibrist.poker import Hand
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.evaluation.blind_response import BlindStrategy, blind_response
from equilibrist.poker.blueprint.evaluation.card_response import card_response
from equilibrist.poker.blueprint.evaluation.local_response import local_response
from equilibrist.poker.blueprint.evaluation.node_values import NodeValuer
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.blueprint.spots import flop_start
from equilibrist.poker.blueprint.training.external import sampled_tree
from equilibrist.storage.kinds.file_kinds import BLUEPRINT
from equilibrist.web.charts.documents import chart_document, charts_facts

THREE = Hand(seats=3, stack=10, straddle="2", bets="a", raises="a", deck="T")


@pytest.fixture(scope="module")
def blueprint(cards):
    game = AbstractGame(THREE, cards.counts)
    return Blueprint(game, cards, np.ones(game.num_slots, np.uint16), {"boards": 0})


@pytest.mark.parametrize(
    "measure",
    [
        lambda found: card_response(found, 4),
        lambda found: local_response(found, ["fc"], hands=16),
        NodeValuer,
        lambda found: flop_start(found, "C-C-X"),
        lambda found: blind_response(found.hand, BlindStrategy(call=1)),
    ],
)
def test_what_takes_two_seats_says_so(blueprint, measure):
    with pytest.raises(UnsupportedError) as error:
        measure(blueprint)
    assert error.value.option == "seats"
    assert error.value.given == 3
    assert "algorithm" not in error.value.remedy


def test_amounts_are_big_blinds_where_a_seat_straddles(blueprint):
    tree = sampled_tree(blueprint.game)
    np.testing.assert_allclose(tree.paid[0], [0.5, 1, 2])
    assert tree.paid.max() == 10


def test_decisions_of_the_third_seat_are_drawn_and_charted(blueprint, tmp_path):
    line = next(
        blueprint.tree.line(node)
        for node in np.flatnonzero(blueprint.tree.player == 2).tolist()
        if blueprint.tree.street[node] == 0
    )
    blueprint.at(line).draw(tmp_path / "grid.svg")
    assert "button" in (tmp_path / "grid.svg").read_text("utf-8")
    assert charts_facts(Saved(BLUEPRINT, blueprint))["seats"] == ["SB", "BB", "BTN"]
    assert chart_document(blueprint, line)["seat"] == "BTN"
