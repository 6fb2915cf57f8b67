"""The spot of a form that changes while it is read."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from equilibrist.web.documents.setup import check_form, example_form
from equilibrist.web.errors import LimitError, WebError
from equilibrist.web.pages.setup import state
from equilibrist.web.pages.setup.state import Setup
from tests.refusals import unchecked


def setup_that_reads(form, *changes):
    """A setup whose form takes one of the changes during each reading."""
    waiting = list(changes)

    async def run(function, *args):
        found = function(*args)
        if waiting:
            setup.take(**waiting.pop(0))
        return found

    visit: Any = SimpleNamespace(services=SimpleNamespace(work=SimpleNamespace(run=run)))
    setup = Setup(visit, "", "", form, check_form(dict(form)), client=unchecked(None))
    return setup


def refuse(*_arguments):
    raise LimitError("the server is busy", option="jobs", remedy="try again")


def test_the_spot_is_that_of_the_form_as_it_stands():
    setup = setup_that_reads(example_form())
    setup.take(pot="77")
    assert setup.checked.spot.pot != 77
    assert asyncio.run(setup.spot()).pot == 77


def test_a_form_that_changes_meanwhile_is_read_again():
    setup = setup_that_reads(example_form(), {"pot": "77"}, {"pot": "nonsense"}, {"pot": "78"})
    assert asyncio.run(setup.spot()).pot == 78


def test_a_form_without_a_spot_shows_its_errors():
    setup = setup_that_reads(example_form())
    shown: list[Any] = []
    setup.on_checked.append(shown.append)
    setup.take(pot="nonsense")
    with pytest.raises(WebError) as raised:
        asyncio.run(setup.spot())
    assert raised.value.option == "spot"
    assert shown == [setup.checked]
    assert "pot" in setup.checked.errors


def test_a_busy_server_says_so_and_changes_nothing(monkeypatch):
    setup = setup_that_reads(example_form())
    before = setup.checked
    monkeypatch.setattr(state, "check_form", refuse)
    setup.on_checked.append(pytest.fail)
    with pytest.raises(LimitError):
        asyncio.run(setup.spot())
    assert setup.checked is before


def test_a_change_of_a_form_without_a_spot_shows_its_errors_alone():
    setup = setup_that_reads({**example_form(), "pot": "nonsense"})
    shown: list[Any] = []
    setup.on_checked.append(shown.append)
    asyncio.run(setup.change_spot({"pot": 5}))
    assert setup.form["pot"] == "nonsense"
    assert [[*one.errors] for one in shown] == [["pot"]]
