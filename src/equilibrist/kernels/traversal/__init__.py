"""Parts of sampled traversals: iterations, steps, visits, baselines, pruning."""
