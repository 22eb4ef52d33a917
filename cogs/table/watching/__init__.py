"""What people who watch a match can request: to guess what will happen.

May come in: actions and everything below them.
"""
