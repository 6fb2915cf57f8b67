"""The reduced normal form: payoffs by playing every pair of plans, and one file per format."""

from __future__ import annotations

import csv
import io
import json
from itertools import product

import numpy as np
import pytest

from equilibrist.equilibria import correlated
from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.evaluation import reduced_normal_form
from equilibrist.evaluation.plans import enumerate_plans
from equilibrist.evaluation.sequences import Sequences
from equilibrist.game_loading import compile_game
from equilibrist.games import MatrixGame, load_game
from equilibrist.interop.normal_form_files import normal_form_text
from equilibrist.reference.game_walk import walk
from tests.equilibria.enumeration import payoffs
from tests.refusals import refuses

GAMES = [
    "signalling",
    "sheriff(rounds=1)",
    "random_tree(seed=1,players=3,depth=4,zero_sum=false)",
    "random_tree(seed=8,depth=4,zero_sum=false)",
]


@pytest.mark.parametrize("spec", GAMES)
def test_payoffs_by_playing(spec: str) -> None:
    tree, root = compile_game(spec), walk(load_game(spec)).root
    form = reduced_normal_form(tree)
    sequences = Sequences.of(tree)
    plans = [enumerate_plans(sequences, p) for p in range(tree.num_players)]
    assert [len(actions) for actions in form.actions] == [len(own) for own in plans]
    index = [{key: k for k, key in enumerate(labels)} for labels in tree.action_labels]
    for cell in product(*(range(0, len(own), 1 + len(own) // 40) for own in plans)):
        played = [
            {key: index[tree.index(key)][a] for key, a in own.actions(k).items()}
            for own, k in zip(plans, cell, strict=True)
        ]
        assert form.payoffs[cell] == pytest.approx(payoffs(root, played), abs=1e-12)


def test_names_of_plans() -> None:
    form = reduced_normal_form(compile_game("kuhn"))
    assert form.actions[0][0] == "1 pass, 1pb pass, 2 pass, 2pb pass, 3 pass, 3pb pass"
    assert form.actions[0][-1] == "1 bet, 2 bet, 3 bet"
    assert all(len(set(names)) == len(names) for names in form.actions)


def test_the_table_is_the_game() -> None:
    """Correlated equilibria of the normal form are those of the tree."""
    tree = compile_game("sheriff(rounds=1)")
    document = json.loads(normal_form_text(reduced_normal_form(tree), ".json"))
    matrix = compile_game(MatrixGame.from_tables(document["payoffs"]))
    one = correlated(tree, "ce", objective="player:1")
    other = correlated(matrix, "ce", objective="player:1")
    assert one.optimum == pytest.approx(other.optimum, abs=1e-9)


@pytest.mark.parametrize("spec", GAMES)
def test_nfg_as_gambit_reads_it(spec: str) -> None:
    pygambit = pytest.importorskip("pygambit")
    form = reduced_normal_form(compile_game(spec))
    text = normal_form_text(form, ".nfg")
    game = pygambit.read_nfg(io.BytesIO(text.encode()))
    assert game.title == form.name
    for p, table in enumerate(game.to_arrays()):
        assert np.array(table, dtype=np.float64) == pytest.approx(form.payoffs[..., p], abs=1e-15)
    for names, line in zip(form.actions, text.splitlines()[2:], strict=False):
        assert line.split('"')[1::2] == list(names)


def test_csv_has_a_line_per_cell() -> None:
    form = reduced_normal_form(compile_game("signalling"))
    rows = list(csv.DictReader(io.StringIO(normal_form_text(form, ".csv"))))
    assert len(rows) == 16
    for row in rows:
        cell = tuple(form.actions[p].index(row[f"plan {p}"]) for p in range(2))
        assert [float(row[f"payoff {p}"]) for p in range(2)] == form.payoffs[cell].tolist()


def test_what_is_refused() -> None:
    with refuses(UnsupportedError, option="cells", given=256 * 2**20, expected=1_000_000):
        reduced_normal_form(compile_game("sheriff"))
    with refuses(UnsupportedError, option="cells", given=27 * 64, expected=1_000):
        reduced_normal_form(compile_game("kuhn"), max_cells=1_000)
    with refuses(ConfigError, option="max_cells", given=0):
        reduced_normal_form(compile_game("kuhn"), max_cells=0)
