"""Strokes on the grid of a range and texts of its field that cross each other on their way.

The server's parts are the real ones. Browsers do what `range_editor.js` and `text_field.js` do;
what they and the server say arrives in order, after any time.
"""

from __future__ import annotations

import asyncio
import random
from types import SimpleNamespace
from typing import Any

import pytest
from nicegui import ui

from equilibrist.errors import EquilibristError
from equilibrist.poker import Range
from equilibrist.web.components.range_editor import RangeEditor
from equilibrist.web.components.text_field import TextField
from equilibrist.web.pages.setup import ranges
from equilibrist.web.pages.setup.ranges import _Painted
from equilibrist.web.pages.setup.state import Setup
from tests.refusals import unchecked

COMBOS = {hand: Range(hand).weights.nonzero()[0].tolist() for hand in ("AA", "JJ", "99")}


def weights_of(text):
    return Range(text).weights.tolist() if text else [0.0] * 1326


class Later:
    """Calls that end when they are told to."""

    def __init__(self):
        self.waiting = []

    async def to_thread(self, function, *args):
        end = asyncio.get_running_loop().create_future()
        self.waiting.append(end)
        await end
        return function(*args)

    def end(self, number=0):
        self.waiting.pop(number).set_result(None)


class Page:
    """A range of a form on the server, and the browser that shows it."""

    def __init__(self, monkeypatch, text="TT"):
        def init(element):
            element._props, element.handlers = {}, {}

        def on(element, name, handler):
            element.handlers[name] = handler

        monkeypatch.setattr(ui.element, "__init__", init)
        monkeypatch.setattr(ui.element, "on", on)
        self.threads, self.checks = Later(), Later()
        monkeypatch.setattr(ranges, "asyncio", self.threads)
        self.setup = Setup(
            unchecked(None), "", "", {"oop": text}, unchecked(None), client=unchecked(None)
        )
        monkeypatch.setattr(self.setup, "check", self.check)
        self.field = TextField("Range", text, lambda text: self.setup.change(oop=text))
        self.painted = _Painted(self.setup, "oop")
        weights = self.painted.weights()
        assert weights is not None
        self.editor = RangeEditor("", weights, [], self.painted)
        self.painted.editor, self.painted.show_text = self.editor, self.field.show
        self.tasks, self.turn, self.given = [], 0, {}
        self.to_server: list[Any] = []
        self.to_browser: list[Any] = []
        self.push()
        self.to_browser.clear()
        self.grid, self.untold, self.grid_turn = weights_of(text), {}, 0
        self.text = self.told = text
        self.text_turn = 0
        self.wanted = weights_of(text)
        """The weights after all that the user has said, in this order."""

    async def check(self):
        self.turn += 1
        turn = self.turn
        await self.checks.to_thread(lambda: None)
        if turn == self.turn:
            self.painted.follow()

    def push(self):
        for element in (self.editor, self.field):
            given = element._props["given"]
            if self.given.get(element) is not given:
                self.given[element] = given
                self.to_browser.append((element, given))

    def paint(self, hand, weight=1.0):
        for combo in COMBOS[hand]:
            self.grid[combo] = self.untold[combo] = weight

    def tell_grid(self, inverted=False):
        self.wanted = [self.untold.get(combo, weight) for combo, weight in enumerate(self.wanted)]
        if inverted:
            self.grid = [round(1 - weight, 6) for weight in self.grid]
            self.wanted = [round(1 - weight, 6) for weight in self.wanted]
        event: dict[str, Any] = {
            "weights": list(self.grid),
            "changed": [[*one] for one in self.untold.items()],
        }
        event |= {"turn": self.grid_turn, "inverted": inverted}
        self.untold = {}
        self.to_server.append((self.editor, "painted", event))

    def tell_text(self):
        if self.text != self.told:
            self.told = self.text
            self.wanted = weights_of(self.text)
            event = {"turn": self.text_turn, "text": self.text}
            self.to_server.append((self.field, "typed", event))

    def stroke(self, *hands):
        for hand in hands:
            self.paint(hand)
        self.tell_grid()

    def type(self, text):
        self.text = text
        self.tell_text()

    def receive(self):
        element, given = self.to_browser.pop(0)
        if element is self.editor:
            self.grid_turn, self.grid = given["turn"], list(given["weights"])
            for combo, weight in self.untold.items():
                self.grid[combo] = weight
            return
        is_typing = self.text != self.told
        self.text_turn, self.told = given["turn"], given["text"]
        if not is_typing:
            self.text = given["text"]

    def serve(self):
        element, name, event = self.to_server.pop(0)
        self.tasks.append(
            asyncio.ensure_future(element.handlers[name](SimpleNamespace(args=event)))
        )

    async def settle(self):
        for _ in range(6):
            await asyncio.sleep(0)

    async def end(self):
        """Let all arrive and all calls end."""
        while True:
            await self.settle()
            self.push()
            if self.untold:
                self.tell_grid()
            elif self.text != self.told:
                self.tell_text()
            elif self.to_server:
                self.serve()
            elif self.threads.waiting:
                self.threads.end()
            elif self.checks.waiting:
                self.checks.end()
            elif self.to_browser:
                self.receive()
            else:
                break
        await asyncio.gather(*self.tasks)

    def is_of_one_mind(self):
        text = self.setup.form["oop"]
        assert self.text == self.field.text == text
        assert self.grid == self.editor._weights == weights_of(text)


@pytest.fixture
def page(monkeypatch):
    return Page(monkeypatch)


