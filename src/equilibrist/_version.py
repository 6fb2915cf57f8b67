"""The version of the package, alone in its file: whoever names it imports nothing else."""

__version__ = "0.1.0"
