"""Why a move at the Court may be good: what speaks for it, in one sentence, from what its seat knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cogs.court.words import EDGES, SIDES, in_order, movers, rivals, short
from cogs.screens import words
from cogs.screens.screen import Context
from engines.court import board, model
from engines.court.board import OFF, RAYS, STARTS
from engines.court.deck import COURTS, NUMBERS
from engines.court.model import FULL_HEALTH, Move, View


def reason(view: View, move: Move, context: Context) -> str:
    """What speaks for the move."""
    match move:
        case model.Place(square):
            return _place(view, square)
        case model.Give(suit):
            return _give(view, suit)
        case model.Step(card):
            return _step(view, card)
        case model.Skip():
            held = [short(card) for card in in_order(set(view.hand)) if card in COURTS]
            keeps = f", and keep {words.listed(held)} to attack with" if held else " and no jack, queen or king"
            return f"You hold no number card{keeps}."
        case model.Push(card, target):
            return _push(view, card, target, context)
        case model.Attack(_, targets):
            return _attack(view, targets or rivals_of(view), context)
        case model.Strike():
            return _strike(view, context)
        case model.Heal():
            return _heal(view)
        case model.SetMenhir(square):
            return _menhir(view, square, context)
        case model.Discard(card):
            return _discard(view, card, context)


# Ways


@dataclass(frozen=True, slots=True)
class _Table:
    """The board with one Mage elsewhere."""

    mages: Sequence[int]
    menhirs: Sequence[int]


def lacking(view: View, seat: int) -> list[int]:
    """The suits whose banners a seat lacks, clockwise."""
    return [suit for suit in EDGES if suit not in view.banners[seat]]


def steps_to(suit: int, square: int) -> int:
    """How many steps take a Mage from there over the suit's edge."""
    return len(RAYS[suit][square]) + 1


def nearest(view: View, seat: int, square: int) -> tuple[int, int]:
    """How many steps it is to the nearest edge whose banner the seat lacks, and its place; off: from the middle."""
    squares = [square] if square != OFF else [each for each in STARTS if each not in view.mages] or list(STARTS)
    return min((steps_to(suit, each), EDGES.index(suit)) for suit in lacking(view, seat) for each in squares)


def _edge(suit: int) -> str:
    """`the top edge ♥`."""
    return f"the {SIDES[suit]} edge {words.SHAPES[suit]}"


