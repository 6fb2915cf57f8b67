"""`check_game`: walk the rules and report problems, each with its history."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from equilibrist.game import (
    CHANCE,
    DEFAULT_MAX_DEPTH,
    SUM_TOLERANCE,
    TERMINAL,
    Game,
    is_constant_sum,
)
from equilibrist.parsing.arguments import function, whole_number
from equilibrist.rules.game import RulesGame
from equilibrist.tree.checks.asking import BrokenHistoryError, Path, Questioner, are_same, place
from equilibrist.tree.checks.report import GameReport
from equilibrist.tree.checks.rules_module import RulesQuestioner, compare_compiled
from equilibrist.tree.checks.seen_infosets import Move, PublicLine, PublicLines, SeenInfosets
from equilibrist.tree.walk.answers import (
    read_key,
    read_labels,
    read_payoffs,
    read_player,
    read_probabilities,
)
from equilibrist.tree.walk.protocol import checked_rules, says_what_is_public

_PLAYOUTS = 500
_TOLD_EVERY = 1_024
"""Histories between two calls of `on_walk`."""
_PLAIN = (int, str, tuple, frozenset)


def validate_game(
    game: Game[Any],
    max_histories: int = 200_000,
    max_depth: int = DEFAULT_MAX_DEPTH,
    on_walk: Callable[[int], None] | None = None,
) -> GameReport:
    """Check the rules of a game against the `Game` protocol, history by history.

    Walks depth first and calls every method twice, so that rules that change their states or
    answer differently are noticed. A game with more than `max_histories` histories is walked that
    far, then sampled by 500 random playouts (always the same ones). A line of play of more than
    `max_depth` moves counts as endless. `on_walk` is called periodically with the number of
    histories checked so far, those of the playouts included. Never raises for what the rules do:
    exceptions become problems of the report. `GameReport.raise_if_bad` raises. What is legal but
    may not be meant, such as a player who never observes chance, becomes a note of the report.

    Of a rules module, the infosets are its packed keys. Problems are then also: more actions or
    longer lines than it says, a start() that leaves something as it was, functions that change the
    state, keys that do not go with texts, and compiled rules that play otherwise than Python does.
    Imperfect recall is not a problem of a `ForgetfulGame`, which says what its players forget.

    Raises GameSpecError for anything but a game, ConfigError for a limit that is not a whole
    number of at least 1.
    """
    if on_walk is not None:
        function("on_walk", on_walk)
    rules = checked_rules(game)
    max_histories = whole_number("max_histories", max_histories, 1)
    max_depth = whole_number("max_depth", max_depth, 1)
    if not isinstance(rules, RulesGame):
        check = _Check(Questioner(rules), max_histories, max_depth, on_walk)
        check.run()
        return check.report()
    module = rules.rules
    ask = RulesQuestioner(module)
    check = _Check(ask, max_histories, min(max_depth, module.max_moves), on_walk)
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        check.run()
    if not ask.problems:
        compare_compiled(module, ask.note)
    return check.report()


@dataclass
class _Frame:
    """A history on the current path that has successors."""

    state: Any
    hash: int | None
    player: int
    key: str | None
    """None at a chance node, and where the rules gave no key."""
    labels: tuple[str, ...]
    children: list[Any]
    path: Path
    past: Move = None
    """The acting player's latest own move before this one."""
    moves: int = 0
    """The number of the players' moves before this one, as `ChanceSeen` counts sequences."""
    public: PublicLine | None = None
    """What is public here; None if the rules give none, or no text."""
    following: int = 0


