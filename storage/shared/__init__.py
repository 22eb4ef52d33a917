"""What both kinds of storage share: group commit, matches as rows, migrations, tables, and partitions of servers."""
