"""Card buckets: hands that a player may not tell apart, on every street."""
