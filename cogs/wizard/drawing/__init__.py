"""How Wizard's picture is laid out: its values (spec), the layout, the trick, and a hand."""
