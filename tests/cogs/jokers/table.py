"""What people do at a table of Jokers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.jokers import deck
from engines.jokers.melds import best
from engines.match import Look
from tests.end_to_end.players import due, hand, join, open_lobby, start
from tests.end_to_end.world import SELECT, Message, World, controls, selects, walk

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


def picks(message: Message) -> dict[str, list[str]]:
    """The values of every list of which several are picked, by its custom_id."""
    found = (c for c in walk(message["components"]) if c["type"] == SELECT and c["custom_id"].startswith("p:"))
    return {c["custom_id"]: [option["value"] for option in c["options"]] for c in found}


def chosen(message: Message) -> list[str]:
    """The values that are picked already."""
    options = [o for c in walk(message["components"]) if c["type"] == SELECT for o in c["options"]]
    return [option["value"] for option in options if option.get("default")]


def orders(message: Message) -> list[str]:
    """The custom_ids of the buttons that show picks in another order."""
    return [custom_id for custom_id in controls(message) if custom_id.startswith("o:")]


def offered(message: Message) -> dict[str, str]:
    """The moves of a hand's buttons, lists of picks apart, each with its custom_id."""
    found = [custom_id for custom_id in controls(message) if custom_id[:2] in ("m:", "c:")]
    return {custom_id.split(":", 3)[3]: custom_id for custom_id in found}


async def pick(w: World, match: str, name: str, *values: str) -> Message:
    """Pick cards to trade; the hand with their order."""
    message = hand(w, name, match)
    (custom_id,) = picks(message)
    await w.choose(name, message, custom_id, *values)
    return hand(w, name, match)


async def make(w: World, match: str, move: str) -> str:
    """Whoever's turn it is makes that move by the hand in their direct messages; who that was."""
    name = await due(w, match)
    assert name is not None
    verb, *cards = move.split()
    if verb == "trade":
        twice = {card for card in cards if cards.count(card) > 1}
        seen: list[str] = []
        for card in cards:
            seen.append(f"{card}~1" if card in twice and card in seen else card)
        message = await pick(w, match, name, *seen)
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
