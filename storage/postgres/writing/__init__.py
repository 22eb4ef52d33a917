"""What one transaction writes to PostgreSQL: commits of matches, due times, stale surfaces, settings, notifications."""
