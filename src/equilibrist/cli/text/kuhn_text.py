"""Kuhn poker as the textbooks print it: a row per card, a column per situation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from equilibrist.cli.text.output import heading, show, show_table
from equilibrist.formatting.amounts import probability_text
from equilibrist.library.strategy_table import StrategyTable

_KEY = re.compile(r"([0-9]+)([pb]*)")
_WORDS = {"": "first to act", "p": "after pass", "b": "after bet", "pb": "after pass, bet"}
_JACK_QUEEN_KING = {1: "J", 2: "Q", 3: "K"}


def is_kuhn(table: StrategyTable) -> bool:
    """Whether this is a strategy of our own Kuhn poker, of any number of players and cards."""
    return (
        table.game.partition("(")[0] == "kuhn"
        and all(tuple(labels) == ("pass", "bet") for labels in table.labels)
        and all(_KEY.fullmatch(key) for key in table.keys)
        and _is_full(table)
    )


def _is_full(table: StrategyTable) -> bool:
    """Whether every card occurs in every situation; rules that extend ours may leave some out."""
    decisions = {(player, match[2], match[1]) for player, match in _matched(table)}
    situations = {(player, line) for player, line, _ in decisions}
    cards = {card for *_, card in decisions}
    return len(decisions) == len(table.keys) == len(situations) * len(cards)


def _matched(table: StrategyTable) -> Iterator[tuple[int, re.Match[str]]]:
    for key, player in zip(table.keys, table.players, strict=True):
        match = _KEY.fullmatch(key)
        assert match is not None
        assert player is not None
        yield player, match


def show_kuhn(table: StrategyTable) -> None:
    """Print, per player, the probability of betting (before a bet) or calling (after one)."""
    cells: dict[int, dict[str, dict[int, float]]] = {}
    for i, (player, match) in enumerate(_matched(table)):
        by_line = cells.setdefault(player, {})
        by_line.setdefault(match[2], {})[int(match[1])] = table.row(i)[1]
    cards = sorted({card for lines in cells.values() for row in lines.values() for card in row})
    for player, by_line in sorted(cells.items()):
        if player:
            show()
        heading(f"Player {player}: how often each card bets, or calls a bet")
        lines = sorted(by_line, key=lambda line: (len(line), line.replace("p", "0")))  # pass first
        show_table(
            ["card", *(_situation(line, table.num_players) for line in lines)],
            [
                [_card(card, len(cards)), *(probability_text(by_line[x][card]) for x in lines)]
                for card in cards
            ],
        )
    if table.num_players > 2:
        show()
        show("Situations are the moves before: p passed (checked or folded), b bet (or called).")


def _situation(line: str, players: int) -> str:
    action = "call" if "b" in line else "bet"
    if players == 2:
        return f"{_WORDS[line]}: {action}"
    return f"{line or 'first'}: {action}"


def _card(card: int, count: int) -> str:
    return _JACK_QUEEN_KING[card] if count == 3 else str(card)
