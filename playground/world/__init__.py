"""Discord's data: servers, people, channels, messages, commands, permissions, ids and the clock."""
