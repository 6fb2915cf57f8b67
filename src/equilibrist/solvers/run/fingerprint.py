"""Run fingerprints: a checkpoint is resumed only by a run with the same one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from equilibrist.errors import CheckpointError, ConfigError, MismatchError
from equilibrist.parsing.arguments import instance
from equilibrist.solvers.variants.rule import Rule
from equilibrist.tree.compile import GameTree

_PROBED = 1000
"""The first iterations whose coefficients go into a variant's digest; then powers of two."""
_LAST_PROBED = 1 << 24
STATES: Final = "states"
"""The layout of a run on the graph of states."""


class RunFingerprint(BaseModel):
    """What identifies a run; all fields but the game's name must agree to resume it.

    `fingerprint` is the compiled game's, `layout` a digest of the engine's order of sequences
    (which a new version may change), `coefficients` one of the variant's numbers; `output` is
    what the trace measures, `seed` None where nothing is drawn at random. The last four are None
    without a sampler: its name with parameters, its average, how often that and a discount come.
    `threads` and `shared` are as in `MCCFR`, None with one thread. FSICFR is said to draw chance,
    and its fingerprint is that of the graph of states. `watched` says what measures the history of
    play, if anything does, `mixed` what is mixed into play, `pruned` what traversals skip, `blocks`
    a digest of the blocks of chance that are drawn, where a user's function names them.
    """

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)

    game: str
    fingerprint: str
    layout: str
    algorithm: str
    coefficients: str
    alternating: bool
    horizon: int | None
    seed: int | None
    output: str
    sampler: str | None = None
    averaging: str | None = None
    averaging_every: int | None = None
    period: int | None = None
    threads: int | None = None
    shared: bool | None = None
    watched: str | None = None
    mixed: str | None = None
    pruned: str | None = None
    blocks: str | None = None


def layout_digest(tree: GameTree) -> str:
    """SHA-256 over the engine's order of the sequences of `tree`."""
    form = tree.sequence_form
    digest = hashlib.sha256(np.int64(form.num_sequences).tobytes())
    digest.update(np.ascontiguousarray(form.sequence_of_public, dtype=np.int64).data)
    return digest.hexdigest()


def coefficients_digest(variant: Rule, horizon: int | None) -> str:
    """SHA-256 over the numbers of the first 1,000 iterations and those of powers of two to 2^24.

    This, not the name or the repr, says whether a user's variant is still the same; of a rule in
    Python it takes in what it answers to a few made-up regrets.
    """
    last = horizon if variant.needs_horizon and horizon is not None else _LAST_PROBED
    probes = [(1, min(_PROBED, last))]
    t = 1 << _PROBED.bit_length()
    while t <= last:
        probes.append((t, 1))
        t *= 2
    digest = hashlib.sha256(variant.probe())
    for start, count in probes:
        try:
            digest.update(variant.table(start, count, horizon).tobytes())
        except ConfigError:  # a user's variant need not reach so far
            digest.update(f"none at {start}".encode())
    return digest.hexdigest()


class Difference(NamedTuple):
    """One field in which two runs differ: what the saved one has, and the one to resume it."""

    option: str
    given: object
    expected: object
    words: str


def refuse_another_run(path: Path, saved: RunFingerprint, wanted: RunFingerprint) -> None:
    """Raise CheckpointError that says what differs, unless both are the same run."""
    different = differences(saved, wanted)
    if different:
        words = "; ".join(difference.words for difference in different)
        first, *others = different
        error = CheckpointError(
            f"{path} is a checkpoint of another run: {words}",
            path,
            option=first.option,
            given=first.given,
            expected=first.expected,
            remedy=(
                "resume it with the game and options it was made with, or start a new run under "
                "another name"
            ),
        )
        error.others = tuple(
            CheckpointError(words, path, option=option, given=given, expected=expected)
            for option, given, expected, words in others
        )
        raise error


def refuse_another_state(saved: RunFingerprint | None, wanted: RunFingerprint) -> None:
    """Raise MismatchError that says what differs, if a state is known to be of another run."""
    if saved is not None:
        instance("identity", saved, RunFingerprint, "the identity of another state, or None")
    different = [] if saved is None else differences(saved, wanted)
    if different:
        words = "; ".join(difference.words for difference in different)
        raise MismatchError(
            f"the state is of another run: {words}",
            option=different[0].option,
            given=different[0].given,
            expected=different[0].expected,
            remedy="restore it in a solver that was made with the same arguments",
        )


