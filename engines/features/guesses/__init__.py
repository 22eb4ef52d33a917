"""Spectators guess what will happen. A game that asks them implements `AsksGuesses`.

questions  the questions and answers of a game
guessing   the rows, who may guess when, and which answers are known
"""
