"""What stores of every kind do in the same way, written once over `Statements`."""
