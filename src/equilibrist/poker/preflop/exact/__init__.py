"""Exact hold'em from the first card: all hands, all boards up to symmetry, no buckets."""
