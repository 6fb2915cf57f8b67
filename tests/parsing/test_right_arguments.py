"""What public functions take: games by name, rules modules, numbers of NumPy."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import get_args, get_type_hints

import numpy as np

import equilibrist as eq
from equilibrist.evaluation import best_response
from equilibrist.rules import load_rules
from equilibrist.rules.module import Rules
from equilibrist.solvers import CFR, CFRBR, FSICFR, MCCFR, XFP
from tests.parsing.public_calls import KEY, KUHN, LABEL, RULES, UNIFORM, with_row
from tests.refusals import unchecked


def test_names_do_wherever_a_game_is_compiled() -> None:
    assert eq.compile_game("kuhn").fingerprint == KUHN.fingerprint
    assert eq.check_game("kuhn") == eq.check_game(RULES)
    named, made = CFR("kuhn").run(9), CFR(KUHN).run(9)
    assert named.tree.fingerprint == made.tree.fingerprint
    assert named.regrets() == made.regrets()


def test_rules_stand_for_their_game() -> None:
    rules, named = load_rules("liars_dice", sides=2), "rules:liars_dice(sides=2)"
    assert eq.compile_game(rules).fingerprint == eq.compile_game(named).fingerprint
    assert eq.check_game(rules) == eq.check_game(named)
    made, by_name = CFR(rules).run(2), CFR(named).run(2)
    assert made.regrets() == by_name.regrets()
    sampled = [MCCFR(game, seed=1).run(2).average_strategy() for game in (rules, named)]
    assert sampled[0].to_dict() == sampled[1].to_dict()
    for solver in (CFR, MCCFR, FSICFR, XFP, CFRBR):
        assert Rules in get_args(get_type_hints(solver.__init__)["game"]), solver


def test_limits_of_a_walk_are_given_by_name() -> None:
    for walk in (eq.compile_game, eq.check_game):
        kinds = [one.kind for one in signature(walk).parameters.values()]
        assert kinds[1:] == [Parameter.KEYWORD_ONLY] * (len(kinds) - 1)


def test_numbers_of_numpy_are_numbers() -> None:
    assert CFR(KUHN).run(unchecked(np.int64(3))).iteration == 3
    assert best_response(UNIFORM, unchecked(np.int8(1))).player == 1
    rows = with_row({LABEL: np.float32(1.0)})
    assert eq.Strategy.from_dict(KUHN, rows)[KEY][LABEL] == 1.0
