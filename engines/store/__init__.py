"""The values that are stored about matches and messages, and the protocols that storage implements."""
