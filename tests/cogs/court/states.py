"""Positions of the Court to draw screens of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

from cogs.court.game_ui import GAME_UI
from engines.court import COURT, board
from engines.court.model import Attack, Heal, Move, Options, Push, SetMenhir, State, Step, Strike
from engines.kit.chance import Chance
from tests.cogs.screen_bench import ScreenBench, walk_positions
from tests.engines.court.positions import parse_cards, parse_position, seat_to_act

NAMES = ("Ana\\_\\*", "李雷, 8 cards", "Cleo", "Dov")
BENCH = ScreenBench(GAME_UI, NAMES)


def match_positions(seed: int, seats: int = 4, banners: int = 3, turns: int | None = 200) -> Iterator[State]:
    """Return all positions of a decently played match, including the last one. Callers must not change them."""
    rng, start = Random(seed), COURT.start(seats, Options(banners, turns), Chance(f"{seed:032x}"))
    return walk_positions(COURT, start, lambda at: (seat_to_act(at), choose_lively(at, seat_to_act(at), rng)))


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
    return tuple(match_positions(seed, seats))


def make_state(
    mages: str, hands: str, menhirs: str = "", phase: str = "move", banners: str = "", health: str = ""
) -> State:
    """Parse a position: squares and banners by seat (`-`: none), hands by seat, split by `/`."""
    seats = len(mages.split())
    standing = [*zip("ABCD", mages.split(), strict=False), *zip("abcd", menhirs.split(), strict=False)]
    facts = ["rest: " + " ".join(f"{piece} {square}" for piece, square in standing if square != "-")]
    facts += [f"phase: {'two' if phase == 'hinder' else 'one'}", *([f"health: {health}"] if health else [])]
    facts.append("banners: " + " / ".join((banners.split() + ["-"] * seats)[:seats]))
    facts.append("hands: " + " / ".join((hands.split("/") + [""] * seats)[:seats]))
    state = parse_position("\n".join(facts))
    for seat, cards in enumerate(map(parse_cards, hands.split("/"))):
        if cards:  # no other cards fill this hand
            state.draw += (Counter(state.hands[seat]) - Counter(cards)).elements()
            state.hands[seat] = sorted(cards)
    return state
