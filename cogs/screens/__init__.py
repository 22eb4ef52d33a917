"""What a player sees, as values: a screen, its words and controls, and how much of them a phone shows."""
