"""What a search is worth: bots against the blueprints that they search from.

    python benchmarks/poker/search_strength.py exact     # a minute
    python benchmarks/poker/search_strength.py holdem    # ten minutes
    python benchmarks/poker/search_strength.py responses # ten minutes
    python benchmarks/poker/search_strength.py deep FOLDER  # half an hour, mostly training; 2 GB

`exact` is Leduc poker: every subgame after the board is solved when play comes to it, which is the
same as all beforehand, so that exploitability and the match against the blueprint are exact.
`holdem` is heads-up no-limit hold'em with the 20 cards from T to A: the bot solves each river anew,
and the blueprint plays before it. Its number of deals was fixed before the first one; every deal is
played once in each seat, and AIVAT takes out the luck of the cards and of both bots' draws.
`responses` are local best responses to the same bots; `deep` are those to a blueprint
of 52 cards and 200 big blinds, whose training is stopped after a time that was fixed before, in the
settings for which Lisý and Bowling (2017) published what they win from a bot of 2016.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.play import Bot, match_exactly
from equilibrist.play.bots.matches import BotMatch
from equilibrist.play.bots.searched_range import SearchedRanges
from equilibrist.play.bots.yardsticks import SEARCH_SETTINGS
from equilibrist.poker import Hand, build_card_buckets
from equilibrist.poker.blueprint import Blueprint
from equilibrist.poker.blueprint.evaluation.local_response import local_response
from equilibrist.poker.blueprint.training.train import train_blueprint
from equilibrist.search import OnlineSearch
from equilibrist.search.holdem.street_search import StreetSearch

TRUNKS = (10, 100)
METHODS = ("unsafe", "resolve", "max-margin", "reach")
HAND = Hand(stack=20, bets="50%,100%,a", raises="100%,a", deck="T")
BUCKETS, BUCKET_SEED = "all/12/12/8", 0
TRAINING = 2_000
FINER, LONGER = "all/60/60/40", 20_000
"""Buckets and training of a blueprint that is less rough."""
SEARCH_ITERATIONS = 200
DEALS, SEED = 10_000, 20
LBR_HANDS = 2_400
COMMAND = "python benchmarks/poker/search_strength.py"
RESPONSES = (
    (BUCKETS, TRAINING, "river", SEARCH_SETTINGS),
    (FINER, LONGER, "river", SEARCH_SETTINGS),
    (FINER, LONGER, "turn", ("fcpa:river", "fcpa:turn")),
)
"""Blueprints, the first street that is searched, and the settings of the responses."""
DEEP_HAND = Hand(stack=200, bets="50%,100%,a", raises="100%,a")
DEEP_BUCKETS = "169/200/200/200"
DEEP_SECONDS = 900.0
DEEP_HANDS = 20_000
PUBLISHED = {"fc:preflop": 522, "fcpa:turn": 4020}
"""What local best responses won from Slumbot of 2016, mbb a hand (Lisý and Bowling, 2017)."""


def exact() -> None:
    """Leduc poker, all figures by true best responses; write the record."""
    tree, rows = eq.compile_game("leduc"), []
    for iterations in TRUNKS:
        trunk = eq.solve(tree, "cfr+", iterations=iterations).strategy
        for method in METHODS:
            search = OnlineSearch.of(trunk, roots="after chance", method=method)
            resolved = search.offline(completion=False)
            match = match_exactly(resolved.strategy, trunk)
            before, after = resolved.trunk_evaluation, resolved.evaluation
            rows.append(
                [
                    f"CFR+, {iterations} iterations",
                    method,
                    1000 * float(before.exploitability or 0.0),
                    1000 * float(after.exploitability or 0.0),
                    1000 * match.mean,
                    search.solves,
                ]
            )
            print(rows[-1])
    write_record(
        "search_strength_exact",
        "A search against the blueprint that it searches from, in Leduc poker, in thousandths of "
        "an ante: exploitability of both by true best responses in the whole game, and what the "
        "search wins from its blueprint per hand, the mean of both seats. All figures are exact; "
        "unsafe has no guarantee.",
        f"{COMMAND} exact",
        ["blueprint", "search", "its exploitability", "with search", "wins", "subgames"],
        rows,
        roots="after chance",
        solver="linear programmes",
    )


def trained(folder: str, buckets: str = BUCKETS, iterations: int = TRAINING) -> Blueprint:
    """The blueprint of hold'em, the same whenever it is trained."""
    cards = build_card_buckets(
        buckets,
        Path(folder) / f"{buckets.replace('/', '-')}.safetensors",
        lowest_rank=8,
        seed=BUCKET_SEED,
        restarts=1,
        passes=5,
        sample=5000,
        threads=1,
    )
    return train_blueprint(HAND, cards, iterations=iterations, threads=1)


