"""Before the flop: all-in equities of hand classes, and push-or-fold play."""
