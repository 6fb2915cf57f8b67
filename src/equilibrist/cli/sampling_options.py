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
Epoch = Annotated[
    str | None,
    typer.Option(
        "--epoch",
        metavar="N",
        show_default=False,
        help="Iterations of a sampler between two discounts (lcfr, dcfr).",
    ),
]
Epsilon = Annotated[
    float | None,
    typer.Option(
        "--epsilon",
        metavar="X",
        show_default=False,
        help="How much a sampler explores: the parameter of that name.",
    ),
]
Tau = Annotated[
    float | None,
    typer.Option(
        "--tau", metavar="X", show_default=False, help="Parameter of average-strategy sampling."
    ),
]
Beta = Annotated[
    float | None,
    typer.Option(
        "--beta", metavar="X", show_default=False, help="Parameter of average-strategy sampling."
    ),
]
K = Annotated[
    int | None,
    typer.Option(
        "--k",
        metavar="N",
        show_default=False,
        help="How many own actions robust sampling and probing try.",
    ),
]
