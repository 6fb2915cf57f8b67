"""Solved spots on disk: saved solutions, exports, reports, batches."""