class _Check:
    """The walk: the path, what has been seen of the infosets, and the sizes so far."""

    def __init__(
        self,
        ask: Questioner,
        max_histories: int,
        max_depth: int,
        on_walk: Callable[[int], None] | None,
    ) -> None:
        self.ask = ask
        self.max_histories = max_histories
        self.max_depth = max_depth
        self.on_walk = on_walk
        self.num_checked = 0
        self.num_players = 0
        self.infosets = SeenInfosets(self.ask)
        self.lines = PublicLines()
        self.chance = ChanceSeen(0)
        self.moves = 0
        self.says_public = says_what_is_public(self.ask.game)
        self.frames: list[_Frame] = []
        self.on_path: dict[int, list[_Frame]] = {}
        self.latest: list[Move] = []
        self.num_histories = self.num_terminals = self.depth = 0
        self.lowest_sum, self.highest_sum = math.inf, -math.inf
        self.largest_payoff, self.least_sum = 0.0, math.inf
        self.complete = True
        self.endless = False
        self.sampling = False

    def run(self) -> None:
        try:
            self.num_players = self.ask.num_players()
            self.latest = [None] * self.num_players
            self.chance = ChanceSeen(self.num_players)
            root = self.ask.call("initial_state")
            self.ask.check_twins(root, self.ask.call("initial_state"), "initial_state()")
        except BrokenHistoryError:
            return
        self._depth_first(root)
        if not (self.complete or self.endless):
            self._sample(root)

    def _depth_first(self, root: Any) -> None:
        self._enter(root)
        while self.frames:
            frame = self.frames[-1]
            if frame.following == len(frame.children) or not self.complete:
                self._leave()
            elif self.num_histories >= self.max_histories:
                self.complete = False
            else:
                frame.following += 1
                self._step(frame, frame.following - 1)

    def _sample(self, root: Any) -> None:
        """Random playouts through the part that the walk did not reach."""
        self.sampling = True
        choose = random.Random(0)
        for _ in range(_PLAYOUTS):
            self.moves = 0
            self._enter(root)
            length = 0
            while len(self.frames) > length:
                length = len(self.frames)
                frame = self.frames[-1]
                self._step(frame, choose.randrange(len(frame.children)))
            while self.frames:
                self._leave()

    def _step(self, frame: _Frame, index: int) -> None:
        """Go to a successor, and straight back if it has no successors itself."""
        self.ask.path = (frame.path, frame.labels[index])
        if frame.player >= 0:
            self.latest[frame.player] = (frame.key or "", index)
        self.moves = self.chance.after(frame.moves, frame.player, index)
        self._enter(frame.children[index])
        if self.frames[-1] is frame:
            self._back_to(frame)

    def _back_to(self, frame: _Frame) -> None:
        self.ask.path = frame.path
        if frame.player >= 0:
            self.latest[frame.player] = frame.past

    def _enter(self, state: Any) -> None:
        self.num_checked += 1
        if self.on_walk is not None and self.num_checked % _TOLD_EVERY == 0:
            self.on_walk(self.num_checked)
        if not self.sampling:
            self.num_histories += 1
            self.depth = max(self.depth, len(self.frames))
        try:
            hashed = self.ask.hash_of(state)
            self._check_path(state, hashed)
            frame = self._inspect(state, hashed)
        except BrokenHistoryError:
            return
        if frame is None:
            return
        self.frames.append(frame)
        if frame.key is not None:
            self.infosets.enter(frame.key)
        if hashed is not None:
            self.on_path.setdefault(hashed, []).append(frame)

    def _leave(self) -> None:
        frame = self.frames.pop()
        if frame.key is not None:
            self.infosets.leave(frame.key)
        if frame.hash is not None:
            self.on_path[frame.hash].pop()
        if self.frames:
            self._back_to(self.frames[-1])

    def _inspect(self, state: Any, hashed: int | None) -> _Frame | None:
        """Call all methods at one history; None if it is terminal."""
        ask, count = self.ask, self.num_players
        player = ask.read("player", lambda answer: read_player(answer, count), state)
        public = self._public_line(state)
        if player == TERMINAL:
            payoffs = ask.read("payoffs", lambda answer: read_payoffs(answer, count), state)
            ask.ask_again("payoffs", lambda answer: read_payoffs(answer, count), payoffs, state)
            self._add_payoffs(payoffs)
            return None
        labels = ask.read("actions", lambda answer: read_labels(answer, player >= 0), state)
        key = probabilities = None
        if player == CHANCE:
            probabilities = ask.read_or_none(
                "chance", lambda answer: read_probabilities(answer, labels), state
            )
        else:
            key = ask.read_or_none("infoset", read_key, state)
            if key is not None:
                self.infosets.check(key, player, labels, self.latest[player], public)
                if not self.sampling:
                    self.chance.meet(player, key, self.moves)
        children = self._successors(state, labels)
        if hashed is not None and ask.hash_of(state) != hashed:
            ask.note(
                "mutated",
                "the state's hash changed while the methods were called",
                "never change a state: let next() build a new one",
            )
        ask.ask_again("player", lambda answer: read_player(answer, count), player, state)
        ask.ask_again("actions", lambda answer: read_labels(answer, player >= 0), labels, state)
        if key is not None:
            ask.ask_again("infoset", read_key, key, state)
        if probabilities is not None:
            ask.ask_again(
                "chance", lambda answer: read_probabilities(answer, labels), probabilities, state
            )
        past = self.latest[player] if player >= 0 else None
        return _Frame(
            state=state,
            hash=hashed,
            player=player,
            key=key,
            labels=labels,
            children=children,
            path=ask.path,
            past=past,
            moves=self.moves,
            public=public,
        )

    def _public_line(self, state: Any) -> PublicLine | None:
        """The public states so far, this one read twice; None if the rules give no text."""
        if not self.says_public:
            return None

        def read(answer: Any) -> str:
            return read_key(answer, "public_state()")

        key: str | None = self.ask.read_or_none("public_state", read, state)
        if key is not None:
            self.ask.ask_again("public_state", read, key, state)
            above = self.frames[-1].public if self.frames and not self.forgets else None
            return self.lines.after(above, key)
        return None

    @cached_property
    def forgets(self) -> bool:
        """Whether the game says that its players forget; it is asked once."""
        return self.ask.forgets_on_purpose()

    def _add_payoffs(self, payoffs: tuple[float, ...]) -> None:
        total = math.fsum(payoffs)
        largest = max(map(abs, payoffs))
        slack = SUM_TOLERANCE / 2 * largest
        self.least_sum = min(self.least_sum, total)
        self.lowest_sum = min(self.lowest_sum, total + slack)
        self.highest_sum = max(self.highest_sum, total - slack)
        self.largest_payoff = max(self.largest_payoff, largest)
        self.num_terminals += not self.sampling

    def _successors(self, state: Any, labels: tuple[str, ...]) -> list[Any]:
        children = [self.ask.call("next", state, index) for index in range(len(labels))]
        for index, child in enumerate(children):
            if child is state and not isinstance(state, _PLAIN):
                self.ask.note(
                    "mutated",
                    f"next() for {labels[index]!r} gave back the very object it was given",
                    "let next() build a new state instead of changing the one it gets",
                )
                raise BrokenHistoryError
            twin = self.ask.call("next", state, index)
            self.ask.check_twins(child, twin, f"next() for {labels[index]!r}")
        return children

    def _check_path(self, state: Any, hashed: int | None) -> None:
        """Raise `BrokenHistoryError` if the state is on the path already, or the path too long."""
        if len(self.frames) > self.max_depth:
            self.ask.note("endless", *self.ask.too_deep(self.max_depth))
            self.complete, self.endless = False, True
            raise BrokenHistoryError
        if hashed is None:
            return
        for earlier in self.on_path.get(hashed, ()):
            if are_same(state, earlier.state):
                self.ask.note(
                    "loop",
                    f"the state comes back: it is the same as at {place(earlier.path)}, so the "
                    "game never ends",
                    "count moves or rounds in the state, or forbid the move that leads back",
                )
                raise BrokenHistoryError

    def report(self) -> GameReport:
        ended = self.lowest_sum < math.inf  # at least one playout did
        constant = ended and is_constant_sum(self.lowest_sum, self.highest_sum, self.largest_payoff)
        perfect_recall = "recall" not in self.ask.counts
        if not perfect_recall and self.forgets:
            del self.ask.counts["recall"], self.ask.problems["recall"]
        return GameReport(
            name=self.ask.name(),
            num_players=self.num_players,
            problems=tuple(p for of_kind in self.ask.problems.values() for p in of_kind),
            num_histories=self.num_histories,
            num_terminals=self.num_terminals,
            num_infosets=len(self.infosets.known),
            num_sequences=self.infosets.num_actions + self.num_players,
            depth=self.depth,
            perfect_recall=perfect_recall,
            constant_sum=self.least_sum if constant else None,
            complete=self.complete,
            problem_counts=dict(self.ask.counts),
            notes=self._notes(),
        )

    def _notes(self) -> tuple[str, ...]:
        """Notes on what is legal, but may not be meant."""
        if not self.complete or self.ask.problems:
            return ()
        return tuple(
            f"player {player} never observes a chance outcome: none changes the key of any of its "
            "infosets. If it should, put what the player sees of chance into the key"
            for player in self.chance.blind_players
        )


