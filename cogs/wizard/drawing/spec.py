"""The values of Wizard's pictures: frozen, hashable, and free of secrets."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.pictures.spec import LobbyPicture, SeatPlate

CLOTH = "midnight"
"""The cloth of the table (`theme.CLOTHS`)."""


@dataclass(frozen=True, slots=True)
class WizardSign:
    """The sign of the game: the wizard."""


@dataclass(frozen=True, slots=True)
class WizardLobby(LobbyPicture):
    """The picture of a lobby of this game."""


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card of a hand; `key` is its notation (`10H`, `wizard`, `elephant`) or `back`."""

    key: str
    raised: bool = False
    dimmed: bool = False


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in a trick and the seat that played it."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Trick:
    """Cards in playing order, the first one led, and the seat that takes the trick so far, or for good if `over`."""

    cards: tuple[Laid, ...] = ()
    taker: int | None = None
    over: bool = False
    vanishes: bool = False  # nobody takes it; `taker` is the seat with the best card
    gathered: int = 0  # percent of their way to the taker's card that the others have slid
    ended_round: int = 0  # the round that it ended, if that is not the present one


@dataclass(frozen=True, slots=True)
class WizardPicture:
    """The table, and a seat's hand below it: everything that a decision depends on."""

    plates: tuple[SeatPlate, ...]
    turned: str | None  # the card that was turned up
    trump: tuple[str, str]  # the trump and its reason, in words
    counts: tuple[str, str]  # the round and the total of the bids
    trick: Trick = Trick()
    last: Trick = Trick()  # the previous trick, small
    hand: tuple[CardFace, ...] = ()
