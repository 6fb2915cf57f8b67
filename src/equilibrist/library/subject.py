"""The subject of `inspect`: a file with a strategy, or a game without one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.library import sources
from equilibrist.library.strategy_table import StrategyTable
from equilibrist.options.defaults import UNIFORM

if TYPE_CHECKING:
    from equilibrist.drawing import Outline
    from equilibrist.evaluation.infosets import InfosetValues
    from equilibrist.game import Game
    from equilibrist.library.limits import Limits
    from equilibrist.results.stored_networks import StoredNetworks
    from equilibrist.rules.named_rows import NamedRows
    from equilibrist.rules.strategy import PackedStrategy
    from equilibrist.tree.compile import GameTree

VALUES_LIMIT = 200_000
"""The most histories for which reach and values are computed by default."""


@dataclass(frozen=True)
class Subject:
    """A strategy from a file (`source`), or a game by its `rules`; the other is None.

    `target` is what the user typed.
    """

    name: str
    target: str
    limits: Limits
    source: sources.Source | None = None
    rules: Game[Any] | None = None

    @classmethod
    def of(
        cls,
        target: str,
        game: str | None,
        limits: Limits,
        note: Callable[[str], None] | None = None,
    ) -> Subject:
        """Open a file, or load a game; raises the errors of either. `note` is that of `Source`."""
        is_uniform = target == UNIFORM and game is not None and not Path(target).exists()
        if is_uniform or sources.is_file(target):
            source = sources.open_strategy(Path(target), game, note=note)
            name = source.solution.game if source.solution else source.game
            return cls(name, target, limits, source)
        sources.refuse_game(game, target)
        from equilibrist.games import load_game

        rules = load_game(target)
        return cls(rules.name, target, limits, rules=rules)

    @property
    def file(self) -> str | None:
        """The file, None for a game."""
        return None if self.source is None else str(self.source.path)

    @property
    def title(self) -> str:
        """The heading of a report."""
        if self.source is None:
            return f"{self.name}: no strategy was given, uniform play is shown"
        solution = self.source.solution
        if self.source.packed is not None:
            return f"{self.name}: {self.source.path}, {_how_sampled(self.source.packed)}"
        if solution is None:
            return f"{self.name}: {self.source.path}"
        merged = solution.abstraction
        found_by = "" if merged is None else f"abstraction {merged.name}, "
        if solution.actions is not None:
            found_by += f"actions {solution.actions.name} ({solution.actions.translate}), "
        return (
            f"{self.name}: {self.source.path}, {found_by}{solution.algorithm}, "
            f"{counted(solution.iterations, 'iteration')}, "
            f"{solution.measure_name} {solution.measure:.3g}"
        )

    @property
    def networks(self) -> StoredNetworks | None:
        """The networks that a solution was trained with; None for all else."""
        solution = None if self.source is None else self.source.solution
        return None if solution is None else solution.networks

    def packed_rows(self, values: bool | None) -> NamedRows | None:
        """The rows of a strategy that was found without a tree, from its file alone.

        None for all others, and where reach and values are requested, which need the whole game.
        """
        if self.source is None or self.source.packed is None or values:
            return None
        packed = self.source.packed
        if not self.source.named_by_file:
            packed = packed.named_by(self.source.load_game())
        return packed.named_rows

    def draw(self, path: Path, history: str | None, max_nodes: int) -> int:
        """Write the drawing and return the number of histories in it."""
        from equilibrist.drawing import outline, to_dot, to_picture, to_svg
        from equilibrist.play import action_words
        from equilibrist.storage.archive import check_writable
        from equilibrist.storage.replaceable import check_replaceable, write_picture
        from equilibrist.tree.shown_names import key_of_shown, shown_names

        writers: dict[str, Callable[[Outline], bytes]] = {
            ".svg": lambda drawn: to_svg(drawn).encode(),
            ".png": lambda drawn: to_picture(drawn, "png"),
            ".pdf": lambda drawn: to_picture(drawn, "pdf"),
            ".dot": lambda drawn: to_dot(drawn).encode(),
            ".gv": lambda drawn: to_dot(drawn).encode(),
        }
        if path.suffix.lower() not in writers:
            raise ConfigError(
                f"{path}: unknown file format",
                option="--draw",
                given=path.name,
                remedy="use a name that ends in .svg, .png, .pdf or .dot",
            )
        check_writable(path)
        check_replaceable(path, path.suffix.lower(), "--draw")
        rules = self.source.load_game() if self.source is not None else self.rules
        assert rules is not None
        rows = self._rows(rules)

        def words(key: str, labels: Sequence[str]) -> list[str]:
            return [named[0] for named in action_words(rules, key, labels)]

        names = shown_names(rules)
        start = [key_of_shown(names, move) for move in _moves(history)]
        drawn = outline(rules, start=start, strategy=rows, max_nodes=max_nodes, words=words)
        write_picture(path, writers[path.suffix.lower()](drawn.shown_as(names)))
        return len(drawn.nodes)

    def table(self, values: bool | None) -> tuple[StrategyTable, InfosetValues | None]:
        """The strategy, with reach and values if requested, or with None if they are cheap."""
        table, measured = self._table(values)
        merged = None if self.source is None else self.source.abstraction
        if merged is not None:
            sizes = merged.group_size[merged.abstract_of].tolist()
            names = map(merged.key_of, range(len(table.keys)))
            table = replace(table, abstract=tuple(zip(names, sizes, strict=True)))
        actions = None if self.source is None else self.source.actions
        return table if actions is None else table.with_actions(actions), measured

    def _table(self, values: bool | None) -> tuple[StrategyTable, InfosetValues | None]:
        from equilibrist.evaluation.infosets import infoset_values
        from equilibrist.strategy import Strategy

        tree = self._tree(values)
        if tree is None:
            assert self.source is not None
            assert self.source.solution is not None
            table = StrategyTable.of_stored(self.source.solution.strategy)
            return replace(table, names=self._names(table.game)), None
        strategy = Strategy.uniform(tree) if self.source is None else self.source.strategy(tree)
        if values is False or (values is None and tree.num_nodes > VALUES_LIMIT):
            return StrategyTable.of(strategy), None
        measured = infoset_values(strategy)
        return StrategyTable.of(strategy, measured.reach), measured

    def _names(self, game: str) -> dict[str, str]:
        """What people read for keys of a game of ours, whose rules are at hand without walking."""
        from equilibrist.games import load_game
        from equilibrist.tree.shown_names import shown_names

        assert self.source is not None
        is_ours = self.source.loaded_from is None and sources.is_ours(game)
        return shown_names(load_game(game)) if is_ours else {}

    def _tree(self, values: bool | None) -> GameTree | None:
        """The compiled game; None if a solution is to be shown without its rules."""
        if self.rules is not None:
            return self._compiled
        assert self.source is not None
        if self.source.solution is not None and values is False:
            return None
        if self.source.solution is not None and values is None:
            return sources.matching_rules(self.source, VALUES_LIMIT, self.limits)
        return self.source.compile(self.limits)

    @cached_property
    def _compiled(self) -> GameTree:
        assert self.rules is not None
        return self.limits.compile(self.rules)

    @property
    def forgets(self) -> bool:
        """Whether a player of the game forgets: it says so itself, or its tree, if it is known."""
        from equilibrist.tree.walk.protocol import recalls

        assert self.rules is not None
        if not recalls(self.rules):
            return True
        return "_compiled" in vars(self) and not self._compiled.has_perfect_recall

    def _rows(self, rules: Game[Any]) -> Mapping[str, Mapping[str, float]] | None:
        """The strategy in the names of these rules; MismatchError if it belongs to others."""
        if self.source is None:
            return None
        return self.source.strategy(self.limits.compile(rules)).to_dict()


def _how_sampled(packed: PackedStrategy) -> str:
    """Where a strategy without a tree comes from, as far as its file says, and its size."""
    run, origin = packed.provenance, ""
    if run.keys() >= {"algorithm", "sampler", "iterations"}:
        origin = f"{run['algorithm']} with {run['sampler']} sampling, {run['iterations']:,} "
        origin += "iterations; "
    return f"{origin}{packed.num_infosets:,} infosets, all others are played uniformly"


def _moves(history: str | None) -> list[str]:
    """`1,3,4` or `1 > 3 > 4` as labels; the second form is for labels with commas."""
    if history is None:
        return []
    mark = ">" if ">" in history else ","
    return [label.strip() for label in history.split(mark) if label.strip()]
