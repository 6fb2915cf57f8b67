"""A flop, turn or river with three players: three ranges, a stack each, and the bets they may make.

Its keys are those of a two-player spot file, with a third range, `middle`, and where the players
have different stacks `stacks` in place of `stack`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np
from pydantic import (
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.parsing.arguments import bad_argument, instance, real_number, whole_number
from equilibrist.poker.betting.bet_size_parser import parse_street_sizes
from equilibrist.poker.betting.chips import MOST_CHIPS, ChipScale, read_chips
from equilibrist.poker.betting.state import street_menus
from equilibrist.poker.cards.cards import parse_board
from equilibrist.poker.cards.combos import COMBO_MASKS
from equilibrist.poker.hands.betting import start
from equilibrist.poker.hands.betting_tree import BettingTree, betting_tree
from equilibrist.poker.hands.menu import HandMenu
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.hands.state import DECISION
from equilibrist.poker.postflop.spot.keyed import Keyed
from equilibrist.poker.postflop.spot.lock import Lock
from equilibrist.poker.postflop.spot.reading import (
    at_place,
    check_sizes,
    range_of_file,
    read_amount,
    read_board,
    read_locks,
    read_pot_share,
    read_range,
    unit_of,
)
from equilibrist.poker.postflop.spot.resolved_locks import LockedNode
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.postflop.spot.toml import parse_spot, read_spot_file
from equilibrist.poker.ranges.range import MIN_MEETING_SHARE, Range, drop_negligible
from equilibrist.poker.three_players.locks import locked_nodes_of_three
from equilibrist.typing import FloatArray

SEAT_KEYS: Final = ("oop", "middle", "ip")
"""The keys of the ranges, in the order of acting."""
SEAT_NAMES: Final = ("OOP", "MID", "IP")
"""What the seats are called."""
_NEEDED: Final = {
    "board": "3 to 5 cards, such as Qs9h5d3cJs",
    "oop": "the range of the player who acts first",
    "middle": "the range of the player who acts second",
    "ip": "the range of the player who acts last",
    "pot": "the chips in the middle",
}
"""The required keys, and what to give for them."""
MOST_NODES: Final = 300_000
"""Betting nodes that are laid out; each takes some 20 microseconds."""
_CARDS: Final = 5
_STREETS: Final = 3
"""Streets from the flop on, of which sizes are lists."""
_LEAST_BETTORS: Final = 2
"""Players with chips behind, without whom nobody can bet."""

_RangeText = Annotated[Range, PlainSerializer(Range.__str__), WithJsonSchema({"type": "string"})]
_Lock = Annotated[Lock, PlainSerializer(Lock.to_dict), WithJsonSchema({"type": "object"})]


class ThreeSpot(Keyed):
    """A flop, turn or river of no-limit hold'em with three players. Frozen, hashable.

    Chips have at most four decimals; the rake is a fraction, or a text such as `5%`. Sizes are
    those of all three players, as `Spot` takes them; lists of streets before the board are unused.

    Args:
        board: Three to five cards, such as `Qs9h5d` or `Qs9h5d3cJs`.
        oop: The range of the player who acts first.
        middle: The range of the player who acts second.
        ip: The range of the player who acts last.
        pot: The chips in the middle, those of players who folded included; all three can win them.
        stack: The chips that each player has behind; or give `stacks`.
        stacks: The chips that each player has behind, in the order of acting. 0 for a player who is
            all-in already: he can win the pot, and later bets make a side pot.
        bets: Sizes of the first bet: `33%, 75%, a`.
        raises: Sizes of raises: `75%, a` or `2.5x`.
        raise_cap: The most raises; None for no cap.
        min_bet: The smallest bet in chips.
        unit: What bets are multiples of: 1, 0.1, 0.01 ... chips; None for the largest that fits.
        rake: The share of each pot that the house takes.
        rake_cap: The most that the house takes, in chips; None for no cap.
        locks: Node locks: `Lock`, or texts such as `B120: AA,KK = Call 100%`; none on a flop.

    Raises:
        ConfigError: A value is invalid, the values do not fit together, or a key is one that only
            spots of two players have.
        UnknownNameError: A key is unknown.
        NotationError: A card, range, size, line or lock cannot be read; has its key and position.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    board: str
    oop: _RangeText
    middle: _RangeText
    ip: _RangeText
    pot: int | float
    stack: int | float | None = Field(default=None)
    stacks: tuple[int | float, ...] | None = Field(default=None)
    bets: str = Field(default="")
    raises: str = Field(default="")
    raise_cap: int | None = Field(default=None)
    min_bet: int | float = Field(default=1)
    unit: int | float | None = Field(default=None)
    rake: float = Field(default=0.0)
    rake_cap: float | None = Field(default=None)
    locks: tuple[_Lock, ...] = Field(default=())

    if TYPE_CHECKING:  # what the keys are read from; the fields above say what they become

        def __init__(
            self,
            *,
            board: str,
            oop: Range | str,
            middle: Range | str,
            ip: Range | str,
            pot: float | str | Decimal,
            stack: float | str | Decimal | None = None,
            stacks: Sequence[float | str | Decimal] | None = None,
            bets: str = "",
            raises: str = "",
            raise_cap: int | None = None,
            min_bet: float | str | Decimal = 1,
            unit: float | str | Decimal | None = None,
            rake: float | str = 0.0,
            rake_cap: float | None = None,
            locks: Sequence[Lock | str | Mapping[str, Any]] = (),
        ) -> None: ...

    def __eq__(self, other: object) -> bool:
        """Compare the keys alone: what was computed from them holds arrays."""
        keys = type(self).model_fields
        return type(other) is type(self) and all(
            getattr(self, key) == getattr(other, key) for key in keys
        )

    def __hash__(self) -> int:
        """Hash what `==` compares."""
        return hash(tuple(getattr(self, key) for key in type(self).model_fields))

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str], **changes: Any) -> ThreeSpot:
        """Read a spot file with three ranges.

        Args:
            path: The file, in TOML. Its ranges may be names of files, relative to its folder.
            **changes: Keys that override those of the file.

        Returns:
            The spot, validated.

        Raises:
            FileFormatError: It is not TOML, or no file, or cannot be read.
            ConfigError: As from `ThreeSpot`, and so are UnknownNameError and NotationError.
        """
        keys, folder = read_spot_file(path), Path(path).parent
        keys |= {key: range_of_file(key, keys[key], folder) for key in SEAT_KEYS if key in keys}
        for one, other in (("stack", "stacks"), ("stacks", "stack")):
            if changes.get(one) is not None:
                keys.pop(other, None)
        keys |= changes
        with nullcontext() if changes else at_place(path):  # perhaps not the file's fault
            return cls(**keys)

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The cards of the board."""
        return parse_board(self.board)

    @cached_property
    def ranges(self) -> tuple[Range, Range, Range]:
        """The three ranges in the order of acting, without the cards of the board."""
        oop, middle, ip = (
            Range.from_weights(drop_negligible(whole.without(self.cards).weights))
            for whole in (self.oop, self.middle, self.ip)
        )
        return oop, middle, ip

    @cached_property
    def stack_of(self) -> tuple[float, ...]:
        """The chips that each player has behind, in the order of acting."""
        if self.stacks is not None:
            return self.stacks
        assert self.stack is not None
        return (self.stack,) * len(SEAT_KEYS)

    @cached_property
    def scale(self) -> ChipScale:
        """How many units are in a chip."""
        return ChipScale.of(self._unit)

    @cached_property
    def dead_money(self) -> tuple[int, int, int]:
        """The pot in units, as antes of the seats: which of them put it in does not matter.

        A seat without chips behind needs a unit of it, as the rules know no empty stack.
        """
        pot, stacks = self.scale.units(self.pot), self.stack_of
        middle, ip = (int(not stack) for stack in stacks[1:])
        return pot - middle - ip, middle, ip

    @cached_property
    def num_streets(self) -> int:
        """How many streets are played: 1 from a river on, 2 from a turn on, 3 from a flop on."""
        return _CARDS - len(self.cards) + 1

    @cached_property
    def rules(self) -> HoldemRules:
        """The betting rules, with the pot as dead money; street 0 is that of the board."""
        units = self.scale.units
        behind = tuple(map(units, self.stack_of))
        return HoldemRules(
            stacks=tuple(a + b for a, b in zip(self.dead_money, behind, strict=True)),
            blinds=(0,) * len(SEAT_KEYS),
            antes=self.dead_money,
            bets=(units(self.min_bet),) * self.num_streets,
            board=(0,) + (1,) * (self.num_streets - 1),
            scale=self.scale,
        )

    @cached_property
    def menu(self) -> HandMenu:
        """The sizes of the streets that are played."""
        streets = range(_STREETS - self.num_streets, _STREETS)
        bets = parse_street_sizes(self.bets)
        raises = parse_street_sizes(self.raises, raises=True)
        return HandMenu(
            tuple(bets[street] for street in streets),
            tuple(raises[street] for street in streets),
            (self.raise_cap,) * self.num_streets,
        )

    @cached_property
    def betting(self) -> BettingTree:
        """The betting, enumerated once. Raises MemoryBudgetError if it is too large."""
        return betting_tree(self.rules, self.menu, MOST_NODES)

    @cached_property
    def locked_nodes(self) -> tuple[LockedNode, ...]:
        """The nodes at which locks fix something."""
        if not self.locks:
            return ()
        return locked_nodes_of_three(self.locks, self.betting, self.cards, self.ranges, SEAT_KEYS)

    @property
    def is_raked(self) -> bool:
        """Whether the house takes a share of pots, so that values do not sum to the pot."""
        return self.rake > 0

    def rake_of(self, pot: float) -> float:
        """The rake of a final pot, in units.

        Args:
            pot: The pot in units, without bets that were returned.

        Returns:
            What the house takes.
        """
        taken = self.rake * pot
        return taken if self.rake_cap is None else min(taken, self.scale.exactly(self.rake_cap))

    @cached_property
    def deals(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """float64[1326] of each seat: the weight of the pairs of hands that a hand leaves others.

        Counted pair by pair, so that a hand that is never dealt has exactly 0.
        """
        held = [np.flatnonzero(range_.weights) for range_ in self.ranges]
        weights = [range_.weights[hands] for range_, hands in zip(self.ranges, held, strict=True)]
        masks = [COMBO_MASKS[hands] for hands in held]
        meets = {
            (i, j): ((masks[i][:, None] & masks[j]) == 0).astype(np.float64)
            for i, j in ((0, 1), (0, 2), (1, 2))
        }
        meets |= {(j, i): table.T for (i, j), table in meets.items()}
        counted = []
        for seat in range(len(SEAT_KEYS)):
            j, k = (other for other in range(len(SEAT_KEYS)) if other != seat)
            pairs = (meets[seat, j] * weights[j]) @ meets[j, k]
            by_combo = np.zeros(len(COMBO_MASKS))
            by_combo[held[seat]] = (pairs * (meets[seat, k] * weights[k])).sum(axis=1)
            counted.append(by_combo)
        return counted[0], counted[1], counted[2]

    @cached_property
    def _unit(self) -> float:
        chips = {"pot": self.pot, "min_bet": self.min_bet}
        chips |= {f"stacks[{k}]": stack for k, stack in enumerate(self.stack_of) if stack}
        menus = street_menus(self.bets, self.raises)
        return unit_of(self.unit, chips, (menus, menus), ())

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, keys: Any) -> Any:
        if not isinstance(keys, dict):
            raise bad_argument("spot", keys, "a table of keys")
        for key in keys:
            if key in ("payouts", "others"):
                raise ConfigError(
                    "spots of three are played for chips: what a prize is worth to one player "
                    "depends on which of the two others wins, which is not computed",
                    option=key,
                    given=keys[key],
                    remedy=f"leave out {key}, or the third range",
                )
            if key in Spot.model_fields and key not in cls.model_fields:
                raise ConfigError(
                    f"spots of three have no {key}", option=key, remedy=f"leave out {key}"
                )
            if key not in cls.model_fields:
                raise UnknownNameError(
                    "key of a spot of three", str(key), list(cls.model_fields), option=str(key)
                )
        for key, what in _NEEDED.items():
            if keys.get(key) is None:
                raise ConfigError(f"{key} is missing", option=key, remedy=f"give {what}")
        given = [key for key in ("stack", "stacks") if keys.get(key) is not None]
        if len(given) != 1:
            raise ConfigError(
                "both stack and stacks are given" if given else "stack is missing",
                option="stack",
                remedy="keep one of them"
                if given
                else "give stack, the chips that each player has behind, or stacks, a list of "
                "three numbers in the order of acting",
            )
        return keys

    @field_validator("board", mode="before")
    @classmethod
    def _board(cls, text: object) -> str:
        return read_board(text)

    @field_validator(*SEAT_KEYS, mode="before")
    @classmethod
    def _range(cls, value: object, info: Any) -> Range:
        return read_range(info.field_name, value)

    @field_validator("pot", "min_bet", "unit", mode="before")
    @classmethod
    def _chips(cls, chips: object, info: Any) -> float | None:
        return read_amount(info.field_name, chips)

    @field_validator("stack", mode="before")
    @classmethod
    def _stack(cls, chips: object) -> float | None:
        return None if chips is None else read_chips("stack", chips)

    @field_validator("stacks", mode="before")
    @classmethod
    def _stacks(cls, stacks: object) -> tuple[float, ...] | None:
        if stacks is None:
            return None
        if not isinstance(stacks, list | tuple) or len(stacks) != len(SEAT_KEYS):
            raise bad_argument(
                "stacks", stacks, "three numbers of chips, in the order of acting: [240, 90, 400]"
            )
        return tuple(0 if _is_zero(stack) else _stack_behind(stack) for stack in stacks)

    @field_validator("raise_cap", mode="before")
    @classmethod
    def _raise_cap(cls, most: object) -> int | None:
        return None if most is None else whole_number("raise_cap", most, 0, 100)

    @field_validator("rake_cap", mode="before")
    @classmethod
    def _rake_cap(cls, chips: object) -> float | None:
        if isinstance(chips, str | Decimal):
            with suppress(ValueError):  # what is no number is named as it stands
                chips = float(chips)
        return None if chips is None else real_number("rake_cap", chips, 0.0, float(MOST_CHIPS))

    @field_validator("rake", mode="before")
    @classmethod
    def _share(cls, value: object) -> float:
        return read_pot_share("rake", value)

    @field_validator("bets", "raises", mode="before")
    @classmethod
    def _sizes(cls, text: object, info: Any) -> str | None:
        return check_sizes(info.field_name, text)

    @field_validator("locks", mode="before")
    @classmethod
    def _read_locks(cls, value: object) -> tuple[Lock, ...]:
        return read_locks(value)

    @model_validator(mode="after")
    def _fits_together(self) -> ThreeSpot:
        self._refuse_stacks()
        for key, whole, held in zip(
            SEAT_KEYS, (self.oop, self.middle, self.ip), self.ranges, strict=True
        ):
            if not whole:
                raise ConfigError(
                    f"{key} is empty", option=key, remedy="give a range, such as '88+,AJs+'"
                )
            if not held:
                raise ConfigError(
                    f"the board {self.board} blocks every hand of {key}",
                    option=key,
                    given=self.board,
                    remedy="add hands",
                )
        self._refuse_blocked()
        if self.locks and self.num_streets == _STREETS:
            raise ConfigError(
                "a flop with three ranges is solved without locks",
                option="locks",
                given=[str(lock) for lock in self.locks],
                expected="4 or 5 cards",
                remedy="leave out the locks, or begin on the turn",
            )
        with at_place("locks"):
            _ = self.locked_nodes
        return self

    def _refuse_stacks(self) -> None:
        """Refuse stacks and pots with which nobody can bet."""
        if sum(stack > 0 for stack in self.stack_of) < _LEAST_BETTORS:
            raise ConfigError(
                "nobody can bet: at most one player has chips behind",
                option="stacks",
                given=self.stack_of,
                expected="chips behind for two of the three players",
                remedy="`equilibrist equity` says what each range wins in such a hand",
            )
        if self.dead_money[0] < 1:
            raise ConfigError(
                f"the pot of {self.pot} has no unit of {self.scale.unit} for each player",
                option="pot",
                given=self.pot,
                remedy="give a finer unit",
            )
        largest = max(self.stack_of)
        if self.scale.units(self.pot) + self.scale.units(largest) > MOST_CHIPS:
            raise ConfigError(
                f"a stack of {largest} and the pot of {self.pot} are more than {MOST_CHIPS} units "
                f"of {self.scale.unit}",
                option="stacks" if self.stacks is not None else "stack",
                given=largest,
                expected=f"at most {MOST_CHIPS} units with the pot",
                remedy="divide all amounts by a power of ten, or give a coarser unit",
            )
        if start(self.rules).kind != DECISION:
            raise ConfigError("nobody acts", option="stacks", remedy="give larger stacks")

    def _refuse_blocked(self) -> None:
        """Refuse ranges of which no three hands, or hardly any, can be held together."""
        weights = [range_.weights for range_ in self.ranges]
        share = float(weights[0] @ self.deals[0]) / float(np.prod([w.sum() for w in weights]))
        if not share:
            raise ConfigError(
                f"no deal is possible on {self.board}: of the hands of oop, middle and ip any "
                "three share a card",
                option="ranges",
                given=0.0,
                remedy="add hands to one of them",
            )
        if share < MIN_MEETING_SHARE:
            raise ConfigError(
                f"almost no deal is possible on {self.board}: by weight, all but {share:.1g} "
                "of the triples of hands of oop, middle and ip share a card",
                option="ranges",
                given=share,
                remedy="give more weight to hands that can meet",
            )


def any_spot(keys: Mapping[str, Any]) -> Spot | ThreeSpot:
    """The spot of these keys: of three players where there is a range `middle`, else of two.

    Args:
        keys: The keys.

    Returns:
        The spot, validated.

    Raises:
        EquilibristError: What the constructors raise.
    """
    return ThreeSpot(**keys) if "middle" in keys else Spot(**keys)


def any_spot_from_text(text: str) -> Spot | ThreeSpot:
    """The spot in a text of `to_toml`; raises what the constructors raise, and ValueError."""
    return any_spot(parse_spot(text))


def checked_three(spot: object) -> ThreeSpot:
    """A spot of three, or ConfigError that says how to make one."""
    remedy = "make one with poker.ThreeSpot(board=..., ...) or poker.ThreeSpot.from_toml(path)"
    return instance("spot", spot, ThreeSpot, "a poker.ThreeSpot", remedy=remedy)


def _is_zero(stack: object) -> bool:
    if isinstance(stack, str):
        with suppress(ValueError):
            return float(stack) == 0
    return not isinstance(stack, bool) and stack == 0


def _stack_behind(stack: object) -> float:
    try:
        return read_chips("stacks", stack)
    except ConfigError as error:
        expected = f"{error.expected}, or 0 for a player who is all-in"
        raise bad_argument("stacks", stack, expected, remedy=error.remedy) from None