def _next(view: View, seat: int, square: int, hand: Iterable[int]) -> int | None:
    """A card of these that takes the Mage from there over an edge whose banner is lacking, if any does."""
    mages = [square if each == seat else mage for each, mage in enumerate(view.mages)]
    table = _Table(mages, view.menhirs)
    able = [card for card in in_order(set(hand)) if card in NUMBERS and card // 13 in lacking(view, seat)]
    return next((card for card in able if board.reach(table, square, card)[0] == OFF), None)


# Phase One, and what is owed


def _step(view: View, card: int) -> str:
    """The banner that it claims, the card that does so next, or how near an edge is then."""
    assert view.seat is not None
    seat, suit = view.seat, card // 13
    path = board.path(view, seat, card)
    have = len(view.banners[seat])
    if path.crosses and suit in lacking(view, seat):
        if have + 1 >= view.goal:
            return f"Your Mage crosses {_edge(suit)}: the last banner that you need."
        return f"Your Mage crosses {_edge(suit)}: banner {have + 1} of {view.goal} is yours."
    before, after = nearest(view, seat, path.start), nearest(view, seat, path.end)
    if path.crosses:
        return f"Your Mage starts again from the middle, {_far(after)}; it was {_squares(before[0])} from one."
    rest = list(view.hand)
    rest.remove(card)
    onward = _next(view, seat, path.end, rest)
    if onward is not None:
        return f"From {board.name(path.end)} your {short(onward)} can then cross {_edge(onward // 13)}."
    barrier = _barrier(view, seat, path.end, EDGES[after[1]])
    if barrier:
        return f"Then it is {_far(after)}; but {barrier} is in the way."
    ends = [board.path(view, seat, other).end for other in movers(view.hand) if other != card]
    if ends and OFF not in ends and all(after[0] < nearest(view, seat, end)[0] for end in ends):
        return f"Then it is {_far(after)}: no other card brings you as near."
    near = [short(other) for other in in_order(set(rest)) if other in NUMBERS and other // 13 == EDGES[after[1]]]
    if near:
        return f"Then it is {_far(after)}, for which you keep {words.listed(near[:3])}."
    return f"Then it is {_far(after)}."


def _barrier(view: View, seat: int, square: int, suit: int) -> str:
    """What stands between a square and the suit's edge: `the Menhir on C12`; nothing: an empty word."""
    for each in RAYS[suit][square]:
        if each in view.menhirs:
            return f"the Menhir on {board.name(each)}"
        if each in (mage for other, mage in enumerate(view.mages) if other != seat):
            return f"the Mage on {board.name(each)}"
    return ""


def _far(near: tuple[int, int]) -> str:
    """`5 squares to the top edge ♥ that you need`; to cross it counts as one."""
    return f"{_squares(near[0])} to {_edge(EDGES[near[1]])}, whose banner you lack"


def _squares(number: int) -> str:
    return words.counted(number, "square")


def _place(view: View, square: int) -> str:
    """To which edges it is a square less, and what the hand has for those."""
    assert view.seat is not None
    near = [suit for suit in lacking(view, view.seat) if steps_to(suit, square) == min(map(_middle, STARTS))]
    held = [short(card) for card in in_order(view.hand) if card in NUMBERS and card // 13 in near]
    edges = words.listed([_edge(suit) for suit in near])
    if not near:
        return f"From {board.name(square)} the edges that you need are no farther than from any other square left."
    said = f"From {board.name(square)} it is a square less to {edges}"
    return f"{said}; you hold {words.listed(list(dict.fromkeys(held))[:4])}." if held else f"{said}."


def _middle(square: int) -> int:
    """The fewest steps to an edge from a starting square."""
    return min(steps_to(suit, square) for suit in EDGES)


def _give(view: View, suit: int) -> str:
    """What the hand has for claiming it again."""
    assert view.seat is not None
    held = [short(card) for card in in_order(view.hand) if card in NUMBERS and card // 13 == suit]
    if held:
        leads = "leads" if len(held) == 1 else "lead"
        return f"You hold {words.listed(list(dict.fromkeys(held))[:4])}, which {leads} to {_edge(suit)} again."
    rest = [each for each in view.banners[view.seat] if each != suit]
    kept = words.listed([words.SHAPES[each] for each in EDGES if each in rest])
    return f"You hold no number card for {_edge(suit)}; you keep {kept}." if kept else "It is the only banner you have."


# Phase Two


def _push(view: View, card: int, target: int, context: Context) -> str:
    """How much farther the Mage is from an edge that it needs."""
    name, suit, path = context.short[target], card // 13, board.path(view, target, card)
    if path.crosses and suit in lacking(view, target):
        return f"{name} gets the banner {words.SHAPES[suit]}, and starts again from the middle."
    (before, edge), (after, _) = (nearest(view, target, square) for square in (path.start, path.end))
    if after > before:
        return (
            f"{name}{_standing(view, target)} is {_squares(before)} from {_edge(EDGES[edge])}, "
            f"whose banner is lacking, and then at least {after}."
        )
    if after == before:
        return f"{name}{_standing(view, target)} comes no nearer to an edge whose banner is lacking."
    fewest = min(len(banners) for seat, banners in enumerate(view.banners) if seat != view.seat)
    if len(view.mages) > 2 and len(view.banners[target]) == fewest:
        return f"It is still {_squares(after)} for {name}, who has no more banners than any other rival."
    return f"It is still {_squares(after)} for {name} to the nearest edge whose banner is lacking."


def _standing(view: View, seat: int) -> str:
    """`, with 2 of 3 banners,` for who has any."""
    have = len(view.banners[seat])
    return f", with {have} of {view.goal} banners," if have else ""


def rivals_of(view: View) -> list[int]:
    """All others."""
    return [seat for seat in range(len(view.mages)) if seat != view.seat]


def _weakest(view: View, seats: Iterable[int]) -> int:
    """Who has the least health, of those with the most banners."""
    return min(seats, key=lambda seat: (view.health[seat], -len(view.banners[seat])))


def _attack(view: View, targets: Sequence[int], context: Context) -> str:
    """What a hit, which comes every other time, does."""
    weakest = _weakest(view, targets)
    if view.health[weakest] == 1:
        return f"Every other attack hits, and {context.short[weakest]} has one health left: {_out(view, weakest)}."
    leader = max(targets, key=lambda seat: len(view.banners[seat]))
    name, have, health = context.short[leader], len(view.banners[leader]), view.health[leader]
    banners = f"{have} of {view.goal} banners" if have else "no banner yet"
    return f"Every other attack hits, and {name} has {banners} and {health} health."


def _out(view: View, seat: int) -> str:
    return "a knock-out costs a banner" if view.banners[seat] else "a knock-out puts the Mage back in the middle"


def _strike(view: View, context: Context) -> str:
    """That it needs no die."""
    others = rivals_of(view)
    weakest = _weakest(view, others)
    if view.health[weakest] == 1:
        return f"An ace needs no die, and {context.short[weakest]} has one health left: {_out(view, weakest)}."
    who = "every other Mage loses" if len(others) > 1 else f"{context.short[others[0]]} loses"
    return f"An ace needs no die: {who} one health, and {context.short[weakest]} then has {view.health[weakest] - 1}."


def _heal(view: View) -> str:
    assert view.seat is not None
    return f"Your Mage has {view.health[view.seat]} of {FULL_HEALTH} health, and {_out(view, view.seat)}."


def _menhir(view: View, square: int, context: Context) -> str:
    """Whose way it bars to an edge that they need."""
    barred: list[tuple[int, int, int]] = []
    for seat in rivals(view):
        for suit in lacking(view, seat):
            ray = RAYS[suit][view.mages[seat]]
            if square in ray:
                barred.append((ray.index(square), seat, suit))
    if barred:
        away, seat, suit = min(barred)
        where = "right before" if not away else f"{_squares(away + 1)} before"
        return f"It stands {where} {context.short[seat]}'s Mage, on the way to {_edge(suit)}, a banner still lacking."
    return f"No Mage passes {board.name(square)} any more."


def _discard(view: View, card: int, context: Context) -> str:
    """Whom the card would help, and what is kept."""
    if card in NUMBERS:
        helped = [seat for seat in rivals(view) if _helps(view, card, seat)]
        if helped:
            names = words.listed([context.short[seat] for seat in helped])
            return f"Played, the {short(card)} would bring {names} nearer to a banner."
    rest = list(view.hand)
    rest.remove(card)
    assert view.seat is not None
    need = lacking(view, view.seat)
    kept = [short(each) for each in in_order(set(rest)) if each in NUMBERS and each // 13 in need]
    if kept:
        leads = "leads to an edge whose banner" if len(kept) == 1 else "lead to edges whose banners"
        return f"You keep {words.listed(kept[:4])}, which {leads} you lack."
    return "Nobody is helped by it, and you draw a new card in its place."


def _helps(view: View, card: int, seat: int) -> bool:
    """Whether it would take a rival nearer to an edge that they need, or over it."""
    path = board.path(view, seat, card)
    if path.crosses:
        return card // 13 in lacking(view, seat)
    return nearest(view, seat, path.end)[0] < nearest(view, seat, path.start)[0]
