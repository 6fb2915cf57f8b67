"""Teams that agree on joint plans beforehand, against one adversary or another team."""
