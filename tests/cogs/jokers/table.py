"""What people do at a table of Jokers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from engines.hosting.match import Look
from engines.jokers import deck
from engines.jokers.melds import best
from tests.end_to_end.players import due, hand, join, open_lobby, start
from tests.end_to_end.world import Message, World, controls, labels, selects
from tests.messages import SELECT, walk
from tests.playing import values_of

TWO = ("Ada", "Bela")


async def open_jokers(w: World, host: str = "Ada", rounds: int = 1) -> str:
    """`/jokers new`; the match's id."""
    return await open_lobby(w, host, game="jokers", rounds=rounds)


async def seat_jokers(w: World, rounds: int = 1, names: Sequence[str] = TWO) -> str:
    """A match of Jokers that has begun; its id."""
    match = await open_jokers(w, names[0], rounds)
    await join(w, match, *names[1:])
    await start(w, match, names[0])
    return match


def chosen(message: Message) -> list[str]:
    """The cards that are picked already, as their buttons call them, in their order."""
    numbered = (re.fullmatch(r"(.+) \(([\d, ]+)\)", label) for label in labels(message))
    places = {int(place): each[1] for each in numbered if each for place in each[2].split(", ")}
    return [places[place] for place in sorted(places)]


def orders(message: Message) -> list[str]:
    """The custom_ids of the buttons that pick a card, or take it back."""
    return [custom_id for custom_id in controls(message) if custom_id.startswith("o:")]


def offered(message: Message) -> dict[str, str]:
    """The moves of a hand's buttons, lists of picks apart, each with its custom_id."""
    found = [custom_id for custom_id in controls(message) if custom_id[:2] in ("m:", "c:")]
    return {custom_id.split(":", 3)[3]: custom_id for custom_id in found}


def several(message: Message) -> tuple[str, list[str]]:
    """The list of which several cards are picked: its custom_id, and the values of its lines."""
    lists = [each for each in walk(message["components"]) if each["type"] == SELECT]
    (found,) = [each for each in lists if each["custom_id"].startswith("p:")]
    return found["custom_id"], [option["value"] for option in found["options"]]


async def pick(w: World, match: str, name: str, *cards: str) -> Message:
    """Pick the first card to trade from the list, then tap the others in their order; the hand as it stands then."""
    await pick_at_once(w, match, name, cards[0])
    for number in range(2, len(cards) + 1):
        await tap(w, name, hand(w, name, match), *cards[:number])
    return hand(w, name, match)


async def pick_at_once(w: World, match: str, name: str, *cards: str) -> Message:
    """Pick cards to trade from the list, as a client sends them that keeps to the order of ticking; the hand then."""
    message = hand(w, name, match)
    custom_id, offered = several(message)
    await w.choose(name, message, custom_id, *values_of(offered, cards))
    return hand(w, name, match)


async def tap(w: World, name: str, message: Message, *cards: str) -> None:
    """Press the button after which these are the cards picked."""
    wanted = f":trade {' '.join(cards)}"
    await w.press(name, message, next(each for each in orders(message) if each.endswith(wanted)))


async def make(w: World, match: str, move: str) -> str:
    """Whoever's turn it is makes that move by the hand in their direct messages; who that was."""
    name = await due(w, match)
    assert name is not None
    verb, *cards = move.split()
    if verb == "trade":
        message = await pick(w, match, name, *cards)
        (confirm,) = [custom_id for custom_id in offered(message).values() if custom_id.startswith("m:")]
        await w.press(name, message, confirm)
        return name
    message = hand(w, name, match)
    if move in offered(message):
        await w.press(name, message, offered(message)[move])
        if offered(message)[move].startswith("c:"):
            await w.press(name, w.hand_of(name), f"m{offered(message)[move][1:]}")
    else:
        (custom_id,) = [custom_id for custom_id, values in selects(message).items() if move in values]
        await w.choose(name, message, custom_id, move)
    return name


def any_move(now: Look, rng: Random) -> str:
    """A move of whoever's turn it is; as often a safety card as a trade, most trades of what is in no meld."""
    (seat,) = now.due()
    others = [text for move in now.moves(seat) if not (text := now.game.write(move)).startswith("trade")]
    if now.state.phase == "turn":
        extras = list(best(now.state.hands[seat]).extras)
        if now.state.trades and 0 < len(extras) <= len(now.state.draw) and rng.random() < 0.5:
            rng.shuffle(extras)
            return " ".join(("trade", *map(deck.name, extras)))
        if "declare" in others:
            return "declare"
    return rng.choice(others)
