"""Work that no request starts: due times, deadlines, computers' turns, retention, and other processes' changes."""
