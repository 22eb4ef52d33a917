"""What people can tell the owner: that something is wrong in a match.

rows       what is stored
reporting  the rules: a draft until it is sent, and how many a day
feature    what the table's core calls
"""
