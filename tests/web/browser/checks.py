"""What must hold on every page: accessibility, a steady layout, no overflow."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from equilibrist.web.shell import FOLDER
from tests.web.browser.conftest import NARROW, WIDE
from tests.web.javascript import catalogue_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = (NARROW, {"width": 1366, "height": 768}, WIDE)
"""Windows at which texts have to fit."""
LANGUAGES = ("en-XA", "zh")
"""The pseudo-language, and the other one with a catalogue."""
_MARKS = {"en-XA": "⟦", "zh-Hans": "[\\u4e00-\\u9fff]"}
"""What all texts of a language have, as `<html lang>` names it, but for names and signs."""
_CHINESE = {
    key: forms
    for name in ("zh", "zh-help")
    for key, forms in catalogue_of((FOLDER / "texts" / f"{name}.js").read_text("utf-8")).items()
}
_NAMES = sorted(
    {name for [text] in _CHINESE.values() for name in re.findall(r"[A-Za-z]{2,}", text)}
)
"""Words in other letters that Chinese texts have: `EV`, `CFR`, examples of notations."""
_UNMARKED = """([mark, names]) => {
  const found = [];
  const isHand = (word) => /^(?:[AKQJT][shdco]?)+$/.test(word);
  const isName = (text) =>
    text.match(/[a-zA-Z]{2,}/g).every((word) => names.includes(word) || isHand(word));
  const isMarked = (text) => new RegExp(mark).test(text);
  const isPlain = (text) => /[a-zA-Z]{2}/.test(text) && !isMarked(text) && !isName(text);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (isPlain(data) && !parentElement.closest("[translate=no]")) found.push(data);
  }
  for (const name of ["aria-label", "title", "placeholder"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      if (element.closest("[translate=no]")) continue;
      if (isPlain(element.getAttribute(name))) found.push(element.getAttribute(name));
    }
  }
  return found;
}"""
"""What can be read or heard and is in no catalogue: data of games alone is not to be translated."""
_CUT = """() => [...document.querySelectorAll("button, h1, h2, h3, th, label, p")]
  .filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)"""
"""What does not fit into its element."""
_OF_COLOURS = ("color-contrast", "link-in-text-block")
"""Those of axe's rules that depend on the theme."""


def check_page(page: Page) -> None:
    """No serious violation of axe's rules, no layout shift, nothing wider than the window."""
    found = violations(page)
    assert not found, "\n".join(found)
    shift = page.evaluate("window.layoutShift")
    assert shift < 0.05, f"the layout shifts by {shift}"
    wider = overflow(page)
    assert wider <= 0, f"the page is {wider} pixels wider than its window"


def check_everywhere(page: Page) -> None:
    """`check_page` 1440 and 390 pixels wide, and the colours of both themes in one of them.

    Colours do not depend on the width, and the page is not opened again.
    """
    own, theme = page.viewport_size, page.evaluate("document.documentElement.dataset.theme")
    assert own is not None
    other = "light" if theme == "dark" else "dark"
    check_page(page)
    turn(page, other)
    found = violations(page, _OF_COLOURS)
    assert not found, "\n".join([f"in the theme {other}:", *found])
    turn(page, theme)
    resize(page, NARROW if own == WIDE else WIDE)
    check_page(page)
    resize(page, own)


def resize(page: Page, size: Any) -> None:
    """Give a page another size, and let it draw what depends on it."""
    if page.viewport_size == size:
        return
    page.set_viewport_size(size)
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def turn(page: Page, theme: Any) -> None:
    """Show a page that is open in the other theme, as when the system changes it."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("theme => document.documentElement.dataset.theme === theme", arg=theme)


@cache
def _axe() -> str:
    from axe_playwright_python.sync_playwright import Axe

    script: str = Axe().axe_script
    return script


def violations(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """The serious and critical violations that axe finds, with where they are.

    Args:
        page: The page.
        rules: The rules that are tried; all of them if there are none.
    """
    if page.evaluate("!window.axe"):
        page.evaluate(_axe())
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    found: list[dict[str, Any]] = page.evaluate(
        "(options) => axe.run(options).then(({ violations }) => violations)", options
    )
    return [
        f"{rule['id']}: {rule['help']}: {[node['html'][:160] for node in rule['nodes'][:3]]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    root = "document.documentElement"
    width: int = page.evaluate(f"{root}.scrollWidth - {root}.clientWidth")
    return width


def connected(page: Page, path: str) -> None:
    """Open a page and wait until it answers."""
    page.goto(path)
    is_connected(page)


def is_connected(page: Page) -> None:
    """Wait until a page has drawn what it was opened for."""
    page.wait_for_function("() => 'ready' in document.documentElement.dataset")


def speak(page: Page, language: str) -> None:
    """Open further pages in one of `LANGUAGES`, as if it had been chosen."""
    page.add_init_script(f"localStorage.setItem('equilibrist.language', '{language}')")


def faults_of_texts(page: Page, path: str) -> list[str]:
    """What is in no catalogue, or does not fit at one of `SIZES`, of a page in one of `LANGUAGES`.

    Args:
        page: The page, which was opened in it.
        path: Its address.
    """
    mark = _MARKS[page.evaluate("document.documentElement.lang")]
    assert re.search(mark, page.title()) or page.locator("h1[translate=no]").count(), path
    assert not re.search(r"\b(undefined|NaN|null)\b", page.inner_text("body")), path
    found = [f"{path}: {text!r}" for text in page.evaluate(_UNMARKED, [mark, _NAMES])]
    own = page.viewport_size
    for size in (own, *(one for one in SIZES if one != own)):
        assert size is not None
        resize(page, size)
        found += [f"{path}, {size['width']}: cut: {text!r}" for text in page.evaluate(_CUT)]
        if overflow(page) > 0:
            found.append(f"{path}, {size['width']}: {overflow(page)} pixels too wide")
    resize(page, own)
    return found


def faults_of_page(page: Page, path: str) -> list[str]:
    """`faults_of_texts`, shifts of the layout, and in the pseudo-language what axe finds.

    Axe's rules do not depend on words, but for their length: the longest ones are enough.
    """
    shift = page.evaluate("window.layoutShift")
    found = [f"{path}: the layout shifts by {shift}"] if shift >= 0.05 else []
    if page.evaluate("document.documentElement.lang") == LANGUAGES[0]:
        found += [f"{path}: {fault}" for fault in violations(page)]
    return found + faults_of_texts(page, path)
