"""Strategy: a behavioural strategy of all players, flat over (infoset, action)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.parsing.arguments import (
    bad_argument,
    file_name,
    finite_number,
    real_number,
    whole_number,
)
from equilibrist.rules.game import RulesGame
from equilibrist.rules.strategy import PackedStrategy, checked_packed
from equilibrist.storage.frames import make_frame
from equilibrist.storage.tables import (
    Row,
    TableFile,
    csv_text,
    document_text,
    read_table_file,
    table_kind,
    table_of_frame,
    write_frame_file,
    write_table_file,
)
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    import pandas

SUM_TOLERANCE = 1e-6
"""How far from 1 the probabilities of an infoset may add up in what users hand in."""


class Strategy:
    """One probability per action at each infoset, for all players of `tree`.

    `probabilities` is a read-only float64[Q] in public order: those of infoset i stand at
    `tree.actions_of(i)` and add up to 1.
    """

    def __init__(self, tree: GameTree, probabilities: FloatArray) -> None:
        """Copy and check float64[Q]; MismatchError on length, ConfigError on values."""
        checked_tree(tree)
        try:
            values = np.array(probabilities, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise bad_argument("probabilities", probabilities, "an array of numbers") from None
        size = int(tree.action_offset[-1])
        if values.shape != (size,):
            raise MismatchError(
                f"{tree.name} has {size} actions at its infosets, the strategy gives "
                f"{values.shape}",
                option="probabilities",
                given=values.shape,
                expected=size,
                remedy="use a strategy of the same game",
            )
        sums = np.add.reduceat(values, tree.action_offset[:-1]) if size else values
        bad = np.abs(sums - 1.0) > SUM_TOLERANCE
        negative = ~(values >= 0.0)  # catches NaN as well
        if bad.any() or negative.any():
            at = np.flatnonzero(bad) if bad.any() else np.flatnonzero(negative)
            where = int(at[0])
            if not bad.any():
                where = int(np.searchsorted(tree.action_offset, where, side="right")) - 1
            raise ConfigError(
                f"at infoset {tree.infoset_keys[where]!r} the probabilities are "
                f"{values[tree.actions_of(where)].tolist()}; expected numbers of at least 0 that "
                f"add up to 1",
                option="probabilities",
                given=values[tree.actions_of(where)].tolist(),
                place=f"infoset {tree.infoset_keys[where]!r}",
            )
        values.flags.writeable = False
        self.tree = tree
        self.probabilities: FloatArray = values

    @classmethod
    def uniform(cls, tree: GameTree) -> Strategy:
        """Every action equally likely at every infoset."""
        counts = np.diff(checked_tree(tree).action_offset)
        return cls(tree, np.repeat(1.0 / counts, counts))

    @classmethod
    def first_action(cls, tree: GameTree) -> Strategy:
        """The first action at every infoset (in most poker games: pass or fold)."""
        values = np.zeros(int(checked_tree(tree).action_offset[-1]))
        values[tree.action_offset[:-1]] = 1.0
        return cls(tree, values)

    @classmethod
    def from_dict(cls, tree: GameTree, table: Mapping[str, Row]) -> Strategy:
        """From {infoset: {action: probability}}; actions left out get 0, all infosets must occur.

        Instead of {action: probability}, a list may give all probabilities in order.

        Raises UnknownNameError for infosets or actions the game lacks, ConfigError for missing
        infosets, for probabilities that do not add up to 1, and for anything but such a table.
        """
        values = np.zeros(int(checked_tree(tree).action_offset[-1]))
        if not isinstance(table, Mapping):
            raise bad_argument("strategy", table, "{infoset: {action: probability}}")
        seen = np.zeros(tree.num_infosets, dtype=np.bool_)
        for key, row in table.items():
            i = tree.index(key)
            seen[i] = True
            labels = tree.action_labels[i]
            if isinstance(row, list | tuple) and len(row) == len(labels):
                row = dict(zip(labels, row, strict=True))  # noqa: PLW2901
            if not isinstance(row, Mapping):
                wanted = f"{{action: probability}}, or {len(labels)} numbers in the order of "
                wanted += ", ".join(labels)
                raise bad_argument("infoset", row, wanted, label=f"infoset {key!r}")
            for label, probability in row.items():
                if label not in labels:
                    raise UnknownNameError(f"action at infoset {key!r}", str(label), labels)
                at = int(tree.action_offset[i]) + labels.index(label)
                values[at] = (
                    probability
                    if type(probability) is float
                    else finite_number("probability", probability, f"{label!r} at infoset {key!r}")
                )
        if not seen.all():
            missing = [tree.infoset_keys[i] for i in np.flatnonzero(~seen)[:3]]
            raise ConfigError(
                f"the strategy lacks {int((~seen).sum())} of the {tree.num_infosets} infosets of "
                f"{tree.name}, among them {', '.join(repr(k) for k in missing)}",
                option="infosets",
                given=missing[0],
            )
        return cls(tree, values)

    @classmethod
    def from_packed(cls, tree: GameTree, packed: PackedStrategy) -> Strategy:
        """A strategy found without a tree, on the tree of the same rules, which are walked again.

        Raises MismatchError if it is one of other rules, or `tree` not one of a rules module.
        """
        game = checked_tree(tree).game
        checked_packed(packed)
        if not isinstance(game, RulesGame):
            raise MismatchError(
                f"this is a strategy of {packed.game}, and {tree.name} is no rules module",
                option="game",
                given=tree.name,
                expected=packed.game,
                remedy=f"compile its own game: compile_game({packed.game!r})",
            )
        packed.check_rules(game.rules)
        values = cls.uniform(tree).probabilities.copy()
        for key, numbers in game.packed_keys().items():
            row = packed.row(*numbers)
            if row is not None:
                values[tree.actions_of(tree.index(key))] = row
        return cls(tree, values)

    @classmethod
    def from_file(cls, tree: GameTree, path: str | os.PathLike[str]) -> Strategy:
        """Read a CSV, JSON or Parquet file, as `save` writes it, or from another program.

        CSV and Parquet have the columns infoset, action, probability, or infoset and one column
        per action. JSON may be {infoset: {action: probability}}, with lists in the order of the
        actions too, or a document with that under `strategy`. Tables of Kuhn poker may be in
        other notations. Raises FileFormatError naming the file, and the line where it is known;
        MismatchError if a column `player` contradicts the game; what `from_dict` raises.
        """
        return cls.from_table(tree, read_table_file(file_name("path", path)))

    @classmethod
    def from_frame(cls, tree: GameTree, frame: pandas.DataFrame) -> Strategy:
        """From a pandas DataFrame as `to_frame` gives it, or with one column per action.

        Raises as `from_file` does, naming the row.
        """
        checked_tree(tree)
        return cls.from_table(tree, table_of_frame(frame, Path("the DataFrame")))

    @classmethod
    def from_table(cls, tree: GameTree, table: TableFile) -> Strategy:
        """From what a file said, in the names of the game or in others that the game can read."""
        known = dict(zip(checked_tree(tree).infoset_keys, tree.action_labels, strict=True))
        read = getattr(tree.game, "in_our_names", None)
        try:
            rows: Mapping[str, Row] = table.rows if read is None else read(table.rows, known)
            strategy = cls.from_dict(tree, rows)
        except (ConfigError, UnknownNameError) as error:
            error.add_place(table.path)
            raise
        owners = tree.infoset_player.tolist()
        named = zip(table.rows, rows, strict=True)
        table.check_owners(tree.name, {theirs: owners[tree.index(key)] for theirs, key in named})
        return strategy

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it as CSV, JSON or Parquet, by the suffix of `path`; returns the path.

        CSV and Parquet (extra `pandas`) have the columns player, infoset, action, probability;
        JSON holds the game's name and the table, and Parquet the name, too. All keep every digit,
        for `from_file`. Replaces an earlier table, but no other file. A file that also says how
        good the strategy is, and can be read without the rules, is written by
        `Result.of(strategy).save(path)`.

        Raises ConfigError for another suffix, OutputError if the file cannot be written.
        """
        target = file_name("path", path)
        kind = table_kind(target)
        tree = self.tree
        if kind == ".parquet":
            write_frame_file(target, self.to_frame())
            return target
        if kind == ".json":
            text = document_text({"game": tree.name, "strategy": self.to_dict()})
        else:
            players, values = tree.infoset_player.tolist(), self.probabilities.tolist()
            text = csv_text(tree.infoset_keys, players, tree.action_labels, values)
        write_table_file(target, kind, text)
        return target

    def __getitem__(self, key: str) -> dict[str, float]:
        i = self.tree.index(key)
        values = self.probabilities[self.tree.actions_of(i)].tolist()
        return dict(zip(self.tree.action_labels[i], values, strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self.tree.infoset_keys)

    def __len__(self) -> int:
        return self.tree.num_infosets

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key in self.tree._index

    def to_dict(self) -> dict[str, dict[str, float]]:
        """{infoset: {action: probability}}, infosets in public order."""
        values = self.probabilities.tolist()
        offsets = self.tree.action_offset.tolist()
        return {
            key: dict(zip(labels, values[offsets[i] : offsets[i + 1]], strict=True))
            for i, (key, labels) in enumerate(
                zip(self.tree.infoset_keys, self.tree.action_labels, strict=True)
            )
        }

    def to_frame(self) -> pandas.DataFrame:
        """A pandas DataFrame with columns player, infoset, action, probability.

        Its `attrs["game"]` names the game. Raises ConfigError without pandas.
        """
        tree = self.tree
        players = tree.infoset_player.tolist()
        return make_frame(
            tree.name, tree.infoset_keys, players, tree.action_labels, self.probabilities.tolist()
        )

    def mix(self, other: Strategy, weight: float) -> Strategy:
        """The strategy equivalent to playing `other` with probability `weight`, else this one.

        The coin is tossed once per game and player, so behaviour is mixed by own reach
        (Kuhn's theorem; perfect recall is needed). Unreached infosets mix their rows.
        """
        self._check_same_game(other)
        weight = real_number("weight", weight, 0.0, 1.0)
        form = self.tree.sequence_form
        counts = np.diff(self.tree.action_offset)
        shares = []
        for strategy, share in ((self, 1.0 - weight), (other, weight)):
            reach = form.reach(form.to_engine(strategy.probabilities))
            shares.append(share * reach[form.public_parent])
        total = shares[0] + shares[1]
        safe = np.where(total > 0.0, total, 1.0)
        mine = np.repeat(np.where(total > 0.0, shares[0] / safe, 1.0 - weight), counts)
        return Strategy(self.tree, mine * self.probabilities + (1.0 - mine) * other.probabilities)

    def replace(self, player: int, other: Strategy) -> Strategy:
        """This strategy with `player`'s infosets taken from `other`, of the same game."""
        self._check_same_game(other)
        whole_number("player", player, 0, self.tree.num_players - 1)
        owner = np.repeat(self.tree.infoset_player, np.diff(self.tree.action_offset))
        return Strategy(
            self.tree, np.where(owner == player, other.probabilities, self.probabilities)
        )

    def _check_same_game(self, other: Strategy) -> None:
        tree = checked_strategy(other).tree
        if tree is not self.tree and tree.fingerprint != self.tree.fingerprint:
            raise MismatchError(
                f"cannot combine strategies of {self.tree.name} and {tree.name}: they belong to "
                f"different games",
                option="game",
                given=tree.name,
                expected=self.tree.name,
            )

    def sample(self, key: str, generator: np.random.Generator) -> str:
        """Draw an action at the infoset `key`."""
        if not isinstance(generator, np.random.Generator):
            raise bad_argument(
                "generator", generator, "one of NumPy's: numpy.random.default_rng(seed)"
            )
        row = self[key]
        chances = np.fromiter(row.values(), dtype=np.float64)
        return list(row)[int(generator.choice(len(row), p=chances / chances.sum()))]

    def __repr__(self) -> str:
        return f"Strategy({self.tree.name!r}, {self.tree.num_infosets:,} infosets)"

    def _repr_html_(self) -> str:
        return strategy_html(self.tree.name, self.to_dict())


def strategy_html(game: str, table: Mapping[str, Mapping[str, float]]) -> str:
    """The first 200 infosets of a strategy as a table in HTML."""
    from html import escape

    rows = "".join(
        f"<tr><td>{escape(key)}</td><td>"
        + ", ".join(f"{escape(a)} {p:.4f}" for a, p in row.items())
        + "</td></tr>"
        for key, row in list(table.items())[:200]
    )
    more = len(table) - 200
    tail = f"<p>and {more:,} more infosets</p>" if more > 0 else ""
    return (
        f"<table><caption>{escape(game)}</caption>"
        f"<tr><th>infoset</th><th>strategy</th></tr>{rows}</table>{tail}"
    )


def checked_strategy(given: object) -> Strategy:
    """`given`, which must be a Strategy; ConfigError says how to get one from it."""
    if isinstance(given, Strategy):
        return given
    remedy = "make one with Strategy.uniform(tree) or Strategy.from_dict(tree, table)"
    if isinstance(getattr(given, "strategy", None), Strategy):
        remedy = "it is in .strategy"
    elif callable(getattr(given, "average_strategy", None)):
        remedy = "it is what .average_strategy() gives"
    raise bad_argument("strategy", given, "a Strategy", remedy=remedy)
