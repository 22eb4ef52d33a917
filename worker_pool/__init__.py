"""Thinking that takes longer than the event loop can wait: done in processes of its own, as well as all cores but one.

`thinkers.Thinkers` is the pool, one a bot: a function and its arguments go in, its answer comes out. Nothing here
knows of Discord or SQL. This module loads nothing, since workers load it, too.
"""
