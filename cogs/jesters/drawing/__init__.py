"""How Jesters' pictures are laid out: stage, which is the table and with a hand below it everybody's own picture.

Below it: attempt, parts (Performances, requirements), hand (Jest cards, Gifts), and the single cards, dice and icons.
"""
