"""Jokers' views as pictures, with the same in words for those who do not see them."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jokers.spec import Group, GroupedHand, Held, PileTable, SafetyPlate
from cogs.jokers.words import REACH, best_eight, in_order, reach, round_line, row, short, split_words
from cogs.pictures.spec import ScoreSheet, SheetRow
from cogs.screens import words
from cogs.screens.screen import Picture
from engines.game import Outcome
from engines.jokers import deck
from engines.jokers.deck import JOKER
from engines.jokers.melds import Meld, Split, best
from engines.jokers.model import View


def hand_picture(view: View) -> Picture:
    """The hand in its best split: melds first, then what is in none."""
    without, split = best_eight(view.hand)
    if view.declared == view.seat:
        split = best(deck.hand(view.hand), declared=True)
    alone = [*split.extras, *([] if without is None else [without])]
    alt = f"Your hand: {split_words(split)}" + ("" if without is None else f"; and {short(without)}")
    return Picture(GroupedHand(_groups(split, alone)), "hand.png", f"{alt}.")


def table_picture(view: View) -> Picture:
    """The table: both seats, the piles, what is turned up or declared."""
    split = _declared(view)
    newest = tuple(map(deck.name, view.discard[: -REACH - 1 : -1]))
    spec = PileTable(
        title=(f"Round {view.round}", f"of {view.rounds}"),
        plates=(_plate(view, 0), _plate(view, 1)),
        draw=view.draw,
        pile=newest,
        below=len(view.discard) - len(newest),
        turned=None if view.turned is None else deck.name(view.turned),
        reach=reach(view),
        declared=() if split is None else _groups(split, split.extras),
        declarer=view.declared or 0,
        middle=_middle(view),
    )
    return Picture(spec, "table.png", _table_alt(view, split))


def sheet_picture(view: View, outcome: Outcome) -> Picture:
    """The score sheet with places."""
    rows = tuple(
        SheetRow(str(number), tuple(("won" if score.win else "", words.signed(score.points)) for score in scores))
        for number, scores in enumerate(view.sheet, 1)
    )
    spec = ScoreSheet(rows, tuple(words.plain(total) for total in view.scores), outcome.places, note="round")
    places = ", ".join(
        f"{words.ordinal(place)} {words.letter(seat)} with {words.counted(outcome.points[seat], 'point')}"
        for place, seat in sorted((place, seat) for seat, place in enumerate(outcome.places))
    )
    return Picture(spec, "result.png", f"The score sheet of {words.counted(len(rows), 'round')}. {places}.")


def _declared(view: View) -> Split | None:
    """The declared hand as it scores."""
    return None if view.declared is None else best(deck.hand(view.known[view.declared]), declared=True)


def _groups(split: Split, alone: Sequence[int]) -> tuple[Group, ...]:
    melds = tuple(Group(meld.kind, tuple(_held(meld, one) for one in meld.cards)) for meld in split.melds)
    rest = tuple(Held(deck.name(one)) for one in in_order(alone))
    return (*melds, Group("no meld", rest, meld=False)) if rest else melds


def _held(meld: Meld, one: int) -> Held:
    return Held(deck.name(JOKER), deck.name(one)) if one in meld.jokers else Held(deck.name(one))


def _plate(view: View, seat: int) -> SafetyPlate:
    gained = f"{words.signed(view.sheet[-1][seat].points)} last" if view.sheet else ""
    one, two = (card is None for card in view.safety[seat])
    turn = "" if view.phase == "over" or seat != view.turn else _wanted(view)
    return SafetyPlate(words.plain(view.scores[seat]), gained, view.hand_sizes[seat], (one, two), turn)


def _wanted(view: View) -> str:
    turn = "to play" if view.declared is None else "last turn"
    return {"turn": turn, "safety": "to take", "discard": "to discard"}.get(view.phase, "")


def _middle(view: View) -> tuple[str, ...]:
    trades = f"{words.counted(view.trades, 'trade')} left"
    return () if view.phase == "over" else (f"{words.letter(view.turn)}: {trades}",)


def _table_alt(view: View, split: Split | None) -> str:
    parts = [f"The table, {round_line(view).lower()}. Draw pile: {words.counted(view.draw, 'card')}."]
    for seat in range(2):
        down = words.counted(view.safety[seat].count(None), "safety card")
        held, points = words.counted(view.hand_sizes[seat], "card"), words.counted(view.scores[seat], "point")
        parts.append(f"{words.letter(seat)}: {points}, {held}, {down} face down.")
    pile = view.discard[: -REACH - 1 : -1]
    parts.append(f"Discard pile of {words.counted(len(view.discard), 'card')}, from its top: {row(pile)}.")
    if view.turned is not None:
        parts.append(f"Turned up: {short(view.turned)}, which reaches {reach(view)}.")
    if split is not None and view.declared is not None:
        parts.append(f"Declared by {words.letter(view.declared)}: {split_words(split)}.")
    if view.phase != "over":
        parts.append(f"{words.letter(view.turn)} is {_wanted(view).replace('last turn', 'to play the last turn')}.")
    return " ".join(parts)
