"""What people do at a table of Jest, and what nobody else may learn there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engines.jest import deck
from engines.match import Look
from tests.end_to_end.players import THREE, hand, join, look, move, start
from tests.end_to_end.world import Chooser, Message, World, move_buttons

WORDS = {"C": ("clubs", "♣"), "D": ("diamonds", "♦"), "H": ("hearts", "♥"), "S": ("spades", "♠")}


async def open_jest(w: World, host: str = "Ada") -> str:
    """`/jest new`; the match's id."""
    known = {info.id for info in await w.bot.matches.find()}
    await w[host].slash(w.table, "jest new")
    (match,) = {info.id for info in await w.bot.matches.find()} - known
    return match


async def seat_jest(w: World, names: Sequence[str] = THREE) -> str:
    """A match of Jest that has begun; its id."""
    match = await open_jest(w, names[0])
    await join(w, match, *names[1:])
    await start(w, match, names[0])
    return match


def hands(w: World, match: str, names: Sequence[str] = THREE) -> dict[str, Message]:
    """The hands in people's direct messages, by name."""
    return {name: hand(w, name, match) for name in names}


async def offer(w: World, match: str, name: str, which: int = 0) -> str:
    """Choose the first or the second card to lie face down; the card's name."""
    message = hand(w, name, match)
    button = move_buttons(message)[which]
    await w.press(name, message, button)
    return button.rsplit(" ", 1)[1]


async def play_to(w: World, match: str, phase: str, round_: int, choose: Chooser) -> None:
    """Play until that phase of that round."""
    while ((now := await look(w, match)).state.round, now.state.phase) != (round_, phase):
        await move(w, match, choose)


def unseen(now: Look, reader: int | None) -> set[int]:
    """The cards that this seat (None: a spectator) has never seen in this match."""
    view = now.view(reader)
    rounds = [*((past.up, past.down) for past in view.past), (view.up, view.down)]
    seen = {card for row in rounds for cards in row for card in cards if card is not None}
    return set(deck.DECK) - seen - set(view.trophies) - set(view.hand) - set(view.jest)


def leaks(now: Look, text: str, reader: int | None) -> list[str]:
    """The cards named in a text that its reader cannot know; none, it should be."""
    return [name for card in unseen(now, reader) for name in _names(card) if _says(text, name)]


def _names(card: int) -> Iterator[str]:
    """Every way in which a card is called anywhere. The Joker's name stands in what trophies ask for."""
    if card == deck.JOKER:
        yield from ("Joker face", "Joker (", "offer joker", "'joker'", "Joker and", "and Joker", "the Joker from")
        return
    name = deck.name(card)
    word, shape = WORDS[name[-1]]
    yield from (name, f"{name[0]}{shape}", f"{'ace' if name[0] == 'A' else name[0]} of {word}")


def _says(text: str, name: str) -> bool:
    either = re.IGNORECASE if " of " in name else re.NOFLAG  # “As of” is no ace of spades
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, either) is not None
