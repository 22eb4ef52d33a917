"""Shared by both kinds of storage: group commit, match rows, migrations, tables, and partitions of servers."""
