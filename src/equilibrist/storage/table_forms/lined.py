"""Strategies as programs print them, with a line for each infoset.

Such as `1pb: [0.33, 0.67]`, `Kb [0. 1.]`, `0pb [(0, 0.33), (1, 0.67)]`, `J -> pass: 0.8, bet: 0.2`.
"""

from __future__ import annotations

import re
from typing import Final

Row = list[float] | dict[str, float]

_LINE: Final = re.compile(
    r"(?P<key>\"[^\"]+\"|'[^']+'|[^\s\[\](){}:=,;|\"']+(?: [^\s\[\](){}:=,;|\"']+)*?)"
    r"\s*(?::|=>?|->|\s)\s*(?:(?:np\.)?array\()?(?P<row>[\[({].*[\])}]|[^\[\](){}]+)\)?[,;]?"
)
_VALUE: Final = r"[\"']?(?P<value>\d+(?:\.\d*)?|\.\d+|\d\.?\d*[eE][+-]?\d+)(?P<percent>\s*%)?[\"']?"
_PAIR: Final = re.compile(
    rf"[\"']?(?P<label>[^\s\"',:=()\[\]{{}}]+)[\"']?\s*[:=,]\s*(?:np\.float\d+\()?{_VALUE}\)?"
)
_NUMBER: Final = re.compile(_VALUE)
_MARK: Final = re.compile(r"[\s,;|]*")
_NEAR: Final = 0.02
_LONGEST: Final = 10_000
"""Characters of a line that may be an infoset's."""


def lined_rows(text: str) -> dict[str, Row] | None:
    """The probabilities by infoset, in a list or by action; None for a text of another form.

    Lines without probabilities, such as titles and an average value, are passed over; two lines or
    more must have them.
    """
    rows: dict[str, Row] = {}
    for line in text.removeprefix("\ufeff").splitlines():
        written = line.strip()
        if not written or written.startswith(("#", "//")) or len(written) > _LONGEST:
            continue
        match = _LINE.fullmatch(written)
        row = None if match is None else _row(match["row"])
        if match is None or row is None:
            if any(bracket in written for bracket in "[]{}()"):
                return None
            continue
        key = match["key"].strip("\"'")
        first = next(iter(rows.values()), row)
        if key in rows or type(row) is not type(first):
            return None
        rows[key] = row
    return rows if len(rows) > 1 else None


def _row(text: str) -> Row | None:
    """The probabilities of a line, or None for something else."""
    inner = text.strip()
    has_brackets = inner[:1] in ("[", "(", "{") and len(inner) > 1
    if has_brackets:
        inner = inner[1:-1].strip()
    pairs = re.findall(r"\([^()]*\)", inner)
    if has_brackets and pairs:
        if _MARK.fullmatch(re.sub(r"\([^()]*\)", "", inner)) is None:
            return None
        inner = " ".join(pair[1:-1] for pair in pairs)
    labelled = _all(_PAIR, inner)
    if labelled is not None and len(labelled) > 1 and (pairs or ":" in inner or "=" in inner):
        labels = [match["label"] for match in labelled]
        values = _shares(labelled)
        if values is None or len(set(labels)) < len(labels):
            return None
        if labels == [str(k) for k in range(len(labels))]:
            return values
        return dict(zip(labels, values, strict=True))
    numbers = _all(_NUMBER, inner)
    if not has_brackets or numbers is None or len(numbers) < 2:
        return None
    return _shares(numbers)


def _all(pattern: re.Pattern[str], text: str) -> list[re.Match[str]] | None:
    """The parts of a text, if it has nothing else but marks."""
    found: list[re.Match[str]] = []
    at = 0
    while at < len(text):
        match = pattern.match(text, at)
        if match is None:
            return None
        found.append(match)
        mark = _MARK.match(text, match.end())
        at = match.end() if mark is None else mark.end()
        if at == match.end() < len(text):
            return None
    return found


def _shares(matches: list[re.Match[str]]) -> list[float] | None:
    """Probabilities that add up to about 1; percentages as shares."""
    values = [float(match["value"]) for match in matches]
    scale = 0.01 if any(match["percent"] for match in matches) or sum(values) > 50.0 else 1.0
    values = [value * scale for value in values]
    return values if abs(sum(values) - 1.0) <= _NEAR else None
