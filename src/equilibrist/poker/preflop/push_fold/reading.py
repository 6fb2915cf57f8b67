"""Push-or-fold games from texts, as people type them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.parsing.quantities import read_whole
from equilibrist.poker.preflop.push_fold.game import PushFold
from equilibrist.poker.preflop.push_fold.solving import push_fold_game

OF_PRIZES: Final = ",/"
"""What separates payouts and further stacks, beside spaces and semicolons."""
_EXAMPLES: Final = {"/": "two numbers, such as 50/100", ",": "numbers, such as 10,25"}


def read_push_fold(texts: Mapping[str, str]) -> PushFold:
    """A game from the texts of its keys, those of `PUSH_FOLD_OPTIONS`.

    Args:
        texts: The texts by key; amounts may be in big blinds, `10bb`.

    Raises:
        ConfigError: A text cannot be read, a number is out of range, or the stacks are missing.
    """
    if ("stack" in texts) == ("stacks" in texts):
        raise ConfigError(
            "the stack is missing" if "stack" not in texts else "stack and stacks are both given",
            option="stack",
            expected="a stack for all seats, or one for each",
            remedy="give one stack for all seats, or one for each",
        )
    game: dict[str, Any] = {}
    if "seats" in texts:
        game["seats"] = read_whole(texts["seats"], "seats")
    if "blinds" in texts:
        game["blinds"] = tuple(read_numbers("blinds", texts["blinds"], "/"))
    unit = game.get("blinds", (0.5, 1.0))[-1]
    for name in ("ante", "big_blind_ante"):
        if name in texts:
            (game[name],) = read_numbers(name, texts[name], "", unit)
    for name in ("payouts", "others"):
        if name in texts:
            scale = None if name == "payouts" else unit
            game[name] = read_numbers(name, texts[name], OF_PRIZES, scale)
    if "stacks" in texts:
        return push_fold_game(read_numbers("stacks", texts["stacks"], OF_PRIZES, unit), **game)
    (stack,) = read_numbers("stack", texts["stack"], "", unit)
    return push_fold_game(stack, **game)


def read_numbers(name: str, text: str, separators: str, unit: float | None = None) -> list[float]:
    """The numbers of a text.

    Args:
        name: The key, for errors.
        text: The text.
        separators: What stands between numbers; `OF_PRIZES` also takes spaces and semicolons, an
            empty text is for one number.
        unit: The big blind, where amounts may be given in it: `10bb`; payouts may have a `%`.

    Returns:
        The numbers, in the order of the text.

    Raises:
        ConfigError: It has something else in it.
    """
    parts = [text]
    if separators == OF_PRIZES:  # also between spaces; one may stand before a percent sign
        parts = re.split(r"\s*[,/;]\s*|\s+", re.sub(r"\s+(%|bb\b)", r"\1", text.strip()))
    elif separators:
        parts = re.split(f"[{separators}]", text)
    numbers = []
    for part in parts:
        number = part.strip().lower()
        scale = 1.0
        if unit is not None and number.endswith("bb"):
            number, scale = number[:-2], unit
        elif name == "payouts":
            number = number.removesuffix("%")
        try:
            numbers.append(scale * float(number))
        except ValueError:
            remedy = "give a stack for each seat by --stacks" if name == "stack" else None
            expected = _EXAMPLES.get(separators[:1], "a number")
            raise bad_argument(
                name, text, expected, remedy=remedy if "/" in text else None
            ) from None
    return numbers
