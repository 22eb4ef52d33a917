"""Trains Wizard's learned player: many rounds at once in numpy, networks, and their weights as a file."""
