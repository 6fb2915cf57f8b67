"""Teams against an adversary: members agree on joint plans beforehand and cannot talk during play.

TMECor, the team-maxmin equilibrium with coordination (Celli and Gatti, Computational results for
extensive-form adversarial team games, AAAI 2018): the team draws a joint pure plan from a mixture
that the adversary knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from equilibrist.equilibria.device import CorrelationDevice
from equilibrist.equilibria.teams.against_one import AgainstOne
from equilibrist.equilibria.teams.against_team import AgainstTeam
from equilibrist.equilibria.teams.secured import TOLERANCE, Secured
from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.coalitions import Coalition
from equilibrist.evaluation.sequences import Sequences
from equilibrist.formatting.amounts import counted
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.solvers.matrix.payoffs import refuse_payoffs
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import NOISE
from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class TeamMaxmin:
    """The best that a team secures against the other players, and how.

    Attributes:
        team: The members.
        adversaries: The players who play against them.
        value: What the mixture earns the team, all members together, against its best response.
        bound: No mixture secures more: what the best joint plan earns against what the adversaries
            play in `device`.
        weights: float64[K], those of `plans`.
        plans: The joint plans with a weight above 0: of each, the actions of each member by
            infoset, where their own moves lead.
        device: The mixture as profiles of all players. The adversary plays one strategy in all of
            them, which holds the team to `bound`; several draw joint plans of their own, and every
            pair of joint plans is a profile.
        columns: How many joint plans of the team were found in all.
        iterations: How many linear programmes were solved.
        proofs: How many mixed-integer programmes were.
        constant_sum: Whether all payoffs add up to the same sum at every terminal history. If not,
            `value` is a maxmin value, but adversaries may have a better response for themselves.
        interrupted: Whether Ctrl-C ended the search. Then the mixture is the best so far, `bound`
            is what the team would earn if its members knew the whole history, and `value`, where
            there are several adversaries, what it earns at least if these do.
    """

    team: tuple[int, ...]
    adversaries: tuple[int, ...]
    value: float
    bound: float
    weights: FloatArray
    plans: tuple[tuple[dict[str, str], ...], ...]
    device: CorrelationDevice
    columns: int
    iterations: int
    proofs: int
    constant_sum: bool
    interrupted: bool = False

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def support(self) -> int:
        """How many joint plans the mixture draws from."""
        return len(self.weights)

    @property
    def duality_gap(self) -> float:
        """`bound` less `value`: what a better mixture might secure at most."""
        return self.bound - self.value


def team_maxmin(tree: GameTree, adversary: int | Iterable[int], *, seed: int = 0) -> TeamMaxmin:
    """Find the best mixture of joint plans of a team against the other players.

    Args:
        tree: A compiled game of three or more players, of perfect recall.
        adversary: The player, from 0, whom all others play against as a team; or several, who are
            a team of their own and agree on joint plans, too. Members of a team share payoffs.
        seed: The seed of the joint plans from which local search begins; the value does not
            depend on it.

    Returns:
        The mixture, what it secures, and the bound that proves it; after Ctrl-C the best so far.

    Raises:
        UnsupportedError: There are fewer than three players, or more than 20,000 combinations of
            a team's sequences at terminal histories, or payoffs differ by too many orders of
            magnitude.
        RecallError: A player forgets their own past.
        ConfigError: There is no such player, or nobody is left for the team.
        KeyboardInterrupt: Ctrl-C, before there was a mixture.
    """
    sequences = Sequences.of(tree)
    adversaries = _checked(tree, adversary)
    whole_number("seed", seed, 0)
    if tree.num_players < 3:
        raise UnsupportedError(
            f"{tree.name} has {counted(tree.num_players, 'player')}; a team needs two against one",
            option="players",
            given=tree.num_players,
            expected=3,
            remedy="take a game of three or more players",
        )
    team = tuple(p for p in range(tree.num_players) if p not in adversaries)
    paid = sequences.centred[:, list(team)].sum(axis=1)
    terms = np.abs(sequences.payoff[:, list(team)]).sum(axis=1)
    paid = sequences.leaf_chance * np.where(np.abs(paid) > NOISE * terms, paid, 0.0)
    # What chance alone decides has no influence, and may be enormous.
    moved = (sequences.leaf_sequence >= 0).any(axis=1)
    alike = float(paid[~moved].sum())
    paid = np.where(moved, paid, 0.0)
    rng = np.random.default_rng(seed)
    if len(adversaries) == 1:
        secured = AgainstOne(sequences, team, adversaries[0], paid, rng).run()
    else:
        secured = AgainstTeam(sequences, team, adversaries, paid, rng).run()
    return _result(sequences, team, adversaries, secured, alike)


def _checked(tree: GameTree, adversary: int | Iterable[int]) -> tuple[int, ...]:
    """The adversaries in order, each once."""
    last = tree.num_players - 1
    if not isinstance(adversary, Iterable):
        return (whole_number("adversary", adversary, 0, last),)
    players = [whole_number("adversary", p, 0, last) for p in adversary]
    if not 0 < len(set(players)) == len(players) <= last:
        raise bad_argument("adversary", players, "one or more players, not all, each once")
    return tuple(sorted(players))


def _result(
    sequences: Sequences,
    team: tuple[int, ...],
    adversaries: tuple[int, ...],
    secured: Secured,
    alike: float,
) -> TeamMaxmin:
    """The figures of a mixture; `alike` is what the team is paid where nobody moves."""
    tree = sequences.tree
    offset = float(sequences.centre[list(team)].sum()) + alike
    if not secured.interrupted and secured.bound - secured.value > 10.0 * TOLERANCE * secured.met:
        refuse_payoffs(tree, secured.value + offset, promised=secured.bound + offset)
    own = np.isin(np.repeat(tree.infoset_player, np.diff(tree.action_offset)), team)
    coalition = Coalition(sequences, team)
    weights, rows = [], []
    for weight, plan in zip(secured.weights.tolist(), secured.plans, strict=True):
        profile = coalition.profile(plan)
        for share, answer in secured.answers:
            weights.append(weight * share)
            rows.append(np.where(own, profile, answer))
    total = np.array(weights)
    return TeamMaxmin(
        team=team,
        adversaries=adversaries,
        value=secured.value + offset,
        bound=max(secured.value, secured.bound) + offset,
        weights=secured.weights,
        plans=tuple(coalition.words(plan) for plan in secured.plans),
        device=CorrelationDevice(tree, total / total.sum(), np.array(rows)),
        columns=secured.columns,
        iterations=secured.iterations,
        proofs=secured.proofs,
        constant_sum=tree.is_constant_sum,
        interrupted=secured.interrupted,
    )
