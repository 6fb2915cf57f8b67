"""Features of infosets."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.game_loading import compile_game
from equilibrist.learned.features import infoset_features


@pytest.mark.parametrize("game", ["kuhn", "leduc", "liars_dice(sides=3)", "goofspiel(cards=3)"])
def test_infosets_are_told_apart(game):
    tree = compile_game(game)
    features = infoset_features(tree)
    assert len(features.inputs) == tree.num_infosets
    assert len(np.unique(features.inputs, axis=0)) == tree.num_infosets
    assert {*np.unique(features.inputs)} == {0.0, 1.0}


def test_an_action_has_one_output_wherever_it_is_legal():
    tree = compile_game("leduc")
    features = infoset_features(tree)
    assert features.mask.sum() == len(features.columns) == tree.action_offset[-1]
    column: dict[str, int] = {}
    labels = [label for row in tree.action_labels for label in row]
    for label, output in zip(labels, features.columns, strict=True):
        assert column.setdefault(label, output) == output
    assert {*column} == {"call", "fold", "raise"}
    numbers = np.arange(float(features.mask.size)).reshape(features.mask.shape)
    flat = features.to_actions(numbers)
    assert flat.tolist() == (features.infoset_of * 3 + features.columns).tolist()


def test_infosets_that_differ_in_one_card_differ_in_few_inputs():
    tree = compile_game("leduc")
    inputs = infoset_features(tree).inputs
    jack, queen = tree.infoset_keys.index("Js"), tree.infoset_keys.index("Qs")
    assert (inputs[jack] != inputs[queen]).sum() <= 4
