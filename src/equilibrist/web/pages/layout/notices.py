"""Errors in a page: in its body, or as a notification."""

from __future__ import annotations

import logging

from nicegui import ui

from equilibrist.errors import EquilibristError
from equilibrist.web.errors import error_document
from equilibrist.web.pages.layout.text import heading, paragraph
from equilibrist.web.services import public, services_of

_LOG = logging.getLogger("equilibrist.web")


def sentence_of(error: BaseException) -> str:
    """Write an error as sentences, with its remedy if it names one."""
    if not isinstance(error, EquilibristError):
        return "Internal error of the server. Its log has the details."
    document = error_document(error)
    sentence = with_remedy(document["error"], document["remedy"])
    return public(sentence, services_of(ui.context.client.request))


def with_remedy(sentence: str, remedy: str | None) -> str:
    """A sentence about an error, followed by its remedy.

    Args:
        sentence: The sentence.
        remedy: What to do; None if that is not known.
    """
    return sentence if not remedy or remedy in sentence else f"{sentence}. {remedy}"


def show_error(error: BaseException) -> None:
    """Show an error as a notification that stays until it is closed."""
    ui.notify(
        sentence_of(error),
        type="negative",
        timeout=0,
        close_button="Close",
        multi_line=True,
        position="top",
    )


class UnforeseenErrors(logging.Filter):
    """Keeps records of errors that a visitor is told, such as of what was typed, out of a log."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is to be logged."""
        return not isinstance(record.msg, EquilibristError)


def on_error(error: Exception) -> None:
    """Show an error that a handler of a page has raised; log what is none of ours."""
    if not isinstance(error, EquilibristError):
        _LOG.error("a page has failed", exc_info=error)
    try:
        show_error(error)
    except RuntimeError:  # its page is closed
        return


def error_panel(error: EquilibristError) -> None:
    """Show an error in the body of a page, with a way back."""
    with ui.element("section").classes("eq-panel eq-stack").props('role="alert"'):
        heading("This cannot be shown")
        paragraph(sentence_of(error))
        ui.link("Back to the library", "/")
