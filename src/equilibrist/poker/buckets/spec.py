"""What buckets to make: how many on each street, of which kind, for which deck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from equilibrist.errors import ConfigError, NotationError
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.poker.cards.cards import RANKS
from equilibrist.poker.cards.deal_counts import count_deals

STREETS: Final = ("preflop", "flop", "turn", "river")
BOARD_SIZES: Final = (0, 3, 4, 5)
LOSSLESS: Final = "lossless"
"""The kind of a street on which every hand has a bucket of its own."""
ALL: Final = "all"
"""What stands for the number of all hands of a street."""
KINDS: Final[dict[str, tuple[str, ...]]] = {
    "preflop": ("histogram", "equity", "quantile"),
    "flop": ("histogram", "potential", "equity", "quantile"),
    "turn": ("histogram", "potential", "equity", "quantile"),
    "river": ("equity", "quantile", "ochs"),
}
"""The kinds of buckets on each street, the default first."""
DEFAULT_KINDS: Final = "/".join(kinds[0] for kinds in KINDS.values())
MOST_BUCKETS: Final = 65_535
"""The most buckets of a street that are found by clustering: a row's numbers have 16 bits."""
MOST_NEXT: Final = 5000
"""The most buckets of the street after one with potential-aware buckets."""
LEAST_SAMPLE: Final = 1000
"""The smallest sample that buckets are made from."""


@dataclass(frozen=True)
class BucketSpec:
    """What buckets to make.

    Attributes:
        counts: Buckets on the four streets.
        kinds: The kind of each street: `histogram`, `potential`, `equity`, `quantile`, `ochs` or
            `lossless`.
        lowest_rank: The lowest rank in the deck, 0 for 52 cards.
        seed: Seed of the samples and of the first centres.
        restarts: How often k-means begins.
        passes: The most passes of each.
        sample: Hands that k-means sees on a street.
    """

    counts: tuple[int, ...]
    kinds: tuple[str, ...]
    lowest_rank: int = 0
    seed: int = 0
    restarts: int = 3
    passes: int = 20
    sample: int = 200_000

    def document(self) -> dict[str, Any]:
        """The fields as JSON has them."""
        return {**asdict(self), "counts": list(self.counts), "kinds": list(self.kinds)}


def hands_of_street(street: int, lowest_rank: int) -> int:
    """The hands of a street up to a renaming of the suits, boards being sets of cards."""
    sizes = (2, BOARD_SIZES[street]) if street else (2,)
    return count_deals(sizes, lowest_rank)


def lowest_rank_of(deck: str) -> int:
    """The lowest rank of a deck.

    Args:
        deck: It, such as `T`, or the number of cards, such as 20.

    Returns:
        The rank, 0 for 52 cards.

    Raises:
        ConfigError: There is no such deck.
    """
    text = deck.strip().upper()
    ranks = [*RANKS[:11]]  # three ranks are left at least
    cards = [str(4 * (len(RANKS) - rank)) for rank in range(len(ranks))]
    for known in (ranks, cards):
        if text in known:
            return known.index(text)
    raise ConfigError(
        f"--deck {deck}: a deck has four cards of each rank, from the ace down",
        option="--deck",
        given=deck,
        expected="the lowest rank, 2 to Q, or 12, 16 ... 52 cards",
        remedy="give the lowest rank, such as T",
    )


def bucket_spec(
    buckets: str | Sequence[int | str],
    kinds: str | Sequence[str] = DEFAULT_KINDS,
    *,
    lowest_rank: int = 0,
    seed: int = 0,
    restarts: int = 3,
    passes: int = 20,
    sample: int = 200_000,
) -> BucketSpec:
    """Read and check what buckets to make.

    Args:
        buckets: Their numbers before the flop, on it, on the turn and on the river:
            `169/200/200/200`, or a list; `all` is one for every hand.
        kinds: Their kinds, as `histogram/histogram/histogram/equity`; one word for a kind of flop,
            turn or river leaves the others at their default.
        lowest_rank: The lowest rank in the deck, 0 for 52 cards, 8 for the 20 from ten to ace.
        seed: Seed of the samples and of the first centres.
        restarts: How often k-means begins.
        passes: The most passes of each.
        sample: Hands that k-means sees on a street.

    Returns:
        The spec.

    Raises:
        NotationError: A text cannot be read, or a street has fewer hands than buckets.
        ConfigError: Another argument is out of range.
    """
    whole_number("lowest_rank", lowest_rank, 0, len(RANKS) - 3)
    whole_number("seed", seed, 0)
    whole_number("restarts", restarts, 1, 1000)
    whole_number("passes", passes, 1, 10_000)
    whole_number("sample", sample, LEAST_SAMPLE, 5_000_000)
    if not isinstance(buckets, str):
        value: Any = buckets
        if not isinstance(value, Sequence) or not all(isinstance(b, int | str) for b in value):
            raise bad_argument("buckets", buckets, "a text, such as '169/200/200/200'")
        buckets = "/".join(map(str, buckets))
    if not isinstance(kinds, str):
        named: Any = kinds
        if not isinstance(named, Sequence) or not all(isinstance(kind, str) for kind in named):
            raise bad_argument("kind", kinds, f"a text, such as {DEFAULT_KINDS!r}")
        kinds = "/".join(kinds)
    words, street_kinds = _words(buckets, "buckets", "169/200/200/200"), _kinds(kinds)
    counts, chosen, position = [], [], 0
    for street, (word, kind) in enumerate(zip(words, street_kinds, strict=True)):
        hands = hands_of_street(street, lowest_rank)
        count = hands if word.strip().lower() == ALL else _count(word, buckets, position)
        _check_count(street, count, hands, kind, buckets, position)
        counts.append(count)
        chosen.append(LOSSLESS if count == hands else kind)
        position += len(word) + 1
    _check_potential(counts, chosen, buckets)
    return BucketSpec(tuple(counts), tuple(chosen), lowest_rank, seed, restarts, passes, sample)


