"""Full traversals of CFR in which something is altered: play, infosets, or what is visited."""
