"""`postflop solve --from BLUEPRINT --line LINE`: a spot that a line of a blueprint leads to."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import parameters_of, set_parameters
from equilibrist.cli.text.output import note
from equilibrist.errors import ConfigError

_GROUP: Final = "Spot"
_FILLED: Final = ("oop", "ip", "pot", "stack", "deck")


def takes_blueprint(command: Callable[..., None]) -> Callable[..., None]:
    """The command with --from, --line and --cards, which fill in ranges, pot, stack and deck."""

    @wraps(command)
    def with_blueprint(**values: Any) -> None:
        blueprint, line, cards = (values.pop(key) for key in ("blueprint", "line", "cards"))
        if (blueprint is None) != (line is None):
            raise ConfigError(
                "--from and --line belong together",
                option="--line" if line is None else "--from",
                given=line or str(blueprint),
                expected='--from BLUEPRINT --line "R2.5-C"',
                remedy="give both",
            )
        if cards is not None and blueprint is None:
            raise ConfigError(
                "--cards names the card buckets of a blueprint",
                option="--cards",
                given=cards,
                remedy="give --from and --line, or leave it out",
            )
        if blueprint is not None:
            values |= _filled(blueprint, line, cards, values)
        command(**values)

    added = [
        inspect.Parameter(
            "blueprint",
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                Path | None,
                options.file(
                    "--from",
                    "BLUEPRINT",
                    "Take ranges, pot, stack and deck from a blueprint, after --line.",
                    _GROUP,
                ),
            ],
        ),
        inspect.Parameter(
            "line",
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                str | None,
                options.optional(
                    "--line", "LINE", "The actions before the flop, with --from: R2.5-C.", _GROUP
                ),
            ],
        ),
        inspect.Parameter(
            "cards",
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                Path | None,
                options.file(
                    "--cards",
                    "FILE",
                    "The card buckets of --from, if they are elsewhere now.",
                    _GROUP,
                ),
            ],
        ),
    ]
    set_parameters(with_blueprint, [*parameters_of(command), *added])
    return with_blueprint


def _filled(
    blueprint: Path, line: str, cards: Path | None, values: dict[str, Any]
) -> dict[str, Any]:
    from equilibrist.cli.text.holdem.blueprint_text import reach_text, warn_if_rare
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.blueprint.spots import flop_start

    for key in _FILLED:
        if values.get(key) is not None:
            raise ConfigError(
                f"--{key} is taken from the blueprint",
                option=f"--{key}",
                given=values[key],
                remedy=f"leave out --{key}, or --from",
            )
    source = Blueprint.load(blueprint, cards)
    start = flop_start(source, line)
    if not (start.reach.is_rare or values.get("quiet") or values.get("json")):
        note(f"{line} is {reach_text(start.reach, source.seats)}")
    warn_if_rare(line, start.reach, source.seats)
    filled = {
        "oop": str(start.oop), "ip": str(start.ip), "pot": str(start.pot),
        "stack": str(start.stack), "deck": source.hand.deck,
    }  # fmt: skip
    if values.get("unit") is None:
        filled["unit"] = str(start.unit)
    return filled
