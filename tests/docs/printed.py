"""Whether a program prints what a page shows.

A page may show what it really printed on the author's machine. What another run prints otherwise
is masked on both sides before they are compared: times, rates, dates, and the working folder.
"""

from __future__ import annotations

import re
from pathlib import Path

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?"
MASKS = (
    (re.compile(r"^.*compiling.*\(first run only\)\n", re.MULTILINE), ""),
    (re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"),
     "<date>"),
    (re.compile(rf"\b{NUMBER} (?:\w+ ){{0,2}}\w+/s\b"), "<rate>"),
    (re.compile(rf"\b(?:{NUMBER} (?:µs|ms|s)|(?:\d+:)?\d+:\d\d)(?!\w)"), "<time>"),
    (re.compile(rf'("\w*second\w*": ?){NUMBER}'), r"\1<time>"),
)  # fmt: skip
"""What varies from run to run, and what stands for it. The order counts: rates before times."""


def masked(text: str, folder: Path | None = None) -> str:
    """`text` with a mask in place of everything that varies; `folder` is the working folder."""
    if folder is not None:
        text = text.replace(str(folder), "<folder>")
    for pattern, mask in MASKS:
        text = pattern.sub(mask, text)
    return text


def matches(expected: str, printed: str, folder: Path | None = None) -> bool:
    """Whether `printed` is `expected`, but for dots, masks, and blanks at the ends of lines.

    In `expected` three dots stand for anything; alone on a line, for any number of lines.
    """
    return _same(expected, printed) or _same(masked(expected, folder), masked(printed, folder))


def matches_in_form(expected: str, printed: str) -> bool:
    """The same for any figures: the page shows those of a longer run."""
    figures = re.compile(NUMBER)
    return _same(figures.sub("<figure>", expected), figures.sub("<figure>", printed))


def _same(expected: str, printed: str) -> bool:
    pattern = ""
    for line in expected.strip().splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.rstrip().split("...")) + r"\n"
    tidy = "".join(line.rstrip() + "\n" for line in printed.strip().splitlines())
    return re.fullmatch(pattern, tidy) is not None
