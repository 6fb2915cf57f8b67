"""The command line: `equilibrist solve kuhn`. One file per command.

Nothing heavy is imported before a command runs, so that help and errors come at once.
"""
