"""Private notes on Discord: a form, a command, and a line under one's own hand."""
