"""A picture of a message: what to draw, the name of its file, and its alt text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cogs.pictures.spec import Spec
from cogs.screens.truncation import truncate

ALT = 1024
"""The maximum number of characters in a picture's alt text."""
MASS_MENTION = re.compile("@(?=everyone|here)", re.IGNORECASE)
"""The @ of a mention of everybody. A zero-width space after it disarms the mention."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to draw: its spec, its file name, and its alt text, cut to the length that Discord allows."""

    spec: Spec
    name: str
    alt: str

    def __post_init__(self) -> None:
        """Shorten the alt text and disarm mass mentions in it."""
        object.__setattr__(self, "alt", truncate(MASS_MENTION.sub("@\u200b", self.alt), ALT))
