"""The library: its pages, what is in a solution, two compared, and files that arrive."""
