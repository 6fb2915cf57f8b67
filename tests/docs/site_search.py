"""The search of the built site, as the theme's search box ranks pages.

The box queries an index of sections by BM25 without normalisation by length, in which titles count
a thousand times as much as text. Every word of a query stands for all words that begin with it; a
Chinese character begins a word. The
sections of a page follow the best of them; the start of a page counts twice, and so does a section
that has every word of the query.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

FIELDS = {"title": 1000.0, "text": 1.0}
SATURATION = 1.2
"""The k1 of BM25: how soon a word that is repeated stops to count."""


@dataclass(frozen=True)
class Section:
    """One entry of the index: a page's beginning or a section of it."""

    location: str
    boost: float
    counts: dict[str, Counter[str]]  # by field, how often each word occurs

    @property
    def page(self) -> str:
        return self.location.partition("#")[0]


class SiteSearch:
    """The sections of `search_index.json` of a built site."""

    def __init__(self, index: Path) -> None:
        document = json.loads(index.read_text("utf-8"))
        separator = re.compile(document["config"]["separator"])
        self.sections = [
            Section(
                entry["location"],
                entry.get("boost", 1.0),
                {field: Counter(_words(entry[field], separator)) for field in FIELDS},
            )
            for entry in document["docs"]
        ]
        occurrences: Counter[str] = Counter()
        for section in self.sections:
            for counts in section.counts.values():
                occurrences.update(counts.keys())
        total = len(self.sections)
        self.rarity = {
            word: math.log(1 + abs((total - count + 0.5) / (count + 0.5)))
            for word, count in occurrences.items()
        }

    def pages(self, query: str) -> list[str]:
        """The pages that the box shows for a query, the best one first; no words are left out."""
        prefixes = re.split(r"[\s\-]+|(?<!^)(?=[\u4e00-\u9fff])", query.lower())
        words = {p: [w for w in self.rarity if w.startswith(p)] for p in prefixes}
        best: dict[str, float] = defaultdict(float)
        for section in self.sections:
            score, met = 0.0, set()
            for field, weight in FIELDS.items():
                counts = section.counts[field]
                for prefix in prefixes:
                    for word in words[prefix]:
                        if count := counts[word]:
                            met.add(prefix)
                            repeated = (SATURATION + 1) * count / (SATURATION + count)
                            score += weight * section.boost * self.rarity[word] * repeated
            bonus = ("#" not in section.location) + (met == set(prefixes))
            best[section.page] = max(best[section.page], score * (1 + bonus**2))
        return sorted((page for page in best if best[page]), key=lambda page: -best[page])


def _words(text: str, separator: re.Pattern[str]) -> list[str]:
    plain = html.unescape(re.sub(r"<[^>]*>", " ", text))
    return [word for word in separator.split(plain.lower()) if word]
