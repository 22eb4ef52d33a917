"""Taking moves back on Discord: who asks, and who has to agree."""
