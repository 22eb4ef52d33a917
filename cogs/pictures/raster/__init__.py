"""Drawing: a canvas in one shared palette, the pen, letters, sprites with their cache, strips, and PNG files."""
