"""The Discord side: the client, each game's cogs, and the table that all games share.

`client` builds the bot; `games` lists the games; `motley_commands` and `admin_commands` are the slash commands that
belong to no single game. Only `bot.py` and `motley` import this package.
"""
