"""Wizard's views as pictures, with the same in words for those who do not see them."""

from __future__ import annotations

from collections.abc import Sequence, Set

from cogs.pictures.spec import ScoreSheet, SheetRow
from cogs.screens import words
from cogs.screens.screen import Picture
from cogs.wizard.spec import CardFace, HandPicture, Laid, Plate, Trick, TrickTable
from cogs.wizard.words import card, in_order, round_line
from engines import cards
from engines.game import Outcome
from engines.wizard import deck
from engines.wizard.deck import JESTER, SUIT, WIZARD
from engines.wizard.model import Move, Play, View
from engines.wizard.model import Trick as Fallen


def hand_picture(view: View, moves: Sequence[Move]) -> Picture:
    """The hand: what may be played stands out, the rest steps back; on others' turns it just lies there."""
    may = {move.card for move in moves if isinstance(move, Play)}
    hand = in_order(view.hand)
    faces = tuple(
        CardFace(
            deck.name(one),
            raised=one in may,
            dimmed=bool(may) and one not in may,
            trump=view.trump is not None and SUIT[one] == view.trump,
        )
        for one in hand
    )
    return Picture(HandPicture(faces), "hand.png", _hand_alt(view, hand, may))


def table_picture(view: View) -> Picture:
    """The table from above. A trick that is over stays in the middle until the next card falls."""
    resting = view.phase in ("play", "over") and not view.trick
    last = _fallen(view, view.last, over=True)
    now = Trick(*_current(view)) if view.trick else last if resting and view.tricks else Trick()
    spec = TrickTable(
        title=(f"Round {view.round}", f"of {view.rounds}"),
        plates=tuple(_plate(view, seat) for seat in range(view.seats)),
        trick=now,
        last=Trick() if now is last else last,
        turned=None if view.turned is None else deck.name(view.turned),
        trump=None if view.trump is None else cards.SUITS[view.trump],
        trump_words=_trump_words(view),
        middle=_middle(view),
    )
    return Picture(spec, "table.png", _table_alt(view))


def sheet_picture(view: View, outcome: Outcome) -> Picture:
    """The score sheet with places."""
    rows = tuple(
        SheetRow(str(number), tuple((f"{score.bid}/{score.taken}", words.signed(score.points)) for score in row))
        for number, row in enumerate(view.sheet, 1)
    )
    spec = ScoreSheet(rows, tuple(words.plain(total) for total in view.scores), outcome.places)
    places = ", ".join(
        f"{words.ordinal(place)} {words.letter(seat)} with {words.counted(outcome.points[seat], 'point')}"
        for place, seat in sorted((place, seat) for seat, place in enumerate(outcome.places))
    )
    return Picture(spec, "result.png", f"The score sheet of {len(rows)} rounds. {places}.")


def _plate(view: View, seat: int) -> Plate:
    bid = view.bids[seat]
    gained = f" ({words.signed(view.sheet[-1][seat].points)})" if view.sheet else ""
    return Plate(
        numbers=(("?" if bid is None else str(bid), "bid"), (str(view.taken[seat]), "took")),
        foot=words.plain(view.scores[seat]) + gained,
        cards=view.hand_sizes[seat],
        dealer=seat == view.dealer,
        turn=_wanted(view) if seat == view.turn else "",
    )


def _wanted(view: View) -> str:
    play = "to play" if view.trick else "to lead"
    return {"trump": "to name", "bid": "to bid", "play": play}.get(view.phase, "")


def _current(view: View) -> tuple[tuple[Laid, ...], int]:
    laid = tuple(Laid((view.leader + i) % view.seats, deck.name(one)) for i, one in enumerate(view.trick))
    return laid, laid[deck.winner(view.trick, view.trump)].seat


def _fallen(view: View, trick: Fallen | None, over: bool) -> Trick:
    if trick is None:
        return Trick()
    laid = tuple(Laid((trick.leader + i) % view.seats, deck.name(one)) for i, one in enumerate(trick.cards))
    return Trick(laid, trick.winner, over)


def _middle(view: View) -> tuple[str, ...]:
    made = [bid for bid in view.bids if bid is not None]
    return ("bids together", f"{sum(made)} of {view.round}")


def _trump_words(view: View) -> tuple[str, ...]:
    if view.trump is not None:
        return ("trump",)
    return ("trump to", "be named") if view.turned == WIZARD else ("no", "trump")


def _hand_alt(view: View, hand: Sequence[int], may: Set[int]) -> str:
    trumps = [card(one) for one in hand if view.trump is not None and SUIT[one] == view.trump]
    parts = ["Your hand: " + (", ".join(map(card, hand)) or "no cards") + "."]
    parts += [f"Trump: {', '.join(trumps)}."] if trumps else []
    if may:
        some = ", ".join(card(one) for one in hand if one in may)
        parts.append(f"You may play {'any card' if may >= set(hand) else some}.")
    return " ".join(parts)


def _table_alt(view: View) -> str:
    turned = "Nothing is turned up" if view.turned is None else f"Turned up: {card(view.turned)}"
    parts = [f"The table, {round_line(view).lower()}. {turned}. {_trump_alt(view)} {words.letter(view.dealer)} deals."]
    for seat in range(view.seats):
        bid = "no bid" if view.bids[seat] is None else f"bid {view.bids[seat]} took {view.taken[seat]}"
        held = words.counted(view.hand_sizes[seat], "card")
        parts.append(f"{words.letter(seat)}: {bid}, {words.counted(view.scores[seat], 'point')}, {held}.")
    if view.trick:
        parts.append(f"In the trick: {_laid_alt(view, view.leader, view.trick)}.")
    if view.last is not None:
        last = _laid_alt(view, view.last.leader, view.last.cards)
        parts.append(f"Last trick, to {words.letter(view.last.winner)}: {last}.")
    if view.phase != "over":
        parts.append(f"{words.letter(view.turn)} is {_wanted(view)}.")
    return " ".join(parts)


def _laid_alt(view: View, leader: int, fallen: Sequence[int]) -> str:
    return ", ".join(f"{words.letter((leader + i) % view.seats)} {card(one)}" for i, one in enumerate(fallen))


def _trump_alt(view: View) -> str:
    if view.trump is not None:
        return f"Trump is {words.suit(view.trump)}."
    return "No trump." if view.turned in (None, JESTER) else "The trump is to be named."
