"""Correlation devices and the gaps of correlated play, as tables and documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from equilibrist.cli.text.output import Align, first_left, heading, show, show_json, show_table
from equilibrist.formatting.amounts import measure_text, value_text

if TYPE_CHECKING:
    from equilibrist.equilibria import CorrelationDevice
    from equilibrist.evaluation.correlation import Gap, Trigger
    from equilibrist.tree.payoff_scale import PayoffUnits

_NOTHING: Final = 5e-7
"""Gains up to this, or this share of a smaller range of payoffs, are shown as 0."""


def show_gap(gap: Gap, units: PayoffUnits, names: Mapping[str, str]) -> None:
    """Print how far the history of play is from equilibrium, and by whose deviations.

    `names` are those of `shown_names`.
    """
    rows = [
        [f"player {p}", value_text(v, units.payoff(p, v)), measure_text(g)]
        for p, (v, g) in enumerate(zip(gap.values, gap.players, strict=True))
    ]
    show_table(["history of play", "value", "gap"], rows)
    show()
    show(f"{gap.concept.upper()} gap {measure_text(gap.total)} (sum of the gaps, in payoff units)")
    if gap.largest is not None:
        gain = measure_text(gap.largest.gain)
        show(f"Largest single trigger: {_words(gap.largest, names)}, gains {gain}")


def show_device(
    device: CorrelationDevice, gaps: Mapping[str, Gap | None], file: Path, *, json: bool
) -> None:
    """Print the values of a saved device, and its gaps by every concept (`device_gaps`)."""
    values = next(gap.values for gap in gaps.values() if gap is not None)
    if json:
        show_json(
            {
                "game": device.tree.name,
                "file": str(file),
                "profiles": len(device),
                "values": list(values),
                "gaps": {name: None if gap is None else asdict(gap) for name, gap in gaps.items()},
            }
        )
        return
    from equilibrist.tree.payoff_scale import PayoffScale
    from equilibrist.tree.shown_names import shown_names

    units, names = PayoffScale(device.tree).units(), shown_names(device.tree.game)
    heading(f"{device.tree.name}: {file}, a device of {profiles_text(len(device))}")
    show()
    show_table(
        ["if all follow", "value"],
        [[f"player {p}", value_text(v, units.payoff(p, v))] for p, v in enumerate(values)],
    )
    show()
    players = [f"player {p}" for p in range(len(values))]
    rows = []
    for name, gap in gaps.items():
        if gap is None:
            rows.append([name, *["-"] * (len(players) + 1), "needs pure strategies"])
        else:
            gains = [value_text(gain, units.gain(p, gain)) for p, gain in enumerate(gap.players)]
            total = value_text(gap.total, units.gain(None, gap.total))
            rows.append([name, *gains, total, _trigger_text(gap, units, names)])
    align: list[Align] = [*first_left(len(players) + 2), "left"]
    show_table(["gap", *players, "sum", "largest single trigger"], rows, align)
    show()
    show(
        "A gap is what the best combination of deviations gains, in payoff units; in an "
        "equilibrium it is at most 0."
    )


def device_gaps(device: CorrelationDevice) -> dict[str, Gap | None]:
    """The gap by each concept; None where the device cannot be measured by it."""
    from equilibrist.equilibria.concepts import CE, CONCEPTS
    from equilibrist.errors import UnsupportedError

    gaps: dict[str, Gap | None] = {}
    for name in (CE.name, *CONCEPTS):
        try:
            gaps[name] = device.gaps(name)
        except UnsupportedError:  # profiles that mix tell nobody a plan
            gaps[name] = None
    return gaps


def profiles_text(count: int) -> str:
    """A number of profiles in words."""
    return f"{count:,} profile{'s' * (count != 1)}"


def _trigger_text(gap: Gap, units: PayoffUnits, names: Mapping[str, str]) -> str:
    trigger = gap.largest
    if trigger is None or trigger.gain <= _NOTHING * min(units.least[trigger.player], 1.0):
        return "none"
    gain = value_text(trigger.gain, units.gain(trigger.player, trigger.gain))
    return f"{gain} by {_words(trigger, names)}"


def _words(trigger: Trigger, names: Mapping[str, str]) -> str:
    """Who deviates where, with the infoset as it is shown."""
    if trigger.infoset is None:
        return trigger.words
    return replace(trigger, infoset=names.get(trigger.infoset, trigger.infoset)).words
