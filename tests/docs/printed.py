"""Whether a program prints what a page shows: line by line, nothing left out.

A page shows what a run on the author's machine really printed. What another run prints otherwise is
masked on both sides before they are compared: times, rates, dates, versions, the working folder,
the folders of stored solutions and of the cache, the size of the latter, and what is no more than
rounding errors, which depend on the processor. Dots in a page stand for dots.
"""

from __future__ import annotations

import re
from difflib import unified_diff
from pathlib import Path

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?"
AMOUNT = rf"{NUMBER} (?:bytes|[kMGT]B)"
TINY = r"\d(?:\.\d+)?e-(?:1[3-9]|[2-9]\d)"
MASKS = (
    (re.compile(r"/[^\s\"]*/solutions/\d{8}-([\w.+-]+)-[0-9a-f]{8}(?=\.safetensors)"),
     r"<stored \1>"),
    (re.compile(r"^in \S+/solutions$", re.MULTILINE), "in <stored>"),
    (re.compile(r"^.*compiling.*\(first run only.*\n", re.MULTILINE), ""),
    (re.compile(r"^compiling kernels: \d+ .*\n", re.MULTILINE), ""),
    # Lines of progress: how many there are depends on the time that a run takes.
    (re.compile(r"^.*\biteration [\d,]+  .* (?:it|trajectories)/s\b.*\n", re.MULTILINE), ""),
    (re.compile(r"^[\w ]+: [\d,]+ histories\n", re.MULTILINE), ""),
    (re.compile(r"^(?:all kernels were compiled already: |compiled in .* into )\S+$", re.MULTILINE),
     "<compiled>"),
    (re.compile(r"^folder        \S+$", re.MULTILINE), "folder        <path>"),
    (re.compile(rf"\b{AMOUNT} in {NUMBER} files(?:, {NUMBER} folders of other versions)?"),
     "<files>"),
    (re.compile(r"\b(equilibrist|python|numpy|numba|scipy)(\"?:? \"?)\d+\.\d+[\w.+]*"),
     r"\1\2<version>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"),
     "<date>"),
    (re.compile(rf"\b{NUMBER} (?:\w+ ){{0,2}}\w+/s\b"), "<rate>"),
    (re.compile(rf"\b(?:{NUMBER} (?:µs|ms|s|seconds(?=;))|(?:\d+:)?\d+:\d\d)(?!\w)"), "<time>"),
    (re.compile(rf"^  farthest from the family: .*, off by {TINY}$", re.MULTILINE),
     "  farthest from the family: <rounding>"),
    (re.compile(rf"^(  player \d(?: +\S+){{2}}) +(?:0|{TINY})$", re.MULTILINE), r"\1  <rounding>"),
    (re.compile(rf"^exploitability (?:below )?{TINY} \(.*\), NashConv (?:below )?{TINY} \(.*\)\n"
                r"(?:Differences below that cannot be told .*\n)?", re.MULTILINE),
     "exploitability <rounding>\n"),
    (re.compile(rf'("\w*second\w*": ?){NUMBER}'), r"\1<time>"),
)  # fmt: skip
"""What varies from run to run, and what stands for it. The order counts: rates before times."""


LEFT_OUT = "[...]"
"""A line of an excerpt that stands for lines left out."""


def masked(text: str, folder: Path | None = None) -> str:
    """`text` with a mask in place of everything that varies; `folder` is the working folder."""
    if folder is not None:
        text = text.replace(str(folder), "<folder>")
    for pattern, mask in MASKS:
        text = pattern.sub(mask, text)
    # Columns are as wide as the times in them.
    parts = text.split("\n\n")
    return "\n\n".join(re.sub(" {2,}", "  ", p) if "  <time>" in p else p for p in parts)


def matches(expected: str, printed: str, folder: Path | None = None) -> bool:
    """Whether `printed` is `expected`, but for masks, and blanks at the ends of lines."""
    return _tidy(masked(expected, folder)) == _tidy(masked(printed, folder))


def matches_in_part(excerpt: str, printed: str, folder: Path | None = None) -> bool:
    """Whether `printed` has the lines of `excerpt` in their order, masks as in `matches`.

    Lines of the excerpt are consecutive but where `[...]` stands between them.
    """
    lines = [line.rstrip() for line in masked(printed, folder).splitlines()]
    place = 0
    for part in masked(excerpt, folder).split(LEFT_OUT):
        wanted = [line.rstrip() for line in part.strip("\n").splitlines()]
        ends = len(lines) - len(wanted) + 1
        found = [n for n in range(place, ends) if lines[n : n + len(wanted)] == wanted]
        if not found:
            return False
        place = found[0] + len(wanted)
    return True


def difference(expected: str, printed: str, folder: Path) -> str:
    """What differs between the two, line by line, with masks in place of what may differ."""
    page, program = (_tidy(masked(text, folder)).splitlines() for text in (expected, printed))
    return "\n".join(unified_diff(page, program, "page", "program", lineterm="", n=1))


def matches_in_form(expected: str, printed: str) -> bool:
    """The same for any figures, and columns of any width."""
    return _form(expected) == _form(printed)


def _form(text: str) -> str:
    figures = re.sub(rf"(?<![\w.])[-+]?{NUMBER}", "<figure>", masked(text))
    return re.sub(" {2,}", "  ", _tidy(figures))


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
