"""Trees of any number of players, as Gambit solves them by pygambit (extra `gambit`)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import comb, prod
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.equilibria.nash import gambit_process
from equilibrist.equilibria.nash.candidates import (
    Candidates,
    distinct,
    need_at_most,
    need_two,
)
from equilibrist.equilibria.nash.rescaled import rescaled
from equilibrist.errors import EquilibristError
from equilibrist.evaluation.plans import count_plans
from equilibrist.evaluation.sequences import Sequences
from equilibrist.game import TERMINAL, Game
from equilibrist.game_loading import compile_game
from equilibrist.games.efg.parser import parse_efg
from equilibrist.interop.gambit import from_rows, gambit_text
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree

MOST_BASES: Final = 13_000
"""For `gambit-enummixed`: ways to choose as many plans as player 0 has out of those of both."""
MOST_SUPPORTS: Final = 20_000
"""For `gambit-enumpoly`: ways to choose which actions are in use at all infosets."""
MOST_SEQUENCES: Final = 250
"""For `gambit-lcp`, which pivots in rational numbers: about a minute."""


def enummixed(tree: GameTree) -> Candidates:
    """Two players: all extreme equilibria, by the vertices of both polytopes of best replies.

    Raises:
        ConfigError: pygambit is not installed.
        UnsupportedError: There are not two players, or too many plans.
        RecallError: The game has imperfect recall.
    """
    method = "gambit-enummixed"
    need_two(tree, method)
    way = "use --method gambit-lcp, which finds one equilibrium"
    need_at_most(tree, method, "bases", _bases(tree), MOST_BASES, way)
    claim = "these are all extreme equilibria; every other one mixes plans of some of these"
    answer = _solved(tree, "enummixed")
    name = "enumeration of extreme equilibria (Gambit, enummixed)"
    return Candidates(name, claim, answer.profiles, answer.interrupted)


def enumpoly(tree: GameTree) -> Candidates:
    """Any number of players: all supports, one system of polynomial equations for each.

    Raises:
        ConfigError: pygambit is not installed.
        UnsupportedError: There are too many supports.
        RecallError: The game has imperfect recall.
    """
    way = "use a smaller game, or for two players --method gambit-lcp"
    need_at_most(tree, "gambit-enumpoly", "supports", _supports(tree), MOST_SUPPORTS, way)
    Sequences.of(tree)  # refuses imperfect recall
    answer = _solved(tree, "enumpoly")
    left_out = answer.events
    del left_out["EnumPolyCandidateSupportEvent"]
    claim = "equations are solved numerically, and an equilibrium may be missed"
    if left_out.total():
        claim = (
            f"{left_out.total()} support{'s' * (left_out.total() != 1)} with infinitely many "
            f"solutions, or too many to search, were left out; {claim}"
        )
    name = "enumeration of supports (Gambit, enumpoly)"
    return Candidates(name, claim, answer.profiles, answer.interrupted)


def lcp(tree: GameTree) -> Candidates:
    """Two players: one equilibrium, by Lemke's algorithm on the sequence form.

    Raises:
        ConfigError: pygambit is not installed.
        UnsupportedError: There are not two players, or too many sequences.
        RecallError: The game has imperfect recall.
    """
    method = "gambit-lcp"
    need_two(tree, method)
    count = int(np.diff(tree.action_offset)[np.diff(tree.action_offset) > 1].sum())
    way = "solve it by CFR if it has a constant sum (equilibrist solve)"
    need_at_most(tree, method, "sequences", count, MOST_SEQUENCES, way)
    Sequences.of(tree)
    return Candidates(
        "linear complementarity in sequence form (Gambit, lcp)",
        "one equilibrium; there may be others",
        _solved(tree, "lcp").profiles,
    )


def best_of_gambit(tree: GameTree) -> Candidates:
    """All extreme equilibria where the game is small enough, else what Gambit can find.

    Where payoffs are very far apart, the enumeration finds none; `lcp` pivots in rational numbers.

    Raises:
        ConfigError: pygambit is not installed.
        UnsupportedError: The game is too large.
        RecallError: The game has imperfect recall.
    """
    if tree.num_players != 2:
        return enumpoly(tree)
    if _bases(tree) > MOST_BASES:
        return lcp(tree)
    found = enummixed(tree)
    return found if found.profiles or found.interrupted else lcp(tree)


def _bases(tree: GameTree) -> int:
    sequences = Sequences.of(tree)
    rows, columns = (count_plans(sequences, player) for player in (0, 1))
    return comb(rows + columns, rows) if max(rows, columns) < 10_000 else 10**12


def _supports(tree: GameTree) -> int:
    return prod(2 ** len(legal) - 1 for legal in tree.action_labels)


class _Unforced:
    """A game without the moves that nobody chooses: one action, or one outcome of chance."""

    def __init__(self, game: Game[Any]) -> None:
        self.game, self.num_players, self.name = game, game.num_players, game.name

    def _choice(self, state: Any) -> Any:
        """The first state from this one on at which there is a choice, or play is over."""
        while self.game.player(state) != TERMINAL and len(self.game.actions(state)) == 1:
            state = self.game.next(state, 0)
        return state

    def initial_state(self) -> Any:
        return self._choice(self.game.initial_state())

    def player(self, state: Any, /) -> int:
        return self.game.player(state)

    def actions(self, state: Any, /) -> Sequence[str]:
        return self.game.actions(state)

    def chance(self, state: Any, /) -> Sequence[float]:
        return self.game.chance(state)

    def next(self, state: Any, action_index: int, /) -> Any:
        return self._choice(self.game.next(state, action_index))

    def payoffs(self, state: Any, /) -> Sequence[float]:
        return self.game.payoffs(state)

    def infoset(self, state: Any, /) -> str:
        return self.game.infoset(state)


class _Answer(NamedTuple):
    """What Gambit finds.

    Attributes:
        profiles: The profiles, each once.
        events: How often it reported what, by the name of the event.
        interrupted: Whether Ctrl-C ended it.
    """

    profiles: tuple[Strategy, ...]
    events: Counter[str]
    interrupted: bool


def _solved(tree: GameTree, method: str) -> _Answer:
    """Find profiles by one of Gambit's methods.

    Gambit is given the game without forced moves, in units of its payoffs, in a process of its own,
    which an exception here kills (Ctrl-C, a limit of time).

    Raises:
        KeyboardInterrupt: Ctrl-C, before a profile was found.
    """
    rules: Game[Any] = _Unforced(rescaled(tree).game)
    text = gambit_text(rules)
    if (np.diff(tree.action_offset) == 1).all():
        return _Answer((Strategy.uniform(tree),), Counter(), interrupted=False)
    answer: dict[str, Any] = {"events": {}, "profiles": []}
    interrupted = False
    try:
        for line in _lines({"method": method, "efg": text}, tree.name):
            answer["profiles"] += [line.pop("profile")] if "profile" in line else []
            answer |= line
    except KeyboardInterrupt:
        if not answer["profiles"]:
            raise
        interrupted = True
    small = compile_game(rules)
    file = parse_efg(answer["efg"], f"the game {tree.name} in Gambit")
    profiles = []
    for rows in answer["profiles"]:
        played = from_rows(small, file, rows)
        values = np.ones(int(tree.action_offset[-1]))
        for k, key in enumerate(small.infoset_keys):
            values[tree.actions_of(tree.index(key))] = played.probabilities[small.actions_of(k)]
        profiles.append(Strategy(tree, values))
    kept = distinct([np.asarray(profile.probabilities) for profile in profiles])
    distinct_profiles = tuple(profiles[k] for k in kept.tolist())
    return _Answer(distinct_profiles, Counter(answer["events"]), interrupted)


def _lines(asked: dict[str, str], name: str) -> Iterator[dict[str, Any]]:
    """The answers of a process that solves by Gambit, each as soon as it is there."""
    script = Path(gambit_process.__file__)
    with (
        TemporaryFile("w+", encoding="utf-8", errors="replace") as error_file,
        subprocess.Popen(
            [sys.executable, "-P", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=error_file,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with suppress(BrokenPipeError):  # it ended at once, and says why
                json.dump(asked, process.stdin)
                process.stdin.close()
            for line in process.stdout:
                yield json.loads(line)
            process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        error_file.seek(0)
        last = error_file.read().strip().splitlines()[-1:]
    if process.returncode != 0:
        last = last or [f"it ended with code {process.returncode}"]
        raise EquilibristError(
            f"Gambit did not solve {name}: {last[0]}",
            option="method",
            given=asked["method"],
            remedy="use another method, or a smaller game",
        )
