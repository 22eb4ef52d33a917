"""How Glimpse's picture is laid out: its values (spec) and the layout that draws it (layout)."""
