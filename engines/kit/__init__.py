"""The rules kit: the game contract, chance, cards, seats, notation, options, sampling and text boards.

Every game imports it. It imports no other package of the project.
"""
