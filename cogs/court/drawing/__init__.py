"""How the Court's picture is laid out: its values (spec), the layout, the board, and its pieces."""
