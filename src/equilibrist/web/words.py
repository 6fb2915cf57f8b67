"""Words of the pages that the server writes whole: where one signs in, and refusals.

They stand in the catalogues of all other pages. The reader's language is the one that was chosen on
a page, which a cookie tells, else the first of the browser's that has a catalogue, else English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

COOKIE: Final = "equilibrist_language"
"""The language that was chosen; `core/theme.js` writes it."""
ENGLISH: Final = "en"
LANGUAGES: Final = {ENGLISH: "en", "zh": "zh-Hans"}
"""Catalogues, and how documents name their languages."""
_FOLDER: Final = Path(__file__).parent / "ui" / "texts"
_ENTRY: Final = re.compile(r'^  "([^"]+)": ("(?:\\.|[^"\\])*"),$', re.MULTILINE)
"""A text of a catalogue that has one form; no page of the server counts anything."""


def language_of(headers: Headers) -> str:
    """The language of whoever has sent a request: the name of a catalogue.

    Args:
        headers: The headers of the request.
    """
    chosen = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
    for tag in (chosen, *_accepted(headers.get("accept-language", ""))):
        language = tag.partition("-")[0].strip().lower()
        if language in LANGUAGES:
            return language
    return ENGLISH


def words(language: str, key: str) -> str:
    """A text of a catalogue.

    Args:
        language: Of `LANGUAGES`.
        key: Its key.
    """
    return _catalogue(language)[key]


def refusal_words(language: str, document: Mapping[str, Any]) -> str:
    """What is said of a refusal: the closest text that there is for what was wrong.

    `ui/parts/notice.js` chooses by the same rule; it also has the texts that name sizes, which only
    pages can write.

    Args:
        language: Of `LANGUAGES`.
        document: That of `error_document`.
    """
    kind, option = document["kind"], document["option"]
    keys = (f"error.{kind}.{option}", f"error.option.{option}", f"error.{kind}", "error.Unknown")
    catalogue = _catalogue(language)
    return next(catalogue[key] for key in keys if "{" not in catalogue.get(key, "{"))


def _accepted(header: str) -> list[str]:
    """The languages of a header `Accept-Language`, the one that is liked best first."""
    return [tag for _, tag in sorted(_weighed(header), key=lambda pair: -pair[0]) if tag != "*"]


def _weighed(header: str) -> Iterator[tuple[float, str]]:
    for part in header.split(",")[:100]:
        tag, _, quality = part.partition(";")
        number = quality.strip().removeprefix("q=")
        try:
            weight = float(number) if number else 1.0
        except ValueError:
            weight = 0.0
        if weight > 0.0:
            yield weight, tag.strip()


@cache
def _catalogue(language: str) -> dict[str, str]:
    source = (_FOLDER / f"{language}.js").read_text("utf-8")
    return {key: json.loads(text) for key, text in _ENTRY.findall(source)}
