"""Leaf values as options name them: `check-down`, or the file of a value network."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.text.output import note
from equilibrist.errors import ConfigError, MismatchError
from equilibrist.parsing.arguments import file_name
from equilibrist.poker.postflop.solving.spot_run import SpotRun

if TYPE_CHECKING:
    from pathlib import Path

    from equilibrist.learned.holdem_values import HoldemValues
    from equilibrist.poker.betting.state import Menu
    from equilibrist.poker.postflop.engine.leaves import HoldemLeafValues
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.spot import Spot

_NO_USE: Final = {
    "target": "gains are estimates, which no target can be held against",
    "storage": "its numbers are float64: one street takes little memory",
    "tremble": "its only street is solved with plain regrets",
    "quantal": "its only street is solved with plain regrets",
    "resume": "no run is saved that could be resumed",
    "checkpoint": "its runs are short, and none is saved",
    "checkpoint_every": "its runs are short, and none is saved",
}
"""Options of `postflop solve` that a run over leaf values does not take."""
CHECK_DOWN: Final = "check-down"
"""The word for leaves that are worth what hands win if nobody bets any more."""


def leaf_values_of(spot: Spot, text: str) -> HoldemLeafValues:
    """The leaf values that an option names, for a spot.

    Args:
        spot: The spot.
        text: `check-down`, or a file.

    Returns:
        The leaf values.

    Raises:
        FileFormatError: The file is no value network, or damaged.
        MismatchError: The network is of another street, or of another version's features.
        UnsupportedError: The spot has no later street.
    """
    from equilibrist.poker.postflop.leaf_values.check_down import CheckDown

    num_cards = len(spot.cards) + 1
    if text == CHECK_DOWN:
        return CheckDown(num_cards)
    from equilibrist.learned.holdem_values import NetworkLeaves, load_holdem_values
    from equilibrist.poker.postflop.solving.leaf_solver import check_over_values

    path = file_name("values", text)
    network = load_holdem_values(path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    leaves = NetworkLeaves(network, path.name, digest)
    if leaves.num_cards != num_cards:
        check_over_values(spot)
        raise MismatchError(
            f"{path} values hands when the {network.street} begins, with {leaves.num_cards} cards "
            f"on the board, but the spot on {spot.board} needs values of boards of {num_cards}",
            option="values",
            given=leaves.num_cards,
            expected=num_cards,
            remedy="give a network of the next street",
        )
    _note_other_menu(spot, network, path)
    return leaves


def _note_other_menu(spot: Spot, network: HoldemValues, path: Path) -> None:
    """Say where the bets for which a network was trained are not those of the later streets."""
    from equilibrist.poker.betting.bet_sizes import STREETS
    from equilibrist.poker.betting.state import street_menus

    bets, raises = network.made.get("bets"), network.made.get("raises")
    if bets is None or raises is None:
        return
    streets = range(spot.first_street + 1, len(STREETS))
    trained = street_menus(bets, raises)
    menus = [of_seat[street] for of_seat in spot.rules().menus for street in streets]
    if menus != 2 * [trained[street] for street in streets]:
        note(
            f"note: {path} was trained for bets {bets} and raises {raises}; the later streets of "
            f"the spot have {_menus_text(menus)}"
        )


def _menus_text(menus: Sequence[Menu]) -> str:
    """Each menu once."""
    from equilibrist.poker.betting.bet_size_parser import sizes_text

    return " or ".join(
        dict.fromkeys(
            f"bets {sizes_text(menu.bets) or 'none'} and raises {sizes_text(menu.raises) or 'none'}"
            for menu in menus
        )
    )


@dataclass(frozen=True)
class LeafValuesRun(SpotRun):
    """A run of the first street over leaf values.

    Attributes:
        leaf_values: What says what leaves are worth.
    """

    leaf_values: HoldemLeafValues | None = None

    @classmethod
    def of(
        cls, spot: Spot | None, run: SpotRun, text: str, files: Mapping[str, Any]
    ) -> LeafValuesRun:
        """The run that options describe.

        Args:
            spot: The spot; None if it was to be resumed.
            run: The options of a run.
            text: What names the leaf values.
            files: The options on files.

        Returns:
            The run.

        Raises:
            ConfigError: An option has no use over leaf values.
        """
        for name, reason in _NO_USE.items():
            given = run.options.get(name, files.get(name))
            if given is not None:
                flag = f"--{name.replace('_', '-')}"
                raise ConfigError(
                    f"{flag} has no use with --values: {reason}",
                    option=flag,
                    given=given,
                    remedy=f"leave out {flag}",
                )
        assert spot is not None
        return cls(run.options, storage="float64", leaf_values=leaf_values_of(spot, text))

    def solve(self, spot: Spot, **more: Any) -> PostflopResult:
        """Solve the street."""
        from equilibrist.poker.postflop.files.street_over_values import solve_over_values

        assert self.leaf_values is not None
        options = {**self.options, **more}
        options.pop("checkpoint", None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of sizes, which `warn_of` prints
            return solve_over_values(spot, self.leaf_values, **options)
