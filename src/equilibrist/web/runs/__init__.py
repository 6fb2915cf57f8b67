"""Jobs: starting a solve, following it, pausing it, going on."""
