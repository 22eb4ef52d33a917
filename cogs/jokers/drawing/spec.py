"""The values of Jokers' pictures: frozen, hashable, and free of secrets."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.pictures.spec import LobbyPicture, SeatPlate, Tone

CLOTH = "burgundy"
"""The cloth of the table (`theme.CLOTHS`)."""


@dataclass(frozen=True, slots=True)
class JokersSign:
    """The sign of the game: the joker."""


@dataclass(frozen=True, slots=True)
class JokersLobby(LobbyPicture):
    """The picture of a lobby of this game."""


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card of a meld; `stands` is the card that a joker represents."""

    key: str
    stands: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that belong together, and their kind: `run`, `set`, `no meld`."""

    name: str
    cards: tuple[ShownCard, ...]
    meld: bool = True


@dataclass(frozen=True, slots=True)
class Hand:
    """The player's cards in groups, and their current worth."""

    groups: tuple[Group, ...]
    worth: str = ""
    tone: Tone = "plain"
    said: str = "your hand"


@dataclass(frozen=True, slots=True)
class PileTable:
    """Two plates, the draw pile, the discard pile by depth, and the card turned up or the declared hand.

    On a hand, the player's own cards are below.
    """

    plates: tuple[SeatPlate, SeatPlate]
    said: tuple[str, ...]  # beside the draw pile: the round and the trades left
    draw: int
    pile: tuple[str, ...]  # the top first; only the newest cards of a long pile
    below: int = 0  # the number of further cards
    turned: str | None = None
    reach: int = 0  # the reach of the card turned up
    declared: tuple[Group, ...] = ()
    declarer: int = 0  # the owner of the declared hand
    hand: Hand | None = None
