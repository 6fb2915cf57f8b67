"""What is put into pages while the site is built, because it would only repeat the package."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PLACE = "<!-- commands -->"
"""Where the sections of the commands stand."""


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill in the sections of the commands; MkDocs calls this for each page.

    Args:
        markdown: The page as its file has it.

    Returns:
        The page with the sections.
    """
    if PLACE not in markdown:
        return markdown
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from docs.command_reference import command_reference

    return markdown.replace(PLACE, command_reference())
