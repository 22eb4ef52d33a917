"""What every game's pictures are made of: cards, plates, score sheets, and the studio that turns specs into PNGs."""
