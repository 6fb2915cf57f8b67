"""OpenSpiel and Gambit: games and strategies in and out."""
