"""Wizard's views as pictures, with the same in words for those who do not see them."""

from __future__ import annotations

from collections.abc import Sequence, Set

from cogs.pictures.spec import PlateLine, ScoreSheet, SeatPlate, SheetRow
from cogs.screens import words
from cogs.screens.screen import Context, Picture
from cogs.wizard.spec import CardFace, Laid, Trick, WizardPicture
from cogs.wizard.words import in_order, short
from engines.kit import cards
from engines.kit.contract import Outcome
from engines.wizard import deck
from engines.wizard.deck import JESTER, WIZARD
from engines.wizard.model import Move, Play, View
from engines.wizard.model import Trick as Fallen

MOST_IN_TWO_LINES = 4  # seats; more make two rows of plates


def hand_picture(view: View, moves: Sequence[Move], context: Context) -> Picture:
    """The table and the hand: what may be played stands out, the rest steps back; else it just lies there."""
    may = {move.card for move in moves if isinstance(move, Play)}
    hand = in_order(view.hand)
    faces = tuple(CardFace(deck.name(one), one in may, bool(may) and one not in may) for one in hand)
    spec = _picture(view, context, _trick(view), Trick(), faces)
    return Picture(spec, "hand.png", f"{_alt(spec, view, context)} {_hand_alt(hand, may)}")


def table_picture(view: View, context: Context) -> Picture:
    """The table. A trick that is over stays in the middle until the next card falls."""
    now, last = _trick(view), _fallen(view.last, view.seats)
    spec = _picture(view, context, now, Trick() if now == last else last)
    return Picture(spec, "table.png", _alt(spec, view, context))


def sheet_picture(view: View, context: Context, outcome: Outcome | None = None) -> Picture:
    """The score sheet as it stands, with places once there is an outcome."""
    sums = [0] * view.seats
    rows = []
    for number, row in enumerate(view.sheet, 1):
        sums = [total + score.points for total, score in zip(sums, row, strict=True)]
        cells = tuple((f"{score.bid}/{score.taken}", words.signed(score.points)) for score in row)
        rows.append(SheetRow(str(number), cells, tuple(map(words.plain, sums))))
    totals, places = tuple(map(words.plain, view.scores)), outcome.places if outcome else ()
    spec = ScoreSheet(tuple(rows), totals, places, "bid/took, points, total so far", context.plates)
    return Picture(spec, "result.png" if outcome else "sheet.png", _sheet_alt(spec))


def _picture(view: View, context: Context, trick: Trick, last: Trick, hand: tuple[CardFace, ...] = ()) -> WizardPicture:
    made = [bid for bid in view.bids if bid is not None]
    return WizardPicture(
        plates=tuple(_plate(view, context, seat) for seat in range(view.seats)),
        turned=None if view.turned is None else deck.name(view.turned),
        trump=_trump(view, context),
        counts=(f"round {view.round} of {view.rounds}", f"total bid {sum(made)} of {view.round}"),
        trick=trick,
        last=last,
        hand=hand,
    )


def _plate(view: View, context: Context, seat: int) -> SeatPlate:
    """What a seat has bid and taken, and its points; of many seats in one line. Who deals is told while that counts."""
    bid = view.bids[seat]
    if bid is None:
        won = "deals, no bid" if seat == view.dealer else "no bid yet"
    else:
        won = f"bid {bid}" if view.phase == "bid" else f"took {view.taken[seat]} of {bid}"
    if view.seats > MOST_IN_TWO_LINES:
        lines: tuple[PlateLine, ...] = (PlateLine(won, right=words.plain(view.scores[seat]), right_tone="gold"),)
    else:
        lines = (PlateLine(won), PlateLine(words.counted(view.scores[seat], "point"), "gold"))
    return SeatPlate(
        seat,
        context.plates[seat],
        lines,
        seat == view.turn and view.phase != "over",
        computer=seat in context.computers,
    )


def _trump(view: View, context: Context) -> tuple[str, str]:
    """What is trump, and why."""
    if view.turned is None:
        return "no trump", "every card is dealt"
    up = f"{'a ' if view.turned >= JESTER else ''}{short(view.turned)} turned up"
    if view.trump is None:
        return "no trump" if view.turned == JESTER else "trump to be named", up
    named = f"named by {context.plates[view.dealer]}"
    return (
        f"{cards.SUIT_WORDS[view.trump]} are trump {words.SHAPES[view.trump]}",
        named if view.turned == WIZARD else up,
    )


def _trick(view: View) -> Trick:
    """The trick on the table, or the one that was completed just now."""
    if view.trick:
        laid = tuple(Laid((view.leader + i) % view.seats, deck.name(one)) for i, one in enumerate(view.trick))
        return Trick(laid, laid[deck.winner(view.trick, view.trump)].seat)
    resting = view.phase in ("play", "over") and view.tricks
    return _fallen(view.last, view.seats) if resting else Trick()


def _fallen(trick: Fallen | None, seats: int) -> Trick:
    if trick is None:
        return Trick()
    laid = tuple(Laid((trick.leader + i) % seats, deck.name(one)) for i, one in enumerate(trick.cards))
    return Trick(laid, trick.winner, over=True)


def _alt(spec: WizardPicture, view: View, context: Context) -> str:
    """All that the picture says of the table."""
    parts = [f"{words.opening(', '.join(spec.counts))}. {words.opening(', '.join(spec.trump))}."]
    for plate in spec.plates:
        points = words.counted(view.scores[plate.seat], "point")
        parts.append(f"{words.plate(context, plate.seat)}: {plate.lines[0].text}, {points}.")
    parts += [f"In the trick: {_trick_alt(spec.trick, context)}."] if spec.trick.cards else []
    parts += [f"Last trick: {_trick_alt(spec.last, context)}."] if spec.last.cards else []
    wanted = {"trump": "name the trump", "bid": "bid", "play": "play" if view.trick else "lead"}.get(view.phase)
    return " ".join([*parts, f"{context.plates[view.turn]} is to {wanted}."] if wanted else parts)


def _trick_alt(trick: Trick, context: Context) -> str:
    best = "took it" if trick.over else "best so far"
    return ", ".join(
        f"{context.plates[laid.seat]} {short(deck.card(laid.card))}{f' ({best})' if laid.seat == trick.taker else ''}"
        for laid in trick.cards
    )


def _hand_alt(hand: Sequence[int], may: Set[int]) -> str:
    held = ", ".join(map(short, hand)) or "no cards"
    some = "any card" if may >= set(hand) else ", ".join(short(one) for one in hand if one in may)
    return f"Your hand: {held}.{f' You may play {some}.' if may else ''}"


def _sheet_alt(spec: ScoreSheet) -> str:
    totals = [f"{name} {total}" for name, total in zip(spec.names, spec.totals, strict=True)]
    if spec.places:
        ranked = sorted((place, seat) for seat, place in enumerate(spec.places))
        totals = [f"{words.ordinal(place)} {totals[seat]}" for place, seat in ranked]
    rounds = words.counted(len(spec.rows), "round")
    return f"The score sheet of {rounds}. {', '.join(totals)}."
