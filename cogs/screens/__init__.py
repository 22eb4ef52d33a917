"""What a person gets to see, as values: a screen, its words, and how much of it there is room for."""
