"""Games that break one law each, to see that the laws would notice, by subject."""
