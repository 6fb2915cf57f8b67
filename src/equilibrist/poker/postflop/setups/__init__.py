"""Set-ups of other solvers: read as spots, and written from them.

Formats by their public documentation and by the files that people show in public.
"""
