"""Positions of Jest from a line of text.

`AS 2H / 3D 4C / joker 2S` is a first round of three players with these hands. Where every hand is written with a bar,
`AS|2H / 3D|4C / joker|2S`, the offers are made: the first card lies face up, the second one face down. The rest of the
cards are where they happen to fall, or, as `trophies` and `stock`, where they are said to be.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.jest import JEST, deck
from engines.jest.model import State
from engines.jest.view import round_count
from engines.kit.chance import Chance
from engines.kit.contract import Event
from engines.kit.seats import letter, parse_seat
from tests.engines.position_tools import PositionTools

SEED = "1e57" * 8
TOOLS = PositionTools(JEST, deck)
parse_cards = TOOLS.parse_cards


def parse_position(text: str, trophies: str = "", stock: str | None = None, jests: str = "") -> State:
    """The state behind such a line. `stock`: the draw deck; `jests`, by seat: cards taken in earlier rounds."""
    hands = [parse_cards(hand.replace("|", " ")) for hand in text.split("/")]
    state = JEST.start(len(hands), JEST.options(), Chance(SEED))
    state.dealt = [(min(hand), max(hand)) for hand in hands]
    jest_cards = [parse_cards(part) for part in jests.split("/")] if jests else []
    state.jests = [deck.make_jest(cards) for cards in jest_cards] or state.jests
    used = [card for cards in (*hands, *jest_cards) for card in cards]
    spare = [card for card in deck.DECK if card not in used]
    state.trophies = tuple(parse_cards(trophies) or spare[: len(state.trophies)])
    state.deck = [card for card in spare if card not in state.trophies] if stock is None else parse_cards(stock)
    if stock is not None:
        state.round = max(1, round_count(len(hands)) - len(state.deck) // len(hands))
    if "|" in text:
        play_lines(
            state,
            *(f"{letter(number)} offer {part.split('|')[1].strip()}" for number, part in enumerate(text.split("/"))),
        )
    return state


def card_names(cards: Sequence[int]) -> str:
    """The list of names, by strength of suit."""
    return " ".join(deck.card_name(card) for card in sorted(cards))


def play_lines(state: State, *lines: str) -> list[Event]:
    """Make moves, each written with its seat, as in a record: `A take B up`. The events of the last."""
    events: list[Event] = []
    for line in lines:
        letter, text = line.split(" ", 1)
        actor, move = parse_seat(letter), JEST.parse_move(text)
        assert actor in JEST.decisions(state), f"{line}: not to act"
        JEST.check(state, actor, move)
        events = JEST.play(state, actor, move)
    return events


def legal_text(state: State, seat: int) -> str:
    return ", ".join(map(JEST.format_move, JEST.moves(state, seat)))
