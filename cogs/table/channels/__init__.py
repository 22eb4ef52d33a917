"""Where messages go and who is there: channels, threads, direct messages, and deleted channels."""
