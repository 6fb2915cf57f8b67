"""Nash equilibria of small games with any payoffs, found by QuantEcon or Gambit."""
