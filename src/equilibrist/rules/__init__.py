"""Rules as compiled functions over a state of integers: for games too large for a tree.

A rules module is a plain Python file of functions over two integer arrays: `g`, the game's
parameters, and `s`, the state. They are compiled together with a sampler, and run as they are
where nothing is compiled (by `RulesGame`, which makes a `Game` of them).

A module defines PARAMETERS (names and default integers, in the order of `g`) and

    state_size(g) num_players(g) max_actions(g) max_moves(g)    sizes, all integers
    start(g, s)             fill the state, whatever it held
    player(g, s)            who moves: 0, 1, ..., or -1 chance, -2 the end
    num_actions(g, s)       legal actions or chance outcomes, numbered from 0
    apply(g, s, a)          change the state
    payoff(g, s, p)         player p's payoff at the end, a float
    key(g, s, out)          what the mover knows, packed exactly into two uint64: no two infosets,
                            of whatever players, may share a key

and may define fits(g), whether parameters can be packed, and probability(g, s, a), of a chance
outcome (without it, outcomes are equally likely), and public_state(g, s, out), what everybody knows
in any state, packed as keys are. max_actions counts players' actions only. The
functions may call others of the module, and of modules beside it that it imports; all are compiled,
so they keep to integers, floats and arrays. For people, and never compiled, are text(g, s), a name
for what the mover knows, label(g, s, a), the name of an action or outcome, describe(g, s), what the
mover knows as a list of (name, what it is) pairs, and unpack(g, key, s), which fills s with a state
that has this key, uint64[2], so that strategies found without a tree can be shown by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "PackedStrategy": "equilibrist.rules.strategy",
    "Rules": "equilibrist.rules.module",
    "RulesGame": "equilibrist.rules.game",
    "load_rules": "equilibrist.rules.module",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.rules.game import RulesGame as RulesGame
    from equilibrist.rules.module import Rules as Rules
    from equilibrist.rules.module import load_rules as load_rules
    from equilibrist.rules.strategy import PackedStrategy as PackedStrategy
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
