"""The documents that the API answers with and the pages show."""
