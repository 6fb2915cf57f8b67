"""Read .efg files with Gambit's own library and with ours, and compare every history.

Compared: who acts, action names, chance probabilities, payoffs gathered on the way (exactly), and
that infosets correspond one to one. Then each file is written by us and read by both again. Prints
a line per file; exits with 1 if anything differs. Needs pygambit, whose wheels bring a catalogue of
games:

    python benchmarks/peers/check_efg.py $(python -c "import pygambit; print(*pygambit.__path__)")
"""

from __future__ import annotations

import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import pygambit

from equilibrist.games.efg import EfgGame, load_efg
from equilibrist.games.efg_writer import efg_text


def compare(game: EfgGame, theirs: Any) -> int:
    """Walk both trees together; the number of histories, AssertionError at a difference."""
    ours_of: dict[Any, str] = {}
    theirs_of: dict[str, Any] = {}
    players = [player.label for player in theirs.players]
    waiting = [(0, theirs.root, [Fraction(0)] * len(players))]
    histories = 0
    while waiting:
        state, node, above = waiting.pop()
        histories += 1
        gathered = list(above)
        if node.outcome:  # where there is none, an object that counts as false
            for index, player in enumerate(theirs.players):
                gathered[index] += Fraction(str(node.outcome[player]))
        player = game.player(state)
        assert node.is_terminal == (player == -2), state
        if player == -2:
            assert game.payoffs(state) == tuple(map(float, gathered)), state
            continue
        assert (player == -1) == node.player.is_chance, state
        labels = [action.label for action in node.infoset.actions]
        if player == -1:
            odds = [Fraction(str(action.prob)) for action in node.infoset.actions]
            assert game.chance(state) == tuple(map(float, odds)), state
            pairs = zip(game.actions(state), labels, strict=True)
            for place, (ours, label) in enumerate(pairs, start=1):
                assert label in (ours, f"{ours}_{place}"), state  # those of one name are numbered
        else:
            assert players[player] == node.player.label, state
            key, number = game.infoset(state), (player, node.infoset.number)
            assert ours_of.setdefault(number, key) == key, state
            assert theirs_of.setdefault(key, number) == number, state
            assert len(game.actions(state)) == len(labels), state
        for index, child in enumerate(node.children):
            waiting.append((game.next(state, index), child, gathered))
    return histories


def main() -> int:
    """Compare all files in the folders given, print a line for each, return the exit code."""
    failed = 0
    files = sorted(file for folder in sys.argv[1:] for file in Path(folder).rglob("*.efg"))
    for file in files:
        try:
            game = load_efg(str(file))
            histories = compare(game, pygambit.read_efg(str(file)))
            with tempfile.TemporaryDirectory() as folder:
                again = Path(folder) / "again.efg"
                again.write_text(efg_text(game), "utf-8")
                compare(load_efg(str(again)), pygambit.read_efg(str(again)))
            print(f"{file.name:24} {histories:7,} histories, equal")
        except Exception as error:  # one file after the other, whatever is wrong with it
            failed += 1
            print(f"{file.name:24} {type(error).__name__}: {error}")
    print(f"{len(files) - failed} of {len(files)} files equal")
    return int(failed > 0 or not files)


if __name__ == "__main__":
    sys.exit(main())
