"""What happens by time or by itself: due times, deadlines, computers' turns, retention, other processes' changes."""
