"""What players ask about a sealed deal on Discord: to cut it, to cut last, and to check it."""
