"""Forms in which spots are set up, as documents: what they describe, and what makes it fit."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import ConfigError, EquilibristError, UnknownNameError
from equilibrist.web.answers.spots import SpotEstimate, ThreeEstimate
from equilibrist.web.errors import ConflictError, WebError, error_document
from equilibrist.web.services import Services
from equilibrist.web.setup.answers import CheckedForm, FormFault, FormWarning, Origin, SetupForm
from equilibrist.web.setup.estimates import estimated, estimated_three, fitting
from equilibrist.web.setup.form import (
    AMOUNTS,
    COUNTS,
    DECKS,
    FOLDED,
    LINES,
    PLAYERS,
    RUN,
    SEATS_OF_THREE,
    SHARES,
    SIZES,
    STACKS,
    STREETS,
    SWITCHES,
    Checked,
    Fault,
    Form,
    blank_form,
    check_form,
    example_form,
    fault_of,
    fields_of_three,
    form_of,
    lock_text,
    run_options,
)
from equilibrist.web.setup.sources import (
    form_of_job,
    form_of_setup,
    form_of_solution,
    form_of_subject,
    form_of_text,
    report_spot,
)
from equilibrist.web.workers.process import check_searches

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.postflop.spot.validation import BettingWarning
    from equilibrist.poker.three_players.spot import ThreeSpot

_LONGEST: Final = 200
"""Characters of a text that are told of what was given."""


def setup_form(
    services: Services,
    *,
    job: str | None = None,
    solution: str | None = None,
    setup: str | None = None,
    report: str | None = None,
    subject: bool = False,
    example: bool = False,
    players: str = "2",
) -> SetupForm:
    """A form to begin with: what one of the arguments names, or nothing in it.

    Args:
        services: The services of the server.
        job: A job that solves a spot; its options are taken over.
        solution: A solved spot.
        setup: A saved setup.
        report: A report over boards, which has the first of them.
        subject: The spot that the server was started with.
        example: A spot that is solved in seconds.
        players: How many players the example has, 2 or 3.

    Raises:
        WebError: More than one is named.
        EquilibristError: There is no such thing, or it is no spot.
    """
    named = {"job": job, "solution": solution, "setup": setup, "report": report}
    asked = [origin for origin, name in named.items() if name is not None]
    asked += ["subject"] * subject + ["example"] * example
    if len(asked) > 1:
        raise WebError(
            f"a form begins with one thing, not with {' and '.join(asked)}",
            option=asked[1],
            expected="one of job, solution, setup, report, subject and example",
            remedy="name one of them",
        )

    def begun(origin: Origin, name: str | None, form: Form) -> SetupForm:
        kinds = {field: kind for kind, fields in _FIELDS.items() for field in fields}
        return {
            "origin": origin, "name": name, "form": form, "kinds": kinds, "three": fields_of_three()
        }  # fmt: skip

    if job is not None:
        return begun("job", job, form_of_job(services, job))
    if solution is not None:
        return begun("solution", solution, form_of_solution(services, solution))
    if setup is not None:
        return begun("setup", setup, form_of_setup(services, setup))
    if report is not None:
        return begun("report", report, form_of_text(report_spot(services, report)))
    if subject:
        return begun("subject", None, form_of_subject(services))
    if example:
        return begun("example", None, example_form(players))
    return begun("blank", None, blank_form())


def read_form(fields: Mapping[str, Any]) -> Form:
    """Read the fields of a request as a form; those that it lacks are empty.

    Args:
        fields: Texts, switches and lists by field. Numbers are taken as texts.

    Raises:
        UnknownNameError: There is no such field.
        ConfigError: A value is of another kind than its field.
    """
    form = blank_form()
    for name, value in fields.items():
        if name not in form:
            raise UnknownNameError("field of a form", name, list(form), option="form")
        blank = form[name]
        entry = value
        if isinstance(blank, str) and (value is None or type(value) in (int, float)):
            entry = "" if value is None else f"{value}"
        if not _is_fit(name, entry, blank):
            raise ConfigError(
                option=f"form.{name}",
                given=str(value)[:_LONGEST],
                expected=_EXPECTED[type(blank)],
            )
        form[name] = entry
    return form


def _is_fit(name: str, value: object, blank: object) -> bool:
    """Whether a value is of the kind of its field; locks may be tables, too."""
    kinds = (str, dict) if name == "locks" else (str,)
    return type(value) is type(blank) and (
        not isinstance(value, list) or all(isinstance(entry, kinds) for entry in value)
    )


def checked_form(services: Services, form: Form) -> CheckedForm:
    """Check a form, and estimate what solving its spot needs. Takes a while for large spots.

    Args:
        services: The services of the server.
        form: The form, of `read_form`.
    """
    checked = check_form(form)
    spot, faults = checked.spot, dict(checked.faults)
    estimate: SpotEstimate | ThreeEstimate | None = None
    problem: FormFault | None = None
    if spot is not None:
        options, memory = _sound_options(form, checked), services.jobs.memory
        try:
            if is_spot_of_three(spot):
                estimate = estimated_three(spot, options, memory)
            else:
                estimate = estimated(spot, options, memory)
        except EquilibristError as error:
            if error.option in RUN and error.option not in faults:  # which only solving refuses
                faults[error.option] = fault_of(error)
            else:
                problem = _fault_document("", fault_of(error))
    return {
        "spot": None if spot is None else spot.to_toml(),
        "first_street": checked.first_street,
        "errors": [_fault_document(name, fault) for name, fault in faults.items()],
        "warnings": [_warning_document(warning) for warning in checked.warnings],
        "estimate": estimate,
        "estimate_error": problem,
        "locks": [lock_text(lock) for lock in form["locks"]],
    }


def spot_to_fit(services: Services, form: Form) -> tuple[Spot, SpotEstimate]:
    """The spot of a form, and its estimate, for `fitting_lines`.

    Args:
        services: The services of the server.
        form: The form, of `read_form`.

    Raises:
        WebError: The form describes no spot.
        LimitError: As many searches are in progress as may be.
        EquilibristError: What estimating raises.
    """
    checked = check_form(form)
    if checked.spot is None or checked.faults:
        name, fault = next(iter(checked.faults.items()))
        raise WebError(
            f"the form is not complete: {fault.text}",
            option=name or "form",
            given=_plain(fault.given),
            expected=_plain(fault.expected),
            remedy="/api/setup/check lists what is wrong with it",
        )
    if is_spot_of_three(checked.spot):
        raise ConflictError(
            "changes that make a spot fit are looked for with two players only",
            option="players",
            given=3,
            expected=2,
            remedy="use fewer sizes, a raise cap, or smaller ranges",
        )
    check_searches()
    return checked.spot, estimated(checked.spot, run_options(form), services.jobs.memory)


async def fitting_lines(spot: Spot, estimate: SpotEstimate, form: Form) -> AsyncIterator[str]:
    """Changes that make a spot fit, a line of JSON each, as they are found.

    Args:
        spot: The spot.
        estimate: Its estimate.
        form: Its form.

    Yields:
        A line with `reduction` and the `form` that has it; in the end one with `end`, which is
        `found`, `nothing`, or `error` with the document of the error.
    """
    count = 0
    try:
        if not estimate["fits"]:
            async with aclosing(fitting(spot, estimate)) as search:
                async for reduction in search:
                    count += 1
                    smaller = form_of(spot.replace(**reduction["keys"]), run_options(form))
                    smaller["storage"] = reduction["storage"]
                    yield _line({"reduction": reduction, "form": smaller})
    except EquilibristError as error:
        yield _line({"end": "error", **error_document(error)})
        return
    yield _line({"end": "found" if count or estimate["fits"] else "nothing"})


def is_spot_of_three(spot: Spot | ThreeSpot) -> TypeIs[ThreeSpot]:
    """Whether a spot has three players."""
    return "middle" in type(spot).model_fields


def _line(document: Mapping[str, Any]) -> str:
    return f"{json.dumps(document, allow_nan=False, default=str)}\n"


def _sound_options(form: Form, checked: Checked) -> dict[str, str]:
    """The options of the run, without those that are wrong."""
    return {name: text for name, text in run_options(form).items() if name not in checked.faults}


def _warning_document(warning: BettingWarning) -> FormWarning:
    return {
        "option": warning.option,
        "code": warning.code,
        "lists": [
            {"seat": seat, "kind": kind, "street": street} for seat, kind, street in warning.lists
        ],
        "text": warning.text,
    }


def _fault_document(name: str, fault: Fault) -> FormFault:
    return {
        "field": name,
        "kind": fault.kind,
        "option": fault.option,
        "given": _plain(fault.given),
        "expected": _plain(fault.expected),
        "position": fault.position,
        "text": fault.text,
    }


def _plain(value: object) -> str | float | bool | None:
    """A value that JSON has; others as short texts, in which no half of a character is left."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    return str(value)[:_LONGEST].encode(errors="backslashreplace").decode()


_EXPECTED: Final = {str: "a text", bool: "true or false", list: "a list of texts"}
_FIELDS: Final = {
    "board": ("board",),
    "range": SEATS_OF_THREE,
    "ranges": FOLDED,
    "chips": (*AMOUNTS, *STACKS),
    "share": SHARES,
    "count": COUNTS,
    "deck": DECKS,
    "sizes": tuple(f"{name}_{street}" for name in SIZES for street in STREETS),
    "switch": SWITCHES,
    "lines": LINES,
    "locks": ("locks",),
    "players": (PLAYERS,),
    "run": RUN,
}
"""The fields of a form by their kinds."""
