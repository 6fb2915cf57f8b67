"""The options of `equilibrist resolve`, and what its progress says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from equilibrist.errors import ConfigError
from equilibrist.options.defaults import SUBSTITUTE_ITERATIONS
from equilibrist.options.option import FILES, declare

if TYPE_CHECKING:
    from equilibrist.cli.text.progress import LiveLine
    from equilibrist.progress import Progress

_SEARCH: Final = "Search"
_SOLVING: Final = "Solving subgames"
_ONLINE: Final = "Play"
SOLVING_THEM: Final = "solving"
PLAYING: Final = "playing"
FEWER_HANDS: Final = "the score is that of the hands so far"
RESPONSES: Final = 6
"""Best responses at leaves by default: half a dozen are usually all that matter."""


@dataclass(frozen=True)
class ResolveOptions:
    """Where and how play is solved anew; None for what was not typed."""

    trunk: Path | None = declare(
        "solution",
        _SEARCH,
        "The strategy whose play is replaced: a file, last, last-2, ... or uniform. Needed, "
        "but with the --values of a network.",
    )
    gadget: str | None = declare(
        "text",
        _SEARCH,
        "The method: one of those above, perhaps with parameters, as max-margin(scale=raw).",
        metavar="METHOD",
        default_text="max-margin, with --nested resolve",
    )
    roots: list[str] | None = declare(
        "texts",
        _SEARCH,
        "Public nodes below which play is replaced; may be given several times.",
        metavar="NODES",
        default_text="after chance, or without public chance after move 1",
    )
    again: bool = declare(
        "switch",
        _SEARCH,
        "Solve again at every later public node in which the seat acts.",
    )
    in_turn: bool = declare(
        "switch",
        _SEARCH,
        "Solve one root after the other, each on top of those before it; one may lie in another.",
    )
    nested: bool = declare(
        "switch",
        _SEARCH,
        "Answer moves that the trunk never makes. Roots are then, by default, all that follow on "
        "such moves.",
    )
    leaves: list[str] | None = declare(
        "texts",
        _SEARCH,
        "Public nodes at which solving stops; may be given several times.",
        metavar="NODES",
    )
    continuations: list[str] | None = declare(
        "texts",
        _SEARCH,
        "What the opponent may choose below the leaves besides the trunk: the file of a strategy, "
        "or an action that the trunk is then fonder of; may be given several times.",
        flags=("--continuation",),
    )
    responses: int | None = declare(
        "whole number",
        _SEARCH,
        "How many best responses the opponent may choose there, each to the play found before it.",
        default_text=f"{RESPONSES} with --leaves",
        least=0,
    )
    values: str | None = declare(
        "text",
        _SEARCH,
        "What hands are worth at the leaves, in place of continuations: zero, trunk, or, with an "
        "algorithm, equilibrium or the file of a network. Without --trunk, such a file.",
    )
    depth: int | None = declare(
        "whole number",
        _SEARCH,
        "Without --trunk: how many decisions a search looks ahead; 0 until chance shows something.",
        default_text="that of the network",
        least=0,
    )
    tables: int | None = declare(
        "whole number",
        _SEARCH,
        "Without --trunk: how many tables of drawn iterates are averaged; 0 plays averages.",
        default_text="64",
        least=0,
    )
    exact: int | None = declare(
        "whole number",
        _SEARCH,
        "Without --trunk: iterations of a solve below a leaf that stands for exact values; 0 "
        "leaves these out.",
        default_text="100",
        least=0,
    )
    growth: int | None = declare(
        "whole number",
        _SEARCH,
        "How often the leaf that the seat comes to most is replaced by those that follow on it.",
        least=0,
    )
    seat: list[int] | None = declare(
        "whole numbers",
        _SEARCH,
        "Replace this player's play only, from 0; may be given several times.",
    )
    algorithm: str | None = declare(
        "text",
        _SOLVING,
        "What solves gadget games: lp, or an algorithm for games.",
        default_text="lp, for a hand dcfr(gamma=4)",
    )
    iterations: int | None = declare(
        "count",
        _SOLVING,
        "Iterations for each gadget game.",
        default_text=f"{SUBSTITUTE_ITERATIONS:,} with an algorithm, 1,024 without --trunk",
    )
    offline: bool = declare(
        "switch",
        _ONLINE,
        "Solve all subgames beforehand. This is the default; with --online it is done, too.",
    )
    online: int | None = declare(
        "count", _ONLINE, "Play so many hands against the trunk, solving on the way."
    )
    seed: int = declare("whole number", _ONLINE, "The seed of hands and samplers.", default="0")
    out: Path | None = declare(
        "file",
        FILES,
        "Save the new strategy, as .safetensors, .csv, .json or .parquet.",
        flags=("--out", "-o"),
    )

    @property
    def method(self) -> str:
        """The method. Where a move gains something, resolve loses least."""
        return self.gadget or ("resolve" if self.nested else "max-margin")

    @property
    def solver(self) -> str:
        """What solves gadget games that have a tree."""
        return self.algorithm or "lp"

    @property
    def is_offline(self) -> bool:
        """Whether all subgames are solved."""
        return self.offline or self.online is None or self.out is not None

    def check(self) -> None:
        """Raise ConfigError for options that exclude one another, or need another."""
        for name, flag in (("again", "--again"), ("nested", "--nested"), ("online", "--online")):
            if self.in_turn and getattr(self, name) not in (None, False):
                raise ConfigError(
                    f"--in-turn solves all roots beforehand, once; there is no {flag} with it",
                    option="in_turn",
                    given=flag,
                    remedy=f"leave out --in-turn or {flag}",
                )
        for name in ("depth", "tables", "exact"):
            if getattr(self, name) is not None:
                raise ConfigError(
                    f"--{name} is for a search with --values alone, without a trunk",
                    option=name,
                    given=getattr(self, name),
                    remedy=f"leave out --trunk or --{name}",
                )
        for name, flag in (
            ("continuations", "--continuation"),
            ("responses", "--responses"),
            ("values", "--values"),
            ("growth", "--growth"),
        ):
            if not self.leaves and getattr(self, name) is not None:
                raise ConfigError(
                    f"{flag} says how play goes on at leaves, and there are none",
                    option=name,
                    given=getattr(self, name),
                    remedy=f"give --leaves, or leave out {self._other_than_leaves(name, flag)}",
                )

    def _other_than_leaves(self, name: str, flag: str) -> str:
        """What can be left out where leaves are missing: a network is searched without a trunk."""
        return "--trunk" if name == "values" and names_network(self.values) else flag


def names_network(values: str | None) -> bool:
    """Whether values are to be those of a file."""
    from equilibrist.search import LEAF_VALUES

    return values is not None and values not in LEAF_VALUES


def tell_parts(live: LiveLine, what: str, progress: Progress) -> None:
    """Say how many parts of a work are done.

    Args:
        live: The line.
        what: The work.
        progress: How far it is.
    """
    live.now(f"{what}, {progress.iteration:,} of {progress.total:,} {progress.unit}")
