"""How the network of the Court's hard player is trained and checked."""
