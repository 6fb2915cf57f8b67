"""What a shell offers for the value of an option or an argument; nothing heavy is imported.

Where nothing is offered, shells offer files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from equilibrist.library.names import name_of, newest
from equilibrist.options.defaults import FIXED_OPPONENTS

Offered = list[str | tuple[str, str]]
"""Words, some with a description."""
Completer = Callable[[str], Offered]

GAMES: Final = (
    "kuhn", "kuhn_bets", "leduc", "liars_dice", "dudo", "liar_die", "goofspiel",
    "rock_paper_scissors", "biased_rock_paper_scissors", "matching_pennies", "battle_of_the_sexes",
    "shapley", "chicken", "gibson", "prisoners_dilemma", "stag_hunt", "hawk_dove", "coordination",
    "penalty_kick", "colonel_blotto", "morra", "travelers_dilemma", "volunteers_dilemma",
    "beauty_contest", "entry_deterrence", "centipede", "ultimatum", "signalling",
    "extended_shapley", "greenwald_sarfati", "outside_option", "chsh", "sheriff", "matrix",
    "random_tree", "rules:", "openspiel:",
)  # fmt: skip
"""The names of `list_games()`, and what those of others begin with."""
ALGORITHMS: Final = (
    "cfr", "cfr+", "lcfr", "dcfr", "dcfr+", "pcfr+", "pdcfr+", "sapcfr+", "hs-dcfr", "hs-pcfr+",
    "ddcfr", "bu-pcfr+", "apcfr+", "hedge", "omd", "qre", "efr", "xfp", "cfr-br", "fsicfr", "lp",
    "regret-matching", "regret-matching+",
)  # fmt: skip
"""The names of `list_algorithms()`, which is slow to import, as is `list_samplers()`."""
NETWORKS: Final = (
    "sd-cfr", "deep-cfr", "dream", "escher-net", "vr-deep-dcfr+", "vr-deep-pdcfr+", "nfsp", "ppo",
    "mmd", "r-nad", "mmd-q", "ppo-q", "r-nad-q",
)  # fmt: skip
"""The names of what `train` trains, which `compare` takes, too."""
SAMPLERS: Final = (
    "external", "outcome", "chance", "public-chance", "average-strategy", "robust", "probing",
    "pure", "escher", "textbook",
)  # fmt: skip
TRANSLATIONS: Final = ("pseudo-harmonic", "nearest", "half", "down", "up")
"""The names of `MAPPINGS` of action abstractions."""


def _of(names: Iterable[str], incomplete: str) -> Offered:
    return [name for name in names if name.startswith(incomplete)]


def _with_files(offered: Offered, incomplete: str, suffixes: tuple[str, ...]) -> Offered:
    """Add the files here to what is offered; alone the shell offers them, which knows folders."""
    if offered and not os.path.dirname(incomplete):  # noqa: PTH120 - a text, not a path yet
        with suppress(OSError), os.scandir() as entries:
            offered += sorted(
                entry.name + "/" * entry.is_dir()
                for entry in entries
                if entry.name.startswith(incomplete)
                and not entry.name.startswith(".")
                and (entry.is_dir() or entry.name.endswith(suffixes))
            )
    return offered


def _stored() -> list[str]:
    return [name_of(place) for place in range(len(newest()))]


def stored(incomplete: str) -> Offered:
    """`last`, `last-2`, ... with what their files are called."""
    called = (path.stem.partition("-")[2].rpartition("-")[0] for path in newest())
    return [
        offer for offer in zip(_stored(), called, strict=False) if offer[0].startswith(incomplete)
    ]


def solutions(incomplete: str) -> Offered:
    """Stored solutions and files."""
    return _with_files(stored(incomplete), incomplete, ("",))


def games(incomplete: str) -> Offered:
    """Names of games, and files with rules."""
    return _with_files(_of(GAMES, incomplete), incomplete, (".py", ".efg", ".nfg", ".csv", ".npy"))


def games_or_solutions(incomplete: str) -> Offered:
    """Complete what `play` and `inspect` take: games, stored solutions and files."""
    offered = _of(GAMES, incomplete) + stored(incomplete)
    return _with_files(offered, incomplete, ("",))


def contestants(incomplete: str) -> Offered:
    """Complete what `match` takes: stored solutions, `uniform`, algorithms and files."""
    offered = stored(incomplete) + _of(("uniform", *ALGORITHMS), incomplete)
    return _with_files(offered, incomplete, ("",))


def algorithms(incomplete: str) -> Offered:
    """Names of algorithms."""
    return _of(ALGORITHMS, incomplete)


def networks(incomplete: str) -> Offered:
    """Names of algorithms that train networks."""
    return _of(NETWORKS, incomplete)


def algorithms_and_networks(incomplete: str) -> Offered:
    """Names of all algorithms."""
    return _of((*ALGORITHMS, *NETWORKS), incomplete)


def samplers(incomplete: str) -> Offered:
    """Names of samplers."""
    return _of(SAMPLERS, incomplete)


def translations(incomplete: str) -> Offered:
    """Names of translations, and files with functions."""
    return _with_files(_of(TRANSLATIONS, incomplete), incomplete, (".py",))


def seats(incomplete: str) -> Offered:
    """The last of several words between commas: human, ai, a fixed opponent, a solution."""
    before, comma, _ = incomplete.rpartition(",")
    names = ("human", "ai", "uniform", *FIXED_OPPONENTS, *_stored())
    return _of((f"{before}{comma}{name}" for name in names), incomplete)


def algorithms_with_samplers(incomplete: str) -> Offered:
    """The last of several names between commas, with a sampler behind @."""
    before, comma, last = incomplete.rpartition(",")
    name, at, _ = last.partition("@")
    names = [f"{name}@{sampler}" for sampler in SAMPLERS] if at else (*ALGORITHMS, *NETWORKS)
    return _of((f"{before}{comma}{word}" for word in names), incomplete)


BY_FIELD: Final[dict[str, Completer]] = {
    "algorithm": algorithms,
    "game": games,
    "sampler": samplers,
    "seats": seats,
    "translate": translations,
}
"""By the names of fields of options."""
BY_KIND: Final[dict[str, Completer]] = {
    "contestant": contestants,
    "solution": solutions,
    "training": networks,
}
"""By the kinds of options."""
