"""Blueprints in the terminal: the live line of a training, and how one was trained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from equilibrist.cli.text.output import show_facts, typed
from equilibrist.cli.text.quantities import seconds_text
from equilibrist.formatting.amounts import counted

if TYPE_CHECKING:
    from pathlib import Path

    from equilibrist.blueprint.policy import Blueprint
    from equilibrist.blueprint.training.run import TrainingProgress


def live_texts(progress: TrainingProgress) -> list[str]:
    """The live line, and shorter ones."""
    parts = [
        f"{progress.boards:,} boards",
        f"{progress.boards_per_second:,.0f}/s",
        f"{progress.updates:,.0f} updates per infoset",
        f"regret {progress.average_regret:,.3g} mbb",
    ]
    if progress.evaluated is not None:
        gain = progress.evaluated.gain
        parts.append(f"exploiter {gain.mean:.1f} ± {gain.half_width:.1f} mbb")
    if progress.eta_seconds is not None:
        parts.append(f"{seconds_text(progress.eta_seconds)} to go")
    return ["  ".join(parts), "  ".join([*parts[:2], *parts[3:]]), parts[0]]


def naming_cards(cards: Path | None) -> str:
    """What a command that is suggested must say of card buckets that have moved."""
    return "" if cards is None else f" --cards {typed(cards)}"


def document(found: Blueprint) -> dict[str, Any]:
    """A blueprint as JSON has it, without its strategy."""
    return {
        "hand": found.hand.name,
        "buckets": list(found.game.buckets),
        "cards": found.cards.hash,
        "infosets": found.game.num_infosets,
        "slots": found.game.num_slots,
        **found.record,
    }


def show_record(found: Blueprint) -> None:
    """Print how a blueprint was trained."""
    record = found.record
    drawn = "deal" if record["algorithm"] == "external" else "board"
    boards = f"{counted(record['boards'], drawn)} in {counted(record['iterations'], 'iteration')}, "
    boards += seconds_text(record["seconds"])
    gain = record.get("evaluated", {}).get("gain")
    exploiter = gain and f"{gain['mean']:.1f} ± {gain['half_width']:.1f} mbb, while training"
    show_facts(
        [
            ("hand", found.hand.name),
            ("buckets", "/".join(map(str, found.game.buckets)) + f", hash {found.cards.hash[:8]}"),
            ("infosets", f"{found.game.num_infosets:,}"),
            (
                "training",
                boards,
            ),
            ("average regret", f"{record['average_regret_mbb']:.3g} mbb"),
            ("value", f"{record['value_mbb']:+.4g} mbb for the small blind, while training"),
            *([("exploiter", exploiter)] if exploiter else []),
        ],
        "",
    )
