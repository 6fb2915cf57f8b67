"""Who may do what: hosts, origins, tokens, limits, headers of answers, what texts may name."""
