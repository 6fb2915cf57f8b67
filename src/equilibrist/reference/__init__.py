"""The textbook algorithms in plain Python: to be read, and to be trusted by the tests.

Start with `cfr`, whose docstring explains the algorithm step by step, and with `by_hand`, which
prints the figures of one infoset as one would work them out on paper.
"""