def _check_potential(counts: Sequence[int], kinds: Sequence[str], text: str) -> None:
    """Potential-aware buckets need all distances between the buckets of the next street."""
    for street, kind in enumerate(kinds):
        if kind == "potential" and counts[street + 1] > MOST_NEXT:
            raise NotationError(
                f"buckets of the {STREETS[street]} by potential: {counts[street + 1]:,} buckets "
                f"follow on the {STREETS[street + 1]}",
                text,
                len("/".join(text.split("/")[: street + 1])) + 1,
                option="buckets",
                given=counts[street + 1],
                expected=f"at most {MOST_NEXT}",
                remedy=f"give at most {MOST_NEXT} there, or the kind histogram",
            )


def _words(text: str, option: str, example: str) -> list[str]:
    words = text.split("/")
    if len(words) != len(STREETS):
        at = len("/".join(words[: len(STREETS)])) if len(words) > len(STREETS) else len(text)
        raise NotationError(
            f"{option} has {len(words)} part{'s' * (len(words) != 1)}; expected four, for "
            f"{', '.join(STREETS)}",
            text,
            at,
            option=option,
            given=text,
            expected=len(STREETS),
            remedy=f"write it as {example}",
        )
    return words


def _count(word: str, text: str, position: int) -> int:
    digits = word.strip().replace("_", "").replace(",", "")
    if not digits.isdecimal() or len(digits) > 12 or int(digits) == 0:
        raise NotationError(
            f"{word.strip()!r} is not a number of buckets",
            text,
            position,
            option="buckets",
            given=word,
            expected=f"a whole number of at least 1, or {ALL}",
            remedy=f"give a whole number of at least 1, or {ALL} for one bucket per hand",
        )
    return int(digits)


def _check_count(street: int, count: int, hands: int, kind: str, text: str, position: int) -> None:
    if count > hands:
        raise NotationError(
            f"{count:,} buckets are more than the {hands:,} hands of the {STREETS[street]}",
            text,
            position,
            option="buckets",
            given=count,
            expected=f"at most {hands}",
            remedy=f"give at most {hands}, or {ALL}",
        )
    if count > MOST_BUCKETS and count != hands:
        raise NotationError(
            f"{count:,} buckets on the {STREETS[street]} do not fit in 16 bits",
            text,
            position,
            option="buckets",
            given=count,
            expected=f"at most {MOST_BUCKETS}",
            remedy=f"give at most {MOST_BUCKETS}, or {ALL} for one bucket per hand",
        )
    if STREETS[street] == "river" and kind != "ochs" and count != hands and count > 1981:
        raise NotationError(
            f"{count:,} buckets by {kind} on the river: a hand has one of 1,981 equities",
            text,
            position,
            option="buckets",
            given=count,
            expected="at most 1981",
            remedy="give at most 1981, or the kind ochs for the river",
        )


def _kinds(text: str) -> tuple[str, ...]:
    words = _words(text, "kind", DEFAULT_KINDS)
    position = 0
    for street, word in zip(STREETS, words, strict=True):
        if word.strip().lower() not in KINDS[street]:
            choices = ", ".join(KINDS[street])
            raise NotationError(
                f"{word.strip()!r} is not a kind of buckets for the {street}; known: {choices}",
                text,
                position,
                option="kind",
                given=word.strip(),
                expected=choices,
                remedy=f"write it as {DEFAULT_KINDS}",
            )
        position += len(word) + 1
    return tuple(word.strip().lower() for word in words)
