"""Messages kept in step with the match: the table, the lobby, and the hands.

`reconciler` decides when to redraw, `surface_sync` what to change. `message` sends, edits and reposts one message.
"""
