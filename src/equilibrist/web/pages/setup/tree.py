"""The betting tree of the form: a walk through it, and lines that are added and removed."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from nicegui import ui

from equilibrist.errors import EquilibristError
from equilibrist.poker.postflop.spot.tree_walk import line_with_bet, tree_walk
from equilibrist.web.components.text_field import TextField
from equilibrist.web.documents.setup import LINES, Checked, lock_text
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.text import Text, heading, paragraph
from equilibrist.web.pages.setup.line_list import LineList
from equilibrist.web.pages.setup.state import Setup

_PLAYERS: Final = {"oop": "OOP", "ip": "IP"}
_PHASES: Final = {"deal": "Next card", "fold": "folds", "showdown": "Showdown"}


class TreePanel:
    """The panel of the tree.

    Args:
        setup: The form.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup, self._line = setup, ""
        self._shown: list[dict[str, Any]] | None = None
        with ui.element("section").classes("eq-panel eq-stack su-wide") as panel:
            panel.props["aria-label"] = "Betting tree"
            with ui.element("div").classes("eq-row"):
                heading("Betting tree", 2).classes("eq-grow")
                Button("Back to the root", lambda: self._go(""))
            self._strip = ui.element("div").classes("tw").props('role="region" tabindex="0"')
            self._strip.props["aria-label"] = "The line"
            with ui.element("div").classes("eq-row"):
                self._amount = TextField(
                    "Add a bet or a raise here",
                    "",
                    lambda _text: self._amount.show_error(""),
                    hint="The total on this street in chips, 150, or a share of the pot, 75%",
                    on_entered=lambda _text: self._add(),
                )
                Button("Add", self._add, name="Add this bet to the tree")
                self._bounds = ui.label("").classes("eq-muted eq-small eq-num")
            self._lists = {
                name: LineList(
                    title, f"Delete {{}} from the {title.lower()}".format, partial(self._drop, name)
                )
                for name, title in zip(LINES, ("Added lines", "Removed lines"), strict=True)
            }
            self._locks = LineList("Node locks", "Delete the lock {}".format, self._unlock)
        setup.on_checked.append(self._show)
        self._show(setup.checked)

    def _show(self, checked: Checked) -> None:
        """Draw the strip from the root to the line, as far as the tree still has it."""
        form, errors = self._setup.form, checked.errors
        for name, shown in self._lists.items():
            shown.show(form[name], errors.get(name, ""))
        self._locks.show([lock_text(lock) for lock in form["locks"]], errors.get("locks", ""))
        if checked.spot is None:
            if self._shown != []:
                self._shown = []
                self._strip.clear()
                with self._strip:
                    paragraph("The tree is shown once the spot is complete.").classes("eq-muted")
                self._bounds.set_text("")
            return
        nodes = self._walk(checked.spot)
        if nodes == self._shown:
            return  # a click on what stands there is not lost
        self._shown = nodes
        self._strip.clear()
        with self._strip:
            for number, node in enumerate(nodes):
                self._node(node, is_last=number == len(nodes) - 1)
        last = nodes[-1]
        least, most = last["least"], last["most"]
        self._bounds.set_text("" if least is None else f"from {least:,} to {most:,}")

    def _walk(self, spot: Any) -> list[dict[str, Any]]:
        while True:
            try:
                return list(tree_walk(spot, self._line)["nodes"])
            except EquilibristError:  # the line is not in the tree any more
                self._line = self._line[: max(map(self._line.rfind, "-|"))] if self._line else ""

    def _node(self, node: dict[str, Any], *, is_last: bool) -> None:
        with ui.element("div").classes("tw-node" + (" here" if is_last else "")):
            with ui.element("div").classes("tw-head"):
                player = _PLAYERS.get(str(node["player"]), "")
                phase = _PHASES.get(node["phase"], "")
                Text("span", " ".join(filter(None, (player, phase))))
                Text("span", str(node["street"])).classes("eq-muted")
            Text("span", f"Pot {node['pot']:,} · behind {node['stack']:,}").classes(
                "eq-muted eq-small eq-num"
            )
            for action in node["actions"]:
                self._action(node, action)
            if node["phase"] == "deal" and is_last:
                Button("Deal", lambda: self._go(f"{node['line']}|"), name="Deal the next card")

    def _action(self, node: dict[str, Any], action: dict[str, Any]) -> None:
        share = "" if action["pot_percent"] is None else f" · {action['pot_percent']:.0f}%"
        with ui.element("div").classes("tw-action"):
            button = Button(f"{action['name']}{share}", lambda: self._go(action["line"]))
            button.props["aria-pressed"] = "true" if action["is_taken"] else "false"
            what = f"{action['name']} after {node['line'] or 'the root'}"
            if len(node["actions"]) > 1:
                Button("×", lambda: self._remove(action), name=f"Remove {what}").classes("tw-drop")

    async def _unlock(self, text: str) -> None:
        locks = self._setup.form["locks"]
        await self._setup.change(locks=[lock for lock in locks if lock_text(lock) != text])

    def _go(self, line: str) -> None:
        self._line = line
        self._show(self._setup.checked)

    async def _add(self) -> None:
        spot = self._setup.checked.spot
        if spot is None or not self._amount.text.strip():
            return
        try:
            work = self._setup.visit.services.work
            line = await work.run(line_with_bet, spot, self._line, self._amount.text)
        except EquilibristError as error:
            self._amount.show_error(str(error).splitlines()[0])
            return
        self._amount.show("")
        form = self._setup.form
        await self._setup.change(added_lines=[*form["added_lines"], line])

    async def _remove(self, action: dict[str, Any]) -> None:
        form, line = self._setup.form, action["line"]
        if action["is_added"]:
            remaining = [
                added
                for added in form["added_lines"]
                if not (added == line or _follows(added, line))
            ]
            await self._setup.change(added_lines=remaining)
        else:
            await self._setup.change(removed_lines=[*form["removed_lines"], line])

    async def _drop(self, name: str, line: str) -> None:
        await self._setup.change(
            **{name: [entry for entry in self._setup.form[name] if entry != line]}
        )


def _follows(line: str, start: str) -> bool:
    return line.startswith((f"{start}-", f"{start}|"))
