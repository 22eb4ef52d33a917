"""Where messages go and who is there: channels, threads, direct messages, members, and deleted channels."""