def test_two_strokes_after_a_text_that_the_grid_does_not_show_yet(page):
    async def run():
        page.type("KK,QQ")
        page.stroke("JJ")
        page.stroke("AA")
        await page.end()

    asyncio.run(run())
    page.is_of_one_mind()
    assert Range(page.text) == Range("JJ+")


def test_an_inversion_after_a_text_that_the_grid_does_not_show_yet(page):
    async def run():
        page.type("KK,QQ:0.3")
        page.tell_grid(inverted=True)
        await page.end()

    asyncio.run(run())
    page.is_of_one_mind()
    assert page.grid == page.wanted


@pytest.mark.parametrize("text", ["AA", "", "TT"])
def test_a_text_that_comes_during_a_stroke_is_newer(page, text):
    """Also one that equals the text before."""

    async def run():
        page.stroke("JJ")
        page.serve()
        await page.settle()
        page.type("22")
        page.type(text)
        await page.end()

    asyncio.run(run())
    page.is_of_one_mind()
    assert page.text == text


def test_values_of_other_fields_keep_a_stroke(page):
    async def run():
        page.stroke("JJ")
        page.serve()
        await page.settle()
        page.tasks.append(asyncio.ensure_future(page.setup.put(ip="AA")))
        await page.end()

    asyncio.run(run())
    page.is_of_one_mind()
    assert Range(page.text) == Range("TT,JJ")


def test_another_form_replaces_a_stroke_even_if_its_text_is_the_same(page):
    async def run():
        page.stroke("JJ")
        page.serve()
        await page.settle()
        page.tasks.append(asyncio.ensure_future(page.setup.replace({"oop": "TT"})))
        await page.end()

    asyncio.run(run())
    page.is_of_one_mind()
    assert page.text == "TT"


def test_a_stroke_on_a_text_that_cannot_be_read_replaces_it(page):
    async def run():
        page.told = page.text = "TT,J"
        page.to_server.append((page.field, "typed", {"turn": 0, "text": "TT,J"}))
        page.stroke("JJ")
        await page.end()

    asyncio.run(run())
    page.is_of_one_mind()
    assert Range(page.text) == Range("TT,JJ")


def test_a_dropped_stroke_leaves_the_grid_when_a_text_comes_back(page):
    async def run():
        page.stroke("JJ")
        page.serve()
        await page.settle()
        for text in ("TT,J", "TT"):  # the first cannot be read
            page.text = text
            page.told, event = text, {"turn": 0, "text": text}
            page.to_server.append((page.field, "typed", event))
            page.serve()
            await page.settle()
            if text == "TT,J":
                page.threads.end()
                await page.settle()
                page.checks.end()
                await page.settle()
        await page.end()

    asyncio.run(run())
    page.is_of_one_mind()


def test_a_text_that_reaches_the_server_overwrites_what_overwrote_it(page):
    async def run():
        page.stroke("JJ")
        page.serve()
        await page.settle()
        page.threads.end()
        await page.settle()
        page.push()
        page.type("99")  # told before the text of the stroke arrives
        page.receive()
        assert page.text != "99"
        await page.end()

    asyncio.run(run())
    page.is_of_one_mind()
    assert page.text == "99"


@pytest.mark.parametrize("seed", range(300))
def test_any_order(page, seed):
    chance = random.Random(seed)

    async def run():
        for _ in range(24):
            can = []
            if page.text != page.told:
                can.append(page.tell_text)  # before a stroke: painting leaves the field
            elif chance.random() < 0.5:
                can.append(lambda: page.paint(chance.choice([*COMBOS]), chance.choice([0, 0.5, 1])))
            if chance.random() < 0.3 and not page.untold:
                can.append(lambda: setattr(page, "text", chance.choice(["TT", "99", "A5s", ""])))
                if page.text == page.told:
                    can.append(lambda: page.tell_grid(inverted=True))
            if page.untold:
                can.append(page.tell_grid)
            can += [page.serve] * bool(page.to_server) + [page.receive] * bool(page.to_browser)
            for calls in (page.threads, page.checks):
                if calls.waiting:
                    can.append(lambda c=calls: c.end(chance.randrange(len(c.waiting))))
            if can:
                chance.choice(can)()
            await page.settle()
            if chance.random() < 0.7:
                page.push()
        await page.end()

    asyncio.run(run())
    page.is_of_one_mind()
    assert page.grid == page.wanted


@pytest.mark.parametrize(
    "event",
    [
        {"weights": [1.0] * 4000},
        {"weights": []},
        {"weights": [1.5] + [0.0] * 1325},
        {"weights": [float("nan")] * 1326},
        {"weights": [None] * 1326},
        {"changed": [[0]]},
        {"changed": [[0, 2.0]]},
        {"changed": [[1326, 1.0]]},
        {"changed": [[-1, 1.0]]},
    ],
)
def test_weights_of_no_range_are_refused_and_replaced(page, event):
    sound = {"turn": 0, "weights": weights_of("AA"), "changed": [], "inverted": False}
    page.to_server.append((page.editor, "painted", sound | event))

    async def run():
        page.serve()
        await page.settle()
        with pytest.raises(EquilibristError) as raised:
            await page.tasks.pop()
        assert raised.value.option == "weights"
        await page.end()

    asyncio.run(run())
    page.is_of_one_mind()
    assert page.text == "TT"


def test_a_refused_text_is_replaced_by_the_next_one(page):
    async def run():
        page.type("AA," * 40_000)
        page.serve()
        await page.settle()
        with pytest.raises(EquilibristError):
            await page.tasks.pop()
        page.field.show("TT")
        await page.end()

    asyncio.run(run())
    page.is_of_one_mind()
