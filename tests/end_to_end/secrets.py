"""What nobody else may learn of a running match, and a search for it in whatever is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cogs.screens import words
from engines.match import Look
from engines.wizard import deck


def hidden_cards(now: Look, reader: int | None) -> set[int]:
    """The cards in the hands of others than the reader's seat, those left out that everybody has seen.

    Jesters and Wizards are left out: there are four of each, all alike, so naming one tells nothing of a hand.
    """
    seen = _public_cards(now)
    own = set(now.view(reader).hand) if reader is not None else set()
    hands = [now.view(seat).hand for seat in range(len(now.info.seats))]
    return {card for held in hands for card in held if card < deck.JESTER} - seen - own


def _public_cards(now: Look) -> set[int]:
    """The cards that lie or lay open: turned up, in a trick of this round, in the last trick, drawn for the deal."""
    view = now.view(None)
    last = view.last.cards if view.last else ()
    tricks = [card for trick in view.tricks for card in trick.cards]
    drawn = [card for row in view.draws for card in row] if view.round == 1 else []
    return {*view.trick, *last, *tricks, *drawn, *([view.turned] if view.turned is not None else [])}


def names(card: int) -> Iterable[str]:
    """Every way in which a card is called anywhere: `10H`, `10 of hearts`, its spoken name."""
    yield deck.name(card)
    yield words.playing_card(card)
    yield words.playing_card(card).rsplit(" ", 1)[0]


def tells(now: Look, text: str, reader: int | None) -> list[str]:
    """What of the hidden cards a text gives away to that reader; nothing, it should be."""
    found = [name for card in hidden_cards(now, reader) for name in names(card) if _says(text, name)]
    if reader is None and re.search(r"Your hand\W*: ", text):
        found.append("a hand")
    return found


def _says(text: str, name: str) -> bool:
    either = re.IGNORECASE if " " in name else re.NOFLAG  # “As of” is no ace of spades
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, either) is not None
