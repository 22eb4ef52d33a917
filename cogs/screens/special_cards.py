"""Special cards: those that do more than their rank and suit say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from cogs.screens.picture import Picture

MAX_ALT = 1024  # characters of a picture's alt text


@dataclass(frozen=True, slots=True)
class SpecialCard:
    """A kind of special card: its name, and what it does in a few words that follow the name.

    `lobby` is what lobbies call the cards of this kind. It is empty if an option names them there.
    """

    name: str
    effect: str
    lobby: str = ""

    @property
    def text(self) -> str:
        """Name and effect: `Elephant: beats every card but the Mouse.`"""
        return f"{self.name}: {self.effect}."


class HandChange(NamedTuple):
    """The special cards that an event brought to a seat, and those that it took, several of a kind as often."""

    gains: Sequence[SpecialCard] = ()
    losses: Sequence[SpecialCard] = ()


NO_CHANGE = HandChange()


def with_effects(picture: Picture, cards: Iterable[SpecialCard]) -> Picture:
    """Return a picture whose alt text says what these cards do: as many of them as there is room for."""
    alt = picture.alt
    for card in dict.fromkeys(cards):
        if card.effect not in alt and len(alt) + 1 + len(card.text) <= MAX_ALT:
            alt = f"{alt} {card.text}"
    return replace(picture, alt=alt)
