"""What kind of file a command was given, and which command takes it instead."""
