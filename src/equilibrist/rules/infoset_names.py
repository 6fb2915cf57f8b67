"""Names of infosets and actions from packed keys alone, without a walk of the game.

The included rules pack what a player knows in digits and bits, so their keys are read back here,
apart from the rules themselves: their sources identify strategies and checkpoints. A module of a
user's may define `unpack(g, key, s)`. The names are those that `RulesGame` gives.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final, Protocol

import numpy as np

from equilibrist.errors import EquilibristError, GameError
from equilibrist.parsing.user_code import failure_text
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import SHIPPED, Rules, load_rules
from equilibrist.typing import Int8Array, UInt64Array

Key = tuple[int, int]
"""The two halves of a packed key."""
Labels = tuple[str, ...]
_CACHED: Final = 1 << 16
"""Lines of play of which the words are kept."""
_LEDUC_MOVES: Final = "?fcr"
"""Moves of Leduc by their digit in a key."""


class InfosetNames(Protocol):
    """What packed keys of one game are called."""

    def read(self, high: int, low: int, actions: int | None = None) -> tuple[str, Labels]:
        """The name of an infoset, and those of its actions, of which there are so many, if known.

        IndexError for what is no key; no labels if nobody knows how many actions there are.
        """
        ...

    def pack(self, name: str) -> Key | None:
        """The key of an infoset by its name; None for what is no name, or cannot be packed."""
        ...

    def players(self, high: UInt64Array, low: UInt64Array) -> Int8Array | None:
        """Who acts at each of these infosets; None if keys do not tell."""
        ...


def names_in_file(game: str, fingerprint: str) -> InfosetNames:
    """Name infosets by the name and fingerprint of rules alone: no file of a user's is run.

    Keys of the included rules are read as these rules pack them, unless they have changed since.
    All others are hexadecimal numbers, with actions by their numbers.
    """
    where = game.removeprefix("rules:").partition("(")[0].strip()
    if where in SHIPPED:
        try:
            rules = load_rules(game)
        except EquilibristError:
            return HexNames()
        if rules.identity == fingerprint:
            names: InfosetNames = _BY_RULES[where](rules)
            return names
    return HexNames()


def names_by_rules(rules: Rules) -> InfosetNames:
    """The names that the rules give: the included ones, or a module with `unpack`."""
    names = names_in_file(rules.name, rules.identity)
    if isinstance(names, HexNames) and rules.has("unpack"):
        return UnpackedNames(rules)
    return names


class HexNames:
    """Keys as two hexadecimal numbers, actions as their numbers."""

    def read(self, high: int, low: int, actions: int | None = None) -> tuple[str, Labels]:
        """The key in hexadecimals, and the numbers from 0."""
        return f"{high:x}.{low:x}", _numbers(actions or 0)

    def pack(self, name: str) -> Key | None:
        """The two numbers of a text such as `1f.0`."""
        high, dot, low = name.partition(".")
        try:
            key = int(high, 16), int(low, 16)
        except ValueError:
            return None
        fits = dot and min(key) >= 0 and max(key) < 2**64
        return key if fits and self.read(*key)[0] == name else None

    def players(self, high: UInt64Array, low: UInt64Array) -> None:
        """Nobody knows."""


class UnpackedNames:
    """Names by the functions of a module that also defines `unpack(g, key, s)`."""

    def __init__(self, rules: Rules) -> None:
        self._game = RulesGame(rules)

    def read(self, high: int, low: int, actions: int | None = None) -> tuple[str, Labels]:
        """The name and the labels that the rules give a state with that key.

        Raises GameError if `unpack` makes a state with another key.
        """
        state = self._state(high, low)
        labels = self._game.actions(state)
        if self._game.packed(state) != (high, low) or len(labels) != (actions or len(labels)):
            raise GameError(
                f"unpack() of {self._game.name} gives a state with another key, or with another "
                f"number of actions, for {high:x}.{low:x}",
                option="unpack",
                given=f"{high:x}.{low:x}",
                remedy="let it fill s with a state whose key() is what it was given",
            )
        return self._game.infoset(state), labels

    def pack(self, name: str) -> None:
        """The rules read keys only."""

    def players(self, high: UInt64Array, low: UInt64Array) -> Int8Array:
        """The players who act at keys, by player() of the states that `unpack` makes of them."""
        states = (self._state(*key) for key in zip(high.tolist(), low.tolist(), strict=True))
        return np.fromiter((self._game.player(state) for state in states), np.int8, len(high))

    def _state(self, high: int, low: int) -> tuple[int, ...]:
        s = np.zeros(self._game.rules.state_size, dtype=np.int64)
        rules, key = self._game.rules, np.array([high, low], dtype=np.uint64)
        try:
            rules.function("unpack")(rules.g, key, s)
        except Exception as error:
            raise GameError(
                f"unpack() of {rules.name} raised {failure_text(error)} for {high:x}.{low:x}",
                kind="exception",
                given=f"{high:x}.{low:x}",
            ) from None
        return tuple(s.tolist())


class _LiarsDiceNames:
    def __init__(self, rules: Rules) -> None:
        self._players, self._dice, self._sides = rules.g.tolist()
        self._bids = self._players * self._dice * self._sides
        self._between = "" if self._sides < 10 else "."
        labels = [f"{k // self._sides + 1}-{k % self._sides + 1}" for k in range(self._bids)]
        self._words = [*labels, "liar"]
        self._number = {label: k for k, label in enumerate(labels)}
        self._labels = [tuple(self._words[k : self._bids + (k > 0)]) for k in range(self._bids + 1)]
        self._cached_bids = lru_cache(_CACHED)(self._bids_of_key)
        self._own = lru_cache(_CACHED)(self._own_dice)

    def read(self, high: int, low: int, actions: int | None = None) -> tuple[str, Labels]:
        bids, labels = self._cached_bids(high)
        return self._own(low >> 4) + bids, labels

    def pack(self, name: str) -> Key | None:
        own, *bids = name.split("/")
        faces = own.split(".") if self._between else list(own)
        numbers = [self._number.get(bid, -1) for bid in bids]
        if not all(map(str.isdecimal, faces)) or -1 in numbers:
            return None
        high, hand = sum(1 << bid for bid in {*numbers}), 0
        for face in faces:
            hand = hand * 64 + int(face) - 1
        key = high, hand * 16 + len(numbers) % self._players
        whole = len(faces) == self._dice and all(1 <= int(face) <= self._sides for face in faces)
        ordered = sorted(faces, key=int) == faces
        return key if whole and ordered and self.read(*key)[0] == name else None

    def players(self, high: UInt64Array, low: UInt64Array) -> Int8Array:
        return (low & np.uint64(15)).astype(np.int8)

    def _bids_of_key(self, high: int) -> tuple[str, Labels]:
        numbers = [k for k in range(self._bids) if high >> k & 1]
        last = numbers[-1] if numbers else -1
        return "".join(f"/{self._words[k]}" for k in numbers), self._labels[last + 1]

    def _own_dice(self, hand: int) -> str:
        faces = [str((hand >> 6 * k & 63) + 1) for k in reversed(range(self._dice))]
        return self._between.join(faces)


class _LeducNames:
    def __init__(self, rules: Rules) -> None:
        self._rules, self._module, self._g = rules, rules.module, rules.g
        count = int(self._module.num_cards(self._g))
        self._cards = [self._module.card_text(self._g, c) for c in range(count)]
        self._at = lru_cache(_CACHED)(self._decision)

    def read(self, high: int, low: int, actions: int | None = None) -> tuple[str, Labels]:
        _, labels = self._at(high >> 6, low)
        board = low & 63
        name = self._cards[high & 63] + self._moves(high >> 6)
        if board:
            name += "/" + self._cards[board - 1] + self._moves(low >> 6)
        return name, labels

    def pack(self, name: str) -> Key | None:
        own, *later = name.split("/")
        parts = [self._part(part) for part in (own, *later)]
        if len(parts) > 2 or None in parts:
            return None
        key = parts[0][0] * 64 + parts[0][1], 0  # type: ignore[index]
        if later:
            key = key[0], parts[1][0] * 64 + parts[1][1] + 1  # type: ignore[index]
        try:
            player, _ = self._at(key[0] >> 6, key[1])
        except IndexError:
            return None
        return key if player >= 0 and self.read(*key)[0] == name else None

    def players(self, high: UInt64Array, low: UInt64Array) -> Int8Array:
        keys = zip((high >> np.uint64(6)).tolist(), low.tolist(), strict=True)
        return np.fromiter((self._at(*key)[0] for key in keys), np.int8, len(high))

    def _part(self, text: str) -> Key | None:
        """The moves of a round and its card, from `Ks:cr`."""
        card, colon, letters = text.partition(":")
        if card not in self._cards or set(letters) - set("fcr") or bool(colon) != bool(letters):
            return None
        moves = 0
        for letter in letters:
            moves = moves * 4 + _LEDUC_MOVES.index(letter)
        return moves, self._cards.index(card)

    def _moves(self, moves: int) -> str:
        text: str = self._module.moves_text(moves)
        return text

    def _decision(self, first: int, low: int) -> tuple[int, Labels]:
        """Who acts after these moves, and the actions; IndexError for moves that cannot be."""
        module, g = self._module, self._g
        s = np.zeros(self._rules.state_size, dtype=np.int64)
        module.start(g, s)
        board = low & 63
        for round_, moves in enumerate((first, low >> 6) if board else (first,)):
            # The cards do not matter for who may do what, so none is dealt.
            s[module.DEALT] = g[module.PLAYERS] + round_
            s[module.ROUND], s[module.RAISES] = round_, 0
            s[module.TO_ACT] = module.still_in(g, s)
            s[module.MOVER] = module.next_live(g, s, 0)
            for letter in self._moves(moves)[1:]:
                action = _LEDUC_MOVES.index(letter) - 1 - (not module.faces_raise(g, s))
                if s[module.MOVER] < 0 or not 0 <= action < module.num_actions(g, s):
                    raise IndexError
                module.apply(g, s, action)
            if (s[module.MOVER] == -1) != (board > 0 and round_ == 0):
                raise IndexError
        count = int(module.num_actions(g, s)) if s[module.MOVER] >= 0 else 0
        return int(s[module.MOVER]), tuple(module.label(g, s, a) for a in range(count))


class _GoofspielNames:
    def __init__(self, rules: Rules) -> None:
        self._cards, self._players, secret, order, _ = rules.g.tolist()
        self._secret, self._random = bool(secret), order == 0
        bases = rules.module.digit_bases(rules.g)
        self._own_base, self._public_base = (int(base) for base in bases)

    def read(self, high: int, low: int, actions: int | None = None) -> tuple[str, Labels]:
        own, mover = divmod(high, self._players)
        mine = _digits(own, self._own_base)
        public = _digits(low, self._public_base, len(mine) + 1)
        name = str(mover)
        hand = set(range(1, self._cards + 1))
        for digit, shown in zip([*mine, None], public, strict=True):
            prize, others = self._opened(shown)
            name += f"/{prize}:" if self._random else "/" * (digit is not None)
            if digit is None:
                continue
            bid = digit // (self._players + 1) if self._secret else digit
            hand -= {bid}
            if self._secret:
                name += f"{bid}{self._sign(digit % (self._players + 1) - 1, mover)}"
            else:
                name += ",".join(map(str, [*others[:mover], bid, *others[mover:]]))
        return name, tuple(map(str, sorted(hand)))

    def pack(self, name: str) -> Key | None:
        first, *rounds = name.split("/")
        if not first.isdecimal() or int(first) >= self._players:
            return None
        mover, own, public = int(first), 0, 0
        if not self._random:
            rounds.append("")
        prizes: list[int] = []
        hands: list[list[int]] = []
        for played in rounds:
            prize, _, bids = played.rpartition(":")
            round_ = self._round(bids, mover)
            if round_ is None or not (prize or "0").isdecimal():
                return None
            mine, others = round_
            digit = int(prize or 0)
            prizes.append(digit)
            hands.append([mine // (self._players + 1) if self._secret else mine, *others])
            for bid in others:
                digit = digit * (self._cards + 1) + bid
            own, public = own * self._own_base + mine, public * self._public_base + digit
        own //= self._own_base  # the present round has no bid yet
        key = own * self._players + mover, public
        held = [prizes] * self._random + [[*cards] for cards in zip(*hands[:-1], strict=True)]
        fits = 0 < len(rounds) < self._cards and all(map(self._are_cards, held))
        return key if fits and self.read(*key)[0] == name else None

    def _are_cards(self, cards: list[int]) -> bool:
        return len({*cards}) == len(cards) and all(1 <= card <= self._cards for card in cards)

    def players(self, high: UInt64Array, low: UInt64Array) -> Int8Array:
        return (high % np.uint64(self._players)).astype(np.int8)

    def _opened(self, digit: int) -> tuple[int, list[int]]:
        """The prize, and the others' bids where they are open."""
        others: list[int] = []
        if not self._secret:
            for _ in range(self._players - 1):
                digit, bid = divmod(digit, self._cards + 1)
                others.insert(0, bid)
        return digit, others

    def _sign(self, winner: int, mover: int) -> str:
        if winner < 0:
            return "="
        return "+" if winner == mover else "-" + str(winner) * (self._players > 2)

    def _round(self, bids: str, mover: int) -> tuple[int, list[int]] | None:
        """The own digit of a round and the others' bids; zeros for one without bids."""
        others: list[int] = [0] * (0 if self._secret else self._players - 1)
        if not bids:
            return 0, others
        if self._secret:
            for winner in range(-1, self._players):
                bid, sign, after = bids.partition(self._sign(winner, mover))
                if sign and not after and bid.isdecimal():
                    return int(bid) * (self._players + 1) + winner + 1, others
            return None
        cards = bids.split(",")
        if len(cards) != self._players or not all(map(str.isdecimal, cards)):
            return None
        every = [int(card) for card in cards]
        return every.pop(mover), every


def _digits(number: int, base: int, count: int | None = None) -> list[int]:
    """Digits of a number, the first one first; at most, or if `count` says so exactly, so many."""
    digits: list[int] = []
    while number > 0 if count is None else len(digits) < count:
        number, digit = divmod(number, base)
        digits.append(digit)
    return digits[::-1]


@cache
def _numbers(count: int) -> Labels:
    return tuple(map(str, range(count)))


_BY_RULES: Final[dict[str, Any]] = {
    "liars_dice": _LiarsDiceNames,
    "leduc": _LeducNames,
    "goofspiel": _GoofspielNames,
    "holdem": UnpackedNames,
}
