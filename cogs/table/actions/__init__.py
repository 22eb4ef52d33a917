"""What a player can ask for, one module per subject. `table_actions` holds them all; each gets an `ActionContext`.

Called by `commands` alone.
"""
