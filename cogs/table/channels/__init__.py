"""Where messages go and who is there: channels, threads, direct messages, members, and channels that are gone."""
