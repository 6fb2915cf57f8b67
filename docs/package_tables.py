"""Tables that the package itself provides: its algorithms, its games, its commands.

`python benchmarks/render_tables.py` writes them into the pages, and a test compares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.render_tables import markdown_table
from docs.command_reference import commands_table


def algorithms_table() -> str:
    """One row per variant and local rule of the engine."""
    from equilibrist.solvers.full_traversal.best_response_solvers import RESPONDING
    from equilibrist.solvers.full_traversal.efr import NAME, DeviationRegrets
    from equilibrist.solvers.full_traversal.fsicfr import FIXED_STRATEGY
    from equilibrist.solvers.variants.registry import RULES

    rules: dict[str, Any] = {**RULES, NAME: DeviationRegrets(), **RESPONDING, **FIXED_STRATEGY}
    columns = ("algorithm", "what it does", "when to use it", "paper")
    rows = [(f"`{name}`", v.summary, v.when, v.paper) for name, v in rules.items()]
    return markdown_table(columns, rows)


def formulas_table() -> str:
    """The update and the average of each variant and local rule, as formulas."""
    from equilibrist.solvers.full_traversal.best_response_solvers import RESPONDING
    from equilibrist.solvers.full_traversal.efr import NAME, DeviationRegrets
    from equilibrist.solvers.full_traversal.fsicfr import FIXED_STRATEGY
    from equilibrist.solvers.variants.registry import RULES

    rules: dict[str, Any] = {**RULES, NAME: DeviationRegrets(), **RESPONDING, **FIXED_STRATEGY}
    rows = [(f"`{name}`", f"`{v.update}`", v.averaging) for name, v in rules.items()]
    return markdown_table(("algorithm", "regrets and next strategy", "weight in the average"), rows)


def samplers_table() -> str:
    """One row per sampler."""
    from equilibrist.solvers.implicit.samplers import needs_no_tree
    from equilibrist.solvers.sampling.registry import get_sampler, sampler_parameters, sampler_use
    from equilibrist.solvers.sampling.samplers import SAMPLERS

    rows = [
        (
            f"`{name}`",
            sampler.summary,
            sampler_use(name),
            ", ".join(f"`{p.name}={p.default}`" for p in sampler_parameters(name)) or "none",
            ", ".join(f"`{a}`" for a in sampler.averagings),
            "yes" if needs_no_tree(get_sampler(name)) else "no",
        )
        for name, sampler in SAMPLERS.items()
    ]
    columns = (
        "sampler", "what it samples", "when to use it", "parameters", "its own averages",
        "without a tree",
    )  # fmt: skip
    return markdown_table(columns, rows)


def sampler_symbols_table() -> str:
    """The symbols in the formulas of samplers."""
    from equilibrist.solvers.sampling.formulas import SYMBOLS

    return markdown_table(("symbol", "meaning"), [(f"`{name}`", text) for name, text in SYMBOLS])


def sampler_formulas_table() -> str:
    """What each sampler draws, and what it makes of it."""
    from equilibrist.solvers.catalogue import list_samplers

    rows = [
        (
            f"`{info.name}`",
            info.formulas.own,
            info.formulas.others,
            info.formulas.weight,
            info.formulas.estimate,
            info.formulas.regret,
        )
        for info in list_samplers()
    ]
    columns = ("sampler", "own moves", "the others'", "weight", "estimate", "regrets")
    return markdown_table(columns, rows)


def sampler_averages_table() -> str:
    """What each average of a sampler adds."""
    from equilibrist.solvers.catalogue import list_samplers

    rows = [
        (f"`{info.name}`", f"`{name}`", info.formulas.averages[name])
        for info in list_samplers()
        for name in info.averagings
    ]
    return markdown_table(("sampler", "average", "adds"), rows)


def sampler_meanings_table() -> str:
    """What each parameter of a sampler means."""
    from equilibrist.solvers.catalogue import list_samplers

    rows = [
        (f"`{info.name}`", f"`{name}`", f"`{value}`", info.formulas.parameters[name])
        for info in list_samplers()
        for name, value in info.parameters.items()
    ]
    return markdown_table(("sampler", "parameter", "default", "meaning"), rows)


def games_table() -> str:
    """One row per built-in game, with the page that describes it."""
    from equilibrist.games import list_games

    pages = {
        page.name: page.read_text("utf-8")
        for page in sorted((Path(__file__).parent / "games").glob("*.md"))
    }

    def page_of(name: str) -> str:
        """The page with the parameters of a game, or with its row in a table."""
        for mark in (f"table:parameters_{name} ", f"\n| `{name}` |"):
            for page, text in pages.items():
                if mark in text:
                    return page
        raise ValueError(f"no page of docs/games describes {name}")

    rows = [(f"[`{info.name}`](games/{page_of(info.name)})", info.summary) for info in list_games()]
    return markdown_table(("game", "what it is"), rows)


def packages_table() -> str:
    """One row per package and module of the top folder, from the top layer down.

    Below a package its folders follow, but for those of a single module.
    """
    from docs.import_graph import PACKAGE, layers, modules_of, packages, read_imports, summary

    imports = read_imports()
    inner = [str(folder) for folder in packages()]
    rows = []
    for entry in (entry for row in layers()[PACKAGE].rows for entry in row if entry in imports):
        path = entry.removeprefix(f"{PACKAGE}.").replace(".", "/")
        folders = [folder for folder in inner if f"{folder}/".startswith(f"{path}/")]
        for place in folders or [f"{path}.py"]:
            module = f"{PACKAGE}.{place.removesuffix('.py').replace('/', '.')}"
            if modules_of(imports, module) > 1 or "/" not in place:
                rows.append((f"`{place}/`" if folders else f"`{place}`", summary(module)))
    return markdown_table(("package or module", "what it holds"), rows)


SIZES = {
    "kuhn": (
        "kuhn", "kuhn(cards=13)", "kuhn(players=3)", "kuhn(players=4)", "kuhn(players=5)",
    ),
    "leduc": (
        "leduc", "leduc(suit_isomorphism=true)", "leduc(raise_cap=1)", "leduc(ranks=5)",
        "leduc(ranks=13,suit_isomorphism=true)", "leduc(players=3,suit_isomorphism=true)",
    ),
    "liars_dice": (
        "liars_dice(sides=2)", "liars_dice(sides=3)", "liars_dice(sides=4)",
        "liars_dice(sides=5)", "liars_dice(dice=2,sides=2)", "liars_dice(dice=[2,1],sides=3)",
        "liars_dice(players=3,sides=3)",
    ),
    "dudo": (
        "dudo(sides=2)", "dudo(sides=3)", "dudo(sides=4)", "dudo(dice=2,sides=2)",
        "dudo(dice=[2,1],sides=3)", "dudo(sides=4,memory=1)",
    ),
    "liar_die": (
        "liar_die(sides=2)", "liar_die(sides=3)", "liar_die(sides=4)", "liar_die(sides=5)",
        "liar_die(sides=5,memory=1)",
    ),
    "goofspiel": (
        "goofspiel(cards=3)", "goofspiel", "goofspiel(points_order=descending)",
        "goofspiel(imp_info=true,points_order=descending)",
        "goofspiel(cards=5,imp_info=true,points_order=descending)",
        "goofspiel(players=3,cards=3,points_order=descending)",
    ),
    "kuhn_bets": (
        "kuhn_bets(sizes=[1])", "kuhn_bets", "kuhn_bets(cards=5)", "kuhn_bets(cards=13)",
        "kuhn_bets(cards=13,sizes=[1,3])",
    ),
    "sheriff": (
        "sheriff(rounds=1)", "sheriff", "sheriff(rounds=3)", "sheriff(bribe=2,items=5)",
    ),
    "greenwald_sarfati": (
        "signalling", "extended_shapley", "greenwald_sarfati", "greenwald_sarfati(example=2)",
    ),
    "random_tree": (
        "random_tree", "random_tree(depth=8)", "random_tree(players=3)",
        "random_tree(depth=8,branching=2)",
    ),
}  # fmt: skip
"""Which sizes the page of each game shows; all are recounted whenever a table is rendered."""


def sizes_table(games: Sequence[str]) -> str:
    """Counts of each game: histories with terminals and chance, infosets, sequences."""
    from equilibrist.game_loading import compile_game

    trees = [compile_game(game) for game in games]
    columns = ("game", "histories", "terminal", "infosets", "sequences", "depth")
    rows = [
        (f"`{t.name}`", t.num_nodes, t.num_terminals, t.num_infosets, t.num_sequences, t.depth)
        for t in trees
    ]
    return markdown_table(columns, rows)


def parameters_table(game: str) -> str:
    """One row per parameter of a game, with what it may be."""
    from equilibrist.games import list_games
    from equilibrist.games.parameters import REQUIRED
    from equilibrist.parsing.call_text import format_value

    (info,) = [info for info in list_games() if info.name == game]
    rows = [
        (
            f"`{p.name}`",
            p.default_text or ("none" if p.default == REQUIRED else f"`{format_value(p.default)}`"),
            p.expected,
            p.doc,
        )
        for p in info.parameters
    ]
    return markdown_table(("parameter", "default", "allowed", "meaning"), rows)


def parameters_of_games(games: Sequence[str]) -> str:
    """One row per parameter of several games, as `parameters_table` has them."""
    rows: list[str] = []
    for game in games:
        head, rule, *below = parameters_table(game).splitlines()
        rows = rows or [f"| game {head}", f"|---{rule}"]
        rows += [f"| `{game}` {row}" for row in below]
    return "\n".join(rows) + "\n"


TEXTBOOK = {
    "tables": (
        "colonel_blotto", "morra", "travelers_dilemma", "volunteers_dilemma", "beauty_contest",
    ),
    "trees": ("centipede", "ultimatum"),
}  # fmt: skip
"""The textbooks' games with parameters, by the page that has them."""

FROM_PACKAGE: dict[str, Callable[[], str]] = {
    "algorithms": algorithms_table,
    "formulas": formulas_table,
    "commands": commands_table,
    "games": games_table,
    "packages": packages_table,
    "samplers": samplers_table,
    "sampler_averages": sampler_averages_table,
    "sampler_formulas": sampler_formulas_table,
    "sampler_meanings": sampler_meanings_table,
    "sampler_symbols": sampler_symbols_table,
    **{f"sizes_{game}": partial(sizes_table, games) for game, games in SIZES.items()},
    **{f"parameters_{g}": partial(parameters_table, g) for g in (*SIZES, "matrix")},
    **{f"textbook_{page}": partial(parameters_of_games, games) for page, games in TEXTBOOK.items()},
}
