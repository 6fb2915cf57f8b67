"""Charts of hands before the flop: push or fold, solved hands, blueprints."""
