"""The board of the form: 52 cards, and its text."""

from __future__ import annotations

import random

from nicegui import ui

from equilibrist.errors import EquilibristError
from equilibrist.web.components.board_picker import BoardPicker
from equilibrist.web.documents.setup import STREETS, Checked
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.text import heading
from equilibrist.web.pages.setup.fields import form_field
from equilibrist.web.pages.setup.state import Setup


def board_panel(setup: Setup) -> None:
    """The panel of the board."""
    with ui.element("section").classes("eq-panel eq-stack") as panel:
        panel.props["aria-label"] = "Board"
        heading("Board", 2)
        field = form_field(setup, "board", "Cards", hint="3, 4 or 5 cards: QsJh2h, or Qs Jh 2h")

        async def chosen(cards: list[str]) -> None:
            field.show("".join(cards))
            await setup.change(board="".join(cards))

        picker = BoardPicker(_cards(setup.form["board"]), chosen)
        shown = [setup.form["board"]]

        def follow(_checked: object = None) -> None:
            text = setup.form["board"]
            if text != shown[0]:
                shown[0] = text
                picker.show(_cards(text))

        async def draw() -> None:
            from equilibrist.poker.cards.cards import card_name

            await put("".join(map(card_name, random.sample(range(52), 3))))

        async def put(board: str) -> None:
            field.show(board)
            await setup.change(board=board)

        setup.on_replaced.append(follow)
        setup.on_checked.append(follow)
        with ui.element("div").classes("eq-row"):
            Button("Random flop", draw)
            Button("Clear", lambda: put(""), name="Clear the board")
            street = ui.label("").classes("eq-muted eq-small")

        def tell(checked: Checked) -> None:
            begins = checked.first_street
            street.set_text("" if begins is None else f"The spot begins on the {STREETS[begins]}.")

        setup.on_checked.append(tell)
        tell(setup.checked)


def _cards(text: str) -> list[str]:
    """The cards in the text, as far as it can be read."""
    from equilibrist.poker.cards.cards import card_name, parse_cards

    try:
        return [card_name(card) for card in parse_cards(text)]
    except EquilibristError:
        return []
