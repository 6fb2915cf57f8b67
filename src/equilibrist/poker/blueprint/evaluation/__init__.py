"""How good a blueprint is: exploiters, litmus hands, and what each figure can tell."""
