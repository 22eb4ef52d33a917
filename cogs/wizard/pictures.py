"""Pictures of Wizard's views, with alt texts."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from cogs.pictures.spec import PlateLine, ScoreSheet, SeatPlate, SheetRow
from cogs.screens import words
from cogs.screens.screen import Context, Picture
from cogs.wizard.drawing.spec import CLOTH, CardFace, Laid, Trick, WizardPicture
from cogs.wizard.words import (
    DUMMY,
    bid_change_mark,
    last_trick_round,
    nothing_turned_text,
    pass_lines,
    short_card,
    sort_hand,
    trump_namer,
)
from engines.kit import cards
from engines.kit.contract import Outcome
from engines.wizard import deck
from engines.wizard.deck import JESTER, TRAPDOOR, WIZARD
from engines.wizard.house_rules import are_bids_hidden
from engines.wizard.model import Move, PassCard, Phase, Play
from engines.wizard.model import Trick as Fallen
from engines.wizard.view import View

MAX_TWO_LINE_SEATS = 4  # with more seats, plates have one line


def hand_picture(view: View, moves: Sequence[Move], context: Context) -> Picture:
    """Return the table and the hand. Playable cards stand out, the others are dimmed; hidden ones lie face down.

    A card that was chosen to be passed stands out, too (W24).
    """
    assert view.seat is not None
    may = {move.card for move in moves if isinstance(move, Play | PassCard)}
    hand = sort_hand(view.hand)
    chosen = hand.index(view.passed) if view.phase == "pass" and view.passed is not None else -1
    faces = tuple(
        CardFace(deck.card_name(one), one in may or place == chosen, bool(may) and one not in may)
        for place, one in enumerate(hand)
    )
    if view.is_hand_hidden:
        faces = (CardFace("back"),) * view.hand_sizes[view.seat]
    spec = _table_spec(view, context, _current_trick(view), Trick(), faces)
    own_alt = _hidden_hand_alt(len(faces)) if view.is_hand_hidden else _hand_alt(hand, may, view.phase)
    passed = "".join(f" {line}." for line in pass_lines(view, context.plate_names))
    return Picture(spec, "hand.png", f"{_table_alt(spec, view, context)} {own_alt}{passed}")


def table_picture(view: View, context: Context) -> Picture:
    """Return the table. A completed trick stays in the middle until the next card is played."""
    now, last = _current_trick(view), _completed_trick(view.last, view.places)
    last = replace(last, ended_round=last_trick_round(view))
    spec = _table_spec(view, context, now, Trick() if now == last else last)
    return Picture(spec, "table.png", _table_alt(spec, view, context))


def sheet_picture(view: View, context: Context, outcome: Outcome | None = None) -> Picture:
    """Return the score sheet, with places if there is an outcome."""
    sums = [0] * view.seats
    rows = []
    for number, row in enumerate(view.sheet, 1):
        sums = [total + score.points for total, score in zip(sums, row, strict=True)]
        cells = tuple((f"{score.bid}/{score.taken}", words.signed_number(score.points)) for score in row)
        rows.append(SheetRow(str(number), cells, tuple(map(words.plain_number, sums))))
    totals, places = tuple(map(words.plain_number, view.scores)), outcome.places if outcome else ()
    banner = words.result_banner(outcome, context, _winning_moment(view, outcome)) if outcome else None
    note = "bid/took, points, total so far"
    spec = ScoreSheet(tuple(rows), totals, places, note, context.plate_names, banner, CLOTH)
    return Picture(spec, "result.png" if outcome else "sheet.png", _sheet_alt(spec))


def _winning_moment(view: View, outcome: Outcome) -> str:
    """The best round of the winner."""
    scores = [row[outcome.winners[0]] for row in view.sheet]
    best = max(scores, key=lambda score: score.points)
    number, points = scores.index(best) + 1, words.signed_number(best.points)
    return f"Best round: {number}, bid {best.bid} and took {best.taken} for {points}"


def _table_spec(
    view: View, context: Context, trick: Trick, last: Trick, hand: tuple[CardFace, ...] = ()
) -> WizardPicture:
    plates = [_seat_plate(view, context, seat) for seat in range(view.seats)]
    if view.places > view.seats:
        plates.append(_dummy_plate(view))
    return WizardPicture(
        plates=tuple(plates),
        turned=None if view.turned is None else deck.card_name(view.turned),
        trump=_trump_texts(view, context),
        counts=(f"round {view.round} of {view.rounds}", _bids_text(view)),
        trick=trick,
        last=last,
        hand=hand,
    )


def _bids_text(view: View) -> str:
    """The total of the bids, or how many there are if they are hidden (W16, W17)."""
    if not are_bids_hidden(view.bidding, view.phase):
        return f"bids total {sum(bid for bid in view.bids if bid is not None)} of {view.trick_count}"
    return "bids are hidden" if all(view.has_bid) else f"{sum(view.has_bid)} of {view.seats} have bid"


def _dummy_plate(view: View) -> SeatPlate:
    """The plate of the dummy hand of two players (W19)."""
    text = "makes no bid" if view.phase in ("trump", "bid") else f"took {view.taken[-1]}"
    return SeatPlate(view.seats, DUMMY, (PlateLine(text), PlateLine("no score", "quiet")))


def _seat_plate(view: View, context: Context, seat: int) -> SeatPlate:
    """A seat's bid, tricks and points, in one line if there are many seats. The dealer is named until they bid."""
    bid, changed = view.bids[seat], bid_change_mark(view, seat)
    if bid is None and view.has_bid[seat]:
        won = "has bid" if view.phase == "bid" else f"took {view.taken[seat]} of ?"
    elif bid is None:
        won = "deals, no bid" if seat == view.dealer else "no bid yet"
    else:
        won = f"bid {bid}" if view.phase == "bid" else f"took {view.taken[seat]} of {bid}"
    if changed:  # without the verb, so that the plate has room for the mark
        won = f"{won.removeprefix('took ')} ({changed})"
    if view.seats > MAX_TWO_LINE_SEATS:
        lines: tuple[PlateLine, ...] = (PlateLine(won, right=words.plain_number(view.scores[seat]), right_tone="gold"),)
    else:
        lines = (PlateLine(won), PlateLine(words.pluralize(view.scores[seat], "point"), "gold"))
    return SeatPlate(
        seat,
        context.plate_names[seat],
        lines,
        seat in view.seats_to_act,
        computer=seat in context.computers,
    )


