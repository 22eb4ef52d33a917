"""Messages as pure values: pages, the controls of a hand, and the custom ids of all controls.

Nothing here calls Discord. Pages of the same match at the same revision are equal.
"""
