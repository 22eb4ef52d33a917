"""Pictures of Jest's views, with alt texts."""

from __future__ import annotations

from dataclasses import replace

from cogs.jest.drawing.spec import Counted, JestHand, JestRow, JestSeat, JestSheet, JestTable, Offered, Trophy
from cogs.jest.result import won_trophies
from cogs.jest.words import card_text, condition_text, round_line, short_card, sort_hand
from cogs.screens import words
from cogs.screens.screen import Context, Picture
from engines.jest import deck, scoring
from engines.jest.model import FinalScoring
from engines.jest.view import View
from engines.kit.contract import Outcome

HIDDEN_CARD, EMPTY_PLACE = Offered("back"), Offered()


def table_picture(view: View, context: Context) -> Picture:
    """Return the table with a column per seat."""
    spec = JestTable(
        title=(f"round {view.round}", f"of {view.rounds}"),
        trophies=tuple(_trophy_spec(one) for one in view.trophies),
        deck=view.deck,
        seats=tuple(_seat_spec(view, context, seat) for seat in range(view.seats)),
    )
    return Picture(spec, "table.png", _table_alt(view, context))


def hand_picture(view: View, context: Context) -> Picture:
    """Return the table, and below it the player's two cards and Jest."""
    table, own = table_picture(view, context), own_cards(view)
    assert isinstance(table.spec, JestTable)
    return Picture(replace(table.spec, own=own), "hand.png", f"{_hand_alt(own, context)} {table.alt}")


def own_cards(view: View) -> JestHand:
    """Return the player's two cards, which of them is face down, and the Jest."""
    assert view.seat is not None
    down = view.down[view.seat] if view.phase != "over" else None
    taken = {take.up: take.seat for take in view.takes if take.source == view.seat}
    faces = tuple(
        (deck.card_name(one), _lies_text(one, down), None if down is None else taken.get(one != down))
        for one in sort_hand(view.hand)
    )
    worth = f"worth {words.plain_number(scoring.jest_value(deck.make_jest(view.jest)))}" if view.jest else ""
    return JestHand(faces, tuple(deck.card_name(one) for one in sort_hand(view.jest)), worth)


def sheet_picture(final: FinalScoring, outcome: Outcome, context: Context) -> Picture:
    """Return the value of every Jest, the best first."""
    order = sorted(range(len(final.jests)), key=lambda seat: (outcome.places[seat], seat))
    rows = tuple(
        JestRow(seat, context.plate_names[seat], outcome.places[seat], *_counted_cards(final, seat)) for seat in order
    )
    nobody = tuple(deck.card_name(award.trophy) for award in final.awards if award.seat is None)
    row_texts = " ".join(map(_row_alt, rows))
    left = f" Nobody got {words.join_with_and([card_text(deck.parse_card(key)) for key in nobody])}." if nobody else ""
    banner = words.result_banner(outcome, context, _winning_moment(final, outcome))
    alt = f"{words.banner_alt(banner)}The value of every Jest with its trophies. {row_texts}{left}"
    return Picture(JestSheet(rows, nobody, banner), "result.png", alt)


def _winning_moment(final: FinalScoring, outcome: Outcome) -> str:
    """The trophies of the winner, or the card that counted most."""
    winner = outcome.winners[0]
    won = [short_card(award.trophy) for award in final.awards if award.seat == winner]
    if won:
        return f"Won the {'trophy' if len(won) == 1 else 'trophies'} {words.join_with_and(won)}"
    counted, _ = _counted_cards(final, winner)
    best = max(counted, key=lambda one: int(one.points.replace("−", "-")))
    return f"No trophy. Most for {_counted_name(best)}: {best.points}"


def _row_alt(row: JestRow) -> str:
    counted = ", ".join(f"{_counted_name(one)} {one.points}{' (trophy)' if one.trophy else ''}" for one in row.cards)
    return f"{words.ordinal(row.place)} {row.name}: {row.total} ({counted})."


def _counted_name(counted: Counted) -> str:
    return short_card(deck.parse_card(counted.key)) if counted.key else "pairs"


