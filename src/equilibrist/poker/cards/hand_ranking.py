"""Hand classes from best to worst: the order behind "the top x % of hands".

They are ordered by equity against a random hand: the share of the pot that a hand wins on average
when both players are all-in before the flop. It was enumerated exactly, over all boards and all
opponents' hands; `benchmarks/poker/hand_order.py` reproduces it. With 36 cards each ranking of
hands has an order of its own; with fewer ranks and the ranking of 52 cards the order is that of 52.
"""

from __future__ import annotations

from typing import Final

from equilibrist.poker.cards.cards import RANKS
from equilibrist.poker.cards.decks import FULL_DECK, STANDARD, Deck

_TABLE: Final = """
AA:85.204 KK:82.396 QQ:79.925 JJ:77.469 TT:75.012 99:72.057 88:69.163 AKs:67.045 77:66.236
AQs:66.209 AJs:65.393 AKo:65.320 ATs:64.602 AQo:64.432 AJo:63.563 KQs:63.400 66:63.285
A9s:62.781 ATo:62.722 KJs:62.567 A8s:61.944 KTs:61.789 KQo:61.456 A7s:60.984 A9o:60.773
KJo:60.569 55:60.325 QJs:60.259 K9s:59.988 A5s:59.923 A6s:59.906 A8o:59.873 KTo:59.739
QTs:59.468 A4s:59.034 A7o:58.841 K8s:58.312 A3s:58.220 QJo:58.135 K9o:57.812 A5o:57.697
A6o:57.682 Q9s:57.664 K7s:57.538 JTs:57.528 A2s:57.379 QTo:57.291 44:57.023 A4o:56.730
K6s:56.641 K8o:56.020 Q8s:56.018 A3o:55.845 K5s:55.793 J9s:55.662 Q9o:55.360 JTo:55.248
K7o:55.187 A2o:54.929 K4s:54.885 Q7s:54.302 K6o:54.223 K3s:54.055 T9s:54.028 J8s:54.016
33:53.693 Q6s:53.613 Q8o:53.600 K5o:53.314 J9o:53.251 K2s:53.212 Q5s:52.769 T8s:52.334
K4o:52.327 J7s:52.325 Q4s:51.855 Q7o:51.766 T9o:51.532 J8o:51.490 K3o:51.426 Q6o:51.024
Q3s:51.019 98s:50.801 T7s:50.639 J6s:50.606 K2o:50.509 22:50.334 Q2s:50.169 Q5o:50.120
J5s:49.987 T8o:49.721 J7o:49.682 Q4o:49.128 97s:49.118 J4s:49.070 T6s:48.941 J3s:48.232
Q3o:48.219 98o:48.097 87s:47.936 T7o:47.908 J6o:47.844 96s:47.428 J2s:47.378 Q2o:47.295
T5s:47.216 J5o:47.181 T4s:46.530 97o:46.298 86s:46.243 J4o:46.186 T6o:46.092 95s:45.722
T3s:45.693 76s:45.372 J3o:45.276 87o:45.051 T2s:44.839 85s:44.545 96o:44.491 J2o:44.348
T5o:44.251 94s:43.862 75s:43.676 T4o:43.504 93s:43.264 86o:43.241 65s:43.133 84s:42.702
95o:42.669 T3o:42.595 92s:42.415 76o:42.323 74s:41.849 T2o:41.668 54s:41.453 85o:41.428
64s:41.333 83s:40.874 94o:40.671 75o:40.512 82s:40.272 73s:40.036 93o:40.020 65o:39.944
53s:39.693 63s:39.534 84o:39.447 92o:39.098 43s:38.642 74o:38.550 72s:38.156 54o:38.155
64o:38.010 52s:37.849 62s:37.669 83o:37.484 42s:36.829 82o:36.828 73o:36.602 53o:36.265
63o:36.078 32s:35.984 43o:35.146 72o:34.584 52o:34.285 62o:34.075 42o:33.200 32o:32.303
"""
_SHORT: Final = """
AA:73.076 KK:68.915 QQ:66.378 JJ:63.822 TT:61.233 AKs:61.067 AQs:60.110 AKo:59.445 AJs:59.350
KQs:58.786 AQo:58.487 ATs:57.921 KJs:57.909 AJo:57.729 QJs:57.543 KTs:57.347 KQo:57.121 JTs:56.938
QTs:56.894 99:56.300 ATo:56.260 KJo:56.240 A9s:56.084 QJo:55.909 KTo:55.687 JTo:55.359 QTo:55.264
A8s:54.607 A9o:54.344 K9s:53.269 T9s:52.776 A8o:52.758 Q9s:52.725 J9s:52.528 A7s:52.514 K9o:51.408
T9o:51.034 Q9o:50.889 J9o:50.730 A7o:50.527 88:50.479 A6s:50.280 K8s:49.768 98s:49.298 T8s:49.289
Q8s:49.241 J8s:49.059 K7s:48.482 A6o:48.146 K8o:47.707 98o:47.370 T8o:47.349 Q8o:47.207 J8o:47.063
K6s:46.342 K7o:46.330 97s:46.058 T7s:45.773 Q7s:45.734 J7s:45.548 77:44.649 Q6s:44.411 K6o:44.053
97o:43.952 T7o:43.638 87s:43.601 Q7o:43.504 J7o:43.356 96s:42.487 Q6o:42.091 T6s:42.055 J6s:41.826
87o:41.347 96o:40.186 86s:40.140 T6o:39.713 J6o:39.428 66:38.843 76s:37.856 86o:37.699 76o:35.282
"""
_SHORT_TRIPS: Final = """
AA:75.604 KK:71.431 QQ:69.138 JJ:66.825 TT:64.477 AKs:61.082 AQs:60.084 99:59.583 AKo:59.438
AJs:59.278 KQs:58.507 AQo:58.434 ATs:57.903 AJo:57.624 KJs:57.588 KTs:56.981 QJs:56.933 KQo:56.808
QTs:56.242 ATo:56.209 A9s:56.086 JTs:55.987 KJo:55.878 KTo:55.274 QJo:55.245 A8s:54.556 QTo:54.554
JTo:54.336 A9o:54.314 88:53.515 K9s:53.248 A8o:52.675 A7s:52.506 Q9s:52.420 J9s:51.932 T9s:51.885
K9o:51.354 Q9o:50.538 A7o:50.492 A6s:50.325 J9o:50.075 T9o:50.071 K8s:50.020 Q8s:49.203 J8s:48.730
K7s:48.680 T8s:48.669 98s:48.353 A6o:48.170 K8o:47.939 77:47.440 Q8o:47.135 J8o:46.687 T8o:46.669
K6s:46.584 K7o:46.508 98o:46.353 Q7s:45.979 J7s:45.495 T7s:45.428 97s:45.377 Q6s:44.602 K6o:44.280
Q7o:43.727 J7o:43.269 T7o:43.245 97o:43.211 87s:42.960 Q6o:42.260 96s:42.086 J6s:42.062 T6s:41.993
66:41.390 87o:40.651 86s:39.767 96o:39.738 J6o:39.642 T6o:39.616 76s:37.523 86o:37.282 76o:34.913
"""


