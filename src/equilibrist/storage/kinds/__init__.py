"""The kinds of files: what each is called and which command takes it, and how it is recognised."""
