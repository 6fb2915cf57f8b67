"""What commands print: tables, progress, screens."""
