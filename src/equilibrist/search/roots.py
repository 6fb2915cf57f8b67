"""Roots of subgames, as people name them: by public events, by patterns, or by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.grafting.blocks import JOINS
from equilibrist.parsing.arguments import bad_argument, several
from equilibrist.parsing.key_patterns import key_pattern
from equilibrist.search.public_tree import PublicTree
from equilibrist.typing import BoolArray, Int64Array

_BY_EVENT: Final = re.compile(r"(before|after)\s+(chance|move)(?:\s+([1-9]\d*))?")
_EXPECTED: Final = (
    "'before chance', 'after chance 2', 'after move 2', or patterns over the names of public states"
)


def find_roots(
    public: PublicTree,
    roots: str | Sequence[str],
    *,
    disjoint: bool = True,
    option: str = "roots",
) -> tuple[int, ...]:
    """The public nodes that texts name.

    `after chance` are the nodes that follow on the first event of chance that everybody sees (in
    hold'em, the board), `before chance` those above them, one per line of play. `after move 2` are
    those that follow on the second move that everybody sees. A number counts events from the
    beginning, by default 1. Any other text is the name of a public node, or a pattern of names as
    in a shell: `*` stands for any text, `?` for a character. Several are joined by ` + `.

    Args:
        public: The public tree.
        roots: One text or several.
        disjoint: Whether no root may lie below another.
        option: What errors call the texts.

    Returns:
        The numbers of the nodes, rising. Those where nobody moves any more are left out.

    Raises:
        ConfigError: A text names no node, or one node lies below another.
    """
    texts = [roots] if isinstance(roots, str) else list(several(option, roots, _EXPECTED))
    wanted = np.zeros(len(public), dtype=np.bool_)
    for text in texts:
        if not isinstance(text, str):
            raise bad_argument(option, text, _EXPECTED)
        for part in [text] if text in public.names else text.split(JOINS):
            wanted |= _named(public, part.strip() if part != text else part, option)
    if not wanted.any():
        raise bad_argument(option, roots, _EXPECTED)
    chosen = np.flatnonzero(wanted)
    if disjoint:
        check_disjoint(public, chosen)
    return tuple(chosen.tolist())


def topmost(public: PublicTree, nodes: Sequence[int]) -> tuple[int, ...]:
    """The public nodes that lie below no other one of them.

    Args:
        public: The public tree.
        nodes: The numbers of the nodes.

    Returns:
        Those, in their order.
    """
    parent, chosen = public.parent, set(nodes)
    top = []
    for node in nodes:
        above = int(parent[node])
        while above >= 0 and above not in chosen:
            above = int(parent[above])
        if above < 0:
            top.append(node)
    return tuple(top)


def check_disjoint(public: PublicTree, roots: Int64Array | Sequence[int]) -> None:
    """ConfigError where one of the roots lies below another."""
    chosen = {int(root) for root in roots}
    for root in sorted(chosen):
        above = int(public.parent[root])
        while above >= 0 and above not in chosen:
            above = int(public.parent[above])
        if above >= 0:
            raise ConfigError(
                f"the root {public.names[root]!r} lies below the root {public.names[above]!r}",
                option="roots",
                given=public.names[root],
                expected="roots none of which lies below another",
                place=public.names[above],
                remedy="leave one of them out, or re-solve them in turn (`in_turn`)",
            )


def _named(public: PublicTree, text: str, option: str) -> BoolArray:
    moved = public.acts_below.any(axis=1)
    event = _BY_EVENT.fullmatch(text)
    if event is not None:
        followed = _by_event(public, event[1], event[2], int(event[3] or 1)) & moved
        if followed.any():
            return followed
        raise ConfigError(
            f"{public.tree.name} has no public node {text!r} with moves below it",
            option=option,
            given=text,
            expected=_EXPECTED,
        )
    glob = re.compile(re.escape(text)) if text in public.names else key_pattern(text)
    found: BoolArray = np.array(
        [glob.fullmatch(name) is not None for name in public.names], dtype=np.bool_
    )
    if (found & moved).any():
        return found & moved
    some = [public.names[k] for k in np.flatnonzero(moved & (public.depth > 0)).tolist()]
    shown = ", ".join(some[:: max(len(some) // 5, 1)][:6])
    why = "no public node is called" if not found.any() else "nobody moves any more in or below"
    raise ConfigError(
        f"{why} {text!r}; those with moves have names such as {shown}",
        option=option,
        given=text,
        expected=_EXPECTED,
    )


def _by_event(public: PublicTree, when: str, kind: str, number: int) -> BoolArray:
    follows = public.deals if kind == "chance" else public.moves
    count = np.zeros(len(public), dtype=np.int64)
    for node, above in enumerate(public.parent.tolist()):
        count[node] = int(follows[node]) + (count[above] if above >= 0 else 0)
    after: BoolArray = follows & (count == number)
    if when == "after":
        return after
    before = np.zeros(len(public), dtype=np.bool_)
    before[public.parent[after]] = True
    return before
