"""The papers of algorithms and samplers as BibTeX."""

from __future__ import annotations

from equilibrist.cli.text.output import show_exactly
from equilibrist.errors import ConfigError


def show_bibtex(papers: list[str] | None, json: bool) -> None:
    """Print the entries of these papers, by default of those of all algorithms and samplers."""
    from equilibrist.solvers.bibliography import bibtex
    from equilibrist.solvers.catalogue import list_algorithms, list_samplers

    if json:
        raise ConfigError(
            "--bibtex and --json are two formats",
            option="--bibtex",
            remedy="leave out one of them",
        )
    if papers is None:
        papers = [info.paper for info in list_algorithms()]
        papers += [info.paper for info in list_samplers()]
    show_exactly(bibtex(papers))