class ChanceSeen:
    """Whether the infosets of each player depend on outcomes of chance.

    Two decisions of a player before which the players made the same moves differ by outcomes of
    chance alone. If such decisions always share an infoset, the player never observes an outcome.
    Sequences of the players' moves are numbered; 0 is the empty one.
    """

    def __init__(self, num_players: int) -> None:
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._keys: list[dict[int, str]] = [{} for _ in range(num_players)]
        self._unobserved = [False] * num_players
        self._unsettled = set(range(num_players))

    def after(self, moves: int, player: int, action: int) -> int:
        """The number of the sequence `moves` and one more move; chance adds none."""
        if player < 0 or not self._unsettled:
            return moves
        return self._numbers.setdefault((moves, player, action), len(self._numbers) + 1)

    def meet(self, player: int, key: str, moves: int) -> None:
        """Record one more history at which `player` decides, in the infoset `key`."""
        if player not in self._unsettled:
            return
        before = self._keys[player].get(moves)
        if before is None:
            self._keys[player][moves] = key
        elif before == key:
            self._unobserved[player] = True
        else:
            self._unsettled.remove(player)
            self._keys[player].clear()

    @property
    def blind_players(self) -> list[int]:
        """The players who never observe an outcome of chance that happened before they moved."""
        return [player for player in sorted(self._unsettled) if self._unobserved[player]]
