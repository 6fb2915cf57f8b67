"""The options of `solve` and `compare` in groups: what belongs together is one object.

Their fields are the options of `options.solve_options`, by the same names.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias

from equilibrist.game import DEFAULT_MAX_DEPTH
from equilibrist.parsing.arguments import instance

if TYPE_CHECKING:
    from equilibrist.abstraction import Abstraction, Translation
    from equilibrist.solvers.sampling.sampler import Sampler
    from equilibrist.strategy import Strategy

AnyPath: TypeAlias = str | os.PathLike[str]


@dataclass(frozen=True)
class Sampling:
    """How a run samples, where not every iteration is a full traversal.

    `solve` takes a sampler alone in its place: `sampling="external"`. What is wrong with an option
    is reported by `solve`, which knows the algorithm and the game.

    Attributes:
        sampler: What an iteration samples, with its parameters: `"external"`,
            `"outcome(epsilon=0.4)"`, or a sampler object.
        averaging: How the average strategy is updated: one of the sampler's own averages, or
            `walk`, `full` or `snapshots`.
        averaging_every: Iterations between two updates of the latter.
        period: Iterations between two discounts, and with threads between two merges.
        shared: Whether threads share one table; not reproducible.
        executor: Where threads run: `threads`, `serial` or `ray`.
        address: The Ray cluster's head node.
    """

    sampler: str | Sampler | None = None
    _: KW_ONLY
    averaging: str | None = None
    averaging_every: int | None = None
    period: int | None = None
    shared: bool = False
    executor: str | None = None
    address: str | None = None


@dataclass(frozen=True, kw_only=True)
class Traversal:
    """How full traversals go, and what they start from.

    Attributes:
        alternating: Update players in turn (True) or at once, by default as the algorithm does.
        tremble: The least probability of every action.
        prune: What is left out: `partial` (the same bits), `interval` or `best-response` (cfr and
            lcfr, two players), or `threshold(c=0.1)` (hedge). The result's `details` count the
            nodes visited.
        warm_start: A Strategy, or a table or result file, from which CFR starts.
        warm_iterations: Iterations for which `warm_start` counts.
    """

    alternating: bool | None = None
    tremble: float | None = None
    prune: str | None = None
    warm_start: Strategy | AnyPath | None = None
    warm_iterations: int = 100


@dataclass(frozen=True)
class GameAbstraction:
    """A smaller game that is solved in place of the full one, in which the strategy is measured.

    Actions are left out first, then infosets merged, then paths cut off. `solve` takes the map of
    infosets alone in its place: `abstraction="cards(JQ.K)"`.

    Attributes:
        abstraction: Which infosets are played alike: a text such as `"cards(JQ.K)"`,
            `"rules.py:merge"` or `"0:memory(last=2);1:none"`, or an `Abstraction` of the compiled
            game.
        actions: Which actions are kept: a text such as `"bets=1,3"`, `"rules.py:keep"` or
            `"0:bets=1,3;1:all"`, or a `Translation` of the compiled game.
        translate: How the others' actions that were left out are translated to those that were
            kept: `"pseudo-harmonic"` (the default), `"nearest"`, `"half"`, `"down"`, `"up"` or
            `"rules.py:translate"`.
        drop_below: Paths with less reach are cut off, and end with what `drop_play` earns there.
        drop_play: Whose reach counts: `"chance"` alone, or all in `"uniform"` play or by a file.
    """

    abstraction: str | Abstraction | None = None
    _: KW_ONLY
    actions: str | Translation | None = None
    translate: str | None = None
    drop_below: float | None = None
    drop_play: str = "chance"


@dataclass(frozen=True, kw_only=True)
class GameLimits:
    """How large an explicit game tree may be; a larger one is refused, or sampled without a tree.

    Attributes:
        max_histories: The most histories.
        max_depth: The most moves of a line of play; a longer one counts as endless.
    """

    max_histories: int | None = None
    max_depth: int = DEFAULT_MAX_DEPTH


@dataclass(frozen=True, kw_only=True)
class Files:
    """Files that a run writes, and the one that it continues from.

    Attributes:
        out: File for the result. That it can be written is checked before anything is computed.
        plot: File for a picture of the convergence, SVG or PNG.
        save_device: With `measure`, file for the history of play, as a `CorrelationDevice`.
        checkpoint: File for the state of the run, written at the start, every `checkpoint_every`
            seconds and when the run ends. An earlier run in it is not overwritten.
        checkpoint_every: Seconds between two checkpoints, 0 for as often as possible (less often,
            where they would cost over 5 % of the time); by default 10, for a hand 60.
        resume: True to resume `checkpoint`, or the file to resume. The bits at the end are those
            of an uninterrupted run.
    """

    out: AnyPath | None = None
    plot: AnyPath | None = None
    save_device: AnyPath | None = None
    checkpoint: AnyPath | None = None
    checkpoint_every: float | None = None
    resume: bool | AnyPath | None = False


def options_in(
    *,
    sampling: Any = None,
    traversal: object = None,
    abstraction: Any = None,
    limits: object = None,
    files: object = None,
) -> dict[str, Any]:
    """The options of all groups by their names, with their defaults.

    A group that is None has its defaults. Raises ConfigError for an object that is no group.
    """
    if not isinstance(sampling, Sampling):
        sampling = Sampling(sampling)  # what is no sampler is refused where it is read
    if not isinstance(abstraction, GameAbstraction):
        abstraction = GameAbstraction(abstraction)
    groups: Iterable[Any] = (
        sampling,
        _group("traversal", traversal, Traversal),
        abstraction,
        _group("limits", limits, GameLimits),
        _group("files", files, Files),
    )
    options = {
        field.name: getattr(group, field.name) for group in groups for field in fields(group)
    }
    if options["checkpoint_every"] is None:
        del options["checkpoint_every"]
    return options


def _group(name: str, value: object, kind: type) -> object:
    """The group, or one with its defaults."""
    return kind() if value is None else instance(name, value, kind, f"a {kind.__name__}, or None")
