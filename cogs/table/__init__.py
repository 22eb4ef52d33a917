"""What all games share at the table, in rooms whose imports point one way:

commands → actions → scheduling → surfaces → channels → transport → state → pages → wording

`game_ui` is what a game hands in to be played here. No module below names a game.
"""
