"""Figures of OpenSpiel 2.0.2's games, which ours must reproduce.

Sizes: histories, terminal histories, infosets. Moments: every player's mean payoff and mean
squared payoff when chance plays as the rules say and players take the k-th of m actions with
probability 2k / (m(m + 1)), so that the order of the actions counts. Regenerate the sizes with
benchmarks/peers/check_games.py, which also compares every single history.
"""

from __future__ import annotations

MOMENTS: dict[str, tuple[list[float], list[float]]] = {
    "kuhn": ([0.148148148148, -0.148148148148], [2.777777777778, 2.777777777778]),
    "kuhn(players=3)": (
        [0.230452674897, -0.065843621399, -0.164609053498],
        [6.246913580247, 5.555555555556, 5.325102880658],
    ),
    "kuhn(players=4)": (
        [0.269471117208, -0.015851242189, -0.110958695321, -0.142661179698],
        [9.902606310014, 8.519890260631, 8.058984910837, 7.905349794239],
    ),
    "leduc": ([-0.356652949246, 0.356652949246], [42.303429355282, 42.303429355282]),
    "leduc(suit_isomorphism=true)": (
        [-0.356652949246, 0.356652949246],
        [42.303429355281, 42.303429355281],
    ),
    "leduc(players=3,suit_isomorphism=true)": (
        [-0.576786510638, 0.099250904616, 0.477535606022],
        [95.003368684637, 98.417004172184, 98.335862521464],
    ),
    "liars_dice(sides=3)": ([-0.061339454849, 0.061339454849], [1.0, 1.0]),
    "liars_dice(sides=4)": ([-0.11417650808, 0.11417650808], [1.0, 1.0]),
    "liars_dice(sides=5)": ([-0.123869144126, 0.123869144126], [1.0, 1.0]),
    "liars_dice": ([-0.120021945273, 0.120021945273], [1.0, 1.0]),
    "liars_dice(dice=2,sides=2)": ([0.100795192448, -0.100795192448], [1.0, 1.0]),
    "liars_dice(dice=2,sides=3)": ([-0.036172813234, 0.036172813234], [1.0, 1.0]),
    "rock_paper_scissors": ([0.0, 0.0], [0.611111111111, 0.611111111111]),
    "biased_rock_paper_scissors": ([0.0, 0.0], [494.444444444444, 494.444444444444]),
    "matching_pennies": ([0.111111111111, -0.111111111111], [1.0, 1.0]),
    "battle_of_the_sexes": ([1.222222222222, 1.555555555556], [2.777777777778, 4.444444444444]),
    "shapley": ([0.305555555556, 0.305555555556], [0.305555555556, 0.305555555556]),
    "goofspiel(cards=3,imp_info=true,points_order=descending)": (
        [0.0, 0.0],
        [0.691358024691, 0.691358024691],
    ),
    "goofspiel(cards=4,imp_info=true,points_order=descending)": (
        [0.0, 0.0],
        [0.798641975309, 0.798641975309],
    ),
    "goofspiel(cards=5,imp_info=true,points_order=descending)": (
        [0.0, 0.0],
        [0.893284224966, 0.893284224966],
    ),
    "goofspiel(cards=4,imp_info=true,points_order=random)": (
        [0.0, 0.0],
        [0.799516460905, 0.799516460905],
    ),
    "goofspiel(cards=4,imp_info=true,points_order=ascending,returns_type=point_difference)": (
        [0.0, 0.0],
        [1.923194444444, 1.923194444444],
    ),
    "goofspiel(cards=4,imp_info=true,points_order=ascending,returns_type=total_points)": (
        [3.5125, 3.5125],
        [16.357932098765, 16.357932098765],
    ),
    "goofspiel(cards=3,players=3,imp_info=true,points_order=random)": (
        [0.0, 0.0, 0.0],
        [0.472222222222, 0.472222222222, 0.472222222222],
    ),
    "goofspiel(cards=4,players=3,imp_info=true,points_order=descending)": (
        [0.0, 0.0, 0.0],
        [0.497222222222, 0.497222222222, 0.497222222222],
    ),
    "goofspiel(cards=3,players=3,imp_info=true,returns_type=point_difference)": (
        [0.0, 0.0, 0.0],
        [1.183813443073, 1.183813443073, 1.183813443073],
    ),
    "goofspiel(cards=3,imp_info=false,points_order=random)": (
        [0.0, 0.0],
        [0.687242798354, 0.687242798354],
    ),
    "goofspiel(cards=4,imp_info=false,points_order=descending)": (
        [0.0, 0.0],
        [0.798641975309, 0.798641975309],
    ),
}

SIZES: dict[str, tuple[int, int, int]] = {
    "kuhn": (58, 30, 12),
    "kuhn(players=3)": (617, 312, 48),
    "kuhn(players=4)": (7_886, 3_960, 160),
    "leduc": (9_457, 5_520, 936),
    "leduc(suit_isomorphism=true)": (1_939, 1_116, 288),
    "leduc(players=3,suit_isomorphism=true)": (223_881, 126_996, 7_428),
    "liars_dice(sides=3)": (1_147, 567, 192),
    "liars_dice(sides=4)": (8_181, 4_080, 1_024),
    "liars_dice(sides=5)": (51_181, 25_575, 5_120),
    "liars_dice": (294_883, 147_420, 24_576),
    "liars_dice(dice=2,sides=2)": (8_191, 4_080, 768),
    "liars_dice(dice=2,sides=3)": (663_511, 331_695, 24_576),
    "rock_paper_scissors": (13, 9, 2),
    "biased_rock_paper_scissors": (13, 9, 2),
    "matching_pennies": (7, 4, 2),
    "battle_of_the_sexes": (7, 4, 2),
    "shapley": (13, 9, 2),
    "goofspiel(cards=3,imp_info=true,points_order=descending)": (67, 36, 16),
    "goofspiel(cards=4,imp_info=true,points_order=descending)": (1_077, 576, 162),
    "goofspiel(cards=5,imp_info=true,points_order=descending)": (26_931, 14_400, 2_124),
    "goofspiel(cards=4,imp_info=true,points_order=random)": (26_773, 13_824, 3_608),
    "goofspiel(cards=3,players=3,imp_info=true,points_order=random)": (2_551, 1_296, 171),
    "goofspiel(cards=4,players=3,imp_info=true,points_order=descending)": (26_773, 13_824, 414),
    "goofspiel(cards=3,imp_info=false,points_order=random)": (418, 216, 114),
    # OpenSpiel has 270 infosets here, because its keys forget the order of one's own bids.
    "goofspiel(cards=4,imp_info=false,points_order=descending)": (1_077, 576, 322),
    "leduc(players=3)": (1_831_601, 1_043_952, 25_800),
}
