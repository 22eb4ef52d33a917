"""Jest's pictures: their values (spec) and their layouts (layout)."""
