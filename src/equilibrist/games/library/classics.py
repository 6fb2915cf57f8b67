"""Normal-form games from textbooks and papers, by the names that they have there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from equilibrist.games.library.matrix import NormalFormGame

_HANDS = ("rock", "paper", "scissors")


@dataclass(frozen=True)
class _ClassicGame(NormalFormGame):
    """A two-player game without parameters; `column_table` left out means zero sum."""

    row_table: ClassVar[tuple[tuple[float, ...], ...]]
    column_table: ClassVar[tuple[tuple[float, ...], ...] | None] = None
    both_labels: ClassVar[tuple[str, ...]]

    def tables(self) -> Sequence[Any]:
        column = self.column_table or tuple(tuple(-x for x in row) for row in self.row_table)
        return (self.row_table, column)

    def action_labels(self) -> Sequence[Sequence[str]]:
        return (self.both_labels, self.both_labels)


@dataclass(frozen=True)
class RockPaperScissors(_ClassicGame):
    """Rock beats scissors, scissors beat paper, paper beats rock; the winner gets 1.

    John von Neumann and Oskar Morgenstern, "Theory of Games and Economic Behavior", 1944 (as
    "stone, paper, scissors"). The only equilibrium plays each a third of the time; value 0.
    """

    game_name: ClassVar[str] = "rock_paper_scissors"
    aliases: ClassVar[tuple[str, ...]] = ("rps", "roshambo", "matrix_rps")
    summary: ClassVar[str] = "rock, paper, scissors"
    row_table = ((0, -1, 1), (1, 0, -1), (-1, 1, 0))
    both_labels = _HANDS


@dataclass(frozen=True)
class BiasedRockPaperScissors(_ClassicGame):
    """Rock, paper, scissors with different stakes: 25, 50 and 5.

    The stakes are OpenSpiel's `matrix_brps` (Marc Lanctot et al., "OpenSpiel: a framework for
    reinforcement learning in games", 2019). The equilibrium plays 1/16, 5/8, 5/16; value 0.
    """

    game_name: ClassVar[str] = "biased_rock_paper_scissors"
    aliases: ClassVar[tuple[str, ...]] = ("brps", "biased_rps", "matrix_brps")
    summary: ClassVar[str] = "rock, paper, scissors with unequal stakes"
    row_table = ((0, -25, 50), (25, 0, -5), (-50, 5, 0))
    both_labels = _HANDS


@dataclass(frozen=True)
class MatchingPennies(_ClassicGame):
    """The row player wins 1 if both pennies show the same side, else the column player does.

    John von Neumann, "Zur Theorie der Gesellschaftsspiele", 1928. Both mix evenly; value 0.
    """

    game_name: ClassVar[str] = "matching_pennies"
    aliases: ClassVar[tuple[str, ...]] = ("pennies", "matrix_mp")
    summary: ClassVar[str] = "matching pennies"
    row_table = ((1, -1), (-1, 1))
    both_labels = ("heads", "tails")


@dataclass(frozen=True)
class BattleOfTheSexes(_ClassicGame):
    """Two people want to go out together, one rather to Bach, the other rather to Stravinsky.

    R. Duncan Luce and Howard Raiffa, "Games and Decisions", 1957. General sum; three equilibria:
    both Bach, both Stravinsky, and each its own favourite with probability 3/5 (6/5 each).
    """

    game_name: ClassVar[str] = "battle_of_the_sexes"
    aliases: ClassVar[tuple[str, ...]] = ("bos", "bach_or_stravinsky", "matrix_bos")
    summary: ClassVar[str] = "battle of the sexes, general sum"
    row_table = ((3, 0), (0, 2))
    column_table = ((2, 0), (0, 3))
    both_labels = ("bach", "stravinsky")


@dataclass(frozen=True)
class Shapley(_ClassicGame):
    """Rock, paper, scissors in which a draw pays nobody and a loss costs nothing.

    Lloyd S. Shapley, "Some topics in two-person games", 1964: fictitious play cycles here for
    ever. The only equilibrium is uniform and pays 1/3 each.
    """

    game_name: ClassVar[str] = "shapley"
    aliases: ClassVar[tuple[str, ...]] = ("shapleys_game", "matrix_shapleys_game")
    summary: ClassVar[str] = "Shapley's game, general sum: fictitious play does not converge"
    row_table = ((0, 0, 1), (1, 0, 0), (0, 1, 0))
    column_table = ((0, 1, 0), (0, 0, 1), (1, 0, 0))
    both_labels = _HANDS


@dataclass(frozen=True)
class Chicken(_ClassicGame):
    """Two drivers head for each other; who swerves loses face, and if nobody does, both crash.

    Robert J. Aumann, "Subjectivity and correlation in randomized strategies", 1974. A correlated
    equilibrium pays 5.25 each, more than the players get on average in any Nash equilibrium.
    """

    game_name: ClassVar[str] = "chicken"
    aliases: ClassVar[tuple[str, ...]] = ()
    summary: ClassVar[str] = "chicken, general sum: correlation pays more than equilibrium"
    row_table = ((0, 7), (2, 6))
    column_table = ((0, 2), (7, 6))
    both_labels = ("dare", "swerve")


@dataclass(frozen=True)
class PrisonersDilemma(_ClassicGame):
    """Each of two is better off to defect whatever the other does, and both lose by it.

    Albert W. Tucker, "A two-person dilemma", 1950, named after a game of Merrill Flood and Melvin
    Dresher; payoffs as in Robert Axelrod, "The Evolution of Cooperation", 1984. The only
    equilibrium, in dominant actions, is that both defect; it pays 1 each.
    """

    game_name: ClassVar[str] = "prisoners_dilemma"
    aliases: ClassVar[tuple[str, ...]] = ("prisoner_dilemma", "dilemma", "pd")
    summary: ClassVar[str] = "the prisoner's dilemma: what is best for each is bad for both"
    row_table = ((3, 0), (5, 1))
    column_table = ((3, 5), (0, 1))
    both_labels = ("cooperate", "defect")


@dataclass(frozen=True)
class StagHunt(_ClassicGame):
    """Two hunters get a stag together, or a hare each by themselves.

    Jean-Jacques Rousseau, "Discours sur l'origine et les fondements de l'inégalité", 1755; Brian
    Skyrms, "The Stag Hunt and the Evolution of Social Structure", 2004. Three equilibria: both hunt
    the stag, which pays most, both the hare, which risks nothing, and each the stag with
    probability 3/4.
    """

    game_name: ClassVar[str] = "stag_hunt"
    aliases: ClassVar[tuple[str, ...]] = ("assurance",)
    summary: ClassVar[str] = "stag hunt: the best equilibrium against the safe one"
    row_table = ((4, 0), (3, 3))
    column_table = ((4, 3), (0, 3))
    both_labels = ("stag", "hare")


@dataclass(frozen=True)
class HawkDove(_ClassicGame):
    """Two animals contest something worth 2; a fight costs the loser 4.

    John Maynard Smith and George R. Price, "The logic of animal conflict", Nature 246, 1973. Three
    equilibria; in the symmetric one, which is evolutionarily stable, each is a hawk with
    probability 1/2.
    """

    game_name: ClassVar[str] = "hawk_dove"
    aliases: ClassVar[tuple[str, ...]] = ("snowdrift",)
    summary: ClassVar[str] = "hawks and doves: conflict over what is worth less than a wound"
    row_table = ((-1, 2), (0, 1))
    column_table = ((-1, 0), (2, 1))
    both_labels = ("hawk", "dove")


@dataclass(frozen=True)
class Coordination(_ClassicGame):
    """Two people who cannot talk want to be at the same place.

    Thomas C. Schelling, "The Strategy of Conflict", 1960. Three equilibria: both at one place, both
    at the other, and an even mixture of each, which pays half as much.
    """

    game_name: ClassVar[str] = "coordination"
    aliases: ClassVar[tuple[str, ...]] = ("pure_coordination", "meeting")
    summary: ClassVar[str] = "pure coordination: two who cannot talk want the same"
    row_table = ((1, 0), (0, 1))
    column_table = ((1, 0), (0, 1))
    both_labels = ("station", "tower")


@dataclass(frozen=True)
class PenaltyKick(_ClassicGame):
    """A kicker and a goalkeeper choose a side at once; the kicker gets the percentage of goals.

    Ignacio Palacios-Huerta, "Professionals play minimax", Review of Economic Studies 70, 2003:
    frequencies of 1,417 penalty kicks; right is the natural side of the kicker. In equilibrium the
    kicker goes left with probability 0.3855 and the keeper with 0.4198 (professionals: 0.3998 and
    0.4231), and 79.58 % are goals.
    """

    game_name: ClassVar[str] = "penalty_kick"
    aliases: ClassVar[tuple[str, ...]] = ("penalty", "soccer_penalty")
    summary: ClassVar[str] = "a penalty kick, with the percentages of professional football"
    row_table = ((58.3, 94.97), (92.92, 69.92))
    both_labels = ("left", "right")


@dataclass(frozen=True)
class Gibson(_ClassicGame):
    """Three rows, two columns, and a column player who does not care.

    Richard Gibson, "Regret minimization in non-zero-sum games", arXiv 1305.0034, 2013: play of no
    average regret may use the dominated row C.
    """

    game_name: ClassVar[str] = "gibson"
    aliases: ClassVar[tuple[str, ...]] = ()
    summary: ClassVar[str] = "three rows, one of them dominated, and an indifferent column player"
    row_table = ((1, 0), (0, 2), (-1, 1))
    column_table = ((0, 0), (0, 0), (0, 0))
    both_labels = ("A", "B", "C")

    def action_labels(self) -> Sequence[Sequence[str]]:
        return (self.both_labels, ("a", "b"))
