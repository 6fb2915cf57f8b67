"""Jobs on whole hands of hold'em: what each kind takes, what it needs, and how it is solved."""
