"""`equilibrist site`: pages and documents as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from equilibrist.cli.completion import values
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.extras import needs_extra
from equilibrist.cli.inputs.parameters import solution_name
from equilibrist.cli.text.output import show, show_json, suggest, typed
from equilibrist.formatting.amounts import bytes_text, counted

HELP = """Write lessons, games and solutions as a site of files.

DIR gets pages that any web server shows, below any path, without Equilibrist: lessons in CFR, the
games of --games with their trees, tables and histories, and each SOLUTION (a file, last): of a game
with its infosets, of a spot with the nodes of its first streets and of the boards of --lines, and
charts before the flop, those of blueprints among them. Decisions of spots and games are drilled,
with questions that are drawn beforehand. What needs computing is left out: solving, playing, other
parameters.

A game has at most 10,000 histories, its solution at most 2,000 infosets, a spot at most 5,000
nodes, charts at most 500 decisions. Lessons are the first 20 iterations of games with at most 1,000
histories. A site that is in DIR already is replaced.

Needs the extra web: pip install "equilibrist[web]".

\b
Examples:
  equilibrist site public
  equilibrist site public last --games kuhn,rock_paper_scissors
  equilibrist site public flop.spot --lines "X-X|8h|X-X|2c"
  python -m http.server --directory public
"""

_GAMES: Final = "kuhn,leduc"


def site(
    folder: Annotated[
        Path, options.file_argument("DIR", "The folder: a new one, or one with a site.")
    ],
    solutions: Annotated[
        list[Path] | None,
        options.argument(
            "SOLUTION",
            "Solutions to show: of games, of spots, charts.",
            values.solutions,
            solution_name,
        ),
    ] = None,
    games: Annotated[
        str, options.valued("--games", "LIST", "Games, with commas between them.")
    ] = _GAMES,
    streets: Annotated[
        int,
        options.whole(
            "--streets", "N", "Streets of a spot, as far as its file keeps them.", default=True
        ),
    ] = 2,
    lines: Annotated[
        str,
        options.valued(
            "--lines",
            "LIST",
            "Lines of spots with cards of later streets, with commas between them: all betting on "
            "these boards is written, too.",
        ),
    ] = "",
    json: options.Json = False,
) -> None:
    """Write a site."""
    with needs_extra("web", "`site`"):
        from equilibrist.web.site.writing import write_site
    picked = [line.strip() for line in lines.split(",") if line.strip()]
    facts = write_site(folder, solutions or (), split_games(games), streets, picked)
    if json:
        show_json(facts.to_dict())
        return
    text = f"{counted(facts.num_documents, 'document')}, {bytes_text(facts.num_bytes)}"
    show(f"{facts.folder}: {text}")
    suggest(f"python -m http.server --directory {typed(folder)}")


def split_games(text: str) -> list[str]:
    """The games in a text: split at commas, but not at those in brackets.

    Args:
        text: The games: `kuhn,leduc(players=3,ranks=4)`.
    """
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]
