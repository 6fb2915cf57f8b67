"""The 169 hand classes from best to worst: the order behind "the top x % of hands".

They are ordered by equity against a random hand: the share of the pot that a hand wins on average
when both players are all-in before the flop. It was enumerated exactly, over all boards and all
opponents' hands; `benchmarks/poker/hand_order.py` reproduces it.
"""

from __future__ import annotations

from typing import Final

from equilibrist.poker.cards.combos import NUM_COMBOS

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

EQUITY_AGAINST_RANDOM: Final = {
    name: float(f"{percent}e-2") for name, percent in (entry.split(":") for entry in _TABLE.split())
}
"""The equity of each hand class against a random hand, best first, rounded to five digits."""


def top_classes(share: float) -> list[str]:
    """The best whole hand classes that fit into a share of all combos, best first."""
    chosen, combos = [], 0
    for name in EQUITY_AGAINST_RANDOM:
        combos += 6 if len(name) == 2 else 4 if name[2] == "s" else 12
        if combos > share * NUM_COMBOS + 1e-9:
            break
        chosen.append(name)
    return chosen
