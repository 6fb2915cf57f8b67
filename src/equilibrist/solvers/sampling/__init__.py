"""Monte Carlo CFR on a compiled game: samplers, averages, executors."""
