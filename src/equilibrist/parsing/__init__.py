"""Reading what callers hand in: arguments, call texts, files of user code."""
