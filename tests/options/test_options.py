"""The options as data."""

from __future__ import annotations

from equilibrist.options.option import METAVARS, Option, choose
from equilibrist.options.solve_options import SOLVE_OPTIONS


def test_all_options_are_described_in_the_same_way() -> None:
    for name, option in SOLVE_OPTIONS.items():
        assert option.group, name
        assert option.help[0].isupper(), name
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
    plain = Option("count", "Limits", "Count.")
    assert plain.flags_of("max_depth") == ("--max-depth",)
    assert plain.placeholder == METAVARS["count"]
    assert Option("count", "Limits", "Count.", metavar="K", flags=("-k",)).placeholder == "K"
