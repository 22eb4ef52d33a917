"""Raster drawing: canvas, palette, pen, letters, sprites with their cache, strips, and PNG files."""
