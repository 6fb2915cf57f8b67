"""Setting up a spot in Chromium: painting, texts, sizes, the tree, files, and the solve."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from equilibrist.poker import Range
from equilibrist.poker.postflop.setups.files import read_setup_text, setup_text
from equilibrist.poker.postflop.spot.spot import spot_from_text
from tests.web.browser.checks import LANGUAGES, check_everywhere, connected, faults_of_texts, speak
from tests.web.browser.conftest import NARROW, SPOT, Site
from tests.web.browser.setup_page import (
    cell,
    export,
    facts,
    import_spot,
    range_of,
    says,
    text_of,
)

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser
LEFT_OUT = "set_accuracy 0.5\nset_rake 0.05 3 2\ndump_result --out.json\n"
"""Lines of a script of TexasSolver that spots do not have."""


def _drag(page: Page, *hands: str) -> None:
    for number, hand in enumerate(hands):
        box = cell(page, hand).bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        if number == 0:
            page.mouse.down()
    page.mouse.up()


def test_the_page_and_its_dialogs_are_sound(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/spot")
    page.get_by_text("Decisions").wait_for()
    check_everywhere(page)
    range_of(page).get_by_text("Suits to paint").click()
    range_of(page).get_by_role("button", name="All suits").wait_for()
    check_everywhere(page)
    for hand in ("AA", "AKo"):
        cell(page, hand).focus()
        page.keyboard.press("s")
        page.get_by_role("dialog", name=f"Suits of {hand}").wait_for()
        check_everywhere(page)
        page.keyboard.press("Escape")
        expect(cell(page, hand)).to_be_focused()  # which it takes a moment after the dialog closed
    for name in ("Presets, your ranges, other programs: In position", "Import", "Export"):
        page.get_by_role("button", name=name, exact=True).press("Enter")
        page.get_by_role("dialog").get_by_role("button", name="Close").wait_for()
        check_everywhere(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Saved setups").press("Enter")
    page.get_by_role("dialog").get_by_label("Name").wait_for()
    check_everywhere(page)


def test_painting(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/spot")
    page.get_by_role("button", name="Clear all").click()
    says(text_of(page), "")
    _drag(page, "AA", "KK", "QQ")  # over AKs or AKo, as the hand goes
    for hand in ("AA", "KK", "QQ"):
        expect(cell(page, hand)).to_have_attribute("aria-label", f"{hand} 100%")
    expect(text_of(page)).to_have_value(re.compile("QQ[+]"))  # written once all are painted
    painted = Range(text_of(page).input_value())
    assert {painted["AA"], painted["KK"], painted["QQ"]} == {1.0}
    _drag(page, "AA")  # the first cell decides: it is cleared
    expect(cell(page, "AA")).to_have_attribute("aria-label", "AA 0%")
    text_of(page).fill("KK,QQ")
    range_of(page).get_by_role("spinbutton", name=re.compile("Weight")).fill("50")
    _drag(page, "JJ")
    says(text_of(page), "KK-QQ,JJ:0.5")
    combos = Range("KK-QQ,JJ:0.5").num_combos
    expect(range_of(page).get_by_text(f"{combos:g} combos")).to_be_visible()
    range_of(page).get_by_role("button", name="Invert").click()
    says(text_of(page), str(Range.from_weights(1 - Range("KK-QQ,JJ:0.5").weights)))


def test_a_text_that_comes_during_a_stroke_keeps_the_stroke(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/spot")
    page.get_by_role("button", name="Clear all").click()
    says(text_of(page), "")
    text_of(page).fill("KK,QQ")
    box = cell(page, "JJ").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()  # leaves the field: its text goes to the server
    expect(cell(page, "KK")).to_have_attribute("aria-label", "KK 100%")  # and comes back
    expect(cell(page, "JJ")).to_have_attribute("aria-label", "JJ 100%")
    page.mouse.up()
    says(text_of(page), "KK-JJ")


def test_painting_right_after_typing_and_typing_right_after_painting(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/spot")
    page.get_by_role("button", name="Clear all").click()
    says(text_of(page), "")
    text_of(page).fill("KK,QQ")
    _drag(page, "JJ")
    says(text_of(page), "KK-JJ")
    _drag(page, "AA")
    text_of(page).fill("TT")  # before the text of the painting comes
    expect(cell(page, "TT")).to_have_attribute("aria-label", "TT 100%")
    expect(cell(page, "AA")).to_have_attribute("aria-label", "AA 0%")
    says(text_of(page), "TT")


def test_typing_into_a_field_whose_text_comes_after_it_was_selected(page: Page) -> None:
    connected(page, "/spot")
    page.get_by_role("button", name="Clear all").click()
    says(text_of(page), "")
    text_of(page).fill("KK,QQ")
    cell(page, "AA").focus()
    text_of(page).evaluate(  # one task: the text of the painting comes after the focus
        """field => {
             const painted = new KeyboardEvent("keydown", { key: " ", bubbles: true });
             document.activeElement.dispatchEvent(painted);
             field.focus();
           }"""
    )
    says(text_of(page), "QQ+")
    page.keyboard.insert_text("TT")
    says(text_of(page), "TT")


def test_the_best_hands_are_those_of_the_command_line(page: Page) -> None:
    connected(page, "/spot")
    best = range_of(page).get_by_role("spinbutton", name=re.compile("Best hands"))
    for percent in ("15", "33.3", "100"):
        best.fill(percent)
        best.press("Tab")
        says(text_of(page), str(Range.top(float(percent) / 100)))


def test_suits_with_the_keyboard_alone(page: Page) -> None:
    connected(page, "/spot")
    page.get_by_role("button", name="Clear all").click()
    says(text_of(page), "")
    cell(page, "AA").focus()
    page.keyboard.press("ArrowRight")  # AKs
    page.keyboard.press("Space")
    says(text_of(page), "AKs")
    page.keyboard.press("Shift+ArrowRight")  # paints AQs, too
    says(text_of(page), "AQs+")
    page.keyboard.press("s")
    dialog = page.get_by_role("dialog", name="Suits of AQs")
    assert dialog.get_by_role("button", name=re.compile("^A[shdc]Q[shdc]")).count() == 4
    dialog.get_by_role("button", name=re.compile("AsQs")).press("Enter")
    page.keyboard.press("Escape")
    says(text_of(page), "AKs,AhQh,AdQd,AcQc")


def test_shift_click_opens_the_suits(page: Page) -> None:
    connected(page, "/spot")
    for hand, count in (("AA", 6), ("AKs", 4), ("AKo", 12)):
        cell(page, hand).click(modifiers=["Shift"])
        dialog = page.get_by_role("dialog", name=f"Suits of {hand}")
        assert dialog.get_by_role("button", name=re.compile("%$")).count() == count + 1
        dialog.get_by_role("button", name="Done").click()


@pytest.mark.parametrize("size", [(1366, 768), (1024, 768), (390, 844)])
def test_estimate_and_solve_are_in_sight(
    open_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    """At the top of the form, at its ranges and sizes, and at its end."""
    width, height = size
    page = open_page({"width": width, "height": height})
    connected(page, "/spot")
    facts(page).get_by_text("Decisions").wait_for()
    solve = page.get_by_role("button", name="Solve", exact=True)
    places = ("h1", ".eqp-grid >> nth=0", ".su-sizes >> nth=0", "#solve")
    for place in places:
        page.locator(place).first.evaluate("one => one.scrollIntoView({ block: 'start' })")
        for part in (facts(page).locator(".su-facts"), solve):
            box = part.bounding_box()
            assert box is not None
            assert 44 <= box["y"] < box["y"] + box["height"] <= height, place
            assert 0 <= box["x"] < box["x"] + box["width"] <= width, place


def test_errors_stand_at_their_fields(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/spot")
    import_spot(page)
    text_of(page).fill("AA,Qx")
    expect(facts(page)).to_contain_text("1 field needs a correction")
    assert range_of(page).get_by_role("alert").count() == 0  # while it is typed
    text_of(page).blur()
    expect(range_of(page).get_by_role("alert")).to_contain_text("Qx")
    assert text_of(page).get_attribute("aria-invalid") == "true"
    assert cell(page, "AA").get_attribute("aria-label") == "AA 100%"  # the grid is untouched
    size = page.get_by_role("textbox", name="River: bets in position")
    size.fill("50%, 2q")
    expect(facts(page)).to_contain_text("2 fields need a correction")
    facts(page).get_by_role("button", name="Show").click()
    expect(text_of(page)).to_be_focused()  # the first of them
    expect(size).to_have_attribute("aria-invalid", "true")
    text_of(page).fill("AA,QQ")
    page.get_by_role("textbox", name="River: bets in position").fill("50%")
    page.get_by_text("Decisions").wait_for()


def test_nothing_is_red_before_a_field_was_left_or_a_solve_was_asked_for(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/spot")
    page.get_by_role("button", name="Clear all").click()
    expect(facts(page)).to_contain_text("Still to give")
    assert page.locator("#content [aria-invalid=true], #content .eq-error").count() == 0
    facts(page).get_by_role("link", name="Pot").click()
    page.keyboard.press("Control+Enter")  # solves from any field
    expect(page.locator("#content [aria-invalid=true]")).to_have_count(5)
    expect(text_of(page)).to_be_focused()
    expect(page.get_by_text("Give the chips in the middle, such as 180.")).to_be_visible()


def test_what_was_typed_painted_filled_in_or_cleared_is_taken_back(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/spot")
    import_spot(page)
    pot = page.get_by_role("textbox", name="Pot", exact=True)
    size = page.get_by_role("textbox", name="River: bets in position")
    undo, redo = (page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))
    pot.fill("123")
    _drag(page, "JJ")
    says(text_of(page), "AA,QQ-JJ")
    page.get_by_role("button", name="Two sizes").click()
    says(size, "33%, 75%")
    page.get_by_role("button", name="Clear all").click()
    says(pot, "")
    for keys, field, text in (
        ("Control+z", pot, "123"),
        ("Control+z", size, "50%"),
        ("Control+z", text_of(page), "AA,QQ"),
        ("Control+z", pot, f"{SPOT.pot:g}"),
        ("Control+y", pot, "123"),
        ("Control+Shift+z", text_of(page), "AA,QQ-JJ"),
    ):
        page.keyboard.press(keys)
        says(field, text)
    expect(cell(page, "JJ")).to_have_attribute("aria-label", "JJ 100%")
    redo.click()
    says(size, "33%, 75%")
    redo.click()
    says(pot, "")
    expect(redo).to_be_disabled()
    undo.click()
    text_of(page).fill("KK")
    text_of(page).press("Control+z")  # in a field, too
    says(text_of(page), "AA,QQ-JJ")


HAND = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.5, 1, 0]
min_bet = 1
starting_stacks = [100, 80.25, 120]
players = ['Ann', 'Bob', 'Cem']
actions = ['d dh p1 ????', 'd dh p2 AhKh', 'd dh p3 ????', 'p3 cbr 2.5', 'p1 f', 'p2 cc',
  'd db QsJh2h', 'p2 cc', 'p3 cbr 3', 'p2 f']
"""


