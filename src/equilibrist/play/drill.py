"""Drills: the same decision again and again, with random hands, graded by the coach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.evaluation.infosets import infoset_reach
from equilibrist.formatting.brief import brief_repr
from equilibrist.game import Game
from equilibrist.parsing.arguments import bad_argument, instance, whole_number
from equilibrist.parsing.key_patterns import key_pattern
from equilibrist.play.coach import Advice, Adviser, Coach
from equilibrist.play.decisions import hand_weights
from equilibrist.play.grades import Grades, Judgement, Stake, judge, uncertainty, worst
from equilibrist.play.hands.three import ThreeGame
from equilibrist.play.solutions.players import SolutionCoach
from equilibrist.play.spots.game import SpotGame
from equilibrist.play.table import drawn_index
from equilibrist.play.words import Facts, Words, action_words
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.three_players.node import ThreeNode
from equilibrist.poker.three_players.solution import ThreeSolution
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.shown_names import shown_names

WORST: Final = 10
"""How many answers are kept as the worst."""


@dataclass(frozen=True)
class Question:
    """A decision: all that the player may see.

    Attributes:
        number: The number of the question, from 1.
        infoset: The key of the infoset.
        player: Whose decision it is.
        facts: The infoset in words.
        actions: The labels of the actions.
        words: What each action may be called, the preferred word first.
    """

    number: int
    infoset: str
    player: int
    facts: Facts
    actions: tuple[str, ...]
    words: Words

    def __repr__(self) -> str:
        return brief_repr(self)


@dataclass(frozen=True)
class Answer:
    """A question that was answered.

    Attributes:
        question: The question.
        advice: What the coach says of the answer.
        judgement: Its grade; None where the coach has no EVs.
    """

    question: Question
    advice: Advice
    judgement: Judgement | None

    def __repr__(self) -> str:
        return brief_repr(self)


def question_at(
    game: Game[Any], number: int, infoset: str, player: int, actions: tuple[str, ...]
) -> Question:
    """Ask about a decision.

    Args:
        game: The game.
        number: The number of the question, from 1.
        infoset: The key of the infoset.
        player: Whose decision it is.
        actions: The labels of the actions.

    Returns:
        The question.
    """
    describe = getattr(game, "infoset_facts", None)
    facts = tuple((str(a), str(b)) for a, b in describe(infoset)) if callable(describe) else ()
    words = action_words(game, infoset, actions)
    return Question(number, infoset, player, facts, actions, words)


def graded_answer(
    question: Question,
    coach: Adviser,
    action: int,
    stake: Stake | None,
    error: float,
    chips: float = 1.0,
) -> Answer:
    """Grade the answer to a question.

    Args:
        question: The question.
        coach: Judges it.
        action: The number of the action.
        stake: What EV losses are held against where the game does not say what the pot is.
        error: The exploitability of the coach's strategy, in payoff units. Where the coach
            estimates, a loss within the interval of the estimate is no mistake, either.
        chips: What a payoff of 1 is in the chips of the pot.

    Returns:
        The answer.

    Raises:
        ConfigError: There is no such action.
    """
    index = whole_number("action", action, 0, len(question.actions) - 1)
    advice = coach.advise(question.infoset, index)
    stake = Stake.of(question.facts, stake, chips)
    return Answer(question, advice, judge(advice, stake, max(error, uncertainty(advice))))


class Drill:
    """Asks for decisions at infosets that are drawn at random.

    Args:
        game: The game.
        coach: Judges the answers.
        infosets: The infosets, with how likely each is.
        actions: The labels of the actions of each infoset.
        players: Whose decision each infoset is.
        stake: What EV losses are held against where the game does not say what the pot is.
        error: The exploitability of the coach's strategy, in payoff units.
        seed: The seed of what is drawn.

    Raises:
        ConfigError: No infoset is possible.
    """

    def __init__(
        self,
        game: Game[Any],
        coach: Adviser,
        infosets: dict[str, float],
        actions: dict[str, tuple[str, ...]],
        players: dict[str, int],
        *,
        stake: Stake | None = None,
        error: float = 0.0,
        seed: int = 0,
    ) -> None:
        """Get ready; the class describes the arguments."""
        instance("infosets", infosets, dict, "infosets with their weights, as a dict")
        possible = {key: weight for key, weight in infosets.items() if weight > 0.0}
        if not possible:
            raise ConfigError(
                "the solution never comes to these decisions, so that no hand can be dealt",
                option="drill",
                remedy="choose a decision that it comes to",
            )
        self.game, self.coach = game, coach
        self.keys, self.weights = list(possible), list(possible.values())
        self.question: Question | None = None
        self.answers = 0
        self.grades = Grades()
        self.seed = whole_number("seed", seed, 0)
        self._actions, self._players = actions, players
        self._stake, self._error = stake, error
        self.stake_name = "pot" if stake is None else stake.name
        self._generator = np.random.default_rng(np.random.SeedSequence(self.seed))
        self._worst: list[Answer] = []

    def ask(self) -> Question:
        """Draw the next decision; one that was not answered is dropped.

        Returns:
            The question, which stays `question` until it is answered.
        """
        key = self.keys[drawn_index(self.weights, self._generator)]
        question = question_at(
            self.game, self.answers + 1, key, self._players[key], self._actions[key]
        )
        if not self.grades.choices:
            stake = Stake.of(question.facts, self._stake)
            self.stake_name = self.stake_name if stake is None else stake.name
        self.question = question
        return question

    def answer(self, action: int) -> Answer:
        """Answer the question.

        Args:
            action: The number of the action.

        Returns:
            The answer, graded.

        Raises:
            ConfigError: Nothing was asked, or there is no such action.
        """
        answer = self.graded(action)
        self.question = None
        self.answers += 1
        if answer.judgement is not None:
            self.stake_name = answer.judgement.stake.name
            self.grades.add(answer.judgement)
            self._remember(answer)
        return answer

    def graded(self, action: int) -> Answer:
        """Grade an answer to the question, which is still to be answered afterwards.

        Args:
            action: The number of the action.

        Returns:
            What `answer` would return.

        Raises:
            ConfigError: Nothing was asked, or there is no such action.
        """
        if self.question is None:
            raise ConfigError("nothing was asked", option="answer", remedy="call ask() first")
        return graded_answer(self.question, self.coach, action, self._stake, self._error)

    @property
    def worst(self) -> tuple[Answer, ...]:
        """The answers that cost most of their stake, the worst first."""
        return tuple(self._worst)

    def _remember(self, answer: Answer) -> None:
        candidates = [*self._worst, answer]
        judgements = [entry.judgement for entry in candidates if entry.judgement is not None]
        self._worst = [candidates[k] for k in worst(judgements, WORST)]


def spot_drill(solution: PostflopResult, line: str = "", *, seed: int = 0) -> Drill:
    """A drill of one node of a solved spot.

    Hands are as likely as they are there when both players follow the solution.

    Args:
        solution: The solution.
        line: The line of the node, such as `X-B50`.
        seed: The seed of the hands.

    Returns:
        The drill.

    Raises:
        LineSyntaxError: The spot has no such line.
        ConfigError: Nobody acts there, or the solution never comes there.
    """
    instance("solution", solution, PostflopResult, "a PostflopResult of poker.solve")
    node = solution.at(line)
    if not node.actions:
        raise bad_argument("line", line, "a line after which a player acts")
    player, weight = node.player, hand_weights(node)
    assert player is not None
    hands = np.flatnonzero(weight).tolist()
    keys = {f"{combo_name(hand)}:{node.line}": float(weight[hand]) for hand in hands}
    labels = tuple(map(str, node.actions))
    return Drill(
        SpotGame(solution.spot),
        SolutionCoach(solution),
        keys,
        dict.fromkeys(keys, labels),
        dict.fromkeys(keys, player),
        error=solution.known_error or 0.0,
        seed=seed,
    )


def three_drill(solution: ThreeSolution, line: str = "", *, seed: int = 0) -> Drill:
    """A drill of one decision of a solved spot of three.

    Hands are as likely as they are there when all follow the solution.

    Args:
        solution: The solution.
        line: The line of the decision, such as `X-X-B30`.
        seed: The seed of the hands.

    Returns:
        The drill. Losses below what the seat that gains most gains by a best response are no
        mistakes.

    Raises:
        LineSyntaxError: The line cannot be read.
        ConfigError: The spot has no such decision, or the solution never comes there.
    """
    instance("solution", solution, ThreeSolution, "a ThreeSolution of poker.solve_three")
    decision = solution.at(line)
    node = ThreeNode(solution, decision.line)
    assert decision.action_ev is not None
    valued = np.isfinite(decision.action_ev).all(axis=0)
    weights = np.where(valued & node.arrives(decision.seat), node.matchups(decision.seat), 0.0)
    keys = {
        f"{combo_name(hand)}:{node.line}": float(weights[hand])
        for hand in np.flatnonzero(weights).tolist()
    }
    return Drill(
        ThreeGame(solution.spot),
        SolutionCoach(solution),
        keys if node.is_reached else {},
        dict.fromkeys(keys, decision.codes),
        dict.fromkeys(keys, decision.seat),
        error=max(solution.gains),
        seed=seed,
    )


def game_drill(
    game: Game[Any],
    strategy: Strategy,
    pattern: str = "*",
    *,
    player: int | None = None,
    error: float = 0.0,
    seed: int = 0,
) -> Drill:
    """A drill of the infosets of a game whose keys match a pattern.

    They are as likely as when all players follow the strategy.

    Args:
        game: The game.
        strategy: The solution.
        pattern: With * and ?, as `*b`; of keys, or of what is shown for them, as `J*`.
        player: Only this player's infosets.
        error: The exploitability of the strategy, in payoff units.
        seed: The seed of what is drawn.

    Returns:
        The drill.

    Raises:
        ConfigError: There is no such player, no infoset with a choice matches, or the solution
            never comes to any.
        RecallError: The game has imperfect recall.
    """
    tree = checked_strategy(strategy).tree
    if player is not None and not 0 <= player < tree.num_players:
        raise bad_argument("player", player, f"a number from 0 to {tree.num_players - 1}")
    players = range(tree.num_players) if player is None else (player,)
    reach = infoset_reach(strategy).tolist()
    wanted, names = key_pattern(pattern), shown_names(game)
    infosets = [
        i
        for i, key in enumerate(tree.infoset_keys)
        if (wanted.match(key) or wanted.match(names.get(key, key)))
        and len(tree.action_labels[i]) > 1
        and int(tree.infoset_player[i]) in players
    ]
    if not infosets:
        choices = [
            key
            for i, key in enumerate(tree.infoset_keys)
            if len(tree.action_labels[i]) > 1 and int(tree.infoset_player[i]) in players
        ]
        if not choices:
            if player is not None:
                raise bad_argument("player", player, "a player who has a choice somewhere")
            raise ConfigError(
                f"{tree.name} has no infoset with a choice",
                option="pattern",
                given=pattern,
                remedy="take another game: there is nothing to drill in this one",
            )
        raise bad_argument("pattern", pattern, f"a pattern that keys match, such as {choices[0]}")
    keys = [tree.infoset_keys[i] for i in infosets]
    return Drill(
        game,
        Coach(strategy),
        {key: reach[i] for key, i in zip(keys, infosets, strict=True)},
        {key: tree.action_labels[i] for key, i in zip(keys, infosets, strict=True)},
        {key: int(tree.infoset_player[i]) for key, i in zip(keys, infosets, strict=True)},
        stake=Stake.in_play(strategy),
        error=error,
        seed=seed,
    )
