"""What the files of another program cannot say of a spot is refused."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from equilibrist.errors import ConfigError
from equilibrist.poker.betting.bet_sizes import BetSize, Sizes
from equilibrist.poker.betting.public_tree import WalkedBetting
from equilibrist.poker.cards.combos import CLASS_NAMES, class_combos, combo_name
from equilibrist.poker.postflop.setups.set_up import ListKey
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.dialects import weight_text
from equilibrist.poker.ranges.range import Range

SAID: Final = frozenset(
    ("board", "oop", "ip", "pot", "stack", "bets", "raises", "oop_bets", "oop_raises", "ip_bets",
     "ip_raises", "donks", "force_all_in", "unit")
)  # fmt: skip
"""The keys that files of all programs say; sizes and units are checked one by one."""
_WITHOUT_EFFECT_UNLESS: Final = {"all_in_without_sizes": "add_all_in", "rake_cap": "rake"}
"""Keys that say something together with another one alone."""


def lists_of(spot: Spot) -> dict[ListKey, Sizes]:
    """All lists of sizes that are played, empty on streets before the first.

    Donk bets are missing where the ordinary bets apply.
    """
    lists: dict[ListKey, Sizes] = {}
    for seat, menus in zip(SEATS, spot.rules().menus, strict=True):
        for street, menu in enumerate(menus):
            is_played = street >= spot.first_street
            lists[seat, "bets", street] = menu.bets if is_played else ()
            lists[seat, "raises", street] = menu.raises if is_played else ()
            if seat == "oop" and menu.donks is not None and street > spot.first_street:
                lists[seat, "donks", street] = menu.donks
    return lists


def hand_by_hand(hands: Range) -> str:
    """A range as text that every program reads: classes of hands one by one, without `+` or `-`.

    Classes whose combos differ in weight are written combo by combo.
    """
    weights = hands.weights
    parts = []
    for class_, name in enumerate(CLASS_NAMES):
        combos = class_combos(class_)
        own = weights[combos]
        if own.max() == own.min():
            named = [(name, float(own[0]))]
        else:
            named = [(combo_name(combo), float(weights[combo])) for combo in combos]
        parts += [
            text if weight == 1 else f"{text}:{weight_text(weight)}"
            for text, weight in named
            if weight
        ]
    return ",".join(parts)


def refuse_keys(spot: Spot, form: str, said: Collection[str]) -> None:
    """Raise ConfigError for the first key that is not at its default and that a form lacks.

    Args:
        spot: The spot.
        form: What is written, with an article.
        said: The keys that its files say, besides those in `SAID`.
    """
    for key in Spot.model_fields:
        value = getattr(spot, key)
        if key in SAID or key in said or value == Spot.model_fields[key].default:
            continue
        if key in _WITHOUT_EFFECT_UNLESS and not getattr(spot, _WITHOUT_EFFECT_UNLESS[key]):
            continue
        default = Spot.model_fields[key].default
        is_number = isinstance(default, int | float) and not isinstance(default, bool)
        raise ConfigError(
            f"{key} is nothing that {form} says",
            option=key,
            given=str(value)[:80],
            remedy=_instead(f"set it to {default:g}" if is_number else "leave it out", form),
        )


def refuse_units(spot: Spot, form: str) -> None:
    """Raise ConfigError for a spot whose bets are no whole chips."""
    unit = spot.rules().unit
    if unit != 1:
        raise ConfigError(
            f"{form} counts whole chips, and the unit of this spot is {unit} chips",
            option="unit",
            given=unit,
            expected=1,
            remedy=f"multiply all amounts of chips by {round(1 / unit)}",
        )


def bad_size(size: BetSize, form: str) -> ConfigError:
    """The error for a size that a form does not have."""
    return ConfigError(
        f"{form} has no size {size}",
        option="sizes",
        given=str(size),
        remedy=_instead("give another size", form),
    )


def check_rake(spot: Spot, form: str) -> None:
    """Raise ConfigError for rake without a cap, which a form does not have."""
    if spot.rake and spot.rake_cap is None:
        raise ConfigError(
            f"{form} has no rake without a cap",
            option="rake_cap",
            given=None,
            expected="chips",
            remedy=f"give one that no pot reaches, such as {2 * spot.stack + spot.pot:g}",
        )


def _instead(change: str, form: str) -> str:
    """What to do about a spot that a form cannot say."""
    script = "all lines of its tree (pio-script), or " * ("configuration" in form)
    return f"{change}, or write {script}a spot file (toml)"


def adds_to_sizes_alone(spot: Spot) -> bool:
    """Whether `add_all_in` adds nothing more where it also adds to empty lists."""
    rules = spot.rules()
    if not spot.add_all_in or spot.all_in_without_sizes:
        return True
    filled = replace(rules, thresholds=replace(rules.thresholds, all_in_without_sizes=True))
    return WalkedBetting.of(filled).num_nodes == spot.betting.num_nodes
