"""Words around a game's screen: players' names, what has happened, the time left, and the table's options."""
