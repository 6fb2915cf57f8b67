"""Walk our games and OpenSpiel's side by side and compare every history.

Compared: who acts, the number of actions, chance probabilities, payoffs (all to 1e-12), and that
infosets correspond one to one. Prints a table; exits with 1 if anything differs where it should
not. Run `python benchmarks/peers/check_games.py [--large]`; --large adds the games that take
minutes (three-player Leduc).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

import pyspiel

from equilibrist.games import load_game

TURN_BASED = "turn_based_simultaneous_game(game={})"
GAMES = {
    "kuhn": "kuhn_poker",
    "kuhn(players=3)": "kuhn_poker(players=3)",
    "kuhn(players=4)": "kuhn_poker(players=4)",
    "leduc": "leduc_poker",
    "leduc(suit_isomorphism=true)": "leduc_poker(suit_isomorphism=true)",
    "leduc(players=3,suit_isomorphism=true)": "leduc_poker(players=3,suit_isomorphism=true)",
    "liars_dice(sides=3)": "liars_dice(dice_sides=3)",
    "liars_dice(sides=4)": "liars_dice(dice_sides=4)",
    "liars_dice(sides=5)": "liars_dice(dice_sides=5)",
    "liars_dice": "liars_dice",
    "liars_dice(dice=2,sides=2)": "liars_dice(dice_sides=2,numdice=2)",
    "liars_dice(dice=2,sides=3)": "liars_dice(dice_sides=3,numdice=2)",
    "rock_paper_scissors": TURN_BASED.format("matrix_rps()"),
    "biased_rock_paper_scissors": TURN_BASED.format("matrix_brps()"),
    "matching_pennies": TURN_BASED.format("matrix_mp()"),
    "battle_of_the_sexes": TURN_BASED.format("matrix_bos()"),
    "shapley": TURN_BASED.format("matrix_shapleys_game()"),
} | {
    f"goofspiel({params})": TURN_BASED.format(f"goofspiel({params.replace('cards', 'num_cards')})")
    for params in (
        "cards=3,imp_info=true,points_order=descending",
        "cards=4,imp_info=true,points_order=descending",
        "cards=5,imp_info=true,points_order=descending",
        "cards=4,imp_info=true,points_order=random",
        "cards=4,imp_info=true,points_order=ascending,returns_type=point_difference",
        "cards=4,imp_info=true,points_order=ascending,returns_type=total_points",
        "cards=3,players=3,imp_info=true,points_order=random",
        "cards=4,players=3,imp_info=true,points_order=descending",
        "cards=3,players=3,imp_info=true,returns_type=point_difference",
        "cards=3,imp_info=false,points_order=random",
        "cards=4,imp_info=false,points_order=descending",
    )
}
LARGE = {"leduc(players=3)": "leduc_poker(players=3)"}
FINER = {"goofspiel(cards=4,imp_info=false,points_order=descending)"}
"""Games whose infosets we split where OpenSpiel's forget the order of one's own bids."""


@dataclass
class Comparison:
    """Counts of one pair of games, and what differs."""

    histories: int = 0
    terminals: int = 0
    ours: dict[tuple[int, str], str] = field(default_factory=dict)
    theirs: dict[tuple[int, str], str] = field(default_factory=dict)
    finer: bool = False
    differences: list[str] = field(default_factory=list)

    def note(self, what: str) -> None:
        """Keep a difference, the first few only."""
        if len(self.differences) < 5 and what not in self.differences:
            self.differences.append(what)


def compare(our_name: str, their_name: str) -> Comparison:
    """Walk both games together; actions correspond by their position."""
    game = load_game(our_name)
    result = Comparison()
    _walk(game, game.initial_state(), pyspiel.load_game(their_name).new_initial_state(), result)
    return result


def _walk(game: Any, ours: Any, theirs: Any, result: Comparison) -> None:
    result.histories += 1
    player = game.player(ours)
    if theirs.is_terminal() or player == -2:
        result.terminals += 1
        if not (theirs.is_terminal() and player == -2):
            result.note(f"one game is over at {theirs.history()}")
        elif any(
            abs(a - b) > 1e-12 for a, b in zip(game.payoffs(ours), theirs.returns(), strict=True)
        ):
            result.note(
                f"payoffs {game.payoffs(ours)} against {theirs.returns()} at {theirs.history()}"
            )
        return
    legal = theirs.legal_actions()
    if player != theirs.current_player() or len(game.actions(ours)) != len(legal):
        result.note(f"who acts, or the number of actions, at {theirs.history()}")
        return
    if player == -1:
        odds = [p for _, p in theirs.chance_outcomes()]
        if any(abs(a - b) > 1e-12 for a, b in zip(game.chance(ours), odds, strict=True)):
            result.note(f"chance probabilities at {theirs.history()}")
    else:
        our_key, their_key = game.infoset(ours), theirs.information_state_string()
        if result.ours.setdefault((player, our_key), their_key) != their_key:
            result.note(f"our infoset {our_key!r} joins what theirs tells apart")
        if result.theirs.setdefault((player, their_key), our_key) != our_key:
            result.finer = True
    for index, action in enumerate(legal):
        _walk(game, game.next(ours, index), theirs.child(action), result)


def main() -> int:
    """Compare all games, print the table, and return the exit code."""
    games = GAMES | (LARGE if "--large" in sys.argv[1:] else {})
    print(
        f"{'game':84} {'histories':>10} {'terminals':>10} {'infosets':>9} {'OpenSpiel':>9}  equal"
    )
    failed = False
    for our_name, their_name in games.items():
        result = compare(our_name, their_name)
        if result.finer != (our_name in FINER):
            result.note("infosets do not correspond one to one")
        failed |= bool(result.differences)
        verdict = "; ".join(result.differences) or (
            "yes, finer infosets" if result.finer else "yes"
        )
        print(
            f"{our_name:84} {result.histories:10,} {result.terminals:10,} "
            f"{len(result.ours):9,} {len(result.theirs):9,}  {verdict}"
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
