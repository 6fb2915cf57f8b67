"""Commands beside solving: exploitation, refinements, selection."""
