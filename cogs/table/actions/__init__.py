"""What players can request, one module per subject. `table_actions` joins them; each gets an `ActionContext`.

Only `commands` calls this package.
"""
