"""What all pages share: the bar on top, who visits, and how errors are shown."""
