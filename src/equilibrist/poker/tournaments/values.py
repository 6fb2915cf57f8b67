"""What the stacks of a tournament are worth: by the independent chip model, by chips, per place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import (
    bad_argument,
    optional_whole_number,
    real_number,
    several,
    whole_number,
)
from equilibrist.poker.tournaments.icm import icm, is_feasible, numbers_of
from equilibrist.poker.tournaments.places import place_probabilities, sampled_worth
from equilibrist.typing import FloatArray

_MOST: Final = 1e15
_DRAWS: Final = 100_000_000
_SAMPLES: Final = (1_000, 20_000)
_NORMAL: Final = 1.959963984540054
MOST_PLAYERS: Final = 100_000


@dataclass(frozen=True, eq=False)
class TournamentValues:
    """What each player's stack is worth, n players and k payouts.

    Attributes:
        names: The players.
        stacks: Their chips, float64[n].
        payouts: The payouts from the first place down, float64[k].
        left: What stays to be played for, for the winner; the rest is dealt.
        worth: The values by the independent chip model, of `payouts` less `left`, float64[n].
        by_chips: The values where everybody has the last payout safe and the rest goes by chips
            (a chip chop); float64[n].
        places: The probability of each player to finish in each paid place, float64[n, k]; None
            where orders of finish were sampled.
        standard_errors: Of `worth`, float64[n]; None where it is exact.
        samples: The orders of finish that were sampled; None where the values are exact.
        seed: The seed of the sample.
    """

    names: tuple[str, ...]
    stacks: FloatArray
    payouts: FloatArray
    left: float
    worth: FloatArray
    by_chips: FloatArray
    places: FloatArray | None
    standard_errors: FloatArray | None
    samples: int | None
    seed: int

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def exact(self) -> bool:
        """Whether the values are exact but for rounding."""
        return self.standard_errors is None

    @property
    def shares(self) -> FloatArray:
        """The share of all chips that each player has."""
        shares: FloatArray = self.stacks / self.stacks.sum()
        return shares

    @property
    def per_chip(self) -> FloatArray:
        """What a chip of each player is worth on average; NaN for players without chips."""
        chips = np.where(self.stacks > 0, self.stacks, np.nan)
        per_chip: FloatArray = self.worth / chips
        return per_chip

    @property
    def intervals(self) -> FloatArray | None:
        """The 95 % intervals of `worth`, float64[n, 2]; None where it is exact."""
        if self.standard_errors is None:
            return None
        reach = _NORMAL * self.standard_errors
        bounds = np.stack([self.worth - reach, self.worth + reach], axis=1)
        intervals: FloatArray = np.clip(bounds, 0.0, self.payouts.max())
        return intervals

    @property
    def without_chips(self) -> str:
        """A sentence on players without chips; empty where everybody has some."""
        broke = [name for name, stack in zip(self.names, self.stacks, strict=True) if not stack]
        if not broke:
            return ""
        shown = broke[:5] + ([f"{len(broke) - 5} more"] if len(broke) > 5 else [])
        who = " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
        if len(broke) == 1:
            return f"{who} has no chips: the last place, with what it pays, is theirs"
        return f"{who} have no chips: they share the last {len(broke)} places evenly"

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON.

        Returns:
            The payouts, and for each player the stack, its share of the chips, what it is worth.
        """
        intervals, per_chip = self.intervals, self.per_chip
        return {
            "payouts": self.payouts.tolist(),
            "prize_pool": float(self.payouts.sum()),
            "chips": float(self.stacks.sum()),
            "left_for_winner": self.left,
            "exact": self.exact,
            "samples": self.samples,
            "seed": None if self.exact else self.seed,
            "players": [
                {
                    "name": name,
                    "stack": float(self.stacks[k]),
                    "share_of_chips": float(self.shares[k]),
                    "icm": float(self.worth[k]),
                    "interval": None if intervals is None else intervals[k].tolist(),
                    "per_chip": None if np.isnan(per_chip[k]) else float(per_chip[k]),
                    "chip_chop": float(self.by_chips[k]),
                    "places": None if self.places is None else self.places[k].tolist(),
                }
                for k, name in enumerate(self.names)
            ],
        }


