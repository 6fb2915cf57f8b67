"""Commands of bots: people play against them, they play each other, and are measured."""
