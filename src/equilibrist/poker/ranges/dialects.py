"""Ranges as text: the canonical form, and the dialects of other programs.

Pairs come first, then the hands by their higher rank from A down, suited before offsuit; if both
have the same weights they are merged (`KQ`). Neighbours of equal weight are joined: `TT+`,
`A5s-A2s`. Hands whose combos differ in weight come last, combo by combo. A `+` is never used where
programs disagree about its meaning (`98s+`).

| dialect | example |
|---|---|
| `pio` | `AA,KQo:0.5`: the canonical text, which most programs read |
| `gto+` | `AA,[50.0]KQo[/50.0]`: GTO+, Flopzilla |
| `equilab` | `100: AA, 50: KQo` |
| `pokercruncher` | `AA, KQo; Weights: KQo:50%` |
| `propokertools` | `AA@100,KQo@50` |
| `pokerkit` | `AA KQo`: no weights, and `98s+` is `98s` alone |
| `raw` | 1,326 numbers in the order of PioSOLVER's `show_hand_order`: `2d2c 2h2c 2h2d ...` |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.parsing.arguments import instance
from equilibrist.poker.cards.cards import RANKS
from equilibrist.poker.cards.combos import (
    CLASS_NAMES,
    CLASS_OF_COMBO,
    FIRST_CARD,
    NUM_CLASSES,
    NUM_COMBOS,
    PIO_INDEX,
    SECOND_CARD,
    class_combos,
    combo_name,
)
from equilibrist.poker.cards.decks import FULL_DECK, Deck
from equilibrist.typing import FloatArray

Group = tuple[str, float]
"""A group of hands and its weight."""

PIO: Final = "pio"
"""The dialect of the canonical text."""
_ALIASES: Final = {"flopzilla": "gto+", "gtoplus": "gto+", "ppt": "propokertools"}
_FALLING: Final = RANKS[::-1]


def weight_text(weight: float) -> str:
    """The shortest decimal number that reads back as this weight, without an exponent."""
    return np.format_float_positional(weight, trim="-")


def _canonical_groups(weights: FloatArray) -> list[Group]:
    """The groups of the canonical text of a range, float64[1326], in order."""
    uniform, mixed = _class_weights(weights)
    groups = list(_joined([rank * 2 for rank in _FALLING], uniform))
    for place, high in enumerate(_FALLING):
        plain = [high + low for low in _FALLING[place + 1 :]]
        suited, offsuit = ([name + kind for name in plain] for kind in "so")
        if [uniform[name] for name in suited] == [uniform[name] for name in offsuit]:
            both = {
                name: uniform[suited_name] for name, suited_name in zip(plain, suited, strict=True)
            }
            groups += _joined(plain, both)
        else:
            groups += [*_joined(suited, uniform), *_joined(offsuit, uniform)]
    combos = (c for c in range(NUM_COMBOS) if mixed[CLASS_OF_COMBO[c]] and weights[c])
    falling = sorted(combos, key=lambda c: (SECOND_CARD[c], FIRST_CARD[c]), reverse=True)
    return groups + [(combo_name(c), float(weights[c])) for c in falling]


def _class_weights(weights: FloatArray) -> tuple[dict[str, float], list[bool]]:
    """The weight of each hand class, 0 where its combos differ, and whether they differ."""
    lowest, highest = np.ones(NUM_CLASSES), np.zeros(NUM_CLASSES)
    np.minimum.at(lowest, CLASS_OF_COMBO, weights)
    np.maximum.at(highest, CLASS_OF_COMBO, weights)
    mixed = lowest != highest
    uniform = np.where(mixed, 0.0, lowest).tolist()
    return dict(zip(CLASS_NAMES, uniform, strict=True)), mixed.tolist()


def _joined(names: Sequence[str], weights: dict[str, float]) -> Iterator[Group]:
    """Runs of neighbours of equal weight; `names` is in descending order."""
    begin = 0
    while begin < len(names):
        weight, end = weights[names[begin]], begin + 1
        while end < len(names) and weights[names[end]] == weight:
            end += 1
        first, last = names[begin], names[end - 1]
        if weight:
            name = first if first == last else f"{first}-{last}" if begin else f"{last}+"
            yield name, weight
        begin = end


def canonical_text(weights: FloatArray) -> str:
    """The canonical text of a range, float64[1326]; it reads back as the same weights."""
    return ",".join(
        name if weight == 1 else f"{name}:{weight_text(weight)}"
        for name, weight in _canonical_groups(weights)
    )


def dialect_name(name: str) -> str:
    """The canonical name of a dialect, in lower case; raises UnknownNameError."""
    instance("dialect", name, str, f"one of {', '.join(_WRITERS)}")
    canonical = _ALIASES.get(name.lower(), name.lower())
    if canonical not in _WRITERS:
        raise UnknownNameError("dialect", name, list(_WRITERS))
    return canonical


def written(weights: FloatArray, dialect: str) -> str:
    """A range, float64[1326], in a dialect; raises ConfigError if it cannot express the range."""
    return _WRITERS[dialect_name(dialect)](weights)


def _percent(weight: float) -> str:
    """The weight in percent, exactly."""
    return format(Decimal(weight_text(weight)).scaleb(2).normalize(), "f")


def _by_weight(weights: FloatArray) -> list[tuple[float, list[str]]]:
    """The groups of each weight, the largest weight first."""
    groups = sorted(_canonical_groups(weights), key=lambda group: -group[1])
    return [
        (weight, [name for name, _ in names])
        for weight, names in groupby(groups, key=lambda group: group[1])
    ]


def _gto_plus(weights: FloatArray) -> str:
    parts = []
    for weight, names in _by_weight(weights):
        text, percent = ",".join(names), _percent(weight)
        percent += "" if "." in percent else ".0"
        parts.append(text if weight == 1 else f"[{percent}]{text}[/{percent}]")
    return ",".join(parts)


def _equilab(weights: FloatArray) -> str:
    groups = _by_weight(weights)
    if all(weight == 1 for weight, _ in groups):
        return ", ".join(name for _, names in groups for name in names)
    return ", ".join(f"{_percent(weight)}: {', '.join(names)}" for weight, names in groups)


def _pokercruncher(weights: FloatArray) -> str:
    hands = ", ".join(name for name, _ in _canonical_groups(np.ceil(weights)))
    below = [f"{n}:{_percent(w)}%" for n, w in _canonical_groups(np.where(weights < 1, weights, 0))]
    return hands + (f"; Weights: {', '.join(below)}" if below else "")


def _propokertools(weights: FloatArray) -> str:
    groups = _canonical_groups(weights)
    if all(weight == 1 for _, weight in groups):
        return ",".join(name for name, _ in groups)
    return ",".join(f"{name}@{_percent(weight)}" for name, weight in groups)


def _pokerkit(weights: FloatArray) -> str:
    for name, weight in _canonical_groups(weights):
        if weight != 1:
            raise ConfigError(
                f"{name} has the weight {weight_text(weight)}, but the dialect pokerkit does not "
                "support weights",
                option="dialect",
                given=name,
                remedy="use another dialect, such as pio",
            )
    names = (name for name, _ in _canonical_groups(weights))
    return " ".join(part for name in names for part in _without_rows(name))


def _without_rows(name: str) -> list[str]:
    """`A5s-A2s` hand by hand, since PokerKit joins only hands with the same gap; others as is."""
    first, dash, last = name.partition("-")
    if not dash or first[0] != last[0]:
        return [name]
    kickers = _FALLING[_FALLING.index(first[1]) : _FALLING.index(last[1]) + 1]
    return [first[0] + kicker + first[2:] for kicker in kickers]


def _raw(weights: FloatArray) -> str:
    ordered = np.empty(NUM_COMBOS)
    ordered[PIO_INDEX] = weights
    return " ".join(map(weight_text, ordered))


_WRITERS: Final[dict[str, Callable[[FloatArray], str]]] = {
    PIO: canonical_text,
    "gto+": _gto_plus,
    "equilab": _equilab,
    "pokercruncher": _pokercruncher,
    "propokertools": _propokertools,
    "pokerkit": _pokerkit,
    "raw": _raw,
}
DIALECTS: Final = tuple(_WRITERS)
"""The names of all dialects."""


class ReadDialect(NamedTuple):
    """The dialect that a range is read in."""

    name: str
    """Its canonical name."""
    is_detected: bool
    """Whether the text is read so without naming the dialect."""
    deck: Deck = FULL_DECK
    """The deck of whose hands `15%` and presets are shares."""

    @property
    def weighted(self) -> str | None:
        """Half of the queens in this dialect; None if it does not support weights."""
        weights = np.zeros(NUM_COMBOS)
        weights[class_combos(CLASS_NAMES.index("QQ"))] = 0.5
        try:
            return written(weights, self.name)
        except ConfigError:
            return None
