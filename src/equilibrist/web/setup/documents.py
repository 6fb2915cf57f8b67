"""Forms in which spots are set up, as documents: what they describe, and what makes it fit."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import ConfigError, EquilibristError, UnknownNameError
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.web.answers.spots import SpotEstimate
from equilibrist.web.errors import WebError, error_document
from equilibrist.web.services import Services
from equilibrist.web.setup.answers import CheckedForm, FormFault, FormWarning, SetupForm
from equilibrist.web.setup.estimates import estimated, fitting
from equilibrist.web.setup.form import (
    AMOUNTS,
    COUNTS,
    DECKS,
    FOLDED,
    LINES,
    RUN,
    SHARES,
    SIZES,
    STREETS,
    SWITCHES,
    Checked,
    Fault,
    Form,
    blank_form,
    check_form,
    example_form,
    fault_of,
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
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.postflop.spot.validation import BettingWarning

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
    kinds = {name: kind for kind, names in _FIELDS.items() for name in names}
    if job is not None:
        return {"origin": "job", "name": job, "form": form_of_job(services, job), "kinds": kinds}
    if solution is not None:
        form = form_of_solution(services, solution)
        return {"origin": "solution", "name": solution, "form": form, "kinds": kinds}
    if setup is not None:
        form = form_of_setup(services, setup)
        return {"origin": "setup", "name": setup, "form": form, "kinds": kinds}
    if report is not None:
        form = form_of_text(report_spot(services, report))
        return {"origin": "report", "name": report, "form": form, "kinds": kinds}
    if subject:
        form = form_of_subject(services)
        return {"origin": "subject", "name": None, "form": form, "kinds": kinds}
    if example:
        return {"origin": "example", "name": None, "form": example_form(), "kinds": kinds}
    return {"origin": "blank", "name": None, "form": blank_form(), "kinds": kinds}


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
    estimate: SpotEstimate | None = None
    problem: FormFault | None = None
    if spot is not None:
        try:
            estimate = estimated(spot, _sound_options(form, checked), services.jobs.memory)
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
    "range": SEATS,
    "ranges": FOLDED,
    "chips": AMOUNTS,
    "share": SHARES,
    "count": COUNTS,
    "deck": DECKS,
    "sizes": tuple(f"{name}_{street}" for name in SIZES for street in STREETS),
    "switch": SWITCHES,
    "lines": LINES,
    "locks": ("locks",),
    "run": RUN,
}
"""The fields of a form by their kinds."""
