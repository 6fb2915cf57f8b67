"""The pages about games: the catalogue, one game, a solution, races and lessons."""
