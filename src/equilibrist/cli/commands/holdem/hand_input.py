"""What commands that solve hands take: a hand, as a file, options or both, and files of a run."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from equilibrist.cli.inputs import options
from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.options.option import shared
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.parsing.arguments import same_file

if TYPE_CHECKING:
    from equilibrist.poker.hands.hand import Hand

HandFile = Annotated[
    Path | None,
    options.file_argument(
        "HAND",
        "A hand file (TOML), or a hand by name: royal(bets=all); options override its keys.",
    ),
]


@dataclass(frozen=True)
class SampledRun:
    """How sampled deals are played, by the names of arguments; None for what was not typed."""

    deals: int | None = shared(HOLDEM_RUN_OPTIONS["deals"], default_text="a million without --time")
    seconds: float | None = shared(
        HOLDEM_RUN_OPTIONS["seconds"], help="Play and measure for about this time, half each: 10m."
    )
    seed: int | None = shared(HOLDEM_RUN_OPTIONS["seed"])
    threads: int | None = shared(HOLDEM_RUN_OPTIONS["threads"])
    checkpoint: Path | None = shared(HOLDEM_RUN_OPTIONS["checkpoint"])
    resume: Path | None = shared(HOLDEM_RUN_OPTIONS["resume"])

    def settings(self) -> dict[str, Any]:
        """What was typed, by the names of the arguments."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def optional_hand(file: Path | None, options: dict[str, Any], **defaults: Any) -> Hand | None:
    """The hand of a file, or by name, and of options; None if nothing is given.

    `defaults` are keys that hold where neither has them.
    """
    from equilibrist.poker.hands.hand import Hand
    from equilibrist.poker.hands.named import hand_keys, is_hand_name
    from equilibrist.poker.hands.reading import at_place, read_hand_file

    keys = {key: value for key, value in options.items() if value is not None}
    if file is not None and is_hand_name(str(file)) and not file.exists():
        return Hand(**defaults | hand_keys(str(file)) | keys)
    if file is not None:
        missing = {key: defaults[key] for key in defaults.keys() - read_hand_file(file).keys()}
        with at_place(file) if missing and not keys else nullcontext():
            return Hand.from_toml(file, **missing | keys)
    return Hand(**defaults | keys) if keys else None


def check_line(hand: Hand | None, line: str | None, *, all_streets: bool = False) -> None:
    """Raise ConfigError now for a line that no decision has, not after the run.

    Args:
        hand: The hand; None for that of a checkpoint.
        line: The line; None for the root.
        all_streets: Whether there will be decisions after the flop, too.

    Raises:
        ConfigError: No decision has the line, or its cards are missing.
        NotationError: With all streets, an action is not offered.
    """
    from equilibrist.poker.hands.betting_tree import DECISION, betting_tree
    from equilibrist.poker.preflop.exact.decision_lines import dealt_by_street, decision_of_line

    if hand is None or not line or (hand.menu is None and hand.limit != "limit"):
        return  # every amount is offered: the run finds out
    try:
        rules = hand.rules if all_streets else replace(hand.rules, last_street=0)
        tree = betting_tree(rules, hand.menu)
    except EquilibristError:
        return  # the run refuses the hand, and says why
    if all_streets:
        place = decision_of_line(tree, line, "")
        street = int(tree.street[place.node])
        if street:
            dealt_by_street(hand.rules, place.cards, street)
        return
    lines = [tree.line(node) for node in range(tree.num_nodes) if tree.kind[node] == DECISION]
    if line.strip().upper() not in lines:
        raise ConfigError(
            f"no decision before the flop has the line {line!r}",
            option="--line",
            given=line,
            remedy=f"lines are {', '.join(offered or 'the empty one' for offered in lines[:12])}",
        )


def hand_of(file: Path | None, options: dict[str, Any], **defaults: Any) -> Hand:
    """The hand of a file and of options; ConfigError if neither is given.

    Args:
        file: The file, or the name of a hand.
        options: Values by the names of all options of hands that the command takes; None for those
            that are not given.
        **defaults: Keys that hold where neither has them.

    Returns:
        The hand.
    """
    hand = optional_hand(file, options, **defaults)
    if hand is None:
        flags = "--stack, --bets and --raises" if "bets" in options else "--stack"
        raise ConfigError("no hand", option="hand", remedy=f"give a hand file, or {flags}")
    return hand


def check_csv(file: Path | None) -> None:
    """Raise OutputError now where a table could not be written, or would replace another file."""
    from equilibrist.storage.atomic import check_folder_of
    from equilibrist.storage.replaceable import check_replaceable

    if file is not None:
        check_folder_of(file)
        check_replaceable(file, ".csv")


def check_out(out: Path | None, checkpoint: Path | None, kind: str) -> None:
    """Raise what saving would raise later, and for an output that is the checkpoint of the run."""
    from equilibrist.storage.archive import check_writable

    if out is None:
        return
    if checkpoint is not None and same_file(out, checkpoint):
        raise ConfigError(
            f"--out and the checkpoint are both {out}",
            option="--out",
            given=out,
            remedy="give two names",
        )
    check_writable(out, kind)
