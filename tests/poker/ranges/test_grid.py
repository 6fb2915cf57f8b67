"""The grid in its three forms."""

from __future__ import annotations

from html.parser import HTMLParser

from equilibrist.poker.cards.combos import CLASS_NAMES
from equilibrist.poker.ranges.range import Range

RANGE = Range("AA,AKs:0.5,AKo:0.001,KK:0.999,AhQd,32o")


def test_plain_grid_by_hand() -> None:
    lines = RANGE.grid().splitlines()
    assert lines[0].split() == list("AKQJT98765432")
    assert [line.split()[0] for line in lines[1:]] == list("AKQJT98765432")
    cells = [line.split()[1:] for line in lines[1:]]
    assert cells[0][:3] == ["100", "50", "."]
    assert cells[1][:2] == ["1", "99"]
    assert cells[2][0] == "8"  # one of twelve combos
    assert cells[12] == ["."] * 11 + ["100", "."]
    assert len({len(line) for line in lines}) == 1


def test_coloured_grid_names_all_hands_and_is_brighter_for_more() -> None:
    text = RANGE.__rich__()
    assert text.plain.split() == list(CLASS_NAMES)
    styles = {text.plain[s.start : s.end].strip(): str(s.style) for s in text.spans}
    assert len({styles["AA"], styles["AKs"], styles["AQs"]}) == 3
    assert styles["AQs"] == styles["22"]


class Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.titles: list[str] = []
        self.open = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open += 1
        if tag == "td":
            self.titles.append(dict(attrs)["title"] or "")

    def handle_endtag(self, tag: str) -> None:
        self.open -= 1


def test_html_grid_says_every_weight() -> None:
    cells = Cells()
    cells.feed(RANGE._repr_html_())
    assert cells.open == 0
    assert [title.split(":")[0] for title in cells.titles] == list(CLASS_NAMES)
    assert cells.titles[:3] == ["AA: 1", "AKs: 0.5", "AQs: 0"]
