"""Pictures of Jokers' views, with alt texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from cogs.jokers.drawing.spec import CLOTH, Group, Hand, PileTable, ShownCard
from cogs.jokers.words import (
    MAX_REACH,
    best_eight,
    join_cards,
    round_line,
    safety_reach,
    short_card,
    sort_hand,
    sort_meld,
    split_text,
)
from cogs.pictures.spec import PlateLine, ScoreSheet, SeatPlate, SheetRow, Tone
from cogs.screens import words
from cogs.screens.screen import Context, Picture
from engines.jokers import deck
from engines.jokers.deck import JOKER
from engines.jokers.melds import Meld, Split, best_split, is_full_hand
from engines.jokers.turn import STALL_TURNS
from engines.jokers.view import View
from engines.kit.contract import Outcome


def hand_picture(view: View, context: Context) -> Picture:
    """Return the table, and below it the hand in its best split: melds first, then the other cards."""
    table, (hand, alt) = table_picture(view, context), _own_hand_spec(view)
    assert isinstance(table.spec, PileTable)
    others = () if view.declared == view.seat else table.spec.declared  # the player's own hand is below
    return Picture(replace(table.spec, hand=hand, declared=others), "hand.png", f"{alt} {table.alt}")


def _own_hand_spec(view: View) -> tuple[Hand, str]:
    """The player's cards with their current worth, and the alt text."""
    without, split = best_eight(view.hand)
    worth, tone = _worth_text(view, without, split)
    if view.declared == view.seat:
        split = best_split(deck.make_hand(view.hand), declared=True)
    alone = [] if without is None else [without]
    last = view.declared is not None and view.phase != "over" and view.turn == view.seat
    caption = f"your hand · {words.pluralize(view.trades, 'trade')} left" if last else "your hand"
    beside = f"; and {short_card(without)}" if without is not None else ""
    alt = f"Your hand: {split_text(split)}{beside}; {worth}."
    return Hand(_card_groups(split, [*split.extras, *alone]), worth, tone, caption), alt


def table_picture(view: View, context: Context) -> Picture:
    """Return the table: both seats, the piles, and the card turned up or the declared hand."""
    split = _declared_split(view)
    newest = tuple(map(deck.card_name, view.discard[: -MAX_REACH - 1 : -1]))
    spec = PileTable(
        plates=(_seat_plate(view, context, 0), _seat_plate(view, context, 1)),
        said=_turn_texts(view),
        draw=view.draw,
        pile=newest,
        below=len(view.discard) - len(newest),
        turned=None if view.turned is None else deck.card_name(view.turned),
        reach=safety_reach(view),
        declared=() if split is None else _card_groups(split, split.extras),
        declarer=view.declared or 0,
    )
    return Picture(spec, "table.png", _table_alt(view, context, split))


def sheet_picture(view: View, context: Context, outcome: Outcome | None = None) -> Picture:
    """Return the score sheet with running totals; at the end, with places."""
    sums = [tuple(accumulate(score.points for score in column)) for column in zip(*view.sheet, strict=True)]
    rows = tuple(
        SheetRow(
            str(number),
            tuple(("won" if score.win else "", words.signed_number(score.points)) for score in scores),
            tuple(words.plain_number(column[number - 1]) for column in sums),
        )
        for number, scores in enumerate(view.sheet, 1)
    )
    totals = tuple(words.plain_number(total) for total in view.scores)
    places = outcome.places if outcome else ()
    banner = words.result_banner(outcome, context, _winning_moment(view, outcome)) if outcome else None
    spec = ScoreSheet(rows, totals, places, "points, total", context.plate_names, banner, CLOTH)
    alt = f"{words.banner_alt(banner)}{_sheet_alt(view, context, outcome)}"
    return Picture(spec, "sheet.png" if outcome is None else "result.png", alt)


def _winning_moment(view: View, outcome: Outcome) -> str:
    """The best round of the winner."""
    scores = [row[outcome.winners[0]] for row in view.sheet]
    best = max(scores, key=lambda score: score.points)
    way = "a full hand for " if best.win else ""
    return f"Best round: {scores.index(best) + 1}, {way}{words.signed_number(best.points)}"


def _sheet_alt(view: View, context: Context, outcome: Outcome | None) -> str:
    sentences = [f"The score sheet of {words.pluralize(len(view.sheet), 'round')}."]
    for seat, total in enumerate(view.scores):
        place = f"{words.ordinal(outcome.places[seat])} " if outcome else ""
        rounds = ", ".join(words.signed_number(scores[seat].points) for scores in view.sheet)
        sentences.append(
            f"{place}{context.plate_names[seat]}: {words.pluralize(total, 'point')}{f' ({rounds})' if rounds else ''}."
        )
    return " ".join(sentences)


