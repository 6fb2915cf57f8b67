"""Parsers of ranges, in all supported dialects.

Each parser turns a text into float64[1326] and raises RangeSyntaxError with the position. If groups
overlap, the earlier one wins, unless the dialect has another rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from equilibrist.errors import RangeSyntaxError
from equilibrist.formatting.amounts import counted
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.cards.cards import with_suit_letters
from equilibrist.poker.cards.combos import NUM_CLASSES, NUM_COMBOS, PIO_INDEX
from equilibrist.poker.cards.decks import FULL_DECK, Deck
from equilibrist.poker.ranges.dialects import PIO, ReadDialect, dialect_name
from equilibrist.poker.ranges.hand_groups import HAND, group_combos, without_plus
from equilibrist.poker.text_span import NUMBER, TextSpan
from equilibrist.typing import FloatArray, Int64Array

Weighted = tuple[TextSpan, float]
"""A group of hands as it is written, and its weight."""
MOST_CHARACTERS: Final = 1_000_000
"""The longest text that is read; all combos with weights near 1e-308 have half as many."""

_FLAGS: Final = re.IGNORECASE | re.ASCII
_BRACKET: Final = re.compile(r"\[\s*+(/?)([^\[\]]*+)\]")
_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **{chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)},
        "\u3001": ",",
        "\u3000": " ",
        "\u00a0": " ",
    }
)
"""What programs for writing make of the hyphen of `66-22`, and what Chinese keyboards type."""
_CARD: Final = "(?:10|[2-9TJQKA])[cdhs]"
_APART: Final = re.compile(rf"(?<![0-9a-z])({_CARD})([ \t]+)({_CARD})(?![0-9a-z])", _FLAGS)
"""The two cards of a hand with blanks between them."""
_BLANKS: Final = re.compile(r"[\s;]++")
"""All that stands between two groups, in time that is linear in its length."""
_BREAK: Final = re.compile(r"[\n\r;]")
_MARK: Final = re.compile(r"[,:@\[%m]", re.IGNORECASE)
"""What no list of PokerKit has: commas, weights, shares of all hands, and the m of a name."""
_TOP: Final = re.compile(
    rf"(?<![^\s,])(?:top|best)(?=\s*{NUMBER}\s*%)|(?<=%)\s*of\s+(?:all\s+)?hands(?![^\s,:])", _FLAGS
)
"""Words around a share of all hands, `top 10% of hands`."""
_WITH_WEIGHT: Final = re.compile(
    rf"(\s*+{HAND}(?:\s*+\+|\s*+-\s*+{HAND})?)[ \t](\s*+(?:{NUMBER}\s*+%|0?\.[0-9]++|1\.0++))",
    _FLAGS,
)
"""A group and its weight behind a blank, `AA 50%` or `AA 0.5`."""
_GROUP: Final = rf"{HAND}(?:\s*+\+|\s*+-\s*+{HAND})?"
_NUMBER_ALONE: Final = r"[0-9]{2}(?:\s*+$|\s++(?![-+]))"
"""Two ranks that may be a weight as well, as the 75 of `AA 75`."""
_ONLY_BLANKS: Final = re.compile(
    rf"\s*+(?:{NUMBER}\s*+(?:%\s*+)?:\s*+)?(?!{_NUMBER_ALONE}){_GROUP}"
    rf"(?:[ \t]++(?!{_NUMBER_ALONE}){_GROUP})++\s*+",
    _FLAGS,
)
"""Groups without weights of their own between two commas, with blanks alone between them."""
_BEFORE_GROUP: Final = re.compile(rf"({_GROUP})[ \t](?=[ \t]*+{HAND})", _FLAGS)
_WRAPPED: Final = re.compile(r"\s*+(?:\{[^{}]*\}|\([^()]*\)|\"[^\"]*\"|'[^']*')\s*")
"""A whole range in braces, as PokerStove prints it, in parentheses or in quotation marks."""
_SIGNS_AROUND: Final = re.compile(r"[{}()\"']")
_IN_PARENTHESES: Final = re.compile(
    rf"({_GROUP}[ \t]*+)\(([ \t]*+{NUMBER}[ \t]*+%?[ \t]*+)\)", _FLAGS
)
"""A group and its weight in parentheses, `AsAh(0.5)` or `22+ (50%)`."""
_IN_FRONT: Final = re.compile(rf"\s*+({NUMBER}\s*+%?)\s*+@\s*+(?={HAND}|[2-9TJQKA][a-z*])", _FLAGS)
"""A weight before its group, `0.5@AA` or `50%@AA`."""
_DIGITS: Final = re.compile(r"[0-9]++\s*+")
_EXPONENT: Final = "(?:e([-+]?[0-9]{1,4}))?"
_PREFIX: Final = re.compile(rf"({NUMBER}{_EXPONENT})\s*+(?:%\s*+)?:\s*(?=[2-9TJQKA1])", _FLAGS)
_CANONICAL: Final = re.compile(rf"(?:{HAND}|{NUMBER}\s*%)\s*:\s*{NUMBER}{_EXPONENT}\s*%", _FLAGS)
"""A hand or a share of all hands, of digits alone perhaps, and its weight in percent."""
_WEIGHTS: Final = re.compile(r";\s*weights\s*:", _FLAGS)
_WEIGHT: Final = re.compile(rf"({NUMBER}){_EXPONENT}", _FLAGS)
_NEITHER: Final = r"\s*[;/]\s*|\s+"


def read_range(text: str, dialect: str | None = None, deck: Deck = FULL_DECK) -> FloatArray:
    """The weights of a range, float64[1326]; without a dialect it is detected.

    Shares such as `15%`, and presets, are of the hands of `deck`.

    Raises RangeSyntaxError, and UnknownNameError for an unknown dialect.
    """
    if not isinstance(text, str):
        raise bad_argument("range", text, "text, such as '88+,AKs'")
    if len(text) > MOST_CHARACTERS:
        raise RangeSyntaxError(
            f"the range has {len(text):,} characters; expected at most {MOST_CHARACTERS:,}",
            text,
            MOST_CHARACTERS,
            option="range",
            given=len(text),
            expected=MOST_CHARACTERS,
            remedy="name each hand once",
        )
    text = _plain(text)
    detected = _detected(text)
    name = detected if dialect is None else dialect_name(dialect)
    if name == "raw":
        return _read_raw(text)
    whole, read = TextSpan.all_of(text), ReadDialect(name, name == detected, deck)
    if dialect is None and any(_has_weight_in_front(item) for item in text.split(",")):
        return _filled(_weighted_in_front(whole), ReadDialect(PIO, is_detected=True, deck=deck))
    if name == "pokerkit":
        return _filled(_pokerkit(whole.trimmed(), strict=dialect is None), read)
    if name == "pokercruncher":
        return _read_pokercruncher(whole, read)
    if name == "propokertools":  # where groups overlap, the largest weight wins
        groups = _suffixed(whole, "@", _percent)
        return _filled(sorted(groups, key=lambda group: -group[1]), read)
    if name == "gto+":
        return _filled(_bracketed(whole), read)
    if name == "equilab":
        return _filled(_prefixed(whole), read)
    return _filled(_suffixed(whole, ":", _fraction), read)


def hand_combos(text: str) -> list[int]:
    """The combos of one group of hands without a weight, each once.

    Args:
        text: The group, such as `AKs`, `22-66` or `A♠ K♠`.

    Returns:
        Their numbers, 0 to 1,325.

    Raises:
        RangeSyntaxError: It is no group of hands; the error has the position.
    """
    return group_combos(TextSpan.all_of(_plain(text)).trimmed())


def listed_combos(text: str) -> list[int]:
    """The combos of groups of hands without weights, between commas, semicolons or blanks.

    Args:
        text: The groups, such as `AA, KQs`.

    Returns:
        Their numbers, each once.

    Raises:
        RangeSyntaxError: One of them is no group of hands; the error has the position.
    """
    pieces = TextSpan.all_of(_plain(text)).trimmed().split(r"[,;\s]+")
    return list(dict.fromkeys(combo for piece in pieces for combo in group_combos(piece)))


def _plain(text: str) -> str:
    """A text with letters for suits, plain signs, and commas between groups.

    Ends of lines and semicolons separate groups, too, except in lists of PokerKit, which have no
    commas, and between the two parts of a range of PokerCruncher.
    """
    if _WRAPPED.fullmatch(text):
        text = _SIGNS_AROUND.sub(" ", text)
    text = _bare(_APART.sub(r"\1\3\2", with_suit_letters(text).translate(_SIGNS)))
    text = _IN_PARENTHESES.sub(r"\1:\2 ", text)
    if not _MARK.search(text) or _WEIGHTS.search(text):
        return text

    def comma(found: re.Match[str]) -> str:
        if not _BREAK.search(found.group()):
            return found.group()
        start, end = found.span()
        inside = start > 0 and end < len(text)
        separates = inside and text[start - 1] != "," and text[end] != ","
        return ("," if separates else " ") + " " * (end - start - 1)

    text = _TOP.sub(lambda words: " " * len(words[0]), _BLANKS.sub(comma, text))
    return ",".join(map(_with_commas, text.split(",")))


def _with_commas(piece: str) -> str:
    """What stands between two commas, with `A9s+,K9s+` for `A9s+ K9s+`, and so with weights.

    `AA:50%,KK:25%` stands for `AA 50% KK 25%`. A share of all hands behind a blank is refused where
    hands have no weights, for it may be one.
    """
    if _ONLY_BLANKS.fullmatch(piece):
        return _BEFORE_GROUP.sub(r"\1,", piece)
    begin, read = 0, []
    while (match := _WITH_WEIGHT.match(piece, begin)) is not None:
        read.append(f"{match[1]}:{match[2]}")
        begin = match.end()
    if begin == 0 or piece[begin:].strip():
        return piece
    return ",".join(text if k == 0 else text[1:] for k, text in enumerate(read)) + piece[begin:]


def _bare(text: str) -> str:
    """A text with blanks for the ends of lines and semicolons before and behind all groups."""
    start, end = (_leading(part) for part in (text, text[::-1]))
    if start == len(text):
        return text
    return " " * start + text[start : len(text) - end] + " " * end


def _leading(text: str) -> int:
    """How many characters stand before the first group of a text."""
    found = _BLANKS.match(text)
    return 0 if found is None else found.end()


def _detected(text: str) -> str:
    """The dialect of a text by its characteristic marks; the canonical one by default."""
    if len(text.replace(",", " ").split()) > NUM_CLASSES and not re.search(
        r"[a-df-z:@\[]", text, _FLAGS
    ):
        return "raw"
    if "[" in text:
        return "gto+"
    if _WEIGHTS.search(text):
        return "pokercruncher"
    if "@" in text:
        return "propokertools"
    if any(_is_prefixed(item) for item in text.split(",")):
        return "equilab"
    blank_between = re.search(rf"{HAND}\+?(?:{_NEITHER}){HAND}", text, _FLAGS)
    if blank_between and "," not in text and ":" not in text:
        return "pokerkit"
    return PIO


def _has_weight_in_front(item: str) -> bool:
    """Whether an item is `0.5@AA`; not a group and its weight as of ProPokerTools, `15%@55`."""
    match = _IN_FRONT.match(item)
    if match is None:
        return False
    front = match[1]
    is_group = front.endswith("%") or re.fullmatch(HAND, front, _FLAGS) is not None
    return not (is_group and _DIGITS.fullmatch(item, match.end()))


def _is_prefixed(item: str) -> bool:
    """Whether an item is `75: AQs` or `75: 88`; not a group and its weight, `88:0.5`, `5%:25%`."""
    text = item.strip()
    match = _PREFIX.match(text)
    if match is None or _CANONICAL.fullmatch(text):
        return False
    return re.match(HAND, text[match.end() :], _FLAGS) is not None


def _filled(groups: Iterable[Weighted], dialect: ReadDialect) -> FloatArray:
    """The weights of groups; the first group that contains a combo decides."""
    weights, is_set = np.zeros(NUM_COMBOS), np.zeros(NUM_COMBOS, dtype=bool)
    combos_of_text: dict[str, Int64Array] = {}  # long texts repeat themselves
    for group, weight in groups:
        combos = combos_of_text.get(group.text)
        if combos is None:
            combos = combos_of_text[group.text] = np.array(group_combos(group, dialect), np.int64)
        weights[combos[~is_set[combos]]] = weight
        is_set[combos] = True
    return weights


def _listed(piece: TextSpan, separator: str = ",") -> list[TextSpan]:
    """The groups of a list; a trailing separator is allowed."""
    groups = piece.split(separator)
    return groups if groups[-1].text else groups[:-1]


def _fraction(piece: TextSpan) -> float:
    if piece.text.endswith("%"):
        return _percent(piece)
    return _weight(piece, piece.text, 1, "from 0 to 1, such as KQo:0.5, or in percent, KQo:50%")


def _percent(piece: TextSpan) -> float:
    text = piece.text.removesuffix("%").rstrip()
    return _weight(piece, text, 100, "in percent, from 0 to 100")


def _weight(piece: TextSpan, text: str, most: int, expected: str) -> float:
    """The weight `text`, 0.001 or 1e-3, as a share of `most`."""
    match = _WEIGHT.fullmatch(text)
    if not text:
        problem = "the weight is missing"
    elif match is None:
        problem = f"{escape_control_chars(text[:20])!r} is not a weight"
    elif float(text) > most:
        problem = f"the weight {text[:20]} is above {most}"
    else:
        power = int(match[2] or 0)
        return float(f"{match[1]}e{power if most == 1 else power - 2}")
    raise RangeSyntaxError(
        f"{problem}; weights are numbers {expected}",
        piece.whole,
        piece.start,
        option="weight",
        given=piece.text,
    )


def _suffixed(piece: TextSpan, sign: str, read: Callable[[TextSpan], float]) -> list[Weighted]:
    """Groups with their weights after a sign, `KQo:0.5`; 1 without."""
    groups = []
    for group in _listed(piece):
        hands, suffix, _ = group.text.partition(sign)
        weight = read(group.part(len(hands) + 1).trimmed()) if suffix else 1.0
        groups.append((group.part(0, len(hands)).trimmed(), weight))
    return groups


def _weighted_in_front(piece: TextSpan) -> list[Weighted]:
    """`0.5@AA,KK`: a weight from 0 to 1, or in percent, applies to the group behind it alone."""
    groups = []
    for group in _listed(piece):
        match, weight = _IN_FRONT.match(group.text), 1.0
        if match:
            weight = _fraction(group.part(*match.span(1)).trimmed())
            group = group.part(match.end())  # noqa: PLW2901 - the rest of it
        groups.append((group.trimmed(), weight))
    return groups


def _prefixed(piece: TextSpan) -> list[Weighted]:
    """`100: AA, AKs, 75: AQs`: a weight applies to all groups up to the next weight."""
    groups, weight = [], 1.0
    for group in _listed(piece):
        match = _PREFIX.match(group.text)
        if match:
            weight = _percent(group.part(*match.span(1)))
            group = group.part(match.end())  # noqa: PLW2901 - the rest of it
        groups.append((group, weight))
    return groups


def _bracketed(piece: TextSpan) -> list[Weighted]:
    """`AA,[25.0]AKs,AQs[/25.0],KK`: brackets around groups of one weight."""
    groups: list[Weighted] = []
    begin, opened = 0, None
    for bracket in _BRACKET.finditer(piece.text):
        groups += _between(piece.part(begin, bracket.start()), opened)
        begin, weight = bracket.end(), piece.part(*bracket.span(2)).trimmed()
        if bool(bracket[1]) != (opened is not None):
            fault = "closes no open weight" if bracket[1] else "opens a weight inside another"
            raise _wrong_bracket(
                f"{bracket[0]} {fault}; weights look like [25.0]AKs[/25.0]", piece, bracket
            )
        if opened is not None and _percent(weight) != _percent(opened):
            fault = f"a weight opened as {opened.text} is closed as {weight.text}"
            raise _wrong_bracket(f"{fault}; both must be equal", piece, bracket)
        opened = None if bracket[1] else weight
    groups += _between(piece.part(begin), opened)
    if opened is not None:
        raise RangeSyntaxError(
            "this weight is not closed",
            piece.whole,
            opened.start,
            option="range",
            given=opened.text,
            remedy=f"close it with [/{escape_control_chars(opened.text)}]",
        )
    return groups


def _wrong_bracket(message: str, piece: TextSpan, bracket: re.Match[str]) -> RangeSyntaxError:
    return RangeSyntaxError(
        message, piece.whole, piece.start + bracket.start(), option="range", given=bracket[0]
    )


def _between(piece: TextSpan, weight: TextSpan | None) -> list[Weighted]:
    """The groups between two brackets, without the commas next to the brackets."""
    groups = piece.split(",")
    if len(groups) > 1 and not groups[0].text:
        groups = groups[1:]
    if not groups[-1].text:
        groups = groups[:-1]
    value = 1.0 if weight is None else _percent(weight)
    return [(group, value) for group in groups]


def _read_pokercruncher(piece: TextSpan, dialect: ReadDialect) -> FloatArray:
    """`AA, ATs+; Weights: AQs:75%`: all hands first, then those whose weight is not 1."""
    match = _WEIGHTS.search(piece.text)
    if match is None:
        return _filled(_suffixed(piece, ":", _percent), dialect)
    hands = [(group, 1.0) for group in _listed(piece.part(0, match.start()))]
    weighted = _suffixed(piece.part(match.end()), ":", _percent)
    named = _filled(hands, dialect)
    for group, _ in weighted:
        if not named[group_combos(group, dialect)].all():
            raise RangeSyntaxError(
                f"{group.text} has a weight, but is not among the hands before the semicolon",
                piece.whole,
                group.start,
                option="range",
                given=group.text,
            )
    return _filled([*weighted, *hands], dialect)


def _pokerkit(piece: TextSpan, *, strict: bool) -> list[Weighted]:
    """Groups between blanks or semicolons; `98s+` means `98s`, and is an error if `strict`."""
    groups = []
    for group in _listed(piece, rf",|{_NEITHER}"):
        if group.text.endswith("%"):
            raise RangeSyntaxError(
                f"{group.text} behind a blank may be a weight, or the best hands of all",
                piece.whole,
                group.start,
                option="range",
                given=group.text,
                remedy=f"write AA:{group.text} for a weight, AA,{group.text} for more hands",
            )
        alone = without_plus(group)
        if strict and alone != group:
            raise RangeSyntaxError(
                f"{group.text} is ambiguous without commas: to PokerKit it is {alone.text} alone, "
                "to other programs more hands",
                piece.whole,
                group.start,
                option="range",
                given=group.text,
                remedy="separate the hands by commas, or give the dialect pokerkit",
            )
        groups.append((alone, 1.0))
    return groups


def _read_raw(text: str) -> FloatArray:
    """1,326 numbers between blanks or commas, in the order of PioSOLVER."""
    numbers = [TextSpan(text, *match.span()) for match in re.finditer(r"[^\s,]+", text)]
    if len(numbers) != NUM_COMBOS:
        raise RangeSyntaxError(
            f"the range has {counted(len(numbers), 'number')}; expected one for each of the 1,326 "
            "combos",
            text,
            0,
            option="range",
            given=len(numbers),
            expected=NUM_COMBOS,
        )
    weights: FloatArray = np.array([_fraction(number) for number in numbers])[PIO_INDEX]
    return weights
