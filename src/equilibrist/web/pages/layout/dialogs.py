"""Questions that are asked before something is done."""

from __future__ import annotations

from nicegui import ui

from equilibrist.web.components.text_field import TextField
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.text import heading, paragraph


async def confirmed(
    question: str, action: str, *, text: str | None = None, note: str = ""
) -> str | None:
    """Ask; returns None where the answer is no.

    Args:
        question: The question.
        action: What the button says that does it.
        text: A text that is to be edited, such as a name; the answer is the edited text.
        note: What else to know.

    Returns:
        The text, or `action` without one.
    """
    with ui.dialog() as dialog, ui.card().classes("eq-stack"):
        dialog.props["aria-label"] = question
        heading(question, 2)
        if note:
            paragraph(note)
        field = None
        if text is not None:
            field = TextField("New name", text, lambda _: None, on_entered=dialog.submit)
        with ui.element("div").classes("eq-row"):
            Button(
                action,
                lambda: dialog.submit(action if field is None else field.text),
                is_main=True,
            )
            Button("Cancel", lambda: dialog.submit(None))
    answer = await dialog
    dialog.delete()
    return None if answer is None else str(answer)
