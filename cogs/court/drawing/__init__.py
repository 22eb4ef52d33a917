"""The Court's picture: its values (spec), layout, board and pieces."""
