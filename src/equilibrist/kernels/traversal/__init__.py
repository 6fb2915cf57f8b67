"""What traversals of samplers are made of: iterations, steps, visits, baselines, pruning."""
