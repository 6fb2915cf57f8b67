"""Documents and values that API and pages both show; nothing here knows a request or a screen."""
