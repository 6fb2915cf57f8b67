"""Options as data: what each is called, how it is typed, what it does, to which group it belongs.

The command line and the configuration objects read them here. Nothing heavy is imported.
"""
