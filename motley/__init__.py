"""Running the bot: settings, logging, metrics, backups, shutdown, and `python -m motley` for its owner."""
