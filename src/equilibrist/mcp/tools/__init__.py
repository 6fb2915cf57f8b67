"""What an assistant may call, by subject."""
