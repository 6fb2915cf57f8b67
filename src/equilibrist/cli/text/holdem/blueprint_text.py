"""Blueprints in the terminal: the live line of a training, and how one was trained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist.cli.text.output import note, show_facts
from equilibrist.formatting.amounts import counted, seconds_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from equilibrist.poker.blueprint.policy import Blueprint, LineReach
    from equilibrist.progress import Progress


def live_texts(progress: Progress) -> list[str]:
    """The live line, and shorter ones."""
    parts = [
        f"{progress.deals:,} boards",
        f"{progress.deals_per_second or 0:,.0f}/s",
        f"{progress.updates:,.0f} updates per infoset",
        f"regret {progress.average_regret:,.3g} mbb",
    ]
    if progress.evaluated is not None:
        gain = progress.evaluated.gain
        parts.append(f"exploiter {gain.mean:z.1f} ± {gain.half_width:.1f} mbb")
    if progress.eta_seconds is not None:
        parts.append(f"{seconds_text(progress.eta_seconds)} to go")
    return ["  ".join(parts), "  ".join([*parts[:2], *parts[3:]]), parts[0]]


def reach_text(reach: LineReach, names: Sequence[str]) -> str:
    """Say in words how often a line is played by the seats of these names."""
    count = len(reach.seats)
    seats = (
        f"the {name} with {share_text(share)} of its hands"
        for name, share in zip(names, reach.seats, strict=True)
    )
    about = "" if count == 2 else "about "
    return f"played in {about}{share_text(reach.line)} of all deals, by {', '.join(seats)}"


def share_text(share: float) -> str:
    """A share in percent with three significant digits."""
    return f"{100 * share:.3g} %" if share == 0 or share >= 1e-6 else "less than 0.0001 %"


def warn_if_rare(line: str, reach: LineReach, names: Sequence[str]) -> None:
    """Say it on standard error if a blueprint hardly ever plays a line."""
    if reach.is_rare:
        note(
            f"warning: the blueprint hardly ever plays {line}: it is {reach_text(reach, names)}. "
            "Such ranges are mostly noise of the training"
        )


def show_record(blueprint: Blueprint) -> None:
    """Print how a blueprint was trained."""
    record = blueprint.record
    drawn = "deal" if record["algorithm"] == "external" else "board"
    boards = f"{counted(record['boards'], drawn)} in {counted(record['iterations'], 'iteration')}, "
    boards += seconds_text(record["seconds"])
    gain = record.get("evaluated", {}).get("gain")
    exploiter = gain and f"{gain['mean']:.1f} ± {gain['half_width']:.1f} mbb, while training"
    show_facts(
        [
            ("hand", blueprint.hand.name),
            (
                "buckets",
                "/".join(map(str, blueprint.game.buckets)) + f", hash {blueprint.cards.hash[:8]}",
            ),
            ("infosets", f"{blueprint.game.num_infosets:,}"),
            (
                "training",
                boards,
            ),
            ("average regret", f"{record['average_regret_mbb']:.3g} mbb"),
            (
                "value",
                f"{record['value_mbb']:+z.4g} mbb for the {blueprint.seats[0]}, while training",
            ),
            *([("exploiter", exploiter)] if exploiter else []),
        ],
        "",
    )