def responses() -> None:
    """Local best responses to the blueprint and to the bot that searches; write the record."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for buckets, training, first, settings in RESPONSES:
            blueprint = trained(folder, buckets, training)
            search = StreetSearch(iterations=SEARCH_ITERATIONS, threads=1, first=first)
            for setting in settings:
                ranges = SearchedRanges(blueprint, search)
                won = [
                    local_response(
                        blueprint, [setting], hands=LBR_HANDS, seed=SEED, opponents=against
                    )
                    for against in (None, ranges)
                ]
                texts = [f"{each.gain.mean:+.0f} ± {each.gain.half_width:.0f}" for each in won]
                searched = f"{100 * ranges.told[True] / sum(ranges.told):.0f} %"
                rows.append([f"{buckets}, {training:,}", first, setting, *texts, searched])
                print(rows[-1], flush=True)
    write_record(
        "search_strength_responses",
        "What local best responses win from the same blueprint and from the bot that solves its "
        "rivers anew, or its turns and rivers, on the same boards with the same hands: thousandths "
        "of a big blind per hand, "
        f"{LBR_HANDS:,} hands of each seat for every setting, a number that was fixed before, 95 % "
        "intervals over boards; the last column is the share of decisions that the search played. "
        "Lower bounds of exploitability: at most 0 proves nothing.",
        f"{COMMAND} responses",
        ["buckets, iterations", "search from", "response", "blueprint", "with search", "searched"],
        rows,
        hand=HAND.name,
        search_iterations=SEARCH_ITERATIONS,
        seed=SEED,
        hands=LBR_HANDS,
    )


def deep(folder: Path) -> None:
    """Local best responses to a blueprint with 200 big blinds; write the record."""
    cards = build_card_buckets(DEEP_BUCKETS, folder / "deep-cards.safetensors", threads=2)
    blueprint = train_blueprint(DEEP_HAND, cards, seconds=DEEP_SECONDS, threads=2)
    rows = []
    for setting in ("fc:preflop", "fcpa:preflop", *SEARCH_SETTINGS):
        won = local_response(blueprint, [setting], hands=DEEP_HANDS, seed=SEED)
        row = [
            setting,
            f"{won.gain.mean:+.0f} ± {won.gain.half_width:.0f}",
            PUBLISHED.get(setting, ""),
        ]
        rows.append(row)
        print(row, flush=True)
    write_record(
        "search_strength_deep",
        "What local best responses win from a blueprint of heads-up no-limit hold'em with 200 big "
        "blinds, bets of half the pot, the pot and all-in, 169/200/200/200 buckets: thousandths of "
        f"a big blind a hand, 95 % intervals over boards, {DEEP_HANDS:,} hands of each seat for "
        "every setting, a number that was fixed before. Published: what they won from Slumbot of "
        "2016 (Lisý and Bowling, 2017).",
        f"{COMMAND} deep FOLDER",
        ["response", "blueprint", "published"],
        rows,
        hand=DEEP_HAND.name,
        buckets=DEEP_BUCKETS,
        seconds=DEEP_SECONDS,
        seed=SEED,
        hands=DEEP_HANDS,
    )


def holdem(log: Path | None = None) -> None:
    """Hold'em of 20 cards by duplicate deals and AIVAT; write the record."""
    with tempfile.TemporaryDirectory() as folder:
        blueprint = trained(folder)
        search = StreetSearch(iterations=SEARCH_ITERATIONS, threads=1, first="river")
        bots = Bot(blueprint, search, seed=1), Bot(blueprint, seed=2)
        match = BotMatch(HAND, *bots, seed=SEED, aivat=True)
        began = time.perf_counter()
        won = match.play(DEALS, log=log)
        seconds = time.perf_counter() - began
    assert won.aivat is not None
    row = [
        2 * won.deals,
        f"{won.mean:+.1f} ± {won.half_width:.1f}",
        f"{won.aivat.mean:+.1f} ± {won.aivat.half_width:.1f}",
    ]
    print(row, f"{seconds:.0f} s")
    write_record(
        "search_strength_holdem",
        "A bot that solves every river anew against its own blueprint: heads-up no-limit hold'em "
        "with 20 cards, 20 big blinds, bets of half the pot, the pot and all-in, 25/12/12/8 "
        f"buckets; {SEARCH_ITERATIONS} iterations a river. Thousandths of a big blind per hand "
        f"with 95 % intervals, over {DEALS:,} duplicate deals, a number that was fixed before the "
        "first one.",
        f"{COMMAND} holdem",
        ["hands", "the search wins", "without luck (AIVAT)"],
        [row],
        hand=HAND.name,
        buckets=BUCKETS,
        training=TRAINING,
        search_iterations=SEARCH_ITERATIONS,
        seed=SEED,
        deals=won.deals,
        payoffs=[won.mean, won.half_width],
        aivat=[won.aivat.mean, won.aivat.half_width],
        seconds=seconds,
    )


if __name__ == "__main__":
    if sys.argv[1] == "exact":
        exact()
    elif sys.argv[1] == "responses":
        responses()
    elif sys.argv[1] == "deep":
        deep(Path(sys.argv[2]))
    else:
        holdem(Path(sys.argv[2]) if len(sys.argv) > 2 else None)
