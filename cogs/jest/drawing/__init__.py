"""How Jest's pictures are laid out: their values (spec) and the layouts that draw them (layout)."""
