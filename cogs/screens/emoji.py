"""Emoji on controls, by key. Discord shows the application's own, which the owner uploads, or the fallback."""

from __future__ import annotations

from dataclasses import dataclass

from engines.kit.cards import SUIT_WORDS, card_phrase

SUIT_EMOJI = ("♣️", "♦️", "♥️", "♠️")
_CRESTS = ("star", "tower", "flame", "leaf", "moon", "ring")


@dataclass(frozen=True, slots=True)
class Emoji:
    """An emoji that a game registers or that all games share, and the Unicode emoji in its place; "" is none."""

    key: str
    fallback: str = ""


MORE_EMOJI = Emoji("more")
"""Three dots. Unicode has no emoji that shows them, so without the application's own the button has its word alone."""


def playing_card_emoji(card: int) -> Emoji:
    """Return the emoji of a playing card, 0 to 51. Its label still names the card, because emoji have no alt text."""
    return Emoji(card_phrase(card).removeprefix("the ").replace(" ", "_"))


def suit_emoji(suit: int) -> Emoji:
    """Return the emoji of a suit."""
    return Emoji(SUIT_WORDS[suit], SUIT_EMOJI[suit])


def suit_sign_keys() -> dict[str, str]:
    """Return the key of the emoji for each suit sign that texts have: `{"♣": "clubs", …}`."""
    return {each[0]: SUIT_WORDS[suit] for suit, each in enumerate(SUIT_EMOJI)}


def crest_emoji(seat: int) -> Emoji:
    """Return the emoji of a seat's crest."""
    return Emoji(f"{_CRESTS[seat]}_crest")
