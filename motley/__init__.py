"""Looking after the bot's data: `python -m motley`, and the backups that the bot makes by itself."""
