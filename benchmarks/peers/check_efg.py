"""Read .efg files with Gambit's own library and with ours, and compare every history.

Compared: who acts, action names, chance probabilities, payoffs gathered on the way (exactly), and
that infosets correspond one to one. Then each file is written by us and read by both again. Prints
a line per file; exits with 1 if anything differs. Needs pygambit 17 (`pip install ".[gambit]"`),
whose wheels bring a catalogue of games:

    python benchmarks/peers/check_efg.py $(python -c "import pygambit; print(*pygambit.__path__)")
"""

from __future__ import annotations

import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import pygambit

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games.efg.game import EfgGame, load_efg
from equilibrist.games.efg.writer import efg_text


def compare(game: EfgGame, theirs: Any) -> int:
    """Walk both trees together; the number of histories, AssertionError at a difference."""
    ours_of: dict[Any, str] = {}
    theirs_of: dict[str, Any] = {}
    players = list(theirs.players)
    waiting: list[tuple[int, tuple[str, ...], list[Fraction]]]
    waiting = [(0, (), [Fraction(0)] * len(players))]
    histories = 0
    while waiting:
        state, path, above = waiting.pop()
        histories += 1
        node = pygambit.H.path(*path)
        gathered = list(above)
        outcome = theirs.get_outcome(node)
        if outcome is not None:
            payoffs = theirs.get_outcome_payoffs(outcome)
            gathered = [x + Fraction(str(payoffs[p])) for x, p in zip(above, players, strict=True)]
        player = game.player(state)
        labels = theirs.get_actions(node)
        assert (not labels) == (player == TERMINAL), state
        if player == TERMINAL:
            assert game.payoffs(state) == tuple(map(float, gathered)), state
            continue
        odds = theirs.get_action_probs(node)
        assert bool(odds) == (player == CHANCE), state
        assert len(game.actions(state)) == len(labels), state
        if player == CHANCE:
            fractions = [Fraction(str(odds[label])) for label in labels]
            assert game.chance(state) == tuple(map(float, fractions)), state
            pairs = zip(game.actions(state), labels, strict=True)
            for place, (ours, label) in enumerate(pairs, start=1):
                assert label in (ours, f"{ours}_{place}"), state  # those of one name are numbered
        else:
            assert players[player] == theirs.get_player(node), state
            key, first = game.infoset(state), tuple(theirs.get_members(node)[0].actions)
            assert ours_of.setdefault(first, key) == key, state
            assert theirs_of.setdefault(key, first) == first, state
        for index, label in enumerate(labels):
            waiting.append((game.next(state, index), (*path, label), gathered))
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
