"""The kinds of jobs on whole hands, by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from equilibrist.web.holdem.blueprint import BlueprintRun
from equilibrist.web.holdem.cards import CardsRun
from equilibrist.web.holdem.exact import ExactRun
from equilibrist.web.holdem.flops import FlopsRun
from equilibrist.web.holdem.kind import HandRun
from equilibrist.web.holdem.multiway import MultiwayRun
from equilibrist.web.holdem.push_fold import PushFoldRun

HAND_KINDS: Final[dict[str, type[HandRun]]] = {
    run.NAME: run for run in (PushFoldRun, MultiwayRun, ExactRun, CardsRun, BlueprintRun, FlopsRun)
}


def hand_run(
    kind: str,
    keys: Mapping[str, str],
    options: Mapping[str, str],
    files: Mapping[str, Path] | None = None,
) -> HandRun:
    """A run from texts.

    Args:
        kind: Its kind, one of `HAND_KINDS`.
        keys: What is solved.
        options: How it is solved.
        files: Files that keys name.

    Raises:
        EquilibristError: What the command raises for them before it solves.
    """
    return HAND_KINDS[kind](keys, options, files)
