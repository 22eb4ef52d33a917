"""What players can request about the deal: to cut, to check it, and to see how luck was spread on their server.

May come in: actions and everything below them.
"""