def _trophy_spec(trophy: int) -> Trophy:
    condition = scoring.CONDITIONS[trophy]
    match condition.test:
        case "highest" | "lowest":
            return Trophy(deck.card_name(trophy), (condition.test, _suit_name(condition.subject)))
        case "majority":
            return Trophy(deck.card_name(trophy), ("most", f"{condition.subject}s"))
        case "joker":
            return Trophy(deck.card_name(trophy), ("has the", "Joker"))
        case "best":
            return Trophy(deck.card_name(trophy), ("best", "Jest"))
        case "best without joker":
            return Trophy(deck.card_name(trophy), ("best Jest,", "no Joker"))


def _suit_name(suit: int) -> str:
    """`club ♣`."""
    word, shape = words.suit_text(suit).split()
    return f"{word[:-1]} {shape}"


def _seat_spec(view: View, context: Context, seat: int) -> JestSeat:
    jest, name, computer = view.jest_sizes[seat], context.plate_names[seat], seat in context.computers
    if view.phase == "offer":
        chosen = seat not in view.waiting
        place = HIDDEN_CARD if chosen else EMPTY_PLACE
        return JestSeat(name, place, place, jest, "has chosen" if chosen else "choosing", not chosen, computer)
    turn = view.phase == "take" and view.waiting[0] == seat
    up, down = (_offer_place(view, seat, up) for up in (True, False))
    done = "has taken" if view.phase == "take" and seat not in view.waiting else ""
    return JestSeat(name, up, down, jest, "to take" if turn else done, turn, computer)


def _offer_place(view: View, seat: int, up: bool) -> Offered:
    if view.phase == "over":
        return EMPTY_PLACE
    for order, take in enumerate(view.takes, 1):
        if (take.source, take.up) == (seat, up):
            return Offered("", take.seat, order)
    return Offered(deck.card_name(view.up[seat])) if up else HIDDEN_CARD


def _lies_text(card: int, down: int | None) -> str:
    return "" if down is None else "face down" if card == down else "face up"


def _counted_cards(final: FinalScoring, seat: int) -> tuple[tuple[Counted, ...], str]:
    """The points of each card and of all pairs together, and the total."""
    worth, trophies = final.breakdowns[seat], won_trophies(final, seat)
    faces = [
        Counted(deck.card_name(line.cards[0]), words.signed_number(line.points), line.cards[0] in trophies)
        for line in worth.lines
        if line.kind != "pair"
    ]
    pairs = sum(line.points for line in worth.lines if line.kind == "pair")
    return (*faces, *([Counted("", words.signed_number(pairs))] if pairs else [])), words.plain_number(worth.points)


def _table_alt(view: View, context: Context) -> str:
    trophies = "; ".join(f"{card_text(one)} for {condition_text(scoring.CONDITIONS[one])}" for one in view.trophies)
    parts = [
        f"The table, {round_line(view).lower()}. Trophies: {trophies}. Draw pile: {words.pluralize(view.deck, 'card')}."
    ]
    for seat in range(view.seats):
        size = words.pluralize(view.jest_sizes[seat], "card")
        parts.append(f"{words.plate_text(context, seat)}: {_offer_alt(view, context, seat)}, Jest of {size}.")
    if view.phase == "take":
        parts.append(f"{context.plate_names[view.waiting[0]]} is to take.")
    return " ".join(parts)


def _offer_alt(view: View, context: Context, seat: int) -> str:
    if view.phase != "take":
        return "choosing" if seat in view.waiting else "has chosen"
    taken = next(((order, take) for order, take in enumerate(view.takes, 1) if take.source == seat), None)
    up, down = f"{card_text(view.up[seat])} face up", "a card face down"
    done = "" if seat in view.waiting else ", has taken"
    if taken is None:
        return f"{up} and {down}{done}"
    order, take = taken
    return f"{down if take.up else up}, {context.plate_names[take.seat]} took the other as number {order}{done}"


def _hand_alt(own: JestHand, context: Context) -> str:
    cards = []
    for key, lies, taker in own.cards:
        notes = [lies] if lies else []
        notes += [f"taken by {context.plate_names[taker]}"] if taker is not None else []
        cards.append(card_text(deck.parse_card(key)) + (f" ({', '.join(notes)})" if notes else ""))
    jest = ", ".join(card_text(deck.parse_card(key)) for key in own.jest) or "no cards"
    worth = f", {own.worth}" if own.worth else ""
    return f"Your two cards: {' and '.join(cards) or 'none'}. Your Jest: {jest}{worth}."
