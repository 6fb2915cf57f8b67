"""Full traversals that skip what cannot matter: partial, interval, best-response, thresholds."""