def _equities(table: str) -> dict[str, float]:
    entries = (entry.split(":") for entry in table.split())
    return {name: float(f"{percent}e-2") for name, percent in entries}


EQUITY_AGAINST_RANDOM: Final = _equities(_TABLE)
"""The equity of each hand class against a random hand, best first, rounded to five digits."""


EQUITIES_BY_RANKING: Final = {
    STANDARD.name: EQUITY_AGAINST_RANDOM,
    "short": _equities(_SHORT),
    "short-trips": _equities(_SHORT_TRIPS),
}
"""The same by the name of a ranking: with 36 cards, 81 classes."""


def top_classes(share: float, deck: Deck = FULL_DECK) -> list[str]:
    """The best whole hand classes that fit into a share of all combos, best first.

    Args:
        share: From 0 to 1.
        deck: The deck of which the hands are.

    Returns:
        Their names.
    """
    cards = deck.size
    most = share * (cards * (cards - 1) // 2) + 1e-9
    chosen, combos = [], 0
    for name in EQUITIES_BY_RANKING[deck.ranking.name]:
        if RANKS.index(name[1]) < deck.lowest_rank:
            continue
        combos += 6 if len(name) == 2 else 4 if name[2] == "s" else 12
        if combos > most:
            break
        chosen.append(name)
    return chosen
