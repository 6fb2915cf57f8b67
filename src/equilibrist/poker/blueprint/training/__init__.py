"""Training of blueprints: by sampled boards or external sampling, alone or on a cluster."""