def test_a_hand_and_another_programs_set_up_are_pasted(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/spot")
    opening = page.get_by_role("button", name="Import", exact=True)
    opening.click()
    dialog = page.get_by_role("dialog", name="Import")
    text, take = dialog.get_by_label("Text"), dialog.get_by_role("button", name="Use this text")
    expect(take).to_be_disabled()
    text.fill("a letter")
    take.click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    text.fill(f"[1]\n{HAND}\n[2]\n{HAND.replace('QsJh2h', 'Td9d6h')}")
    take.click()
    dialog.get_by_label("Which of them").fill("2")
    take.click()
    expect(dialog.get_by_text("the cards of Bob")).to_be_visible()
    dialog.get_by_role("button", name="Done").click()
    expect(opening).to_be_focused()
    says(page.get_by_role("textbox", name="Cards"), "Td9d6h")
    says(page.get_by_role("textbox", name="Effective stack"), "77.75")
    expect(page.get_by_text("X-B3", exact=True)).to_be_visible()
    says(page.get_by_role("textbox", name="Turn: bets in position"), "33%, 75%")  # as it was
    opening.click()
    text.fill(setup_text(SPOT, "pio"))
    take.click()
    says(text_of(page), str(SPOT.oop))
    assert spot_from_text(export(page, "toml")).board == SPOT.board
    assert read_setup_text(export(page, "wasm")).spot.pot == SPOT.pot


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_in_the_catalogue_and_longer_ones_fit(
    open_page: Callable[..., Page], language: str
) -> None:
    from playwright.sync_api import expect

    page = open_page(NARROW)
    speak(page, language)
    connected(page, "/spot")
    page.locator(".su-facts").wait_for()
    page.locator(".eqp-suit-brush summary").first.press("Enter")
    page.locator(".eqp-suit-pairs").first.wait_for()
    faults = faults_of_texts(page, "/spot")
    page.locator("[data-place='1']").first.focus()
    page.keyboard.press("s")
    faults += faults_of_texts(page, "suits")
    page.keyboard.press("Escape")
    expect(page.locator("[data-place='1']").first).to_be_focused()
    for name in ("import", "export", "saved"):
        opener = page.locator(f"[data-opens={name}]")
        opener.press("Enter")
        page.locator("dialog[open]").wait_for()
        faults += faults_of_texts(page, name)
        page.keyboard.press("Escape")
        expect(opener).to_be_focused()  # which it takes a moment after the dialog closed
    page.locator("[data-opens=import]").press("Enter")
    script = setup_text(SPOT, "texassolver").rstrip()
    page.locator("dialog[open] textarea").fill(f"{script}\n{LEFT_OUT}")
    page.locator("dialog[open] button.eq-primary").press("Enter")
    page.locator("dialog[open] li").first.wait_for()
    assert page.locator("dialog[open] li").count() == len(LEFT_OUT.splitlines())
    faults += faults_of_texts(page, "left out")
    page.keyboard.press("Escape")
    page.locator(".su-range > .eq-button").first.press("Enter")
    page.locator("dialog[open] canvas").first.wait_for()
    faults += faults_of_texts(page, "ranges")
    page.keyboard.press("Escape")
    page.locator("button.eq-primary").last.wait_for()
    page.locator("#spot-pot").fill("x")
    page.locator("#spot-oop").fill("Qx")
    page.locator("#spot-oop_bets_river").fill("2q")
    page.locator("button.eq-primary").last.click()
    page.locator("#spot-oop_bets_river-said").wait_for()
    faults += faults_of_texts(page, "errors")
    assert not faults, "\n".join(faults)


def test_sizes_are_copied_by_player_and_street(page: Page) -> None:
    connected(page, "/spot")
    import_spot(page, SPOT.replace(board="Ts3h2h"))

    def size(street: str, what: str) -> Locator:
        return page.get_by_role("textbox", name=f"{street}: {what}")

    size("Turn", "bets out of position").fill("25%")
    size("Turn", "raises out of position").fill("3x")
    page.get_by_role("button", name="Turn: OOP → IP, copy").click()
    says(size("Turn", "bets in position"), "25%")
    says(size("Turn", "raises in position"), "3x")
    says(size("River", "bets in position"), "50%")
    size("Turn", "donk bets").fill("20%")
    page.get_by_role("button", name="Turn → River, copy both players").click()
    for what, text in (("bets in", "25%"), ("raises out of", "3x")):
        says(size("River", f"{what} position"), text)
    says(size("River", "donk bets"), "20%")
    size("Flop", "bets in position").fill("33%")
    page.get_by_role("button", name="Flop: IP → OOP, copy").click()
    says(size("Flop", "bets out of position"), "33%")
    says(size("Turn", "bets out of position"), "25%")
    page.get_by_role("button", name="Flop → Turn, River, copy both players").click()
    says(size("River", "bets in position"), "33%")
    says(size("River", "donk bets"), "20%")


def test_ranges_are_dragged_between_folders(page: Page, site: Site) -> None:
    import httpx2

    for name in ("Drag/one", "Drag/two", "Other/three"):
        httpx2.put(f"{site.url}/api/ranges/own/{name}", json={"text": "AA,KK:0.5"})
    connected(page, "/spot")
    range_of(page).get_by_role("button", name=re.compile("Presets")).click()
    dialog = page.get_by_role("dialog")
    row = dialog.get_by_role("listitem")
    one = dialog.get_by_role("button", name="Drag/one", exact=True)
    one.wait_for()
    weights = one.locator("canvas").evaluate(
        "canvas => [...canvas.getContext('2d').getImageData(0, 0, 13, 13).data]"
    )
    assert weights[:3] == [0xEA, 0xB3, 0x08]  # AA
    assert weights[4:8] != weights[:4]
    within = page.get_by_role("button", name="Drag/one", exact=True)
    row.filter(has=within).drag_to(row.filter(has_text="Other/"))
    dialog.get_by_role("button", name="Other/one", exact=True).wait_for()
    folder = row.filter(has_text="Drag/")
    folder.drag_to(row.filter(has_text="Other/").first)
    dialog.get_by_role("button", name="Other/Drag/two", exact=True).wait_for()
    within = page.get_by_role("button", name="Other/three", exact=True)
    row.filter(has=within).drag_to(row.filter(has_text="no folder"))
    dialog.get_by_role("button", name="three", exact=True).wait_for()
    own = {one["name"] for one in site.get("/api/ranges")["own"]}
    assert own >= {"Other/one", "Other/Drag/two", "three"}
    for name in ("Other", "three"):
        httpx2.delete(f"{site.url}/api/ranges/own/{name}")


def test_lines_are_added_and_removed_in_the_tree(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/spot")
    import_spot(page)
    tree = page.get_by_role("region", name="Betting tree")
    tree.get_by_role("button", name="Check", exact=True).click()
    field = tree.get_by_role("textbox", name=re.compile("Add a bet"))
    field.fill("7")
    field.fill("99999")
    field.press("Enter")
    expect(tree.get_by_role("alert")).to_contain_text("100")
    field.fill("75%")
    field.press("Enter")
    tree.get_by_role("button", name="Bet 75 · 75%").click()
    tree.get_by_role("button", name="Call", exact=True).click()
    tree.get_by_role("button", name="Deal the next card").click()
    expect(tree.get_by_text("Pot 250 · behind 25").first).to_be_visible()
    expect(tree.get_by_text("X-B75", exact=True)).to_be_visible()
    tree.get_by_role("button", name="Back to the root").click()
    tree.get_by_role("button", name="Remove Bet 50 after the root").click()
    expect(tree.get_by_text("B50", exact=True)).to_be_visible()
    text = export(page)
    assert spot_from_text(text) == SPOT.replace(added_lines=["X-B75"], removed_lines=["B50"]), text
    other = tree.get_by_role("button", name="Delete X-B75 from the added lines")
    kept = other.element_handle()
    assert kept is not None
    tree.get_by_role("button", name="Delete B50 from the removed lines").click()
    expect(tree.get_by_role("heading", name="Removed lines")).to_have_count(0)
    assert kept.evaluate("button => button.isConnected")  # a click that was on its way arrives
    other.click()
    expect(tree.get_by_role("heading", name="Added lines")).to_have_count(0)


def test_an_export_has_what_was_typed_just_before(page: Page) -> None:
    connected(page, "/spot")
    import_spot(page)
    page.get_by_role("textbox", name="Pot", exact=True).fill("77")
    assert spot_from_text(export(page)).pot == 77


def test_presets_and_own_ranges(page: Page, site: Site) -> None:
    connected(page, "/spot")
    open_dialog = range_of(page).get_by_role("button", name=re.compile("Presets"))
    open_dialog.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=re.compile("^6max-BTN ")).click()
    says(text_of(page), str(Range("6max-BTN")))
    open_dialog.click()
    dialog.get_by_label("Name").fill("BTN/mine")
    dialog.get_by_role("button", name="Save this range").click()
    dialog.get_by_role("button", name="BTN/mine", exact=True).wait_for()
    own = {one["name"]: one["range"] for one in site.get("/api/ranges")["own"]}
    assert own["BTN/mine"] == str(Range("6max-BTN"))
    dialog.get_by_role("button", name="equilab").click()
    shown = dialog.get_by_label("The range for equilab")
    says(shown, Range("6max-BTN").to("equilab"))
    shown.fill("AA QQ klingon")
    dialog.get_by_role("button", name="pokerkit").click()
    shown = dialog.get_by_label("The range for pokerkit")
    shown.fill("AA klingon")
    dialog.get_by_role("button", name=re.compile("Use this text")).click()
    dialog.get_by_role("alert").wait_for()
    shown.fill("AA 98s+")  # 98s alone, in this notation
    dialog.get_by_role("button", name=re.compile("Use this text")).click()
    says(text_of(page), "AA,98s")
    open_dialog.click()
    dialog.get_by_role("button", name="Rename the folder BTN").click()
    page.get_by_label("New name").fill("Button")
    page.get_by_label("New name").press("Enter")
    dialog.get_by_role("button", name="Button/mine", exact=True).wait_for()
    dialog.get_by_role("button", name="Delete Button/mine").click()
    page.get_by_role("dialog", name="Delete the range").get_by_role("button", name="Delete").click()
    dialog.get_by_text("No ranges saved yet.").wait_for()
    dialog.get_by_role("button", name="Close").click()
    dialog.wait_for(state="detached")


def test_a_spot_that_is_too_large_shows_what_fits(
    make_site: Callable[..., Site], open_page: Callable[..., Page]
) -> None:
    site = make_site("--memory", "30MB")
    page = open_page(base_url=site.url)
    connected(page, "/spot")
    page.get_by_role("textbox", name="Turn: bets out of position").fill("33%, 50%, 75%")
    facts(page).get_by_text("does not fit").wait_for()
    page.get_by_role("button", name=re.compile("16-bit storage")).click()
    from playwright.sync_api import expect

    expect(facts(page).get_by_text("does not fit")).to_have_count(0)
    storage = page.get_by_label("Storage")
    expect(storage).to_have_value("int16")
    page.get_by_role("button", name="Example").click()
    expect(storage).to_have_value("float32")
    storage.select_option("int16")
    facts(page).get_by_text("does not fit").wait_for(state="detached")
    import_spot(page)
    expect(storage).to_have_value("float32")


def _node(site: Site, name: str, line: str) -> dict[str, Any]:
    found: dict[str, Any] = site.get(f"/api/solutions/{name}/node?line={line}")
    return found


def test_a_spot_is_solved_and_comes_back(page: Page, site: Site) -> None:
    from equilibrist import poker

    connected(page, "/spot")
    import_spot(page)
    page.get_by_role("textbox", name="Target").fill("")
    page.get_by_role("textbox", name="Max iterations").fill("8")
    page.get_by_text("Decisions").wait_for()
    before = len(site.get("/api/jobs")["jobs"])
    page.get_by_role("button", name="Solve", exact=True).dblclick()  # which starts one job
    page.wait_for_url("**/runs/*")
    assert len(site.get("/api/jobs")["jobs"]) == before + 1
    page.get_by_text("done: iteration limit reached").wait_for(timeout=60_000)
    job = site.get(f"/api/jobs/{page.url.rpartition('/')[2]}")
    assert job["options"]["iterations"] == "8"
    expected = poker.solve(SPOT, iterations=8).to_dict("X-B50")
    assert _node(site, job["solution"], "X-B50")["node"] == expected["node"]
    page.get_by_role("link", name="Edit the spot").click()
    says(page.get_by_role("textbox", name="Max iterations"), "8")
    page.wait_for_url("**/spot?draft=*")
    connected(page, f"/spot?solution={job['solution']}")
    says(text_of(page), str(SPOT.oop))
    page.wait_for_url("**/spot?draft=*")


@pytest.mark.parametrize("what", ["job=nothing", "solution=nothing", "solution=kuhn"])
def test_what_cannot_be_set_up(page: Page, what: str) -> None:
    connected(page, f"/spot?{what}")
    assert what.partition("=")[2] in page.get_by_role("alert").inner_text()
    page.get_by_role("button", name="Set up another spot").click()
    facts(page).get_by_text("Decisions").wait_for()


def test_serve_opens_with_a_spot(
    make_site: Callable[..., Site], open_page: Callable[..., Page], tmp_path_factory: Any
) -> None:
    file = tmp_path_factory.mktemp("given") / "given.toml"
    file.write_text(SPOT.to_toml())
    page = open_page(base_url=make_site(str(file)).url)
    connected(page, "/")
    page.get_by_role("link", name="given.toml").click()
    says(text_of(page), str(SPOT.oop))
    says(page.get_by_role("textbox", name="Cards"), SPOT.board)
    page.get_by_role("button", name="Qs").or_(page.get_by_label("Queen of spades")).first.click()
    says(page.get_by_role("textbox", name="Cards"), f"{SPOT.board}Qs")
