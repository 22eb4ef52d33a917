"""Hosts matches: lobbies, seats, moves and records. Only `matches.Matches` changes a match.

This package uses games through their contract and stores through their protocols.
"""
