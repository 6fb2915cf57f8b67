"""Papers as BibTeX: all that the catalogue names, each once."""

from __future__ import annotations

import re
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.solvers import list_samplers
from equilibrist.solvers.bibliography import PAPERS, bibtex, papers_of
from equilibrist.solvers.variants.variant import Variant

LISTED: list[Any] = [*eq.list_algorithms(), *list_samplers()]
NAMED = [(info.name, info.paper) for info in LISTED]


@pytest.mark.parametrize(("name", "text"), NAMED)
def test_each_entry_of_the_catalogue_has_its_papers(name: str, text: str) -> None:
    found = papers_of([text])
    cited = [part for part in re.split(r"; (?:at infosets: |step: )?", text) if ":" in part]
    assert len(found) == len(cited), [paper.key for paper in found]
    for paper in found:
        (part,) = [part for part in cited if paper.is_named_in(part)]
        years = re.findall(r"\b(?:19|20)\d\d\b", part) or [paper.fields["year"]]
        assert paper.fields["year"] in years
        first = paper.fields["author"].split(",")[0].replace("{\\`o}", "o")
        assert first in part
    assert found or name == "textbook"


def test_no_paper_is_without_an_algorithm() -> None:
    assert papers_of(text for _, text in NAMED) == [*PAPERS]
    assert len({paper.key for paper in PAPERS}) == len(PAPERS)


def test_entries_are_well_formed() -> None:
    text = bibtex(text for _, text in NAMED)
    entries = [entry for entry in text.split("\n\n") if not entry.startswith("%")]
    assert len(entries) == len(PAPERS)
    for entry, paper in zip(entries, PAPERS, strict=True):
        head, *fields, end = entry.splitlines()
        assert head == f"@{paper.kind}{{{paper.key},"
        assert end == "}"
        assert entry.count("{") == entry.count("}")
        assert all(re.fullmatch(r"  \w+ = \{.+\},", field) for field in fields)
        assert {"author", "title", "year"} <= paper.fields.keys()
        assert paper.key.endswith(tuple("abcdefghijklmnopqrstuvwxyz"))
        assert paper.fields["year"] in paper.key


def test_papers_of_the_users_own_algorithms_are_comments() -> None:
    mine = Variant("mine", paper="Me: Mine.\n  2030")
    assert bibtex([mine.paper, ""]) == "% Me: Mine. 2030"
