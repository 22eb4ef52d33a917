"""The drawing kit: what every game's pictures are made of, and the studio that makes PNGs of them."""
