"""What people can tell the owner: that something is wrong in a match. Nothing hidden is in a report.

May come in: actions and everything below them.
"""
