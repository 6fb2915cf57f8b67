"""Exact hold'em from the first card: all hands, all boards, no buckets."""
