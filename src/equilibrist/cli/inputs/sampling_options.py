"""The options of `solve` that say what is sampled."""

from __future__ import annotations

from typing import Annotated

import typer

_NAME = "NAME"
Sampler = Annotated[
    str | None,
    typer.Option(
        "--sampler",
        "-s",
        metavar=_NAME,
        show_default=False,
        help="Sample instead of passing over the whole game: a name of `equilibrist samplers`, "
        "with parameters if any: outcome(epsilon=0.4).",
    ),
]
Averaging = Annotated[
    str | None,
    typer.Option(
        "--averaging",
        metavar=_NAME,
        show_default=False,
        help="How a sampler averages: one of its own ways, or walk, full, snapshots.  [default: "
        "the sampler's own where that is unbiased, else walk]",
    ),
]
AveragingEvery = Annotated[
    str | None,
    typer.Option(
        "--averaging-every",
        metavar="N",
        show_default=False,
        help="Take walk, full or snapshots every so many iterations.  [default: so that it costs "
        "about a third of the time]",
    ),
]
Period = Annotated[
    str | None,
    typer.Option(
        "--period",
        metavar="N",
        show_default=False,
        help="Iterations of a sampler between two discounts (lcfr, dcfr), and with --threads "
        "between two merges of their tables; cfr on one thread has no use for it.",
    ),
]
Threads = Annotated[
    str,
    typer.Option(
        "--threads",
        metavar="N",
        help="Let so many threads sample side by side. The result depends on the seed, on this "
        "number and on --period, but not on how fast they are.",
    ),
]
SharedTable = Annotated[
    bool,
    typer.Option(
        "--shared-table",
        help="All threads work on one table. Not reproducible: the next run ends otherwise.",
    ),
]
Executor = Annotated[
    str | None,
    typer.Option(
        "--executor",
        metavar=_NAME,
        show_default=False,
        help="Who runs the batches of --threads: threads, serial (one after the other) or ray (a "
        "Ray cluster); the numbers are the same.  [default: threads]",
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="HOST:PORT",
        show_default=False,
        help="The Ray cluster's head node; auto finds one on this machine, local starts one.  "
        "[default: local]",
    ),
]