def tournament_values(
    stacks: ArrayLike,
    payouts: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    leave: float = 0.0,
    samples: int | None = None,
    seed: int = 0,
) -> TournamentValues:
    """What stacks are worth in a tournament, and what deals would pay.

    The order of finish is that of Malmuth and Harville: the first place goes to a player with the
    probability of their share of the chips, the second likewise among the others, and so on.

    Args:
        stacks: The chips of each player; those without any take the last places.
        payouts: The payouts from the first place down, not more than players, none larger than
            that before.
        names: The players; `Player 1`, `Player 2` ... if left out.
        leave: What is not dealt but left for the winner, at most what the first place has before
            the second.
        samples: Sample that many orders of finish; None computes exactly where it takes seconds,
            else up to 20,000 are
            sampled.
        seed: Seed of the sample.

    Returns:
        The values.

    Raises:
        ConfigError: An argument has another form or is out of range.
    """
    chips, prizes = numbers_of("stacks", stacks, (1,)), numbers_of("payouts", payouts, (1,))
    players = len(chips)
    if not 1 <= players <= MOST_PLAYERS:
        raise bad_argument("stacks", stacks, f"the stacks of 1 to {MOST_PLAYERS:,} players")
    _check_sizes(chips, prizes)
    called = _names(names, players)
    most = float(prizes[0] - (prizes[1] if len(prizes) > 1 else 0.0))
    left = real_number("leave", leave, 0.0, most)
    number = optional_whole_number("samples", samples, 2, 10**12)
    seed = whole_number("seed", seed, 0)
    dealt = prizes.copy()
    dealt[0] -= left
    errors = places = None
    if number is None and is_feasible(players, len(prizes)):
        worth = icm(chips, dealt)
        places = _places(chips, len(prizes))
    else:
        number = int(np.clip(_DRAWS // players, *_SAMPLES)) if number is None else number
        worth, errors = _sampled(chips, dealt, number, seed)
    last = dealt[-1] if len(dealt) == players else 0.0
    by_chips = last + (dealt.sum() - players * last) * (chips / chips.sum())
    return TournamentValues(
        names=called,
        stacks=chips,
        payouts=prizes,
        left=left,
        worth=worth,
        by_chips=by_chips,
        places=places,
        standard_errors=errors,
        samples=number,
        seed=seed,
    )


def _check_sizes(chips: FloatArray, prizes: FloatArray) -> None:
    players, paid = len(chips), len(prizes)
    if not chips.sum() > 0:
        raise ConfigError(
            "nobody has chips",
            option="stacks",
            given=chips.tolist(),
            expected="a stack above 0",
            remedy="give the chips of each player, such as 5000/3000/2000",
        )
    if not paid or not prizes[0] > 0:
        raise bad_argument("payouts", prizes.tolist(), "a first payout above 0")
    if paid > players:
        raise ConfigError(
            f"there are {paid} payouts and {players} players",
            option="payouts",
            given=paid,
            expected=players,
            remedy="give at most one payout for each player, the first place first",
        )
    for name, numbers in (("stacks", chips), ("payouts", prizes)):
        if numbers.max() > _MOST:
            raise bad_argument(name, float(numbers.max()), f"numbers of at most {_MOST:g}")
    rises = np.flatnonzero(prizes[1:] > prizes[:-1])
    if len(rises):
        place = int(rises[0]) + 2
        raise ConfigError(
            f"the payout of place {place}, {prizes[place - 1]:g}, is larger than that before",
            option="payouts",
            given=float(prizes[place - 1]),
            place=f"place {place}",
            remedy="give the payouts from the first place down",
        )


def _names(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"Player {number}" for number in range(1, players + 1))
    called = tuple(several("names", names, "a name for each player"))
    if len(called) != players:
        raise ConfigError(
            f"there are {len(called)} names and {players} stacks",
            option="names",
            given=len(called),
            expected=players,
            remedy="give a name for each player",
        )
    for name in called:
        if not isinstance(name, str) or not name.strip():
            raise bad_argument("names", name, "a name for each player, none empty")
    return called


def _places(chips: FloatArray, paid: int) -> FloatArray:
    """The probability of each place; players without chips share the last places evenly."""
    alive = chips > 0
    left = int(alive.sum())
    places = np.zeros((len(chips), paid))
    places[alive, :left] = place_probabilities(chips[alive], min(paid, left))
    if paid > left:
        places[~alive, left:] = 1 / (len(chips) - left)
    return places


def _sampled(
    chips: FloatArray, payouts: FloatArray, samples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """The mean and its standard error; players without chips are paid for the last places."""
    alive = chips > 0
    left = int(alive.sum())
    worth, errors = np.zeros(len(chips)), np.zeros(len(chips))
    worth[alive], errors[alive] = sampled_worth(chips[alive], payouts[:left], samples, seed)
    if left < len(chips):
        worth[~alive] = payouts[left:].sum() / (len(chips) - left)
    return worth, errors
