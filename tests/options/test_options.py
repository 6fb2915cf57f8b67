"""The options as data: one for every field of a configuration, of the same type and default."""

from __future__ import annotations

import inspect
from dataclasses import fields
from pathlib import Path
from types import NoneType
from typing import Any, get_args

import pytest

import equilibrist as eq
from equilibrist import Stop, poker
from equilibrist.cli.commands.holdem.blueprint_train import TrainingOptions, TrainingRun
from equilibrist.cli.commands.holdem.hand_input import SampledRun
from equilibrist.cli.commands.holdem.preflop_solve import ExactRun
from equilibrist.cli.commands.holdem.push_fold import PushFoldGame, PushFoldRun
from equilibrist.cli.inputs.parameters import parameter
from equilibrist.options.option import METAVARS, STOPPING, Option, Options, choose, options_of
from equilibrist.options.reading import read
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS as ANY_RUN
from equilibrist.options.solve_options import SOLVE_OPTIONS
from equilibrist.poker.blueprint import train_blueprint
from equilibrist.poker.postflop.spot.fields import PRIZE_OPTIONS, RUN_OPTIONS, SPOT_OPTIONS
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solving.config import SolveConfig

FIELDS = SolveConfig.model_fields
GROUPS = {
    "sampling": eq.Sampling,
    "traversal": eq.Traversal,
    "abstraction": eq.GameAbstraction,
    "limits": eq.GameLimits,
    "files": eq.Files,
}
NO_RUN = {"spot", "stop", "callbacks", "progress", "checkpoint", "checkpoint_every", "resume"}
"""Arguments of `poker.solve` that only some commands take, or that are no options."""
TYPES = {
    "choice": str,
    "count": int,
    "file": Path,
    "memory": int,
    "number": float,
    "switch": bool,
    "text": str,
    "time": float,
    "whole number": int,
}


def test_every_field_has_an_option_and_every_option_a_field() -> None:
    assert set(FIELDS) == set(SOLVE_OPTIONS)
    assert set(Spot.model_fields) == set(SPOT_OPTIONS | PRIZE_OPTIONS)
    assert set(inspect.signature(poker.solve).parameters) - NO_RUN == set(RUN_OPTIONS)
    limits = {stop.name for stop in fields(Stop)} - {"deals"}  # of runs that play sampled deals
    for name in limits:
        assert SOLVE_OPTIONS[name].group == RUN_OPTIONS[name].group == STOPPING


@pytest.mark.parametrize(
    ("solve", "groups"),
    [
        (poker.solve_preflop, [ExactRun]),
        (poker.solve_multiway, [SampledRun]),
        (poker.push_fold, [PushFoldGame, PushFoldRun]),
        (train_blueprint, [TrainingOptions, TrainingRun]),
    ],
)
def test_commands_on_hands_take_what_the_functions_take(solve: Any, groups: list[type]) -> None:
    """By the same names, of the same types, but for what is read as a whole."""
    signature = inspect.signature(solve).parameters
    rows = {name: row for group in groups for name, row in options_of(group).items()}
    others = {"hand", "cards", "stop", "callbacks", "progress", "evaluate", "discount"}
    of_commands = {"resume", "stacks", "period", "address", "checkpoint_every"}
    assert rows.keys() - of_commands == signature.keys() - others - of_commands
    for name in rows.keys() & ANY_RUN.keys():
        shared = ANY_RUN[name]
        assert (rows[name].kind, rows[name].choices) == (shared.kind, shared.choices), name


def test_solve_takes_what_the_command_line_takes_one_by_one_or_in_groups() -> None:
    signature = inspect.signature(eq.solve).parameters
    others = {"problem", "stop", "callbacks", "progress", "storage", "flops", "keep_flops", *GROUPS}
    single = {name: signature[name].default for name in signature.keys() - others}
    grouped = {field.name: field.default for kind in GROUPS.values() for field in fields(kind)}
    assert not single.keys() & grouped.keys()
    assert single.keys() | grouped.keys() == SOLVE_OPTIONS.keys()
    for name, default in (single | grouped).items():
        if name not in ("algorithm", "checkpoint_every", "resume"):  # these depend on the problem
            assert default == FIELDS[name].default, name


@pytest.mark.parametrize("name", SOLVE_OPTIONS)
def test_an_option_has_type_default_and_words_of_its_field(name: str) -> None:
    option, field = SOLVE_OPTIONS[name], FIELDS[name]
    kinds = get_args(field.annotation) or (field.annotation,)
    value = read(name, option, parameter(name, option).default)
    if name == "warm_start":
        assert option.kind == "solution"
    elif option.kind == "choice":
        names = {name for kind in kinds for name in get_args(kind) or (kind,)} - {NoneType}
        assert set(option.choices) == names
    else:
        assert TYPES[option.kind] in kinds
    assert field.description == option.help
    if name == "algorithm":
        assert value is None
    else:
        assert value == field.default


@pytest.mark.parametrize("options", [SOLVE_OPTIONS, SPOT_OPTIONS, RUN_OPTIONS])
def test_all_options_are_described_in_the_same_way(options: Options) -> None:
    for name, option in options.items():
        assert option.group, name
        assert option.help[0].isupper() or option.help[0].isdigit(), name
        assert option.help.endswith("."), name
        assert (option.placeholder is None) == (option.kind in ("choice", "switch"))
        assert option.flags_of(name)[0].startswith("--")
        assert bool(option.choices) == (option.kind == "choice")


def test_what_is_chosen_keeps_all_but_its_help() -> None:
    chosen = choose(SOLVE_OPTIONS, ("seed", "plot"), plot="Draw.")
    assert list(chosen) == ["seed", "plot"]
    assert chosen["seed"] == SOLVE_OPTIONS["seed"]
    assert (chosen["plot"].help, chosen["plot"].kind) == ("Draw.", "file")


def test_spellings_and_placeholders() -> None:
    plain: Any = Option("count", "Limits", "Count.")
    assert plain.flags_of("max_depth") == ("--max-depth",)
    assert plain.placeholder == METAVARS["count"]
    assert Option("count", "Limits", "Count.", metavar="K", flags=("-k",)).placeholder == "K"
