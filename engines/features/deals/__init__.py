"""What players ask about a sealed deal. The seal, the cuts and the drawing of the deal are parts of the core."""
