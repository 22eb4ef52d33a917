"""Running the bot: settings, logging, metrics, backups, shutdown, and the owner's commands (`python -m motley`)."""
