"""Card buckets: hands that a player may not tell apart, merged street by street."""
