"""Which regrets a family of deviations has in a game, as arrays for the kernel of EFR."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import MemoryBudgetError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.kernels.deviations.fixed_point import ChainScratch
from equilibrist.tree.compile import GameTree
from equilibrist.tree.forms.sequence_form import SequenceArrays, SequenceForm
from equilibrist.tree.walk.budget import default_memory
from equilibrist.typing import BoolArray, FloatArray, Int64Array, UInt32Array

_EXTERNAL: Final = ("cfr", "bps")
"""Families of external deviations only; those of `csps` are external but for the last entry."""


class DeviationArrays(NamedTuple):
    """Which regrets there are, for I infosets in engine order; read-only but for working memory.

    Infoset n has the memory probabilities entry_offset[n] .. entry_offset[n + 1], of which
    externals[n] come first and belong to external deviations, the others to internal ones. Of each
    entry, entry_cell says where it is computed. Its regrets stand from regret_offset[n] on, entry
    by entry: one per action for external deviations, in order of the target; one per pair of
    different actions for internal ones, in order of the source, then of the target.

    A cell is a product of probabilities along a way through the tree. Where `memory` is empty
    cells are sequences, and the products their reach. Otherwise the first P cells are 1, and those
    of group g, from cell_offset[g] on, are cell_above times the probability of cell_sequence.
    Infosets that only fill a group have no entries.
    """

    form: SequenceArrays
    entry_offset: Int64Array  # [I + 1]
    externals: UInt32Array  # [I]
    entry_cell: UInt32Array  # [E]
    regret_offset: Int64Array  # [I + 1]
    cell_offset: Int64Array  # [G + 1]
    cell_above: UInt32Array  # [C - P], or [0]
    cell_sequence: UInt32Array  # [C - P], or [0]
    memory: FloatArray  # [C] or [0], working memory: the products
    before: FloatArray  # [C], working memory: those of the strategies just played
    scratch: ChainScratch  # working memory, for the most actions of an infoset


class _Infosets(NamedTuple):
    """The infosets of a sequence form one by one, those above before those below."""

    parent: Int64Array  # [I] infoset above, or -1
    action: Int64Array  # [I] the action there that leads here
    actions: Int64Array  # [I]
    first: Int64Array  # [I] the first sequence
    stride: Int64Array  # [I] from one sequence to the next
    root: Int64Array  # [I] the owner's empty sequence
    owner: Int64Array  # [I]
    real: BoolArray  # [I] whether play can reach it: others fill groups
    group: Int64Array  # [I]


def _infosets(form: SequenceForm) -> _Infosets:
    a = form.arrays
    size = a.group_size.astype(np.int64)
    group = np.repeat(np.arange(len(size)), size)
    base = a.group_first_infoset.astype(np.int64)
    first = a.group_first_sequence.astype(np.int64)[group] + np.arange(len(group)) - base[group]
    stride, actions = size[group], a.group_actions.astype(np.int64)[group]
    owner = np.searchsorted(a.group_offset, group, side="right") - 1
    ends = np.cumsum(actions)
    within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - actions, actions)
    infoset_of = np.full(form.num_sequences, -1)
    action_of = np.zeros(form.num_sequences, dtype=np.int64)
    sequences = np.repeat(first, actions) + within * np.repeat(stride, actions)
    infoset_of[sequences] = np.repeat(np.arange(len(group)), actions)
    action_of[sequences] = within
    played = np.zeros(form.num_sequences, dtype=np.bool_)
    played[form.sequence_of_public[~form.public_forced]] = True
    above = a.parent_sequence.astype(np.int64)
    root = a.sequence_offset[owner]
    real = played[first]
    return _Infosets(
        parent=infoset_of[above],
        action=action_of[above],
        actions=actions,
        first=first,
        stride=stride,
        root=root,
        owner=owner,
        real=real,
        group=group,
    )


def _entries(family: str, above: FloatArray, actions: Int64Array) -> FloatArray:
    """Memory probabilities below infosets that have `above` of them and so many `actions`."""
    if family in ("bps", "cfps"):
        return above + 1
    if family in ("csps", "tips"):
        return above + actions
    if family == "bhv":
        return above * actions
    return np.ones_like(above)


class _Counts(NamedTuple):
    """float64[I] each: as floats, since a game may have more of them than memory holds."""

    entries: FloatArray
    externals: FloatArray
    regrets: FloatArray


def _counts(family: str, form: SequenceForm, infosets: _Infosets) -> _Counts:
    entries = infosets.real.astype(np.float64)
    base, size = form.arrays.group_first_infoset, form.arrays.group_size
    for low, count in zip(base.tolist(), size.tolist(), strict=True):
        own = np.arange(low, low + count)
        own = own[infosets.real[own] & (infosets.parent[own] >= 0)]
        parent = infosets.parent[own]
        entries[own] = _entries(family, entries[parent], infosets.actions[parent])
    externals = np.zeros_like(entries)
    if family in _EXTERNAL:
        externals = entries
    elif family == "csps":
        externals = np.maximum(entries - 1.0, 0.0)
    pairs = infosets.actions * (infosets.actions - 1)
    return _Counts(entries, externals, externals * infosets.actions + (entries - externals) * pairs)


def count_regrets(family: str, tree: GameTree) -> int:
    """Count the regrets that a family has in a game.

    Args:
        family: One of FAMILIES.
        tree: The game.

    Returns:
        The number of regrets, external and internal, of all players.

    Raises:
        MemoryBudgetError: They would take more than half of the machine's memory.
    """
    form = tree.sequence_form
    with np.errstate(over="ignore"):
        counts = _counts(family, form, _infosets(form))
        regrets, entries = float(counts.regrets.sum()), float(counts.entries.sum())
    need, budget = 16.0 * regrets + 12.0 * entries, default_memory()
    if need > budget:
        size = bytes_text(int(need)) if need < 2.0**63 else "more bytes than can be counted"
        raise MemoryBudgetError(
            f"the {family} deviations of {tree.name} have {regrets:,.4g} regrets, which take "
            f"{size}",
            tree.num_nodes,
            tree.num_nodes,
            option="deviations",
            given=family,
            expected=f"at most {bytes_text(budget)}",
            remedy="Choose a smaller family, such as bps or cfr, or a smaller game.",
        )
    return int(regrets)


def deviation_arrays(family: str, tree: GameTree) -> DeviationArrays:
    """Lay out the regrets of a family.

    Args:
        family: One of FAMILIES.
        tree: The game.

    Returns:
        The arrays of the kernel.

    Raises:
        MemoryBudgetError: As `count_regrets`.
    """
    count_regrets(family, tree)
    form = tree.sequence_form
    infosets = _infosets(form)
    entries, externals, regrets = (c.astype(np.int64) for c in _counts(family, form, infosets))
    offset = np.concatenate(([0], np.cumsum(entries)))
    cell = np.zeros(int(offset[-1]), dtype=np.int64)
    cell_offset, above, sequence = [0], [], []
    below = np.zeros(len(entries), dtype=np.int64)
    leads_on = np.zeros(len(entries), dtype=np.bool_)
    leads_on[infosets.parent[infosets.real & (infosets.parent >= 0)]] = True
    next_cell = form.num_players
    for base, size in zip(form.arrays.group_first_infoset, form.arrays.group_size, strict=True):
        own = [n for n in range(int(base), int(base) + int(size)) if infosets.real[n]]
        for n in own:
            m = int(infosets.parent[n])
            place = slice(int(offset[n]), int(offset[n + 1]))
            if family == "bhv":
                start = int(below[m]) if m >= 0 else int(infosets.owner[n])
                cell[place] = np.arange(start, start + int(entries[n]))
            else:
                inherited = cell[offset[m] : offset[m + 1]] if m >= 0 else cell[:0]
                cell[place] = _sequences_of(family, infosets, n, inherited)
        for n in own if family == "bhv" else ():
            if leads_on[n]:
                actions = int(infosets.actions[n])
                above.append(np.repeat(cell[offset[n] : offset[n + 1]], actions))
                played = infosets.first[n] + np.arange(actions) * infosets.stride[n]
                sequence.append(np.tile(played, int(entries[n])))
                below[n] = next_cell
                next_cell += len(above[-1])
        cell_offset.append(next_cell - form.num_players)
    most = int(infosets.actions.max(initial=2))
    none = np.zeros(0, dtype=np.int64)
    arrays = DeviationArrays(
        form=form.arrays,
        entry_offset=offset,
        externals=externals.astype(np.uint32),
        entry_cell=cell.astype(np.uint32),
        regret_offset=np.concatenate(([0], np.cumsum(regrets))),
        cell_offset=np.array(cell_offset, dtype=np.int64),
        cell_above=np.concatenate([none, *above]).astype(np.uint32),
        cell_sequence=np.concatenate([none, *sequence]).astype(np.uint32),
        memory=np.ones(next_cell if family == "bhv" else 0),
        before=np.ones(next_cell if family == "bhv" else form.num_sequences),
        scratch=ChainScratch(np.zeros((most, most)), *np.zeros((3, most))),
    )
    for array in arrays[1:-3]:
        array.flags.writeable = False
    return arrays


def _sequences_of(family: str, infosets: _Infosets, n: int, inherited: Int64Array) -> Int64Array:
    """The sequences whose reach are the memory probabilities of infoset n."""
    m = int(infosets.parent[n])
    root = np.array([infosets.root[n]])
    if m < 0 or family in ("cfr", "cfr_in"):
        return root
    siblings = infosets.first[m] + np.arange(int(infosets.actions[m])) * infosets.stride[m]
    obeyed = siblings[infosets.action[n]]
    if family == "a":
        return np.array([obeyed])
    if family in ("bps", "cfps"):
        return np.append(inherited, obeyed)
    return np.concatenate([inherited, siblings[siblings != obeyed], [obeyed]])
