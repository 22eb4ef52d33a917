"""The Court's views as pictures, with the same in words for those who do not see them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cogs.court.spec import (
    CourtBoard,
    CourtEnd,
    CourtHand,
    CourtMove,
    CourtRolls,
    CourtSeat,
    CourtTable,
)
from cogs.court.words import EDGES, asked, goes, in_order, movers, rivals, row, short, suits, turn_line
from cogs.screens import words
from cogs.screens.screen import Picture
from engines import cards
from engines.court import board, deck, model
from engines.court.board import OFF
from engines.court.deck import NUMBERS
from engines.court.model import Move, View
from engines.game import Outcome

_TURNS = {"place": "to place", "give": "to give", "move": "to move", "hinder": "to hinder"}
MOST_ALT = 1024


def table_picture(view: View) -> Picture:
    """The table: every seat's state, the whole board with the last moves, the last dice."""
    seat, what = asked(view)
    seats = [_seat(view, index, _TURNS.get(what, "") if index == seat else "") for index in range(len(view.mages))]
    return Picture(_table(view, seats), "table.png", f"{turn_line(view)} {_table_alt(view)}"[:MOST_ALT])


def result_picture(view: View, outcome: Outcome) -> Picture:
    """The last table, with places."""
    seats = [
        replace(_seat(view, seat, words.ordinal(place)), lit=place == 1) for seat, place in enumerate(outcome.places)
    ]
    places = ", ".join(
        f"{words.ordinal(place)} {words.letter(seat)} with {words.counted(outcome.points[seat], 'banner')}"
        for place, seat in sorted((place, seat) for seat, place in enumerate(outcome.places))
    )
    return Picture(_table(view, seats), "result.png", f"The end: {places}. {_table_alt(view)}"[:MOST_ALT])


def hand_picture(view: View, moves: Sequence[Move]) -> Picture:
    """The hand, and where its cards would take one's own Mage; in one's Phase Two, the others'."""
    assert view.seat is not None
    free = tuple(move.square for move in moves if isinstance(move, model.Place))
    if view.phase == "hinder" and moves and not view.owed:
        return _picture(view, in_order(view.hand), [card for card in view.hand if card in NUMBERS], rivals(view))
    useful = movers(view.hand)
    bright = useful if view.phase == "move" and moves and not view.owed else view.hand
    mages = [view.seat] if view.mages[view.seat] != OFF and not free else []
    return _picture(view, bright, useful, mages, free)


def card_picture(view: View, card: int) -> Picture:
    """The hand with one card chosen in Phase Two, and where that would take the others."""
    return _picture(view, (card,), [card] if card in NUMBERS else [], rivals(view))


def menhir_pictures(view: View, columns: Iterable[int]) -> dict[int, Picture]:
    """The whole board to choose a Menhir's square on, with each of these columns chosen (−1: none yet)."""
    drawn = _picture(view, (deck.MENHIR,), [], []).spec
    assert isinstance(drawn, CourtHand)
    standing = _standing(view)
    found = {}
    for column in columns:
        chosen = f" Column {board.LETTERS[column]} is marked." if column >= 0 else ""
        alt = f"The whole board, to choose your Menhir's square on.{chosen} {standing}"
        found[column] = Picture(replace(drawn, board=replace(drawn.board, column=column), whole=True), "hand.png", alt)
    return found


