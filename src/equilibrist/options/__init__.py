"""Options as data: name, type, help and group of each.

The command line and the configuration objects read them here. Nothing heavy is imported.
"""
