"""The kit for rules: the contract of a game, chance, cards, seats, notation, options, sampling and text boards.

Every game imports it; it imports nothing of ours.
"""
