"""What Discord knows: servers, people, channels, messages, commands, permissions, ids and the clock."""
