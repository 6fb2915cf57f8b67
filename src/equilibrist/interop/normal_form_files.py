"""Games in normal form as files: Gambit's .nfg, CSV, JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from itertools import product
from typing import Final

from equilibrist.formatting.escaping import guard_cell, json_text
from equilibrist.games.efg.writer import decimal, quoted
from equilibrist.solvers.matrix.normal_form import NormalForm

FORMATS: Final = (".nfg", ".csv", ".json")


def normal_form_text(form: NormalForm, kind: str) -> str:
    """A game in normal form as the text of a file.

    Args:
        form: The game.
        kind: `.nfg` for Gambit's format (payoffs with all their digits, the plans of player 0
            change fastest); `.csv` for one line per cell, with each player's action and payoff;
            `.json` for a document with `actions` and `payoffs`, nested as `matrix(payoffs=...)`
            takes them, one whole table per player.

    Returns:
        The text.

    Raises:
        GameSpecError: If a name cannot be written as .nfg.
    """
    if kind == ".nfg":
        return _nfg(form)
    return _csv(form) if kind == ".csv" else _json(form)


def _cells(form: NormalForm) -> Iterable[tuple[int, ...]]:
    return product(*(range(len(actions)) for actions in form.actions))


def _nfg(form: NormalForm) -> str:
    players = " ".join(quoted(f"Player {p + 1}") for p in range(form.num_players))
    lines = [f"NFG 1 R {quoted(form.name)} {{ {players} }}", "{"]
    lines += ["{ " + " ".join(map(quoted, actions)) + " }" for actions in form.actions]
    lines += ["}", ""]
    for reverse in product(*(range(len(actions)) for actions in reversed(form.actions))):
        paid = form.payoffs[tuple(reversed(reverse))]
        lines.append(" ".join(decimal(float(x)) for x in paid))
    return "\n".join(lines) + "\n"


def _csv(form: NormalForm) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    players = range(form.num_players)
    writer.writerow([*(f"plan {p}" for p in players), *(f"payoff {p}" for p in players)])
    for cell in _cells(form):
        plans = [guard_cell(form.actions[p][k]) for p, k in enumerate(cell)]
        writer.writerow([*plans, *(repr(float(x)) for x in form.payoffs[cell])])
    return file.getvalue()


def _json(form: NormalForm) -> str:
    tables = [form.payoffs[..., p].tolist() for p in range(form.num_players)]
    actions = [list(labels) for labels in form.actions]
    text = json_text({"game": form.name, "actions": actions, "payoffs": tables})
    return f"{{\n{text[1:]}\n"  # as all documents of ours begin
