"""Positions of the Court to draw screens of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

from cogs.court.game_ui import GAME_UI
from cogs.screens.screen import Context, Screen
from engines.court import COURT, board, deck
from engines.court.model import Attack, Heal, Move, Options, Push, SetMenhir, State, Step, Strike
from engines.kit.chance import Chance
from tests.contexts import make_context as told_of

NAMES = ("Ana\\_\\*", "李雷, 8 cards", "Cleo", "Dov")


def match_positions(seed: int, seats: int = 4, banners: int = 3, turns: int | None = 200) -> Iterator[State]:
    """Return all positions of a decently played match, including the last one. Callers must not change them."""
    rng = Random(seed)
    state = COURT.start(seats, Options(banners, turns), Chance(f"{seed:032x}"))
    while COURT.decisions(state):
        yield state
        state = COURT.copy(state)
        (seat,) = COURT.decisions(state)
        COURT.play(state, seat, choose_lively(state, seat, rng))
    yield state


def choose_lively(state: State, seat: int, rng: Random) -> Move:
    """Return a move, preferring useful ones: the own Mage forward, other Mages anywhere but over an edge."""
    moves = COURT.moves(state, seat)
    if state.phase == "hinder" and not state.owed and rng.random() < 0.8:
        useful = [move for move in moves if isinstance(move, Attack | Strike | Heal | Push)]
        stones = [move for move in moves if isinstance(move, SetMenhir)]
        if stones and rng.random() < 0.7:
            return rng.choice(stones)
        return rng.choice(useful or moves)
    crossing = [move for move in moves if isinstance(move, Step) and board.mage_path(state, seat, move.card).crosses]
    return rng.choice(crossing or moves)


@cache
def cached_positions(seed: int, seats: int = 4) -> tuple[State, ...]:
    """Return the positions of such a match from a cache."""
    return tuple(match_positions(seed, seats))


def finished_state(seed: int, seats: int = 4, banners: int = 2, turns: int | None = 200) -> State:
    """Return the end of a match."""
    *_, last = match_positions(seed, seats, banners, turns)
    return last


def make_state(
    mages: str, hands: str, menhirs: str = "", phase: str = "move", banners: str = "", health: str = ""
) -> State:
    """Parse a position from a compact text: squares by seat (`-`: none), hands by seat, split by `/`."""
    squares = [board.OFF_BOARD if word == "-" else board.parse_square(word) for word in mages.split()]
    seats = len(squares)
    state = COURT.start(seats, Options(), Chance("5" * 32))
    while state.owed:
        COURT.play(state, state.owed[0].seat, COURT.moves(state, state.owed[0].seat)[0])
    state.order, state.turn = list(range(seats)), 0
    state.mages = squares
    state.menhirs = [
        board.OFF_BOARD if word == "-" else board.parse_square(word) for word in menhirs.split()
    ] or state.menhirs
    for seat, text in enumerate(hands.split("/")):
        _give_cards(state, seat, text)
    state.phase = phase  # type: ignore[assignment]
    for seat, text in enumerate(banners.split()):
        state.banners[seat] = tuple("CDHS".index(letter) for letter in "CDHS" if letter in text)
    for seat, number in enumerate(health.split()):
        state.health[seat] = int(number)
    return state


def _give_cards(state: State, seat: int, text: str) -> None:
    """Give a seat these cards, and return its hand to the draw pile."""
    wanted = [deck.parse_card(word) for word in text.split()]
    if not wanted:
        return
    state.draw += state.hands[seat]
    for card in wanted:
        for pile in (state.draw, *state.hands[:seat], *state.hands[seat + 1 :]):
            if card in pile:
                pile.remove(card)
                if pile is not state.draw:
                    pile.append(state.draw.pop())
                    pile.sort()
                break
    state.hands[seat] = sorted(wanted)


def make_context(names: tuple[str, ...] = NAMES, news: tuple[str, ...] = ()) -> Context:
    """Return a context with these names."""
    return told_of(names, Options(), news)


def hand_screen(state: State, seat: int, context: Context | None = None) -> Screen:
    """Return a seat's hand."""
    decision, moves = COURT.decisions(state).get(seat), COURT.moves(state, seat)
    return GAME_UI.screen.hand(COURT.view(state, seat), decision, moves, seated_context(state, context))


def table_screen(state: State, context: Context | None = None) -> Screen:
    """Return the public table."""
    return GAME_UI.screen.table(COURT.view(state, None), seated_context(state, context))


def seated_context(state: State, context: Context | None = None) -> Context:
    """Return a context with one name per seat."""
    context, seats = context or make_context(), len(state.mages)
    return replace(
        context,
        names=context.names[:seats],
        plate_names=context.plate_names[:seats],
        short_names=context.short_names[:seats],
    )


def screen_text(screen: Screen) -> str:
    """Return all words of a screen, without the alt text."""
    return "\n".join((*screen.above, *screen.below))
