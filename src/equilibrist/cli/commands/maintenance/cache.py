"""`equilibrist cache`: the compiled kernels on disk."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated, Any, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import note, show, show_facts, show_json
from equilibrist.cli.text.quantities import seconds_text
from equilibrist.errors import OutputError
from equilibrist.formatting.amounts import bytes_text

app = typer.Typer(
    help="The compiled kernels on disk: where they are, compile them now, remove them.",
    rich_markup_mode=None,
)

FIRST_KERNEL: Final = "equilibrist.kernels.sequence_form.cfr.run"
"""A kernel that is on disk once anything was solved."""


@app.command()
def info(json: options.Json = False) -> None:
    """Show the folder of compiled kernels, its size, and whether this version's are there.

    EQUILIBRIST_CACHE_DIR names another folder; EQUILIBRIST_NUMBA_CACHE=0 compiles in memory.
    """
    from equilibrist._jit import cache_is_warm
    from equilibrist._jit.inventory import files_in, inventory
    from equilibrist._jit.places import cache_root, kernels_dir

    present, old = inventory()
    ours, others = files_in(present), files_in(old)
    document: dict[str, Any] = {
        "folder": str(cache_root()),
        "current": str(kernels_dir()),
        "warm": cache_is_warm(FIRST_KERNEL),
        "files": len(ours) + len(others),
        "bytes": sum(ours.values()) + sum(others.values()),
        "current_bytes": sum(ours.values()),
        "old_versions": len(old),
    }
    if json:
        show_json(document)
        return
    state = "compiled" if document["warm"] else "not compiled yet (`equilibrist cache warm`)"
    in_all = f"{bytes_text(document['bytes'])} in {document['files']} files"
    show_facts(
        [
            ("folder", document["folder"]),
            ("kernels", state),
            ("this version", f"{bytes_text(document['current_bytes'])} in {len(ours)} files"),
            ("in all", f"{in_all}, {document['old_versions']} folders of other versions"),
        ],
        indent="",
    )


@app.command()
def warm() -> None:
    """Compile all kernels now, so that the first solve starts at once."""
    from equilibrist._jit.inventory import files_in
    from equilibrist._jit.places import kernels_dir

    folder = kernels_dir()
    before = len(files_in([folder]))
    note("compiling kernels")
    start = perf_counter()
    compile_all_kernels()
    seconds = perf_counter() - start
    after = len(files_in([folder]))
    if not after:
        show(f"compiled in {seconds_text(seconds)}, in memory only: {folder} cannot be written")
    elif after == before:
        show(f"all kernels were compiled already: {folder}")
    else:
        show(f"compiled in {seconds_text(seconds)} into {folder}")


@app.command()
def clear(
    old: Annotated[
        bool, typer.Option("--old", help="Only those of other versions and of edited kernels.")
    ] = False,
) -> None:
    """Remove the compiled kernels of all versions; nothing else is touched."""
    from equilibrist._jit.inventory import files_in, inventory, remove
    from equilibrist._jit.places import cache_root

    found = inventory()
    folders = found.old if old else [*found.present, *found.old]
    freed = sum(files_in(folders).values())
    try:
        remove(folders)
    except OSError as error:
        place = error.filename or cache_root()
        raise OutputError(f"cannot remove {place}: {error.strerror}", place) from None
    show(f"removed {len(folders)} folders, {bytes_text(freed)}, from {cache_root()}")


def compile_all_kernels() -> None:
    """Call every kernel once per kind of arrays, so that all are compiled and in the cache."""
    from equilibrist._jit import mark_warm
    from equilibrist.evaluation import best_response, evaluate
    from equilibrist.solvers.full_traversal.base import FullPasses
    from equilibrist.solvers.full_traversal.best_response_solvers import RESPONDING
    from equilibrist.solvers.full_traversal.cfr import CFR
    from equilibrist.solvers.full_traversal.fsicfr import FSICFR
    from equilibrist.solvers.sampling.averaging import TAKEN_APART
    from equilibrist.solvers.sampling.mccfr import MCCFR
    from equilibrist.solvers.sampling.samplers import SAMPLERS
    from equilibrist.solvers.variants.local_rules import LOCAL_FAMILIES
    from equilibrist.solving.methods import KINDS, small_game
    from equilibrist.strategy import Strategy

    for kind in reversed(KINDS):  # the first kind comes last, and its tree goes on below
        tree = small_game(kind)
        solver = CFR(tree, "dcfr").run(2)
        strategy = solver.average_strategy()
        evaluate(strategy)
        best_response(strategy, 0)
        strategy.mix(Strategy.uniform(tree), 0.5)
        for rule in (*(family() for family in LOCAL_FAMILIES.values()), *RESPONDING.values()):
            FullPasses(tree, rule).run(2)
            mark_warm(rule.compiled, rule.compiled_for + kind)
        for averaging in TAKEN_APART:
            MCCFR(tree, "external", averaging=averaging).run(2).average_strategy()
        for kernel in (FIRST_KERNEL, "equilibrist.kernels.sequence_form.response.evaluate"):
            mark_warm(kernel, kind)
    for name, sampler in SAMPLERS.items():
        for averaging in (*sampler.averagings, *TAKEN_APART):
            MCCFR(tree, name, averaging=averaging).run(2).average_strategy()
    for name in ("external(prune=1)", "external(baseline=learned)", "outcome(baseline=learned)"):
        MCCFR(tree, name).run(2)
    FSICFR("kuhn").run(2)
    _compile_spots()


def _compile_spots() -> None:
    """The kernels of hold'em."""
    import numpy as np

    from equilibrist.poker.cards.evaluator import hand_strengths
    from equilibrist.poker.equities.equity import equity
    from equilibrist.poker.solving.spot_runs import solve
    from equilibrist.poker.spots.fields import Storage
    from equilibrist.poker.spots.spot import Spot

    keys: dict[str, Any] = {"board": "Ts3h2h5c", "oop": "AsAh", "ip": "KsKh", "pot": 2, "stack": 2}
    spot = Spot(**keys, bets="a")
    storages: tuple[Storage, ...] = ("float32", "int16")
    for storage in storages:
        solve(spot, iterations=1, storage=storage).at()
    equity("AsAh", "KsKh", samples=100)
    for cards in (5, 6, 7):
        hand_strengths(np.arange(cards)[None])
