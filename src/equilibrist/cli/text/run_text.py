"""What the checkpoint of a run says of it, on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from equilibrist.cli.text.output import heading, show, show_facts, show_json
from equilibrist.cli.text.quantities import measure_text, seconds_text


def show_run(facts: Mapping[str, Any], words: str, *, json: bool) -> None:
    """Print the facts of a saved run; `words` say what kind of file it is."""
    if json:
        show_json(dict(facts))
        return
    heading(f"{facts['file']}: {words}")
    measure, measured_at = facts["measure"], facts["measured_at"]
    method = facts["algorithm"]
    if facts.get("sampler"):
        method += f" with {facts['sampler']} sampling"
    pairs = [
        ("game", facts["game"]),
        ("algorithm", method),
        ("seed", "" if facts.get("seed") is None else str(facts["seed"])),
        ("storage", facts.get("storage") or ""),
        ("iteration", f"{facts['iteration']:,}"),
        ("time", seconds_text(facts["seconds"])),
        ("measured", "" if measure is None else f"{measure_text(measure)} at {measured_at:,}"),
    ]
    show_facts(pairs)
    if facts.get("spot"):
        show()
        show(facts["spot"].rstrip())
    show()
    show(f"resume with: {facts['resume']}")
