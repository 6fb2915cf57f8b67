"""`check_game` for rules modules: checks beyond the `Game` protocol."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from equilibrist.errors import EquilibristError, GameError
from equilibrist.formatting.amounts import counted
from equilibrist.game import CHANCE
from equilibrist.parsing.user_code import failure_text
from equilibrist.rules.game import RulesGame, RulesState
from equilibrist.rules.infoset_names import UnpackedNames
from equilibrist.rules.module import Rules
from equilibrist.tree.checks.asking import BrokenHistoryError, Questioner
from equilibrist.tree.walk.answers import WrongAnswerError, read_facts
from equilibrist.typing import Int64Array

_PLAYOUTS = 200
_FILLS = (-7_777_777, 1_234_567)
"""What a state may hold before start()."""
_NUMBERS = 8
"""What a line of play holds for a move besides the state."""
_LONGEST = 1 << 28
"""Bytes that a line of play may take in a check."""
Note = Callable[[str, str, str], None]


class RulesQuestioner(Questioner):
    """Calls a rules module; its messages name functions instead of the methods of a game."""

    def __init__(self, rules: Rules) -> None:
        guarded = GuardedPublicRules if rules.has("public_state") else GuardedRules
        super().__init__(guarded(rules, self.note))

    def note_exception(self, method: str, error: BaseException) -> None:
        """Record what the functions of the module raised."""
        remedy = (
            "let every function answer in every state that play can reach; a state has "
            "state_size() numbers, and the parameters g cannot be changed"
        )
        self.note("exception", f"the rules raised {failure_text(error)}", remedy)

    def too_deep(self, max_depth: int) -> tuple[str, str]:
        """The message for a line of play that is too long."""
        problem = f"a line of play is longer than max_moves() = {max_depth:,} moves"
        return (
            problem,
            "let player() return -2 on every path, and max_moves() the length of the longest",
        )


@dataclass(frozen=True, eq=False)
class GuardedRules(RulesGame):
    """The rules as a game whose infosets are packed keys; `note` receives problems."""

    note: Note
    texts: dict[str, str] = field(default_factory=dict)
    """{packed key: the infoset in words}"""
    keys: dict[str, str] = field(default_factory=dict)
    """{the infoset in words: packed key}"""
    facts: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """{packed key: what describe() says}"""
    unpacked: set[str] = field(default_factory=set)
    """Packed keys of which unpack() has been checked."""

    def initial_state(self) -> RulesState:
        """The state before anything has happened, whatever was there before."""
        states = []
        for fill in _FILLS:
            s = np.full(self.rules.state_size, fill, dtype=np.int64)
            self.rules.function("start")(self.rules.g, s)
            states.append(s)
        kept = np.flatnonzero(states[0] != states[1]).tolist()
        if kept:
            self.note(
                "start",
                f"start() leaves {', '.join(f's[{k}]' for k in kept[:5])} as before, or what it "
                f"sets depends on that",
                "set all numbers of the state in start(): begin it with s[:] = 0",
            )
        return super().initial_state()

    def ask(self, name: str, s: Int64Array, *arguments: Any) -> Any:
        """The result of a function of the module, which must not change the state."""
        before = s.tobytes()
        answer = super().ask(name, s, *arguments)
        if name not in ("start", "apply") and before != s.tobytes():
            self.note(
                "mutated",
                f"{name}() changes the state",
                "only start() and apply() may write to the state",
            )
        return answer

    def actions(self, state: RulesState, /) -> tuple[str, ...]:
        """The labels of the actions, of which at most as many as the rules declare."""
        labels = super().actions(state)
        most = self.rules.max_actions
        if len(labels) > most and self.player(state) >= 0:
            self.note(
                "sizes",
                f"a state has {counted(len(labels), 'action')}, and max_actions() is {most}",
                "let max_actions() give the largest number of actions of any player's state",
            )
        return labels

    def infoset(self, state: RulesState, /) -> str:
        """The packed key, which must correspond to exactly one text."""
        packed = self.exact(state, "key")
        if self.rules.has("text"):
            text = super().infoset(state)
            other = self.texts.setdefault(packed, text)
            another = self.keys.setdefault(text, packed)
            if other != text:
                self._note_packing(f"the key {packed} stands for {other!r} and for {text!r}")
            elif another != packed:
                self._note_packing(f"{text!r} has the keys {another} and {packed}")
        if self.rules.has("describe"):
            self._check_facts(packed, state)
        if self.rules.has("unpack") and packed not in self.unpacked:
            self.unpacked.add(packed)
            self._check_unpacked(packed, state)
        return packed

    def _check_unpacked(self, packed: str, state: RulesState) -> None:
        game = RulesGame(self.rules)
        wanted = game.infoset(state), game.actions(state)
        high, low = game.packed(state)
        names = UnpackedNames(self.rules)
        keys = [np.array([half], dtype=np.uint64) for half in (high, low)]
        try:
            named = names.read(high, low)
            player = int(names.players(*keys)[0])
        except GameError as error:
            self._note_unpacked(str(error))
            return
        for what, theirs, right in (
            ("infoset is", named[0], wanted[0]),
            ("actions are", list(named[1]), list(wanted[1])),
            ("player is", player, game.player(state)),
        ):
            if theirs != right:
                self._note_unpacked(
                    f"after unpack() of the key {packed} the {what} {theirs!r}, not {right!r}"
                )
                return

    def _note_unpacked(self, problem: str) -> None:
        self.note(
            "packing",
            problem,
            "let unpack() fill s with a state that has that key and those actions",
        )

    def _check_facts(self, packed: str, state: RulesState) -> None:
        remedy = "let describe() give (name, what it is) pairs of texts, of what the mover knows"
        try:
            facts = read_facts(self.describe(state), "describe()")
        except WrongAnswerError as wrong:
            self.note(wrong.kind, wrong.message, remedy)
            return
        other = self.facts.setdefault(packed, facts)
        if other != facts:
            problem = f"describe() gives {list(other)} and {list(facts)} for the same key {packed}"
            self.note("words", problem, remedy)

    def exact(self, state: RulesState, function: str) -> str:
        """Both numbers in hexadecimals; BrokenHistoryError, noted, for other values."""
        out: list[Any] = [None, None]
        self.ask(function, np.array(state, dtype=np.int64), out)
        for number in out:
            whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
            if not whole or not 0 <= int(number) < 2**64:
                self._note_packing(
                    f"{function}() sets {out!r}, not two whole numbers from 0 to 2^64 - 1"
                )
                raise BrokenHistoryError
        return f"{int(out[0]):x}.{int(out[1]):x}"

    def _note_packing(self, problem: str) -> None:
        self.note(
            "packing",
            problem,
            "pack what is known, and nothing else, into out[0] and out[1], in integers: "
            "np.uint64(s[0]) * np.uint64(64) + np.uint64(s[1])",
        )


class GuardedPublicRules(GuardedRules):
    """Rules with public states whose functions are checked whenever they are called."""

    def public_state(self, state: RulesState, /) -> str:
        """The public state, packed."""
        return self.exact(state, "public_state")


@dataclass(frozen=True, eq=False)
class _Line:
    """Space for one line of play, as `kernels.implicit.playouts.playout` fills it.

    L moves at most, states of S numbers, P players.
    """

    draws: Any  # float64[L + 1], numbers in [0, 1) that pick the actions
    s: Any  # int64[S], the state that is written to
    packed: Any  # uint64[2], a packed key
    states: Any  # int64[L + 1, S], the state before each move
    moves: Any  # int64[L + 1, 3]: who moves, how many actions there are, which is taken
    keys: Any  # uint64[L + 1, 2], the packed infoset of each decision
    public: Any  # uint64[L + 1, 2], the packed public state
    payoff: Any  # float64[P], at the end

    @classmethod
    def of(cls, rules: Rules) -> _Line:
        """Space for the longest line that the rules have."""
        longest = rules.max_moves + 1
        return cls(
            draws=np.zeros(longest),
            s=np.zeros(rules.state_size, dtype=np.int64),
            packed=np.zeros(2, dtype=np.uint64),
            states=np.zeros((longest, rules.state_size), dtype=np.int64),
            moves=np.zeros((longest, 3), dtype=np.int64),
            keys=np.zeros((longest, 2), dtype=np.uint64),
            public=np.zeros((longest, 2), dtype=np.uint64),
            payoff=np.zeros(rules.num_players),
        )


def compare_compiled(rules: Rules, note: Note) -> None:
    """Record where compiled rules differ from the same rules in Python, on 200 random lines."""
    from equilibrist.kernels.implicit.playouts import playout
    from equilibrist.rules.binding import bind

    needed = 8 * (rules.max_moves + 1) * (rules.state_size + _NUMBERS)
    if needed > _LONGEST:
        note(
            "sizes",
            f"a line of play of max_moves() = {rules.max_moves:,} moves with state_size() = "
            f"{rules.state_size:,} numbers each takes {needed:,} bytes: what is compiled was not "
            f"checked",
            "let max_moves() give the length of the longest line of play, and state_size() no more "
            "numbers than the state needs",
        )
        return
    play = bind(rules, playout)
    generator = np.random.default_rng(0)
    line = _Line.of(rules)
    for _ in range(_PLAYOUTS):
        line.draws[:] = generator.random(len(line.draws))
        try:
            count = play(rules.g, *(getattr(line, part.name) for part in fields(line)))
        except EquilibristError as error:
            note("compiling", str(error), "keep to integers, floats, arrays, and other functions")
            return
        if difference := _difference(RulesGame(rules), count, line):
            remedy = "mind whole numbers beyond 64 bits, shifts, and divisions of negative numbers"
            note("compiling", difference, remedy)
            return


def _difference(game: RulesGame, count: int, line: _Line) -> str:
    """The first difference between compiled rules and Python's; empty if there is none."""
    if count < 0:
        return "the compiled rules find no end where Python's do"
    state = game.initial_state()
    for n in range(count + 1):
        compiled, player = tuple(line.states[n].tolist()), game.player(state)
        answers = [("state is", compiled, state), ("player() gives", int(line.moves[n, 0]), player)]
        if compiled == state and game.rules.has("public_state"):
            public = game.packed(state, "public_state")
            answers.append(("public_state() gives", tuple(line.public[n].tolist()), public))
        if compiled == state and player >= CHANCE:
            answers.append(("num_actions() gives", int(line.moves[n, 1]), len(game.actions(state))))
        if compiled == state and player == CHANCE:
            drawn = _outcome(game, state, float(line.draws[n]))
            answers.append(("chance draws", int(line.moves[n, 2]), drawn))
        elif compiled == state and player >= 0:
            answers.append(("key() gives", tuple(line.keys[n].tolist()), game.packed(state)))
        elif compiled == state:
            answers.append(("payoff() gives", tuple(line.payoff.tolist()), game.payoffs(state)))
        for what, ours, theirs in answers:
            if ours != theirs:
                return f"after {n} moves, the compiled {what} {ours}, but Python's {theirs}"
        if n < count:
            state = game.next(state, int(line.moves[n, 2]))
    return ""


def _outcome(game: RulesGame, state: RulesState, u: float) -> int:
    """The outcome that a number in [0, 1) picks, as `kernels.implicit.steps` draws it."""
    probabilities = game.chance(state)
    if not game.rules.has("probability"):
        return min(int(u * len(probabilities)), len(probabilities) - 1)
    below, possible = 0.0, 0
    for a, p in enumerate(probabilities):
        if p > 0.0:
            possible = a
            below += p
            if below > u:
                break
    return possible
