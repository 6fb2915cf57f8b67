"""`equilibrist evaluate --against`: what a strategy wins from another, by duplicate deals."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from equilibrist.cli.output import heading, show, show_json
from equilibrist.cli.sources import Source, open_source
from equilibrist.errors import ConfigError
from equilibrist.rules.game import RulesGame

UNIFORM = "uniform"


def play_match(
    source: Source, against: str, deals: int, lines: int, seed: int, *, json: bool
) -> None:
    """Play and print; ConfigError for strategies that were not found without a tree."""
    from equilibrist.evaluation.duplicates import play_duplicates

    other = None if against == UNIFORM else open_source(Path(against), source.game)
    for one in (source, other):
        if one is not None and one.packed is None:
            raise ConfigError(
                f"{one.path} holds no strategy found without a tree: leave out --against, its "
                f"evaluation is exact"
            )
    assert source.packed is not None
    game = source.load_game()
    assert isinstance(game, RulesGame)
    second = None if other is None else other.packed
    given = {"deals": deals, "lines": lines, "seed": seed}
    match = play_duplicates(game.rules, source.packed, second, **given)
    if json:
        document = {"game": game.name, "file": str(source.path), "against": against}
        show_json({**document, **asdict(match), "interval": list(match.interval)})
        return
    whom = "uniform play" if other is None else f"{other.path}"
    heading(f"{game.name}: {source.path} against {whom}")
    show()
    show(f"{match}, 95 % interval {match.interval[0]:+.5f} to {match.interval[1]:+.5f}")
    show(
        "The mean payoff over all seats; where payoffs add up to 0, a strategy wins 0 from itself."
    )
