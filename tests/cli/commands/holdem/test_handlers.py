"""The functions that do the work of commands on files of hold'em."""

from __future__ import annotations

import inspect
from pkgutil import resolve_name

import pytest

from equilibrist.cli.commands.holdem.files import HOLDEM, Handlers
from equilibrist.library.kinds import SAVED, SOLUTIONS, WITHOUT_TABLES
from equilibrist.storage.kinds.file_kinds import BLUEPRINT, SPOT_SOLUTION


def test_every_kind_of_holdem_has_a_row() -> None:
    assert {*HOLDEM} == {*SAVED} - {*SOLUTIONS} | {SPOT_SOLUTION, *WITHOUT_TABLES}


@pytest.mark.parametrize("kind", HOLDEM)
@pytest.mark.parametrize("command", Handlers._fields)
def test_a_handler_takes_what_its_command_passes(kind: str, command: str) -> None:
    handler = resolve_name(getattr(HOLDEM[kind], command))
    arguments, options = {
        "inspect": (3, ("draw", "json")),
        "evaluate": (1, ("json",)),
        "export": (3, ()),
        "play": (2, ()),
    }[command]
    names = (*options, *(("cards",) if kind == BLUEPRINT else ()))
    inspect.signature(handler).bind(*range(arguments), **dict.fromkeys(names))
