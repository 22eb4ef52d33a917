"""Words that surround a game's screen: player names, narration, the time left, and the table options."""
