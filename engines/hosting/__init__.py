"""Hosts matches: lobbies, seats, moves and records. Only the parts of `matches.Matches` change a match.

This package uses games through their contract and stores through their protocols.
"""
