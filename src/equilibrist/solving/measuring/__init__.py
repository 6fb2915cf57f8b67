"""How a run is measured: what the history of play is held against, and what a result proves."""
