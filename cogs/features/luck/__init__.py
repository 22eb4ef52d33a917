"""How luck was spread on a server, on Discord: a command and a chart."""
