"""Parts of sampled traversals: iterations, steps, visits, baselines, skipping of poor actions."""
