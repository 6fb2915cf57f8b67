"""Exact hold'em with merged hands: percentile buckets, CFR and CFR-BR, measured without buckets."""
