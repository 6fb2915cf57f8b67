"""Strategy: a behavioural strategy of all players, flat over (infoset, action)."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.parsing.arguments import bad_argument, file_name, real_number, whole_number
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
from equilibrist.tree.probabilities import checked_probabilities, read_probabilities, scale_rows
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    import pandas


class Strategy:
    """One probability per action at each infoset, for all players of a compiled game.

    Args:
        tree: The compiled game.
        probabilities: float64[Q] in public order: those of infoset i stand at `tree.actions_of(i)`
            and add up to 1. They are copied; `strategy.probabilities` is read-only.

    Raises:
        MismatchError: If their number is that of another game.
        ConfigError: If the probabilities of an infoset are negative or do not add up to 1.
    """

    def __init__(self, tree: GameTree, probabilities: FloatArray) -> None:
        """Copy and check the probabilities; the class says what the arguments are."""
        self.tree = checked_tree(tree)
        self.probabilities: FloatArray = checked_probabilities(tree, probabilities)

    @classmethod
    def uniform(cls, tree: GameTree) -> Strategy:
        """Every action equally likely at every infoset.

        Args:
            tree: The compiled game.

        Returns:
            The strategy.
        """
        counts = np.diff(checked_tree(tree).action_offset)
        return cls(tree, np.repeat(1.0 / counts, counts))

    @classmethod
    def first_action(cls, tree: GameTree) -> Strategy:
        """The first action at every infoset (in most poker games: pass or fold).

        Args:
            tree: The compiled game.

        Returns:
            The strategy.
        """
        values = np.zeros(int(checked_tree(tree).action_offset[-1]))
        values[tree.action_offset[:-1]] = 1.0
        return cls(tree, values)

    @classmethod
    def from_dict(cls, tree: GameTree, table: Mapping[str, Row]) -> Strategy:
        """A strategy from a table of all infosets.

        Args:
            tree: The compiled game.
            table: {infoset: {action: probability}}; actions left out get 0. A list may give all
                probabilities of an infoset in order.

        Returns:
            The strategy.

        Raises:
            UnknownNameError: If the game lacks an infoset or an action.
            ConfigError: For missing infosets, for probabilities that do not add up to 1, and for
                anything but such a table.
        """
        return cls(tree, read_probabilities(checked_tree(tree), table))

    @classmethod
    def from_packed(cls, tree: GameTree, packed: PackedStrategy) -> Strategy:
        """A strategy found without a tree, on the tree of the same rules, which are walked again.

        Args:
            tree: The compiled game.
            packed: A strategy of its rules.

        Returns:
            The strategy; infosets without a row are played uniformly.

        Raises:
            MismatchError: If it is a strategy of other rules, or `tree` is not made of rules.
        """
        game = checked_tree(tree).game
        checked_packed(packed)
        packed.rules_of(game)
        assert isinstance(game, RulesGame)
        values = cls.uniform(tree).probabilities.copy()
        for key, numbers in game.packed_keys().items():
            row = packed.row(*numbers)
            if row is not None:
                values[tree.actions_of(tree.index(key))] = row
        return cls(tree, values)

    @classmethod
    def from_file(cls, tree: GameTree, path: str | os.PathLike[str]) -> Strategy:
        """Read a CSV, JSON or Parquet file, as `save` writes it, or of another program.

        CSV and Parquet have the columns infoset, action, probability, or infoset and one column per
        action. JSON may be {infoset: {action: probability}}, with lists in the order of the
        actions, too, or a document with that under `strategy`. Tables of Kuhn poker may be in other
        notations.

        Args:
            tree: The compiled game.
            path: The file.

        Returns:
            The strategy.

        Raises:
            FileFormatError: If the file cannot be read; it names the line where it is known.
            MismatchError: If a column `player` contradicts the game.
            UnknownNameError: As `from_dict`.
            ConfigError: As `from_dict`.
        """
        return cls.from_table(
            tree, read_table_file(file_name("path", path), int(tree.action_offset[-1]))
        )

    @classmethod
    def from_frame(cls, tree: GameTree, frame: pandas.DataFrame) -> Strategy:
        """A strategy from a pandas DataFrame as `to_frame` makes it, or with one column per action.

        Args:
            tree: The compiled game.
            frame: The DataFrame.

        Returns:
            The strategy.

        Raises:
            FileFormatError: If the columns are others; further errors as `from_file`, with the row.
        """
        checked_tree(tree)
        return cls.from_table(tree, table_of_frame(frame, Path("the DataFrame")))

    @classmethod
    def from_table(cls, tree: GameTree, table: TableFile) -> Strategy:
        """A strategy from the content of a file, in names that the game can read.

        Rows that rounding keeps from adding up to 1, by 0.02 or by what the printed digits allow,
        are scaled to 1, with a warning. Where a table has a column for one of two actions, the
        other has the rest.

        Args:
            tree: The compiled game.
            table: The rows, with the lines they come from.

        Returns:
            The strategy.

        Raises:
            ConfigError: As `from_dict`.
            UnknownNameError: As `from_dict`.
        """
        known = dict(zip(checked_tree(tree).infoset_keys, tree.action_labels, strict=True))
        read = getattr(tree.game, "in_our_names", None)
        try:
            rows: Mapping[str, Row] = table.rows if read is None else read(table.rows, known)
            rows = table.with_rest(rows, known)
            values = read_probabilities(tree, rows)
            scaled = scale_rows(tree, values)
            strategy = cls(tree, values)
        except (ConfigError, UnknownNameError) as error:
            error.add_place(table.path)
            raise
        owners = tree.infoset_player.tolist()
        named = zip(table.rows, rows, strict=True)
        if scaled:
            warnings.warn(f"{table.path}: {scaled}", stacklevel=3)
        table.check_owners(tree.name, {theirs: owners[tree.index(key)] for theirs, key in named})
        return strategy

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it as CSV, JSON or Parquet; all keep every digit, for `from_file`.

        CSV and Parquet (extra `pandas`) have the columns player, infoset, action, probability; JSON
        holds the game's name and the table, and Parquet the name, too. A file that also has the
        evaluation of the strategy, and can be read without the rules, is written by
        `Result.of(strategy).save(path)`.

        Args:
            path: Where to; its suffix chooses the format. An earlier table is replaced, no other
                file.

        Returns:
            The path.

        Raises:
            ConfigError: For another suffix.
            OutputError: If the file cannot be written.
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
        """The probabilities by infoset and action.

        Returns:
            {infoset: {action: probability}}, infosets in public order.
        """
        values = self.probabilities.tolist()
        offsets = self.tree.action_offset.tolist()
        return {
            key: dict(zip(labels, values[offsets[i] : offsets[i + 1]], strict=True))
            for i, (key, labels) in enumerate(
                zip(self.tree.infoset_keys, self.tree.action_labels, strict=True)
            )
        }

    def to_frame(self) -> pandas.DataFrame:
        """The strategy as a pandas DataFrame.

        Returns:
            One row per (infoset, action), in public order, with columns player, infoset, action and
            probability; its `attrs["game"]` names the game.

        Raises:
            ConfigError: Without pandas.
        """
        tree = self.tree
        players = tree.infoset_player.tolist()
        return make_frame(
            tree.name, tree.infoset_keys, players, tree.action_labels, self.probabilities.tolist()
        )

    def mix(self, other: Strategy, weight: float) -> Strategy:
        """The strategy equivalent to playing `other` with some probability, else this one.

        The coin is tossed once per game and player, so behaviour is mixed by own reach
        (Kuhn's theorem; perfect recall is needed). Unreached infosets mix their rows.

        Args:
            other: A strategy of the same game.
            weight: The probability of `other`, from 0 to 1.

        Returns:
            The mixture.

        Raises:
            MismatchError: If the strategies are of different games.
            RecallError: If the game has imperfect recall.
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
        """Take one player's infosets from another strategy, the others' from this one.

        Args:
            player: The player, from 0.
            other: A strategy of the same game.

        Returns:
            The combination.

        Raises:
            MismatchError: If the strategies are of different games.
            ConfigError: If there is no such player.
        """
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
        """Draw an action at an infoset.

        Args:
            key: The key of the infoset.
            generator: A generator of NumPy.

        Returns:
            The label of the action.

        Raises:
            UnknownNameError: If the game has no such infoset.
            ConfigError: If `generator` is not a generator of NumPy.
        """
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


def checked_strategy(value: object) -> Strategy:
    """`value`, which must be a Strategy; ConfigError says how to get one from it."""
    if isinstance(value, Strategy):
        return value
    remedy = "make one with Strategy.uniform(tree) or Strategy.from_dict(tree, table)"
    if callable(getattr(value, "on", None)):  # a StoredStrategy
        remedy = "it has no tree yet: strategy.on(tree) gives one, tree = compile_game(GAME)"
    elif isinstance(value, PackedStrategy):
        remedy = "it has no tree: Strategy.from_packed(tree, strategy) gives one"
    elif callable(getattr(getattr(value, "strategy", None), "on", None)):  # a result of a file
        remedy = "it is in .strategy, and has no tree yet: result.strategy.on(tree) gives one"
    elif isinstance(getattr(value, "strategy", None), Strategy):
        remedy = "it is in .strategy"
    elif callable(getattr(value, "average_strategy", None)):
        remedy = "it is what .average_strategy() gives"
    raise bad_argument("strategy", value, "a Strategy", remedy=remedy)
