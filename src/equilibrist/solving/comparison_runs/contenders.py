"""Algorithms of higher layers, which `compare` runs beside those of `solve`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from equilibrist._extensions import extensions
from equilibrist.errors import UnknownNameError
from equilibrist.progress import Callbacks
from equilibrist.results import Result
from equilibrist.solvers.catalogue import AlgorithmInfo
from equilibrist.solving.algorithm import (
    Algorithm,
    get_algorithm,
    names_itself,
    unknown_algorithm,
)
from equilibrist.solving.config import SolveConfig
from equilibrist.tree.compile import GameTree


@dataclass(frozen=True, eq=False)
class Contender:
    """An algorithm that `solve` does not know: it draws at random, and has no sampler.

    Attributes:
        info: What it is; its name is the shortest text that names it.
        run: Runs it on a game, with the seed and the limits of a configuration, and measures as
            `solve` does; nothing is written.
        check: Raises ConfigError where it cannot run on this machine.
    """

    info: AlgorithmInfo
    run: Callable[[GameTree, SolveConfig, Callbacks], Result]
    check: Callable[[], None]

    @property
    def name(self) -> str:
        """The shortest text that names it."""
        return self.info.name


@cache
def contenders() -> Mapping[str, Callable[[str], Contender]]:
    """By the name of each contender what reads a text of that name, with parameters if any.

    A reader raises ConfigError for a parameter that is wrong.
    """
    return extensions("contenders")


def get_contestant(text: str | None, *, is_sampled: bool = False) -> Algorithm | Contender | str:
    """What a text of a comparison names: an algorithm of `solve`, or a contender.

    Args:
        text: The text; None for the default of `solve`.
        is_sampled: Whether a sampler stands behind it.

    Returns:
        The contender, or what `get_algorithm` makes of the text.

    Raises:
        UnknownNameError: Nothing has that name.
        ConfigError: A parameter is unknown or out of range.
    """
    try:
        return get_algorithm(text, sampled=is_sampled)
    except UnknownNameError as error:
        if text is None or not names_itself(error, text):
            raise
    known = contenders()
    word = text.partition("(")[0].strip()
    read = known.get(word.lower().replace("_", "-"))
    if read is None:
        raise unknown_algorithm(word, known)
    return read(text)