def _declared_split(view: View) -> Split | None:
    """The split with which the declared hand scores."""
    return None if view.declared is None else best_split(deck.make_hand(view.known[view.declared]), declared=True)


def _card_groups(split: Split, alone: Sequence[int]) -> tuple[Group, ...]:
    melds = tuple(Group(meld.kind, tuple(_shown_card(meld, one) for one in sort_meld(meld))) for meld in split.melds)
    rest = tuple(ShownCard(deck.card_name(one)) for one in sort_hand(alone))
    return (*melds, Group("no meld", rest, meld=False)) if rest else melds


def _shown_card(meld: Meld, card: int) -> ShownCard:
    return (
        ShownCard(deck.card_name(JOKER), deck.card_name(card))
        if card in meld.jokers
        else ShownCard(deck.card_name(card))
    )


def _worth_text(view: View, without: int | None, split: Split) -> tuple[str, Tone]:
    """What the hand is worth now, in its best split without the card, and the tone of the text."""
    eight = deck.make_hand(view.hand) if without is None else deck.remove_card(deck.make_hand(view.hand), without)
    declared = view.declared == view.seat
    if declared or (view.declared is None and is_full_hand(eight)):
        points = words.signed_number(best_split(eight, declared=True).points)
        return (f"declared: {points}" if declared else f"full hand: {points} declared"), "gold"
    return f"{words.signed_number(split.points)} if the round ends now", "good" if split.points > 0 else "bad"


def _seat_plate(view: View, context: Context, seat: int) -> SeatPlate:
    """A seat's points, last round, cards and safety cards."""
    gained = f"last {words.signed_number(view.sheet[-1][seat].points)}" if view.sheet else ""
    turn = view.phase != "over" and seat == view.turn
    points = PlateLine(words.pluralize(view.scores[seat], "point"), "gold", gained)
    cards = PlateLine(words.pluralize(view.hand_sizes[seat], "card"), "plain", _safety_text(view, seat))
    return SeatPlate(seat, context.plate_names[seat], (points, cards), turn, computer=seat in context.computers)


def _safety_text(view: View, seat: int) -> str:
    """The numbers of the safety cards that are left."""
    down = [str(number) for number, one in enumerate(view.safety[seat], 1) if one is None]
    return f"safety {', '.join(down)}" if down else "no safety"


def _turn_texts(view: View) -> tuple[str, ...]:
    """The round, the idle turns in a row, and the trades left."""
    idle = f", {view.still} of {STALL_TURNS} idle turns" if view.still and view.phase != "over" else ""
    trades = f"{words.pluralize(view.trades, 'trade')} left"
    turn = trades if view.declared is None else f"last turn, {trades}"
    return (f"{round_line(view).lower()}{idle}", *(() if view.phase == "over" else (turn,)))


def _table_alt(view: View, context: Context, split: Split | None) -> str:
    names = context.plate_names
    parts = [f"The table, {round_line(view).lower()}. Draw pile: {words.pluralize(view.draw, 'card')}."]
    for seat in range(2):
        cards, points = words.pluralize(view.hand_sizes[seat], "card"), words.pluralize(view.scores[seat], "point")
        gained = f", {words.signed_number(view.sheet[-1][seat].points)} in the last round" if view.sheet else ""
        parts.append(f"{words.plate_text(context, seat)}: {points}{gained}, {cards}, {_safety_text(view, seat)}.")
    pile = view.discard[: -MAX_REACH - 1 : -1]
    parts.append(f"Discard pile of {words.pluralize(len(view.discard), 'card')}, from its top: {join_cards(pile)}.")
    if view.still and view.phase != "over":
        parts.append(f"{view.still} idle turns in a row; {STALL_TURNS} end the round.")
    if view.turned is not None:
        parts.append(f"Turned up: {short_card(view.turned)}, with a reach of {safety_reach(view)}.")
    if split is not None and view.declared is not None:
        parts.append(f"Declared by {names[view.declared]}: {split_text(split)}.")
    if view.phase != "over":
        last = "" if view.declared is None else ", the last turn"
        wanted = {"turn": "to play", "safety": "to take", "discard": "to discard"}[view.phase]
        parts.append(f"{names[view.turn]} is {wanted}, with {words.pluralize(view.trades, 'trade')} left{last}.")
    return " ".join(parts)
