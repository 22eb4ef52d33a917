"""Features of the table on Discord: pages, controls, words and commands. `registry` is the only list of them here.

Games import what a feature asks of them from here, also in workers, so this module imports nothing.
"""
