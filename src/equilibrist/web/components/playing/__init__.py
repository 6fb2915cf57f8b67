"""The table and the drill: components in plain JavaScript, props in and events out."""
