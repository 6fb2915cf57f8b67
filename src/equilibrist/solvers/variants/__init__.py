"""CFR variants as data: coefficients, schedules, local rules, and their registry."""
