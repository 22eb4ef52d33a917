"""Messages as pure values: whole pages, the controls of a hand, and the custom ids of all controls.

Nothing here calls Discord, and pages of the same match at the same revision are equal.
"""
