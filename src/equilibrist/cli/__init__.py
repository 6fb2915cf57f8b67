"""The command line: `equilibrist solve kuhn`. One module per command or group.

Nothing heavy is imported before a command runs, so that help and errors come at once.
"""
