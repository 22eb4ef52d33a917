"""Helpers for a table of Jokers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from engines.hosting.match import MatchSnapshot
from engines.jokers import deck
from engines.jokers.melds import best_split
from tests.end_to_end.players import due_name, find_hand, join_lobby, open_lobby, start_match
from tests.end_to_end.world import Message, SimulatedServer, button_labels, control_ids, move_selects
from tests.messages import SELECT, walk_components
from tests.playing import values_of

TWO = ("Ada", "Bela")


async def open_jokers(w: SimulatedServer, host: str = "Ada", rounds: int = 1) -> str:
    """Open a match with `/jokers new`, and return its id."""
    return await open_lobby(w, host, game="jokers", rounds=rounds)


async def seat_jokers(w: SimulatedServer, rounds: int = 1, names: Sequence[str] = TWO) -> str:
    """Start a match of Jokers, and return its id."""
    match = await open_jokers(w, names[0], rounds)
    await join_lobby(w, match, *names[1:])
    await start_match(w, match, names[0])
    return match


def picked_cards(message: Message) -> list[str]:
    """Return the labels of the picked cards, in order."""
    numbered = (re.fullmatch(r"(.+) \(([\d, ]+)\)", label) for label in button_labels(message))
    places = {int(place): each[1] for each in numbered if each for place in each[2].split(", ")}
    return [places[place] for place in sorted(places)]


def pick_button_ids(message: Message) -> list[str]:
    """Return the custom ids of the buttons that pick a card or take it back."""
    return [custom_id for custom_id in control_ids(message) if custom_id.startswith("o:")]


def offered_moves(message: Message) -> dict[str, str]:
    """Return the moves of a hand's buttons, without lists of picks, with their custom ids."""
    found = [custom_id for custom_id in control_ids(message) if custom_id[:2] in ("m:", "c:")]
    return {custom_id.split(":", 3)[3]: custom_id for custom_id in found}


def several(message: Message) -> tuple[str, list[str]]:
    """Return the list with several picks: its custom id, and the values of its lines."""
    lists = [each for each in walk_components(message["components"]) if each["type"] == SELECT]
    (found,) = [each for each in lists if each["custom_id"].startswith("p:")]
    return found["custom_id"], [option["value"] for option in found["options"]]


async def pick_cards(w: SimulatedServer, match: str, name: str, *cards: str) -> Message:
    """Pick the first card to trade from the list, tap the others in order, and return the hand."""
    await pick_at_once(w, match, name, cards[0])
    for number in range(2, len(cards) + 1):
        await tap_cards(w, name, find_hand(w, name, match), *cards[:number])
    return find_hand(w, name, match)


async def pick_at_once(w: SimulatedServer, match: str, name: str, *cards: str) -> Message:
    """Pick cards to trade from the list, in the order of a client that keeps it, and return the hand."""
    message = find_hand(w, name, match)
    custom_id, offered = several(message)
    await w.choose_options(name, message, custom_id, *values_of(offered, cards))
    return find_hand(w, name, match)


async def tap_cards(w: SimulatedServer, name: str, message: Message, *cards: str) -> None:
    """Press the button that leads to these picked cards."""
    wanted = f":trade {' '.join(cards)}"
    await w.press_button(name, message, next(each for each in pick_button_ids(message) if each.endswith(wanted)))


async def make_move(w: SimulatedServer, match: str, move: str) -> str:
    """Make the move with the hand in the player's direct messages, and return the player."""
    name = await due_name(w, match)
    assert name is not None
    verb, *cards = move.split()
    if verb == "trade":
        message = await pick_cards(w, match, name, *cards)
        (confirm,) = [custom_id for custom_id in offered_moves(message).values() if custom_id.startswith("m:")]
        await w.press_button(name, message, confirm)
        return name
    message = find_hand(w, name, match)
    if move in offered_moves(message):
        await w.press_button(name, message, offered_moves(message)[move])
        if offered_moves(message)[move].startswith("c:"):
            await w.press_button(name, w.newest_in_inbox(name), f"m{offered_moves(message)[move][1:]}")
    else:
        (custom_id,) = [custom_id for custom_id, values in move_selects(message).items() if move in values]
        await w.choose_options(name, message, custom_id, move)
    return name


def random_move_of(now: MatchSnapshot, rng: Random) -> str:
    """Return a move of the player on turn: safety cards as often as trades, mostly of cards in no meld."""
    (seat,) = now.due_seats()
    others = [text for move in now.moves(seat) if not (text := now.game.format_move(move)).startswith("trade")]
    if now.state.phase == "turn":
        extras = list(best_split(now.state.hands[seat]).extras)
        if now.state.trades and 0 < len(extras) <= len(now.state.draw) and rng.random() < 0.5:
            rng.shuffle(extras)
            return " ".join(("trade", *map(deck.card_name, extras)))
        if "declare" in others:
            return "declare"
    return rng.choice(others)
