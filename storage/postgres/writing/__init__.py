"""What one transaction writes to PostgreSQL: match commits, due times, stale surfaces, settings, notifications."""
