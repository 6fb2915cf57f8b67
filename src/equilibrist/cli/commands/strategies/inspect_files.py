"""What `inspect` shows of files that hold no strategy: devices, card buckets, checkpoints."""

from __future__ import annotations

from pathlib import Path

from equilibrist.storage.kinds.file_kinds import CARDS, DEVICE, words_of


def inspect_whole(file: Path, kind: str, *, json: bool) -> None:
    """Show a correlation device, card buckets or the checkpoint of a run."""
    if kind == DEVICE:
        from equilibrist.cli.text.device_text import device_gaps, show_device
        from equilibrist.equilibria import CorrelationDevice

        device = CorrelationDevice.load(file)
        show_device(device, device_gaps(device), file, json=json)
    elif kind == CARDS:
        from equilibrist.cli.commands.holdem.cards_text import show_file
        from equilibrist.poker.buckets.card_buckets import CardBuckets

        show_file(CardBuckets.load(file), json=json)
    else:
        from equilibrist.cli.inputs.dispatch.saved_runs import run_facts, show_run

        show_run(run_facts(file, kind), words_of(kind), json=json)
