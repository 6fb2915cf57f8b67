"""What `inspect`, `evaluate`, `export` and `play` do with files of hold'em, a row for each kind."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from equilibrist.storage.kinds.file_kinds import (
    BLUEPRINT,
    MULTIWAY,
    PREFLOP_SOLUTION,
    PUSH_FOLD,
    SPOT_SOLUTION,
    THREE_SPOT,
)

if TYPE_CHECKING:  # the modules of HOLDEM: import contracts see imports, not names
    from equilibrist.cli.commands.holdem import (  # noqa: F401
        blueprint_evaluate,
        blueprint_show,
        hand_files,
        hand_play,
    )
    from equilibrist.cli.postflop import (  # noqa: F401
        evaluation,
        export,
        playing,
        show,
        three,
        three_playing,
    )


_CLI: Final = "equilibrist.cli."


class Handlers(NamedTuple):
    """The functions, as `module:name`, that do the work of the commands."""

    inspect: str
    evaluate: str
    export: str
    play: str


HOLDEM: Final[dict[str, Handlers]] = {
    SPOT_SOLUTION: Handlers(
        _CLI + "postflop.show:inspect_spot",
        _CLI + "postflop.evaluation:show_evaluation",
        _CLI + "postflop.export:export_spot",
        _CLI + "postflop.playing:play_spot",
    ),
    THREE_SPOT: Handlers(
        _CLI + "postflop.three:inspect_three",
        _CLI + "postflop.three:evaluate_three",
        _CLI + "postflop.three:export_three",
        _CLI + "postflop.three_playing:play_three",
    ),
    BLUEPRINT: Handlers(
        _CLI + "commands.holdem.blueprint_show:inspect_blueprint",
        _CLI + "commands.holdem.blueprint_evaluate:evaluate_blueprint",
        _CLI + "commands.holdem.hand_files:export_hands",
        _CLI + "commands.holdem.hand_play:play_hands",
    ),
    PREFLOP_SOLUTION: Handlers(
        _CLI + "commands.holdem.hand_files:inspect_hands",
        _CLI + "commands.holdem.hand_files:evaluate_hands",
        _CLI + "commands.holdem.hand_files:export_hands",
        _CLI + "commands.holdem.hand_play:play_hands",
    ),
    PUSH_FOLD: Handlers(
        _CLI + "commands.holdem.hand_files:inspect_hands",
        _CLI + "commands.holdem.hand_files:evaluate_hands",
        _CLI + "commands.holdem.hand_files:export_hands",
        _CLI + "commands.holdem.hand_play:play_hands",
    ),
    MULTIWAY: Handlers(
        _CLI + "commands.holdem.hand_files:inspect_hands",
        _CLI + "commands.holdem.hand_files:evaluate_hands",
        _CLI + "commands.holdem.hand_files:export_hands",
        _CLI + "commands.holdem.hand_play:play_hands",
    ),
}


def handle(
    command: Literal["inspect", "evaluate", "export", "play"],
    kind: str,
    *arguments: Any,
    **options: Any,
) -> None:
    """Do with a file of hold'em what a command does with its kind.

    Args:
        command: The command.
        kind: The kind of the file, one of `HOLDEM`.
        arguments: The file, and what else the command passes.
        options: Its options; `cards` are passed on where they are given.
    """
    if options.get("cards", ...) is None:  # they belong to blueprints alone, see `refuse_cards`
        del options["cards"]
    module, _, name = getattr(HOLDEM[kind], command).partition(":")
    getattr(import_module(module), name)(*arguments, **options)
