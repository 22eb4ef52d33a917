"""Features of the table, without Discord: their rows, rules, and reactions. `registry` is the only list of them here.

A feature has a package in `cogs/features`, and one here if it stores or decides something without Discord. Games import
a feature's questions from here, also in workers, so this module imports nothing.
"""
