"""The version of the package; a separate module, so that reading it imports nothing else."""

__version__ = "0.1.0"
