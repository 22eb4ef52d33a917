"""What all games share at the table, in rooms whose imports point one way:

commands → learning → actions → scheduling → surfaces → channels → transport → state → lessons → pages → wording

`game_ui` is what a game hands in to be played here. No module below names a game.
"""
