"""Features of the table, without Discord: their rows, rules, and reactions. `registry` is the only list of them here.

A feature is two packages, as a game is: one here, and `cogs/features/<name>`. Games import a feature's questions from
here, also in workers, so this module imports nothing.
"""
