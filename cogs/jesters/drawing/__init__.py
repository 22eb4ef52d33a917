"""Jesters' pictures: the values (spec) and the layout of the table, with a hand below it (layout).

Its parts: attempt, parts (Performances, requirements), hand (Jest cards, Gifts), and single cards, dice and icons.
"""