def differences(mine: RunFingerprint, wanted: RunFingerprint) -> list[Difference]:
    """List the fields in which two runs differ; digests only where no name says it already."""
    different = []

    def differ(option: str, words: str) -> None:
        given, expected = getattr(mine, option), getattr(wanted, option)
        if option == "threads":  # None is one
            given, expected = given or 1, expected or 1
        different.append(Difference(option, given, expected, words))

    of_states = (mine.layout == STATES, wanted.layout == STATES)
    if of_states[0] != of_states[1] and mine.game == wanted.game:
        pass  # one fingerprint is of states, the other of histories: the algorithms differ
    elif mine.fingerprint != wanted.fingerprint:
        same_name = mine.game == wanted.game
        changed = (
            f"the rules of {mine.game} have changed since, or the abstraction, the actions or the "
            "paths that are kept are others"
        )
        differ("game", changed if same_name else f"its game is {mine.game}, not {wanted.game}")
    elif mine.layout != wanted.layout and mine.sampler is None and wanted.sampler is None:
        differ("layout", "it was written by a version that numbers sequences in another order")
    if mine.algorithm != wanted.algorithm:
        differ("algorithm", f"its algorithm is {mine.algorithm}, not {wanted.algorithm}")
    elif mine.mixed != wanted.mixed:
        was, is_now = mine.mixed or "nothing", wanted.mixed or "nothing"
        differ("mixed", f"its play is mixed with {was}, not with {is_now}")
    elif mine.pruned != wanted.pruned:
        was, is_now = mine.pruned or "not at all", wanted.pruned or "not at all"
        differ("pruned", f"its traversals are pruned: {was}; now: {is_now}")
    elif mine.horizon != wanted.horizon:
        differ("horizon", f"it was planned for {mine.horizon} iterations, not {wanted.horizon}")
    elif mine.coefficients != wanted.coefficients:
        differ("coefficients", f"the coefficients of {mine.algorithm} have changed since")
    if mine.alternating != wanted.alternating:
        order = {True: "alternating", False: "simultaneous"}
        order_words = f"its updates are {order[mine.alternating]}, not {order[wanted.alternating]}"
        differ("alternating", order_words)
    _compare_sampling(mine, wanted, differ)
    if mine.output != wanted.output:
        measured = f"its trace measures the {mine.output} strategy, not the {wanted.output}"
        differ("output", measured)
    if mine.watched != wanted.watched:
        names = mine.watched or "nothing", wanted.watched or "nothing"
        differ("watched", f"its measure of the history of play is {names[0]}, not {names[1]}")
    return different


def _compare_sampling(
    mine: RunFingerprint, wanted: RunFingerprint, differ: Callable[[str, str], None]
) -> None:
    """Note what differs in sampling: sampler, averaging, period, threads and seed.

    A run without a sampler has none of the rest either.
    """
    if mine.sampler is None and wanted.sampler is not None:
        differ("sampler", f"it is one of full traversals, not of {wanted.sampler} sampling")
        return
    if mine.sampler is not None and wanted.sampler is None:
        differ("sampler", f"it is one of {mine.sampler} sampling, not of full traversals")
        return
    if mine.sampler != wanted.sampler:
        differ("sampler", f"its sampler is {mine.sampler}, not {wanted.sampler}")
    elif mine.blocks not in (None, wanted.blocks):  # earlier versions did not note them
        differ("blocks", f"what {mine.sampler} draws has changed since")
    if mine.averaging != wanted.averaging:
        differ("averaging", f"its averaging is {mine.averaging}, not {wanted.averaging}")
    elif mine.averaging_every != wanted.averaging_every:
        differ(
            "averaging_every",
            f"its average is taken every {mine.averaging_every} iterations, not every "
            f"{wanted.averaging_every}",
        )
    if mine.period != wanted.period:
        differ("period", f"its period is {mine.period}, not {wanted.period}")
    if mine.threads != wanted.threads:
        differ("threads", f"its threads are {mine.threads or 1}, not {wanted.threads or 1}")
    elif mine.shared != wanted.shared:
        table = {True: "share one table", False: "have a table each", None: ""}
        differ("shared", f"its threads {table[mine.shared]}, these {table[wanted.shared]}")
    if mine.seed != wanted.seed:
        differ("seed", f"its seed is {mine.seed}, not {wanted.seed}")
