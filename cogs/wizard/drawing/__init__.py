"""Wizard's picture: its values (spec), and the layouts of the table, the trick and a hand."""
