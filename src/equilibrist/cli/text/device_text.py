"""What `inspect` says of a correlation device: its game, its values, its gaps."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from equilibrist.cli.text.output import heading, show, show_json, show_table
from equilibrist.cli.text.quantities import measure_text, value_text


def show_device(path: Path, *, json: bool) -> None:
    """Measure a device and print what it is worth, and how far it is from equilibrium."""
    from equilibrist.equilibria import CONCEPTS, CorrelationDevice

    device = CorrelationDevice.load(path)
    gaps = {name: device.gaps(name) for name in CONCEPTS}
    values = gaps["nfcce"].values
    if json:
        show_json(
            {
                "game": device.tree.name,
                "profiles": len(device),
                "values": list(values),
                "gaps": {name: asdict(gap) for name, gap in gaps.items()},
            }
        )
        return
    many = f"{len(device):,} profile{'s' * (len(device) != 1)}"
    heading(f"{device.tree.name}: a correlation device of {many}")
    show()
    players = [f"player {p}" for p in range(len(values))]
    rows = [["value", *(value_text(v) for v in values), ""]]
    rows += [
        [f"{name.upper()} gap", *(measure_text(g) for g in gap.players), measure_text(gap.total)]
        for name, gap in gaps.items()
    ]
    show_table(["", *players, "sum"], rows)
    show()
    show("A gap is what a player gains by the best combination of deviations, in payoff units.")
    for name, gap in gaps.items():
        if gap.largest is not None:
            gain = measure_text(gap.largest.gain)
            show(f"Largest single trigger of {name.upper()}: {gap.largest.words}, gains {gain}")