def _picture(
    view: View, bright: Iterable[int], used: Sequence[int], mages: Sequence[int], free: tuple[int, ...] = ()
) -> Picture:
    assert view.seat is not None
    ends = tuple(_end(view, mage, card) for mage in mages for card in in_order(set(used)))
    lit = set(bright)
    spec = CourtHand(
        cards=tuple((deck.name(card), card not in lit) for card in in_order(view.hand)),
        health=view.health[view.seat],
        banners=_letters(view.banners[view.seat]),
        goal=view.goal,
        board=replace(_board(view), ends=ends, free=free, you=view.seat),
        around=tuple(
            square for square in (view.mages[view.seat], *(view.mages[mage] for mage in mages)) if square != OFF
        ),
    )
    alt = [f"Your hand: {row(in_order(view.hand))}."]
    idle = [card for card in in_order(view.hand) if card not in lit]
    alt += [f"Not for now: {row(idle)}."] if idle else []
    for mage in mages:
        whose = "Your Mage" if mage == view.seat else f"Mage {words.letter(mage)}"
        ways = "; ".join(f"{short(card)} {goes(view, mage, card)}" for card in in_order(set(used)))
        alt.append(f"{whose}: {ways or 'no way'}.")
    alt += [f"Free starting squares: {', '.join(map(board.name, free))}."] if free else []
    alt += [_state(view, view.seat), _standing(view), *_moved(view)]
    return Picture(spec, "hand.png", " ".join(alt)[:MOST_ALT])


def _end(view: View, mage: int, card: int) -> CourtEnd:
    path, suit = board.path(view, mage, card), card // 13
    gold = path.crosses and suit not in view.banners[mage]
    return CourtEnd(cards.RANKS[card % 13], CourtMove(path.start, path.end, cards.SUITS[suit]), gold)


def _table(view: View, seats: Sequence[CourtSeat]) -> CourtTable:
    of = f" of {view.cap}" if view.cap else ""
    attacked = view.attacked
    rolls = attacked and CourtRolls(
        attacked.seat,
        deck.name(attacked.card),
        attacked.roll,
        tuple((defence.seat, defence.rolls, defence.hit) for defence in attacked.defences),
    )
    notes = (f"turn {view.turns}{of}", f"draw pile {view.draw}")
    return CourtTable(tuple(seats), _board(view), notes, rolls, view.rolls)


def _seat(view: View, seat: int, tag: str) -> CourtSeat:
    mage, menhir = view.mages[seat], view.menhirs[seat]
    return CourtSeat(
        view.health[seat],
        _letters(view.banners[seat]),
        view.hand_sizes[seat],
        "off" if mage == OFF else board.name(mage),
        "" if menhir == OFF else board.name(menhir),
        tag,
        bool(tag),
    )


def _letters(banners: Iterable[int]) -> str:
    held = set(banners)
    return "".join(cards.SUITS[suit] for suit in EDGES if suit in held)


def _board(view: View) -> CourtBoard:
    moves = tuple(CourtMove(moved.start, moved.end, cards.SUITS[moved.card // 13]) for moved in view.moved)
    return CourtBoard(view.mages, view.menhirs, moves)


def _standing(view: View) -> str:
    """What stands where."""
    mages = [f"{words.letter(seat)} {board.name(at)}" for seat, at in enumerate(view.mages) if at != OFF]
    stones = [f"{words.letter(seat)} {board.name(at)}" for seat, at in enumerate(view.menhirs) if at != OFF]
    return f"Mages: {', '.join(mages) or 'none'}. Menhirs: {', '.join(stones) or 'none'}."


def _state(view: View, seat: int) -> str:
    return f"{words.letter(seat)}: health {view.health[seat]}, banners {suits(view.banners[seat]) or 'none'}."


def _moved(view: View) -> list[str]:
    """How Mages were moved last."""
    found = []
    for moved in view.moved:
        end = "over the edge" if moved.end == OFF else f"to {board.name(moved.end)}"
        found.append(
            f"Last, {short(moved.card)} moved {words.letter(moved.mage)} from {board.name(moved.start)} {end}."
        )
    return found


def _table_alt(view: View) -> str:
    parts = [
        "The board of 22 by 22 squares, hearts at the top, diamonds right, spades at the bottom, clubs left.",
        _standing(view),
    ]
    parts += [_state(view, seat) for seat in range(len(view.health))]
    parts += _moved(view)
    if view.attacked:
        dice = ", ".join(
            f"{words.letter(defence.seat)} {' '.join(map(str, defence.rolls))} {'hit' if defence.hit else 'safe'}"
            for defence in view.attacked.defences
        )
        parts.append(f"Last attack: {words.letter(view.attacked.seat)} rolled {view.attacked.roll}; {dice}.")
    return " ".join(parts)
