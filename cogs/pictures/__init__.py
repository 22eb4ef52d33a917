"""The parts of every game's pictures: cards, plates, score sheets, and the studio that turns specs into PNGs."""
