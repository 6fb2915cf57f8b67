"""Fenced code blocks of Markdown pages, with the place each was read from.

Above a block that takes minutes, `<!-- quick: 4_000_000 becomes 20_000 -->` says what to replace
for a run that takes less. `<!-- figures vary -->` stands above a block whose figures no seed fixes,
`<!-- excerpt -->` above a console block that shows the lines that the page is about: lines may be
missing at the beginning and at the end, and in between where a line `[...]` stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w+)?(?P<rest>.*)$")
TITLE = re.compile(r'title="(?P<title>[^"]+)"')
QUICK = re.compile(r"<!-- quick: (?P<long>\S+) becomes (?P<short>\S+) -->")
VARYING = "<!-- figures vary -->"
EXCERPT = "<!-- excerpt -->"
MARK = re.compile(r"<!--\s*(?:figures|quick|excerpt)\b")


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its title if it has one, and the line of its first line.

    `quick` is the text of a shorter run, where the page has one; `varies` says that no two runs
    print the same figures, `excerpt` that only parts of what is printed are shown.
    """

    path: Path
    language: str
    title: str | None
    line: int
    text: str
    quick: str | None = None
    varies: bool = False
    excerpt: bool = False

    @property
    def place(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """The READMEs and every page of the documentation."""
    return [ROOT / "README.md", ROOT / "README.zh-CN.md", *sorted((ROOT / "docs").rglob("*.md"))]


def originals() -> list[Path]:
    """The pages that are no translations."""
    return [page for page in pages() if page not in translations()]


def translations() -> dict[Path, Path]:
    """The page that each translated page translates; a Chinese page may also be an original."""
    ending = ".zh-CN.md"
    every = set(pages())
    return {
        page: original
        for page in sorted(every)
        if page.name.endswith(ending)
        and (original := page.with_name(page.name.removesuffix(ending) + ".md")) in every
    }


def blocks(path: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order; indented fences (in tabs, in notes) count too."""
    lines = path.read_text("utf-8").splitlines()
    number = 0
    while number < len(lines):
        opening = FENCE.match(lines[number])
        number += 1
        if not opening:
            line, below = lines[number - 1].strip(), "".join(lines[number : number + 1])
            if MARK.match(line):
                if line not in (VARYING, EXCERPT) and not QUICK.fullmatch(line):
                    wanted = f"{VARYING}, {EXCERPT} or {QUICK.pattern}"
                    raise ValueError(f"{path}:{number}: expected {wanted}")
                if not FENCE.match(below):
                    raise ValueError(f"{path}:{number}: a code block must follow on the next line")
            continue
        first, indent = number, len(opening["indent"])
        body = []
        while number < len(lines) and lines[number].strip() != "```":
            body.append(lines[number][indent:])
            number += 1
        if number == len(lines):
            raise ValueError(f"{path}:{first}: this block is never closed")
        number += 1
        title = TITLE.search(opening["rest"])
        text = "\n".join(body) + "\n"
        above = lines[first - 2].strip() if first > 1 else ""
        shorter = QUICK.fullmatch(above)
        if shorter and shorter["long"] not in text:
            raise ValueError(f"{path}:{first}: {shorter['long']} is not in this block")
        yield Block(
            path,
            opening["language"] or "",
            title["title"] if title else None,
            first + 1,
            text,
            text.replace(shorter["long"], shorter["short"]) if shorter else None,
            above == VARYING,
            above == EXCERPT,
        )
