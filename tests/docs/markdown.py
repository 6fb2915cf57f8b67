"""Fenced code blocks of Markdown pages, with the place each was read from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w+)?(?P<rest>.*)$")
TITLE = re.compile(r'title="(?P<title>[^"]+)"')


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its title if it has one, and the line of its first line."""

    path: Path
    language: str
    title: str | None
    line: int
    text: str

    @property
    def place(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """The READMEs and every page of the documentation."""
    return [ROOT / "README.md", ROOT / "README.zh-CN.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(path: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order; indented fences (in tabs, in notes) count too."""
    lines = path.read_text("utf-8").splitlines()
    number = 0
    while number < len(lines):
        opening = FENCE.match(lines[number])
        number += 1
        if not opening:
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
        yield Block(
            path,
            opening["language"] or "",
            title["title"] if title else None,
            first + 1,
            "\n".join(body) + "\n",
        )
