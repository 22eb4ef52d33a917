"""The names of the command groups, which the owner may change: a game's name may be somebody's trademark."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

OWN_GROUPS = ("motley", "admin")
NAME = re.compile(r"[a-z0-9_-]{1,32}", re.ASCII)


class CommandNames:
    """What command groups are called. Texts mention them by their usual names, and are changed before they are sent."""

    def __init__(self, new_names: Mapping[str, str]) -> None:
        self._new_names = dict(new_names)
        groups = "|".join(map(re.escape, sorted(self._new_names, key=len, reverse=True)))
        self._mentions = re.compile(rf"(?<![\w/])/({groups or '(?!)'})(?![\w/-])")

    @classmethod
    def parse(cls, text: str, games: Collection[str]) -> CommandNames:
        """Parse a setting like `wizard=oracle, motley=cards`. Raises ValueError with what is wrong with it."""
        usual, found = [*games, *OWN_GROUPS], dict[str, str]()
        for part in filter(None, (each.strip() for each in text.split(","))):
            group, _, name = (each.strip() for each in part.partition("="))
            if group not in usual:
                raise ValueError(f"names no command group: they are {', '.join(usual)}")
            if not NAME.fullmatch(name):
                raise ValueError(f"gives {group} no name for a command: use up to 32 small letters, digits, - and _")
            found[group] = name
        names = [found.get(group, group) for group in usual]
        if len({*names}) < len(names):
            raise ValueError("gives two command groups the same name")
        return cls({group: name for group, name in found.items() if group != name})

    def name_of(self, group: str) -> str:
        """The name of a group."""
        return self._new_names.get(group, group)

    def in_text(self, text: str) -> str:
        """The text with the names of all commands that it mentions, such as `/motley help`."""
        return self._mentions.sub(lambda found: f"/{self._new_names[found[1]]}", text) if self._new_names else text
