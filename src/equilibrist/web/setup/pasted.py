"""Forms from texts of other programs: set-ups of solvers, and played hands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.toml import parse_spot
from equilibrist.storage.kinds.file_kinds import PLAYED
from equilibrist.storage.kinds.recognition import kind_of_text
from equilibrist.web.api.bounds import bounded, check_texts
from equilibrist.web.api.orders import SetUpInput, SpotInput
from equilibrist.web.errors import WebError, as_requested
from equilibrist.web.setup.answers import LeftOutPart, ReadForm
from equilibrist.web.setup.form import Form, form_of
from equilibrist.web.workers.reviewing import read_pasted

if TYPE_CHECKING:
    from equilibrist.poker.postflop.setups.set_up import Omission, SetUp

_SAID: Final = ("board", "pot", "stack", "min_bet", "added_lines")
"""Fields that a played hand says; of the others those of the form stay."""
_ANY: Final = "random"
"""A range for a hand whose form has none, with which the spot is read."""


def form_of_pasted(text: str, name: str | None, form: Form) -> ReadForm:
    """Read a form from the text of another program, or from a played hand.

    Args:
        text: The text.
        name: Of several configurations or hands, the number or name of one.
        form: The form as it is, whose fields stay where a hand does not say them.

    Raises:
        EquilibristError: The text cannot be read, or it has several and none is named.
    """
    check_texts({"text": text})
    if kind_of_text(text) in PLAYED:
        return _form_of_hand(text, name, form)
    if (of_three := _keys_of_three(text)) is not None:
        return {
            "form": form_of(SpotInput(toml=None, keys=of_three).read_any()),
            "program": "Equilibrist",
            "left_out": [],
            "omissions": [],
            "kept": [],
        }
    found = SetUpInput(text=text, name=name).read()
    return {
        "form": form_of(found.spot),
        "program": found.program,
        "left_out": list(map(as_requested, found.left_out)),
        "omissions": omissions_document(found.omissions),
        "kept": [],
    }


def _keys_of_three(text: str) -> dict[str, Any] | None:
    """The keys of a spot file with three ranges; None of all other texts."""
    try:
        keys = parse_spot(text)
    except (ValueError, RecursionError):
        return None
    return keys if "middle" in keys else None


def omissions_document(omissions: Iterable[Omission]) -> list[LeftOutPart]:
    """The document of what a spot does not have of a text.

    Args:
        omissions: Those of the set-up.
    """
    return [
        {
            "code": omission.code,
            "values": dict(omission.values),
            "text": as_requested(str(omission)),
        }
        for omission in omissions
    ]


def _form_of_hand(text: str, name: str | None, form: Form) -> ReadForm:
    ranges = {seat: form[seat].strip() or _ANY for seat in SEATS}
    found = _read_hand(text, name, ranges)
    bounded(found.spot)
    read = form_of(found.spot)
    said = {field: read[field] for field in _SAID}
    return {
        "form": {**form, **said, "players": read["players"], "removed_lines": [], "locks": []},
        "program": found.program,
        "left_out": list(map(as_requested, found.left_out)),
        "omissions": omissions_document(found.omissions),
        "kept": [
            field for field in form if field not in (*_SAID, "players", "removed_lines", "locks")
        ],
    }


def _read_hand(text: str, name: str | None, ranges: dict[str, str]) -> SetUp:
    """The set-up of a hand; its errors name no folder of the server."""
    from equilibrist.protocols.hand_spots import hand_setup

    try:
        return read_pasted(text, lambda file: hand_setup(file, name, **ranges))
    except WebError as error:
        if error.option == "hand":
            error.option = "name"  # as the request calls it
        raise
