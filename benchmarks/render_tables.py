"""Write the tables of the READMEs and docs/ from records and from the package itself.

    python benchmarks/render_tables.py            # rewrite what has changed
    python benchmarks/render_tables.py --check    # change nothing; exit code 1 if something would

A page marks the place with `<!-- table:NAME -->` and `<!-- /table -->`; what stands between is
replaced. Some tables come from the package itself (docs/package_tables.py). Every other NAME is the
stem of a record `benchmarks/results/NAME.json`, an object with the keys

    what       one line: what was measured, and how often
    command    the command that writes the record again
    machine    object: what it ran on, such as {"cpu": ..., "cores": 2}
    versions   object: name to version of everything compared, and of Python
    columns    list of column headings
    rows       list of rows, each a list of strings and numbers, one per column

and any further keys (configuration, seed, raw samples, targets by column, a note on the machine),
which tables do not show. Machine and versions are shown where they differ from the usual ones,
which docs/benchmarks.md names once.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
MARKER = re.compile(r"(<!-- table:(?P<name>[\w-]+) -->\n).*?(<!-- /table -->)", re.DOTALL)
REQUIRED = ("what", "command", "machine", "versions", "columns", "rows")

USUAL_MACHINE = "AMD EPYC, 2 cores"
USUAL_VERSIONS = ("Python 3.11.7", "equilibrist 0.1.0", "numpy 2.4.6", "numba 0.68.1")
"""What most records were measured with: their captions do not repeat it."""


def cell(value: object) -> str:
    """One table cell: floats to four significant digits, pipes escaped."""
    if isinstance(value, float):
        digits = f"{value:.4g}"
        text = f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else digits
    elif isinstance(value, int) and not isinstance(value, bool):
        text = f"{value:,}"
    else:
        text = str(value)
    return text.replace("|", "\\|").replace("\n", " ")


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; columns whose cells are all numbers are aligned to the right."""
    body = [list(row) for row in rows]
    for row in body:
        if len(row) != len(columns):
            raise ValueError(f"a row has {len(row)} cells for {len(columns)} columns: {row}")
    numeric = [all(isinstance(row[i], int | float) for row in body) for i in range(len(columns))]
    lines = [
        "| " + " | ".join(cell(name) for name in columns) + " |",
        "|" + "|".join("---:" if right else "---" for right in numeric) + "|",
    ]
    lines += ["| " + " | ".join(cell(value) for value in row) + " |" for row in body]
    return "\n".join(lines) + "\n"


def record_table(record: Mapping[str, Any]) -> str:
    """The table of one record, and below it what, where and with which versions."""
    missing = [key for key in REQUIRED if key not in record]
    if missing:
        raise ValueError(f"the record lacks {', '.join(missing)}")
    machine = ", ".join(
        f"{value} {key}" if key == "cores" else str(value)
        for key, value in record["machine"].items()
    )
    versions = (f"{name} {version}" for name, version in record["versions"].items())
    usual = (USUAL_MACHINE, *USUAL_VERSIONS)
    unusual = [text for text in (machine, *versions) if text not in usual]
    caption = f"{record['what']} Script: `{record['command']}`"
    if unusual:
        caption += f" ({', '.join(unusual)})"
    return markdown_table(record["columns"], record["rows"]) + "\n" + caption + "\n"


def table(name: str, results: Path = RESULTS) -> str:
    """The Markdown of the table called `name`; raises ValueError where nothing provides it."""
    from docs.package_tables import FROM_PACKAGE

    if name in FROM_PACKAGE:
        return FROM_PACKAGE[name]()
    path = results / f"{name}.json"
    if not path.is_file():
        raise ValueError(f"no table is called {name!r}, and there is no record {path}")
    try:
        return record_table(json.loads(path.read_text("utf-8")))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def render(text: str, results: Path = RESULTS) -> str:
    """`text` with every marked table replaced by its present content."""
    return MARKER.sub(lambda m: m[1] + "\n" + table(m["name"], results) + "\n" + m[3], text)


def pages() -> Iterator[Path]:
    """All pages that may hold a marked table."""
    yield from sorted(ROOT.glob("README*.md"))
    yield from sorted((ROOT / "docs").rglob("*.md"))


def main(arguments: Sequence[str]) -> int:
    """Rewrite the pages, or with `--check` only report; returns the exit code."""
    check = "--check" in arguments
    stale = []
    for page in pages():
        old = page.read_text("utf-8")
        new = render(old)
        if new != old:
            stale.append(page.relative_to(ROOT))
            if not check:
                page.write_text(new, "utf-8")
    for page in stale:
        print(f"{'out of date' if check else 'rewritten'}: {page}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))  # for docs/package_tables.py
    raise SystemExit(main(sys.argv[1:]))
