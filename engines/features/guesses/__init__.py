"""People who watch guess what will happen. A game that asks them implements `AsksGuesses`.

questions  the questions and answers of a game
rows       what is stored
guessing   the rules: who may guess when, and which answers are known
feature    what the table's core calls
"""
