"""Tables against a solution, and drills: what they look like, and what is asked of them."""
