"""The JSON API below /api: documents are those of `--json` of the command line."""
