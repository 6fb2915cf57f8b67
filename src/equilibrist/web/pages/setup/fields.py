"""Fields that are bound to the form."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from equilibrist.web.components.text_field import TextField
from equilibrist.web.documents.setup import Checked
from equilibrist.web.pages.layout.text import Text
from equilibrist.web.pages.setup.state import Setup


def form_field(setup: Setup, name: str, label: str, **props: Any) -> TextField:
    """A text field of the form, with its error below it."""

    async def typed(text: str) -> None:
        await setup.change(**{name: text})

    field = TextField(label, str(setup.form.get(name, "")), typed, **props)

    def replaced() -> None:
        field.show(str(setup.form.get(name, "")))

    def checked(state: Checked) -> None:
        field.show_error(state.errors.get(name, ""))

    setup.on_replaced.append(replaced)
    setup.on_checked.append(checked)
    checked(setup.checked)
    return field


def form_choice(setup: Setup, name: str, label: str, choices: dict[str, str]) -> None:
    """A choice among few, as a select of HTML."""
    with ui.element("div").classes("tf"):
        identity = f"choice-{name}"
        Text("label", label).props(f"for={identity}")
        select = ui.element("select").classes("eq-field").props(f"id={identity}")
        with select:
            for value, text in choices.items():
                Text("option", text).props["value"] = value

    def shown() -> None:
        select.props["value"] = setup.form.get(name)

    async def changed(event: Any) -> None:
        setup.take(**{name: str(event.args)})
        shown()
        await setup.check()

    select.on("change", changed, js_handler="(event) => emit(event.target.value)")
    setup.on_replaced.append(shown)
    shown()


def form_switch(setup: Setup, name: str, label: str) -> None:
    """A box to tick."""

    async def changed(event: Any) -> None:
        if bool(event.value) != bool(setup.form.get(name)):
            await setup.change(**{name: bool(event.value)})

    box = ui.checkbox(label, value=bool(setup.form.get(name)), on_change=changed).props("dense")
    setup.on_replaced.append(lambda: box.set_value(bool(setup.form.get(name))))
