"""Numbers of bytes as text for messages."""

from __future__ import annotations


def bytes_text(count: int) -> str:
    """Bytes for people: `812 bytes`, `3.4 MB`."""
    if count < 1000:
        return f"{count} bytes"
    power = min(4, (len(str(count)) - 1) // 3)
    return f"{count / 1000**power:.1f} {('', 'kB', 'MB', 'GB', 'TB')[power]}"
