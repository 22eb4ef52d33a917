"""The authority over matches: lobbies, seats, moves, records. `matches.Matches` alone changes a match.

Knows games by their contract and stores by their protocols.
"""
