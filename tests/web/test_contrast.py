"""The contrast of letters and their grounds in both themes, by the colours of style sheets."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from equilibrist.web.shell import FOLDER

LEAST = 4.5
"""Of letters, by WCAG 2."""
SHEET = (FOLDER / "styles/base.css").read_text("utf-8")
GROUNDS = ("page", "surface", "raised")
LETTERS = ("ink", "muted", "accent", "good", "warn", "bad", "spade", "heart", "diamond", "club")
OTHERS = [
    ("accent-ink", "accent"),
    ("bar-ink", "bar"),
    ("muted", "cell"),
    ("surface", "bad"),  # the grade of a blunder
    ("control-line", "surface"),  # what fields propose
]


def theme(name: str) -> dict[str, str]:
    """The colours of a theme by their names."""
    light, dark = re.findall(r":root(?:\[data-theme=\"dark\"\])? \{\n  --eq-page[^}]*\}", SHEET)
    blocks = [light] if name == "light" else [light, dark]
    return {
        key: colour
        for block in blocks
        for key, colour in re.findall(r"--eq-([a-z-]+): (#[0-9a-f]{6});", block)
    }


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def between(one: str, other: str, share: float) -> str:
    """A colour of the gradient between two."""
    parts = [[int(text[k : k + 2], 16) for k in (1, 3, 5)] for text in (one, other)]
    mixed = (round(a + (b - a) * share) for a, b in zip(*parts, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_letters_can_be_read(name: str) -> None:
    """Also over the gradients of a table, which lie between two grounds."""
    colours = theme(name)
    steps = [between(colours[a], colours[b], k / 8) for a, b in pairwise(GROUNDS) for k in range(9)]
    pairs = [(letter, colours[letter], ground) for letter in LETTERS for ground in steps]
    pairs += [(letter, colours[letter], colours[ground]) for letter, ground in OTHERS]
    bad = [
        (letter, ground, round(contrast(colour, ground), 2))
        for letter, colour, ground in pairs
        if contrast(colour, ground) < LEAST
    ]
    assert not bad


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("palette", ["light", "classic", "colourblind"])
def test_letters_of_choices_at_a_table_can_be_read(palette: str) -> None:
    """They are white on what is darker than lightness 49, else black, as `table.css` has it."""
    rule = (FOLDER / "styles/table.css").read_text("utf-8")
    assert "lch(from var(--pl-colour) calc((49 - l) * infinity) 0 0)" in rule
    blocks = re.findall(r":root(?:\[data-palette=\"(\w+)\"\])? \{\n  --eq-action-0([^}]*)\}", SHEET)
    shown = {name or "light": re.findall(r"#[0-9a-f]{6}", text) for name, text in blocks}[palette]
    poker = re.findall(r"#[0-9a-f]{6}", (FOLDER / "poker/colours.js").read_text("utf-8"))
    for colour in [*shown, *poker]:
        lightness = 116 * _cube_root(_luminance(colour)) - 16
        assert contrast("#ffffff" if lightness < 49 else "#000000", colour) >= LEAST, colour


def _cube_root(y: float) -> float:
    return y ** (1 / 3) if y > 216 / 24389 else (24389 / 27 * y + 16) / 116
