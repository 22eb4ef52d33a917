"""The characters of computer players: a name, by which a stored seat has its character, a sentence, and a pace."""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

from engines.store.match_store import Seat


class Character(NamedTuple):
    """Who a computer is at the table. It shows in the pauses, never in the moves.

    Names have at most eight characters, because plates have room for no more. `pace` is a factor of the pauses.
    """

    name: str
    sentence: str
    pace: float


CHARACTERS = (
    Character("Fizzwick", "Lights the fuse, then reads the label.", 0.7),
    Character("Hopsalot", "Cannot sit still, even on a bell.", 0.75),
    Character("Wisp", "Was here a moment ago. No, still is.", 0.8),
    Character("Mirthy", "Laughs before the joke is over.", 0.85),
    Character("Snickit", "Knows one joke and tells it often.", 0.9),
    Character("Bramblo", "Wears a spare hat under the hat.", 1.0),
    Character("Tinkell", "Has a bell on each sleeve and a spare.", 1.0),
    Character("Oddkin", "Counts to ten in its own order.", 1.1),
    Character("Grizzle", "Complains about the weather indoors.", 1.1),
    Character("Quibbet", "Argues with every rule and keeps it.", 1.2),
    Character("Muffle", "Whispers to the cards. They are silent.", 1.25),
    Character("Noddle", "Nods at everything, mostly asleep.", 1.3),
    Character("Dithery", "Made up its mind once. Never again.", 1.35),
    Character("Pondra", "Is still thinking about last Tuesday.", 1.4),
)
"""There are more than seats, in case people have some of these names."""
_BY_NAME = {each.name: each for each in CHARACTERS}


def characters_for(match: str, taken: frozenset[str]) -> list[Character]:
    """Return the characters in the order in which they sit down at a table, without those whose names are taken.

    Each table has its own order, which follows from the match's id.
    """
    used = {name.casefold() for name in taken}
    free = [each for each in CHARACTERS if each.name.casefold() not in used]
    return sorted(free, key=lambda each: blake2b(f"{match} {each.name}".encode()).digest())


def character_of(seat: Seat) -> Character | None:
    """Return the character of a computer's seat: None for people, also if a computer plays for them, and for computers
    that older versions named."""
    return None if seat.user or not seat.level else _BY_NAME.get(seat.name)
