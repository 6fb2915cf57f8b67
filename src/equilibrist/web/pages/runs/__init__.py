"""What pages that are not modules say of solves that run or wait."""
