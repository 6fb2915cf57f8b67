"""The concepts of correlated equilibrium whose gaps are measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from equilibrist.errors import UnknownNameError
from equilibrist.parsing.arguments import bad_argument


@dataclass(frozen=True)
class Concept:
    """A notion of correlated equilibrium: when a player may decide to deviate.

    Attributes:
        name: How options name it.
        title: Its name in words.
        summary: When a player may stop following recommendations.
    """

    name: str
    title: str
    summary: str

    @property
    def with_article(self) -> str:
        """The title after `a` or `an`."""
        return f"{'an' if self.title[0] in 'aeiou' else 'a'} {self.title}"


CONCEPTS: Final[dict[str, Concept]] = {
    concept.name: concept
    for concept in (
        Concept(
            "efce",
            "extensive-form correlated equilibrium",
            "a player may deviate from each recommendation on seeing it, and gets none afterwards",
        ),
        Concept(
            "efcce",
            "extensive-form coarse correlated equilibrium",
            "a player may deviate at each infoset, before seeing the recommendation",
        ),
        Concept(
            "nfcce",
            "normal-form coarse correlated equilibrium",
            "a player may deviate before play begins",
        ),
    )
}
"""From the finest to the coarsest: each set of equilibria is contained in the next."""
CE: Final = Concept(
    "ce",
    "correlated equilibrium",
    "a player is told their whole plan before play begins, and may then play another one",
)
"""Contained in all others. Its gap needs pure plans: it is not measured while solving."""
ALIASES: Final = {"cce": "nfcce"}


def concept_named(
    name: object, option: str = "concept", *, finest: tuple[str, ...] = ()
) -> Concept:
    """Find a concept.

    Args:
        name: `efce`, `efcce` or `nfcce`; `cce` is another name of the last.
        option: What errors call it.
        finest: Further names that the caller takes, for the errors.

    Returns:
        The concept.

    Raises:
        UnknownNameError: There is none of that name.
        ConfigError: The name is no text.
    """
    if isinstance(name, Concept):
        return name
    if not isinstance(name, str):
        raise bad_argument(option, name, f"{', '.join((*finest, *CONCEPTS))}, or cce")
    text = name.strip().lower()
    concept = CONCEPTS.get(ALIASES.get(text, text))
    if concept is None:
        known = [*finest, *CONCEPTS, *ALIASES]
        raise UnknownNameError("concept", name, known, option=option)
    return concept


def correlation_concept(name: object) -> Concept:
    """Find a concept, `ce` included.

    Args:
        name: `ce`, `efce`, `efcce`, `nfcce` or `cce`.

    Returns:
        The concept.

    Raises:
        UnknownNameError: There is none of that name.
        ConfigError: The name is no text.
    """
    if name is CE or (isinstance(name, str) and name.strip().lower() == CE.name):
        return CE
    return concept_named(name, finest=(CE.name,))
