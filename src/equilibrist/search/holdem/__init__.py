"""Search in hold'em: streets solved anew on the engine of spots, with gadgets at their roots."""
