"""Files and arrays on disk: archives, tables, versions."""
