"""Rules as compiled functions over a state of integers: for games too large for a tree.

A rules module is a plain Python file of functions over two integer arrays: `g`, the game's
parameters, and `s`, the state. They are compiled together with a sampler, and run as they are
where nothing is compiled (by `RulesGame`, which makes a `Game` of them). See
`equilibrist.rules.module` for the functions that a module needs.
"""
