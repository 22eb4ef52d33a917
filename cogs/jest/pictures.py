"""Jest's views as pictures, with the same in words for those who do not see them."""

from __future__ import annotations

from cogs.jest.result import won
from cogs.jest.spec import Counted, JestHand, JestRow, JestSeat, JestSheet, JestTable, Offered, Trophy
from cogs.jest.words import card, condition, in_order, round_line
from cogs.screens import words
from cogs.screens.screen import Picture
from engines import cards
from engines.game import Outcome
from engines.jest import deck, scoring
from engines.jest.model import Final, View

BACK, EMPTY = Offered("back"), Offered()


def table_picture(view: View) -> Picture:
    """The table in columns, a seat each."""
    spec = JestTable(
        title=(f"Round {view.round}", f"of {view.rounds}"),
        trophies=tuple(_trophy(one) for one in view.trophies),
        deck=view.deck,
        seats=tuple(_seat(view, seat) for seat in range(view.seats)),
    )
    return Picture(spec, "table.png", _table_alt(view))


def hand_picture(view: View) -> Picture:
    """The two cards, which of them lies face down, and the Jest."""
    assert view.seat is not None
    down = view.down[view.seat] if view.phase != "over" else None
    taken = {take.up: take.seat for take in view.takes if take.source == view.seat}
    faces = tuple(
        (deck.name(one), _lies(one, down), None if down is None else taken.get(one != down))
        for one in in_order(view.hand)
    )
    worth = f"worth {words.plain(scoring.value(deck.jest(view.jest)))}" if view.jest else ""
    spec = JestHand(faces, tuple(deck.name(one) for one in in_order(view.jest)), worth)
    return Picture(spec, "hand.png", _hand_alt(spec))


def sheet_picture(final: Final, outcome: Outcome) -> Picture:
    """Every Jest worked out, the best first."""
    order = sorted(range(len(final.jests)), key=lambda seat: (outcome.places[seat], seat))
    rows = tuple(JestRow(seat, outcome.places[seat], *_counted(final, seat)) for seat in order)
    nobody = tuple(deck.name(award.trophy) for award in final.awards if award.seat is None)
    places = ", ".join(
        f"{words.ordinal(outcome.places[seat])} {words.letter(seat)} with "
        f"{words.counted(outcome.points[seat], 'point')}"
        for seat in order
    )
    return Picture(JestSheet(rows, nobody), "result.png", f"The Jests with their trophies, worked out. {places}.")


def _trophy(one: int) -> Trophy:
    asked = scoring.CONDITIONS[one]
    match asked.test:
        case "highest" | "lowest":
            return Trophy(deck.name(one), (asked.test,), cards.SUITS[asked.of])
        case "majority":
            return Trophy(deck.name(one), ("most", f"{asked.of}s"))
        case "joker":
            return Trophy(deck.name(one), ("has the", "Joker"))
        case "best":
            return Trophy(deck.name(one), ("best", "Jest"))
        case "best without joker":
            return Trophy(deck.name(one), ("best Jest,", "no Joker"))


def _seat(view: View, seat: int) -> JestSeat:
    jest = view.jest_sizes[seat]
    if view.phase == "offer":
        chosen = seat not in view.waiting
        place = BACK if chosen else EMPTY
        return JestSeat(place, place, jest, "has chosen" if chosen else "choosing", not chosen)
    turn = view.phase == "take" and view.waiting[0] == seat
    up, down = (_place(view, seat, up) for up in (True, False))
    done = "has taken" if view.phase == "take" and seat not in view.waiting else ""
    return JestSeat(up, down, jest, "to take" if turn else done, turn)


def _place(view: View, seat: int, up: bool) -> Offered:
    if view.phase == "over":
        return EMPTY
    for order, take in enumerate(view.takes, 1):
        if (take.source, take.up) == (seat, up):
            return Offered("", take.seat, order)
    return Offered(deck.name(view.up[seat])) if up else BACK


def _lies(one: int, down: int | None) -> str:
    return "" if down is None else "face down" if one == down else "face up"


def _counted(final: Final, seat: int) -> tuple[tuple[Counted, ...], str]:
    """Each card and what it counts, the pairs together; and the total."""
    worth, trophies = final.worths[seat], won(final, seat)
    faces = [
        Counted(deck.name(line.cards[0]), words.signed(line.points), line.cards[0] in trophies)
        for line in worth.lines
        if line.kind != "pair"
    ]
    pairs = sum(line.points for line in worth.lines if line.kind == "pair")
    return (*faces, *([Counted("", words.signed(pairs))] if pairs else [])), words.plain(worth.points)


def _table_alt(view: View) -> str:
    trophies = "; ".join(f"{card(one)} for {condition(scoring.CONDITIONS[one])}" for one in view.trophies)
    parts = [f"The table, {round_line(view).lower()}. Trophies: {trophies}. Deck: {words.counted(view.deck, 'card')}."]
    for seat in range(view.seats):
        size = words.counted(view.jest_sizes[seat], "card")
        parts.append(f"{words.letter(seat)}: {_offer_alt(view, seat)}, Jest of {size}.")
    if view.phase == "take":
        parts.append(f"{words.letter(view.waiting[0])} is to take.")
    return " ".join(parts)


def _offer_alt(view: View, seat: int) -> str:
    if view.phase != "take":
        return "choosing" if seat in view.waiting else "has chosen"
    taken = next((take for take in view.takes if take.source == seat), None)
    up, down = f"{card(view.up[seat])} face up", "a card face down"
    if taken is None:
        return f"{up} and {down}"
    return f"{down if taken.up else up}, {words.letter(taken.seat)} took the other"


def _hand_alt(spec: JestHand) -> str:
    held = []
    for key, lies, taker in spec.cards:
        said = [lies] if lies else []
        said += [f"taken by {words.letter(taker)}"] if taker is not None else []
        held.append(card(deck.card(key)) + (f" ({', '.join(said)})" if said else ""))
    jest = ", ".join(card(deck.card(key)) for key in spec.jest) or "no cards"
    worth = f", {spec.worth}" if spec.worth else ""
    return f"Your two cards: {' and '.join(held) or 'none'}. Your Jest: {jest}{worth}."
