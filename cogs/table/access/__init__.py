"""Who may press a control or give a command, and when: the door through which every request about a match comes.

`rights` has the columns that each control and command declares, `door` asks them, and `visit` is what it hands on.
"""
