"""Where a player who knows kept actions only believes the game to be, history by history.

Such a player follows a line of the restricted game beside the one that is played. What is kept
leads to the same place in both. Where somebody else takes an action that was removed, a kept one is
drawn for it, once, and the line goes on from there; so there may be several lines with their
probabilities. The player's own actions are those of the line.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from equilibrist.abstraction.actions.action_abstraction import ActionAbstraction
from equilibrist.abstraction.actions.mappings import BetMapping, UserMapping, between
from equilibrist.abstraction.actions.restricting import place_among_siblings
from equilibrist.abstraction.key_meaning import facts_of_key
from equilibrist.errors import UnsupportedError

Lines = dict[int, float]
"""Histories of the restricted game, by their numbers in the full one, with their weights."""
_SAME = 1e-9
"""The most by which weights may differ that ought to be equal."""


class Follower:
    """What one player believes, given what is kept and how the rest is translated.

    Args:
        actions: What is kept.
        mapping: How the rest is translated.
    """

    def __init__(self, actions: ActionAbstraction, mapping: BetMapping | UserMapping) -> None:
        """Lay out the histories of the full game; nothing is asked yet."""
        tree = actions.tree
        walk = tree.walk
        self.actions = actions
        self.mapping = mapping
        self.tree = tree
        public = np.where(walk.infoset >= 0, tree.public_of_walk[walk.infoset], walk.infoset)
        self._infoset: list[int] = public.tolist()
        self._owner: list[int] = tree.infoset_player.tolist()
        self._parent: list[int] = walk.parent.tolist()
        self._place: list[int] = place_among_siblings(walk.parent).tolist()
        children: list[list[int]] = [[] for _ in self._parent]
        for node, above in enumerate(self._parent[1:], 1):
            children[above].append(node)
        self._children = children
        self._kept_places = [
            np.flatnonzero(actions.kept[tree.actions_of(i)]).tolist()
            for i in range(tree.num_infosets)
        ]
        chance = np.flatnonzero(walk.infoset == -2)
        bounds = np.concatenate(([0], np.cumsum(walk.chance_count)))
        self._odds = {
            node: walk.chance_probability[bounds[k] : bounds[k + 1]]
            for k, node in enumerate(chance.tolist())
        }
        self.translated: dict[tuple[int, int, int], dict[int, float]] = {}
        """{(infoset, place of an action there, infoset of a line): {place there: share}}."""
        self._answered: dict[tuple[int, int], dict[int, int]] = {}

    def beliefs(self, player: int) -> dict[int, dict[int, float]]:
        """The infosets of the restricted game that a player believes to be at.

        Args:
            player: The player.

        Returns:
            {infoset: {infoset of the restricted game: weight}}, numbers of the full game. An
            infoset that own play never leads to has an empty table.

        Raises:
            UnsupportedError: A line cannot be followed, or depends on what the player cannot see.
        """
        lines: list[Lines] = [{} for _ in self._parent]
        lines[0] = {0: 1.0}
        by_infoset: dict[int, dict[int, float]] = {}
        own = [i >= 0 and self._owner[i] == player for i in self._infoset]
        needed = list(own)  # where the player moves, or will move
        for node in range(len(needed) - 1, 0, -1):
            needed[self._parent[node]] |= needed[node]
        for node, infoset in enumerate(self._infoset):
            if node and needed[node]:
                lines[node] = self._next(lines[self._parent[node]], node, player)
            if own[node]:
                here = self._believed(lines[node], node)
                if by_infoset.setdefault(infoset, here) is not here:
                    self._check_same(by_infoset[infoset], here, infoset)
        return by_infoset

    def answers(self, infoset: int, believed: int) -> dict[int, int]:
        """The action that is played for each kept one of the infoset believed to be at, by place.

        The one with the same label, else the one with the nearest size.

        Args:
            infoset: Where the player is.
            believed: Where they believe to be.

        Returns:
            {place of the kept action there: place of the action here}.

        Raises:
            UnsupportedError: A kept action has no counterpart.
        """
        pair = (infoset, believed)
        if pair not in self._answered:
            self._answered[pair] = {
                place: self._counterpart(infoset, believed, place)
                for place in self._kept_places[believed]
            }
        return self._answered[pair]

    def _next(self, before: Lines, node: int, player: int) -> Lines:
        """The lines after the move that leads to `node`."""
        above, place = self._parent[node], self._place[node]
        here = self._infoset[above]
        after: Lines = {}
        for line, weight in before.items():
            self._check_in_step(above, line)
            for step, share in self._steps(here, place, line, player).items():
                child = self._children[line][step]
                after[child] = after.get(child, 0.0) + weight * share
        return after

    def _steps(self, here: int, place: int, line: int, player: int) -> Mapping[int, float]:
        """Which moves of a line stand for a move of the game, with their shares."""
        if here < 0:
            return {place: 1.0}
        there = self._infoset[line]
        if self._owner[here] == player:
            answers = self.answers(here, there)
            return {kept: 1.0 for kept, played in answers.items() if played == place}
        return self._taken_for(here, place, there)

    def _taken_for(self, here: int, place: int, there: int) -> dict[int, float]:
        """The kept actions at `there` for which somebody's action is taken."""
        triple = (here, place, there)
        if triple not in self.translated:
            self.translated[triple] = self._translate(here, place, there)
        return self.translated[triple]

    def _translate(self, here: int, place: int, there: int) -> dict[int, float]:
        tree, kept = self.tree, self._kept_places[there]
        label, labels = tree.action_labels[here][place], tree.action_labels[there]
        for other in kept:
            if labels[other] == label:
                return {other: 1.0}
        names = tuple(labels[other] for other in kept)
        if isinstance(self.mapping, UserMapping):
            facts = facts_of_key(tree, here) | {
                "key": tree.infoset_keys[here],
                "player": self._owner[here],
            }
            where = f"at infoset {tree.infoset_keys[here]!r}"
            shares = self.mapping.shares(label, names, facts, where)
            return {kept[k]: share for k, share in shares.items()}
        sizes = self.actions.bet_sizes
        measured = sizes.shares if self.mapping.needs_pot else sizes.measured
        size, theirs = measured(here)[place], measured(there)
        shares = {}
        if size is not None:
            shares = between(size, tuple(theirs[other] for other in kept), self.mapping.share)
        if not shares:
            raise self._no_counterpart(here, label, there, names, "translate")
        return {kept[k]: share for k, share in shares.items()}

    def _counterpart(self, infoset: int, believed: int, place: int) -> int:
        tree = self.tree
        label, labels = tree.action_labels[believed][place], tree.action_labels[infoset]
        if label in labels:
            return labels.index(label)
        sizes = self.actions.bet_sizes
        size = sizes.measured(believed)[place]
        possible = [
            (abs(other - size), k)
            for k, other in enumerate(sizes.measured(infoset))
            if size is not None and other is not None
        ]
        if not possible:
            raise self._no_counterpart(believed, label, infoset, labels, "play")
        return min(possible)[1]

    def _believed(self, lines: Lines, node: int) -> dict[int, float]:
        """Sum the weights of the lines at a history by the infosets that they are at."""
        weights: dict[int, float] = {}
        for line, weight in lines.items():
            self._check_in_step(node, line)
            infoset = self._infoset[line]
            weights[infoset] = weights.get(infoset, 0.0) + weight
        return weights

    def _check_in_step(self, node: int, line: int) -> None:
        """UnsupportedError unless the same player, or the same chance, moves in both."""
        if node == line:
            return
        here, there = self._infoset[node], self._infoset[line]
        if here >= 0 and there >= 0:
            same = self._owner[here] == self._owner[there]
        else:
            same = here == there and (
                here != -2 or np.array_equal(self._odds[node], self._odds[line])
            )
        if not same:
            history_names, line_names = self._names(node), self._names(line)
            raise UnsupportedError(
                f"after {history_names}, which is taken for {line_names}, the abstract game goes "
                f"on in another way: {self._who(node)} in one, and {self._who(line)} in the other",
                option="translate",
                given=history_names,
                expected=line_names,
                remedy="keep the action, or take it for another by a function of yours, "
                "rules.py:translate",
            )

    def _who(self, node: int) -> str:
        infoset = self._infoset[node]
        if infoset >= 0:
            return f"player {self._owner[infoset]} moves"
        return "chance moves" if infoset == -2 else "the game is over"

    def _names(self, node: int) -> str:
        """The labels of the moves of players that lead to a history."""
        labels: list[str] = []
        while (above := self._parent[node]) >= 0:
            if self._infoset[above] >= 0:
                labels.append(self.tree.action_labels[self._infoset[above]][self._place[node]])
            node = above
        return ", ".join(reversed(labels)) or "the start"

    def _check_same(self, earlier: dict[int, float], later: dict[int, float], infoset: int) -> None:
        """UnsupportedError unless all histories of an infoset let the player believe the same."""
        keys = earlier.keys() | later.keys()
        if all(abs(earlier.get(k, 0.0) - later.get(k, 0.0)) <= _SAME for k in keys):
            return
        key = self.tree.infoset_keys[infoset]
        raise UnsupportedError(
            f"at infoset {key!r} the translation depends on what the player cannot see",
            option="translate",
            given=key,
            place=f"infoset {key!r}",
            expected="a translation that depends on what all players see",
            remedy="keep and translate by what is public, such as sizes and the pot",
        )

    def _no_counterpart(
        self, infoset: int, label: str, other: int, labels: tuple[str, ...], what: str
    ) -> UnsupportedError:
        keys = self.tree.infoset_keys
        verb = "taken for" if what == "translate" else "played as"
        return UnsupportedError(
            f"{label!r} at infoset {keys[infoset]!r} cannot be {verb} any of "
            f"{', '.join(labels)} at {keys[other]!r}: sizes are compared, and one of them has none",
            option="translate",
            given=label,
            expected="an action with a size, such as `bet 2`",
            place=f"infoset {keys[infoset]!r}",
            remedy="keep the action, or at least one with a size, or name a function of yours, "
            "rules.py:translate",
        )
