"""A pool of worker processes for computations that are too long for the event loop.

`pool.WorkerPool` is the pool, one per bot: a function and its arguments go in, its result comes out. Nothing here
imports Discord or SQL. This module imports nothing, because workers load it too.
"""
