"""Chips, thresholds, and the sizes of both players on each street."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from nicegui import ui

from equilibrist.poker.postflop.spot.fields import SPOT_KEYS
from equilibrist.web.components.text_field import TextField
from equilibrist.web.documents.setup import (
    AMOUNTS,
    COUNTS,
    FOLDED,
    SHARES,
    SIZES,
    STREETS,
    SWITCHES,
    Checked,
)
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.text import Text, heading, paragraph
from equilibrist.web.pages.setup.fields import form_field, form_switch
from equilibrist.web.pages.setup.state import Setup

_ROWS: Final = {
    "oop_bets": ("OOP bets", "bets out of position"),
    "oop_raises": ("OOP raises", "raises out of position"),
    "donks": ("OOP donk bets", "donk bets out of position"),
    "ip_bets": ("IP bets", "bets in position"),
    "ip_raises": ("IP raises", "raises in position"),
}
_CHIPS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "pot": ("Pot", {"mode": "decimal", "hint": "Chips in the middle"}),
    "stack": ("Effective stack", {"mode": "decimal", "hint": "The smaller of the two stacks"}),
    "rake": ("Rake", {"placeholder": "0%"}),
    "rake_cap": ("Rake cap", {"mode": "decimal", "placeholder": "no cap"}),
    "raise_cap": (
        "Raise cap",
        {"placeholder": "no cap", "hint": "The maximum number of raises on a street"},
    ),
    "add_all_in": (
        "Add all-in",
        {
            "placeholder": "off",
            "hint": "Add all-in where it is at most this share of the pot: 150%",
        },
    ),
    "force_all_in": (
        "Force all-in",
        {
            "placeholder": "off",
            "hint": "Make a bet all-in if a call leaves at most this share of the pot: 20%",
        },
    ),
    "merge": (
        "Merge sizes",
        {"placeholder": "off", "hint": "Drop sizes that are this close to a larger one: 10%"},
    ),
    "min_bet": ("Smallest bet", {"mode": "decimal", "placeholder": "1"}),
    "unit": (
        "Unit of bets",
        {"placeholder": "automatic", "hint": "Bets are multiples of 1, 0.1, 0.01 ... chips"},
    ),
    "folded": (
        "Folded ranges",
        {
            "placeholder": "none",
            "hint": "Of players who folded before the flop, with semicolons between them",
        },
    ),
}
_SWITCHES: Final = {"all_in_without_sizes": "Add all-in also where a player has no sizes"}
_GRAMMAR: Final = (
    "50% (of the pot), 2.5x (a raise), 100c (chips), 2e (all-in in two equal shares of the pot), a "
    "(all-in); commas between them. An empty field means no bets; for donk bets, the ordinary bets."
)


def _words(name: str) -> str:
    """The label of a key of a spot for which this page has no other."""
    return name.replace("_", " ").capitalize()


def chips_panel(setup: Setup) -> None:
    """The panel of pot, stack, rake and thresholds."""
    with ui.element("section").classes("eq-panel eq-stack") as panel:
        panel.props["aria-label"] = "Pot and stacks"
        with ui.element("div").classes("eq-row"):
            heading("Pot and stacks", 2).classes("eq-grow")
            ratio = ui.label("").classes("eq-muted eq-small eq-num")
        with ui.element("div").classes("su-fields"):
            for name in dict.fromkeys((*_CHIPS, *AMOUNTS, *SHARES, *COUNTS, *FOLDED)):
                label, how = _CHIPS.get(name) or (_words(name), {"hint": SPOT_KEYS[name]})
                form_field(setup, name, label, **how)
        for name in SWITCHES:
            form_switch(setup, name, _SWITCHES.get(name) or _words(name))

    def tell(checked: Checked) -> None:
        spot = checked.spot
        ratio.set_text("" if spot is None else f"Stack-to-pot ratio {spot.stack / spot.pot:.2f}")

    setup.on_checked.append(tell)
    tell(setup.checked)


def sizes_panel(setup: Setup) -> None:
    """The panel of bet sizes: a field for each player, kind and street."""
    with ui.element("section").classes("eq-panel eq-stack su-two") as panel:
        panel.props["aria-label"] = "Bet sizes"
        with ui.element("div").classes("eq-row"):
            heading("Bet sizes", 2).classes("eq-grow")
            Button("Copy OOP to IP", lambda: _copy(setup, "oop", "ip", STREETS))
            Button("Copy IP to OOP", lambda: _copy(setup, "ip", "oop", STREETS))
        paragraph(_GRAMMAR).classes("eq-muted eq-small")
        fields: dict[str, list[tuple[str, TextField]]] = {street: [] for street in STREETS}
        buttons: dict[str, list[Button]] = {}
        with ui.element("div").classes("su-sizes"):
            for title in ("", *(street.capitalize() for street in STREETS)):
                Text("span", title).classes("su-head")
            for name in SIZES:
                short, long = _ROWS[name]
                Text("span", short).classes("su-name")
                for street in STREETS:
                    if name == "donks" and street == "flop":
                        Text("span", "–").classes("eq-muted")
                        continue
                    label = f"{street.capitalize()}: {long}"
                    field = form_field(setup, f"{name}_{street}", label, hides_label=True)
                    fields[street].append((name, field))
            Text("span", "Copy").classes("su-name")
            for street in STREETS:
                buttons[street] = _copy_buttons(setup, street)
        errors = ui.label("").classes("eq-error eq-small").props('role="alert"')
        warnings = ui.label("").classes("eq-warn eq-small")

    def tell(checked: Checked) -> None:
        first = checked.first_street or 0
        for number, street in enumerate(STREETS):
            for name, field in fields[street]:
                field.enable(number > first if name == "donks" else number >= first)
            for button in buttons[street]:
                button.enable(number >= first)
        errors.set_text(checked.errors.get("", ""))
        warnings.set_text(". ".join(checked.warnings))

    setup.on_checked.append(tell)
    tell(setup.checked)


def _copy_buttons(setup: Setup, street: str) -> list[Button]:
    """Buttons that copy the sizes of a street to the other player, or to later streets."""
    later = STREETS[STREETS.index(street) + 1 :]
    title = street.capitalize()
    with ui.element("div").classes("su-copy"):
        buttons = [
            Button(
                f"{source} → {target}",
                partial(_copy, setup, source.lower(), target.lower(), (street,)),
                name=f"{title}: {source} → {target}, copy",
            )
            for source, target in (("OOP", "IP"), ("IP", "OOP"))
        ]
        if later:
            text = f"→ {', '.join(later)}"
            name = f"{title} {text}, copy both players"
            buttons.append(Button(text, partial(_spread, setup, street, later), name=name))
    return buttons


async def _copy(setup: Setup, source: str, target: str, streets: Sequence[str]) -> None:
    """Copy bets and raises of a player to the other.

    Args:
        setup: The form.
        source: Whose sizes are copied: oop or ip.
        target: Who gets them.
        streets: On which streets.
    """
    values: dict[str, Any] = {
        f"{target}_{kind}_{street}": setup.form[f"{source}_{kind}_{street}"]
        for kind in ("bets", "raises")
        for street in streets
    }
    await setup.put(**values)


async def _spread(setup: Setup, source: str, targets: Sequence[str]) -> None:
    """Copy all sizes of a street to others; the flop has no donk bets.

    Args:
        setup: The form.
        source: The street whose sizes are copied.
        targets: The streets that get them.
    """
    values: dict[str, Any] = {
        f"{name}_{street}": setup.form[f"{name}_{source}"]
        for name in SIZES
        for street in targets
        if name != "donks" or source != STREETS[0]
    }
    await setup.put(**values)