def _trump_texts(view: View, context: Context) -> tuple[str, str]:
    """The trump, and its reason."""
    if view.turned is None:
        trump = (
            "no trump"
            if view.trump is None
            else f"{cards.SUIT_WORDS[view.trump]} are trump {words.SUIT_SHAPES[view.trump]}"
        )
        return trump, nothing_turned_text(view)
    namer = context.plate_names[trump_namer(view)]
    up = f"{'a ' if view.turned in (WIZARD, JESTER) else ''}{short_card(view.turned)} turned up"
    if view.swap is not None:
        up = f"{namer} took {short_card(view.swap.card)}"
    if view.trump is None:
        return "trump suit to be named" if view.phase == "trump" else "no trump", up
    return (
        f"{cards.SUIT_WORDS[view.trump]} are trump {words.SUIT_SHAPES[view.trump]}",
        f"named by {namer}" if view.turned == WIZARD else up,
    )


def _current_trick(view: View) -> Trick:
    """The trick on the table, or the one that was just completed."""
    if view.trick:
        laid = tuple(Laid((view.leader + i) % view.places, deck.card_name(one)) for i, one in enumerate(view.trick))
        best = laid[deck.winning_index(view.trick, view.trump)].seat
        return Trick(laid, best, vanishes=TRAPDOOR in view.trick)
    resting = view.phase not in ("trump", "bid") and view.tricks
    return _completed_trick(view.last, view.places) if resting else Trick()


def _completed_trick(trick: Fallen | None, places: int) -> Trick:
    if trick is None:
        return Trick()
    laid = tuple(Laid((trick.leader + i) % places, deck.card_name(one)) for i, one in enumerate(trick.cards))
    return Trick(laid, trick.winner, over=True, vanishes=trick.has_vanished)


def _table_alt(spec: WizardPicture, view: View, context: Context) -> str:
    """The alt text of the table."""
    parts = [f"{words.capitalize(', '.join(spec.counts))}. {words.capitalize(', '.join(spec.trump))}."]
    for plate in spec.plates:
        points = words.pluralize(view.scores[plate.seat], "point") if plate.seat < view.seats else plate.lines[1].text
        parts.append(f"{words.plate_text(context, plate.seat)}: {plate.lines[0].text}, {points}.")
    parts += [f"In the trick: {_trick_alt(spec.trick, context)}."] if spec.trick.cards else []
    of = f" of round {spec.last.ended_round}" if spec.last.ended_round else ""
    parts += [f"Last trick{of}: {_trick_alt(spec.last, context)}."] if spec.last.cards else []
    prompts = {"trump": "name the trump suit", "bid": "bid", "adjust": "raise or lower the bid", "pass": "pass a card"}
    wanted = prompts.get(view.phase, "play" if view.trick else "lead") if view.seats_to_act else ""
    names = words.join_with_and([context.plate_names[seat] for seat in view.seats_to_act])
    return " ".join(
        [*parts, f"{names} {'is' if len(view.seats_to_act) == 1 else 'are'} to {wanted}."] if wanted else parts
    )


def _trick_alt(trick: Trick, context: Context) -> str:
    if trick.vanishes:
        best = "nobody took it, leads next" if trick.over else "nobody takes it, best so far"
    else:
        best = "took it" if trick.over else "best so far"
    return ", ".join(
        f"{context.plate_names[laid.seat]} "
        f"{short_card(deck.parse_card(laid.card))}{f' ({best})' if laid.seat == trick.taker else ''}"
        for laid in trick.cards
    )


def _hand_alt(hand: Sequence[int], may: Set[int], phase: Phase) -> str:
    cards = ", ".join(map(short_card, hand)) or "no cards"
    verb = "pass" if phase == "pass" else "play"
    some = "any card" if may >= set(hand) else ", ".join(short_card(one) for one in hand if one in may)
    return f"Your hand: {cards}.{f' You may {verb} {some}.' if may else ''}"


def _hidden_hand_alt(cards: int) -> str:
    return f"Your hand: {words.pluralize(cards, 'card')} face down. You bid before you see your cards."


def _sheet_alt(spec: ScoreSheet) -> str:
    totals = [f"{name} {total}" for name, total in zip(spec.names, spec.totals, strict=True)]
    if spec.places:
        ranked = sorted((place, seat) for seat, place in enumerate(spec.places))
        totals = [f"{words.ordinal(place)} {totals[seat]}" for place, seat in ranked]
    rounds = words.pluralize(len(spec.rows), "round")
    return f"{words.banner_alt(spec.banner)}The score sheet of {rounds}. {', '.join(totals)}."
