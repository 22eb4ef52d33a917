"""What players can request, one module per subject. `table_actions` joins them; each gets an `ActionContext`.

Every request about a match comes through the `door`: it asks the `rights` that its control or command declares, and
hands on a `visit`. Features and the modules of `cogs` use these too; in `cogs/table`, only `commands` does.
"""
