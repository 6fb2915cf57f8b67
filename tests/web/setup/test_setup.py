"""The form of a spot: round trips, and errors at the field that they belong to."""

from __future__ import annotations

import json
from typing import Any

import pytest

from equilibrist.poker import Spot
from equilibrist.poker.postflop.spot.fields import SEATS, SPOT_OPTIONS
from equilibrist.web.setup.form import (
    AMOUNTS,
    COUNTS,
    DECKS,
    FOLDED,
    LINES,
    SHARES,
    SIZES,
    SWITCHES,
    blank_form,
    check_form,
    example_form,
    form_of,
    lock_text,
    run_options,
)
from tests.web.conftest import SPOT

FLOP = Spot(
    board="QsJh2h",
    oop="66-22,A9s:0.5",
    ip="AhKh,KK:0.25",
    pot=6.5,
    stack=97.5,
    oop_bets="50%|30%, 70%|a",
    ip_bets="60%",
    raises="2.5x||3x",
    donks="|33%|none",
    add_all_in="150%",
    all_in_without_sizes=True,
    force_all_in=0.2,
    merge="10%",
    raise_cap=2,
    min_bet=1.5,
    unit=0.1,
    rake="5%",
    rake_cap=0.6,
    added_lines=["X-B2"],
    removed_lines=["B3.3-R8.3"],
    locks=["X: AhKh = Check 100%"],
    folded=["A5s-A2s", "KTo:0.5"],
)


@pytest.mark.parametrize("spot", [SPOT, FLOP, FLOP.replace(rake=0, unit=None, locks=[])])
def test_a_spot_comes_back_from_its_form(spot: Spot) -> None:
    form = json.loads(json.dumps(form_of(spot)))  # as a draft is kept
    checked = check_form(form)
    assert checked.errors == {}
    assert checked.spot is not None
    assert checked.spot.rules() == spot.rules()  # the betting, however its lists are written
    changed = {"bets", "raises", "donks", "oop_bets", "oop_raises", "ip_bets", "ip_raises"}
    for key in type(spot).model_fields.keys() - changed:
        assert getattr(checked.spot, key) == getattr(spot, key), key
    assert form_of(checked.spot, run_options(form)) == form


def test_the_example_is_right() -> None:
    checked = check_form(example_form())
    assert (checked.errors, checked.warnings, checked.first_street) == ({}, (), 1)


@pytest.mark.parametrize(
    ("field", "text", "part"),
    [
        ("board", "Qs", "3"),
        ("board", "QsQsQs", ""),
        ("oop", "88+,Qx", "(character 5)"),
        ("ip", "", "no hands"),
        ("oop", "/etc/passwd.txt", ""),
        ("pot", "0", "above 0"),
        ("stack", "many", ""),
        ("rake", "500%", "100%"),
        ("force_all_in", "x", ""),
        ("raise_cap", "-1", ""),
        ("unit", "3", "0.01"),
        ("rake_cap", "x", ""),
        ("oop_bets_turn", "50%, 2q", "2q"),
        ("ip_raises_river", "0.5x", ""),
        ("ip_bets_flop", "50%|60%", ""),
        ("donks_river", "2x", ""),
        ("target", "abc", "0.3%"),
        ("target", "200%", ""),
        ("iterations", "0", ""),
        ("threads", "none", ""),
        ("algorithm", "magic", ""),
        ("quantal", "2", "1"),
        ("tremble", "x", ""),
        ("algorithm", "rules.py:Rule", ""),
        ("added_lines", ["X-B9999"], "to 97.5"),
        ("removed_lines", ["X-B4"], ""),
        ("folded", "A5s; Qx", ""),
        ("folded", "; ".join(["AA"] * 9), "8"),
    ],
)
def test_an_error_belongs_to_its_field(field: str, text: Any, part: str) -> None:
    checked = check_form({**form_of(FLOP), field: text})
    assert checked.errors.keys() == {field}
    assert part in checked.errors[field]
    assert (checked.spot is None) or field in run_options(form_of(FLOP) | {field: text})


def test_all_errors_are_found_at_once() -> None:
    form = {
        **form_of(FLOP),
        "board": "Q",
        "oop": "x",
        "pot": "",
        "ip_bets_flop": "z",
        "target": "y",
    }
    assert check_form(form).errors.keys() == {"board", "oop", "pot", "ip_bets_flop", "target"}
    assert check_form(blank_form()).errors.keys() == {"board", "oop", "ip", "pot", "stack"}


def test_sizes_of_streets_that_are_not_played_are_left_out() -> None:
    form = {**form_of(FLOP), "board": "QsJh2h3c4c", "added_lines": [], "removed_lines": []}
    form |= {"oop_bets_flop": "nonsense", "donks_river": "50%", "locks": []}
    checked = check_form(form)
    assert checked.errors == {}
    assert checked.spot is not None
    assert checked.spot.oop_bets == "a"
    assert checked.spot.donks == ""  # nobody has called before the river of a spot on the river


def test_an_error_between_fields_belongs_to_the_spot() -> None:
    errors = check_form({**form_of(SPOT), "oop": "AsAh", "ip": "AsAh"}).errors
    assert errors.keys() == {""}
    assert "no deal" in errors[""]


def test_locks_are_shown_as_they_are_typed() -> None:
    locks = form_of(FLOP)["locks"]
    assert [lock_text(lock) for lock in locks] == [str(lock) for lock in FLOP.locks]
    assert lock_text("no lock") == "no lock"


def test_the_form_has_every_key_of_a_spot() -> None:
    """A key that is new in `SPOT_OPTIONS` needs no line here, unless it is of a new kind."""
    by_street = {*SIZES, "bets", "raises"}
    form = blank_form()
    assert set(SPOT_OPTIONS) - by_street - set(form) == set()
    sorted_by_kind = [
        *AMOUNTS,
        *SHARES,
        *COUNTS,
        *SWITCHES,
        *LINES,
        *FOLDED,
        *SEATS,
        "board",
        "locks",
        *DECKS,
    ]
    assert sorted([*sorted_by_kind, *by_street]) == sorted(SPOT_OPTIONS)
