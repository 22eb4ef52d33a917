"""Why a move at the Court may be good: what speaks for it, in one sentence, from what its seat knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cogs.court.words import EDGE_SIDES, EDGE_SUITS, rivals_on_board, short_card, sort_hand, step_cards
from cogs.screens import words
from cogs.screens.screen import Context
from engines.court import board, model
from engines.court.board import OFF_BOARD, RAYS, START_SQUARES
from engines.court.deck import COURT_CARDS, NUMBER_CARDS
from engines.court.model import FULL_HEALTH, Move
from engines.court.view import View


def move_reason(view: View, move: Move, context: Context) -> str:
    """What speaks for the move."""
    match move:
        case model.Place(square):
            return _place_reason(view, square)
        case model.Give(suit):
            return _give_reason(view, suit)
        case model.Step(card):
            return _step_reason(view, card)
        case model.Skip():
            held = [short_card(card) for card in sort_hand(set(view.hand)) if card in COURT_CARDS]
            keeps = f", and keep {words.join_with_and(held)} to attack with" if held else " and no jack, queen or king"
            return f"You hold no number card{keeps}."
        case model.Push(card, target):
            return _push_reason(view, card, target, context)
        case model.Attack(_, targets):
            return _attack_reason(view, targets or other_seats(view), context)
        case model.Strike():
            return _strike_reason(view, context)
        case model.Heal():
            return _heal_reason(view)
        case model.SetMenhir(square):
            return _menhir_reason(view, square, context)
        case model.Discard(card):
            return _discard_reason(view, card, context)


# Ways


@dataclass(frozen=True, slots=True)
class _BoardWithMage:
    """The board with one Mage elsewhere."""

    mages: Sequence[int]
    menhirs: Sequence[int]


def lacking_banners(view: View, seat: int) -> list[int]:
    """The suits whose banners a seat lacks, clockwise."""
    return [suit for suit in EDGE_SUITS if suit not in view.banners[seat]]


def steps_to_edge(suit: int, square: int) -> int:
    """How many steps take a Mage from there over the suit's edge."""
    return len(RAYS[suit][square]) + 1


def nearest_edge(view: View, seat: int, square: int) -> tuple[int, int]:
    """How many steps it is to the nearest edge whose banner the seat lacks, and its place; off: from the middle."""
    squares = (
        [square]
        if square != OFF_BOARD
        else [each for each in START_SQUARES if each not in view.mages] or list(START_SQUARES)
    )
    return min(
        (steps_to_edge(suit, each), EDGE_SUITS.index(suit)) for suit in lacking_banners(view, seat) for each in squares
    )


def _edge_text(suit: int) -> str:
    """`the top edge ♥`."""
    return f"the {EDGE_SIDES[suit]} edge {words.SUIT_SHAPES[suit]}"


def _next_crossing_card(view: View, seat: int, square: int, hand: Iterable[int]) -> int | None:
    """A card of these that takes the Mage from there over an edge whose banner is lacking, if any does."""
    mages = [square if each == seat else mage for each, mage in enumerate(view.mages)]
    table = _BoardWithMage(mages, view.menhirs)
    able = [card for card in sort_hand(set(hand)) if card in NUMBER_CARDS and card // 13 in lacking_banners(view, seat)]
    return next((card for card in able if board.trace_move(table, square, card)[0] == OFF_BOARD), None)


# Phase One, and what is owed


def _step_reason(view: View, card: int) -> str:
    """The banner that it claims, the card that does so next, or how near an edge is then."""
    assert view.seat is not None
    seat, suit = view.seat, card // 13
    path = board.mage_path(view, seat, card)
    have = len(view.banners[seat])
    if path.crosses and suit in lacking_banners(view, seat):
        if have + 1 >= view.goal:
            return f"Your Mage crosses {_edge_text(suit)}: the last banner that you need."
        return f"Your Mage crosses {_edge_text(suit)}: banner {have + 1} of {view.goal} is yours."
    before, after = nearest_edge(view, seat, path.start), nearest_edge(view, seat, path.end)
    if path.crosses:
        return (
            f"Your Mage starts again from the middle, {_distance_text(after)}; it was "
            f"{_squares_text(before[0])} from one."
        )
    rest = list(view.hand)
    rest.remove(card)
    onward = _next_crossing_card(view, seat, path.end, rest)
    if onward is not None:
        return (
            f"From {board.square_name(path.end)} your {short_card(onward)} can then cross {_edge_text(onward // 13)}."
        )
    barrier = _barrier_text(view, seat, path.end, EDGE_SUITS[after[1]])
    if barrier:
        return f"Then it is {_distance_text(after)}; but {barrier} is in the way."
    ends = [board.mage_path(view, seat, other).end for other in step_cards(view.hand) if other != card]
    if ends and OFF_BOARD not in ends and all(after[0] < nearest_edge(view, seat, end)[0] for end in ends):
        return f"Then it is {_distance_text(after)}: no other card brings you as near."
    near = [
        short_card(other)
        for other in sort_hand(set(rest))
        if other in NUMBER_CARDS and other // 13 == EDGE_SUITS[after[1]]
    ]
    if near:
        return f"Then it is {_distance_text(after)}, for which you keep {words.join_with_and(near[:3])}."
    return f"Then it is {_distance_text(after)}."


def _barrier_text(view: View, seat: int, square: int, suit: int) -> str:
    """What stands between a square and the suit's edge: `the Menhir on C12`; nothing: an empty word."""
    for each in RAYS[suit][square]:
        if each in view.menhirs:
            return f"the Menhir on {board.square_name(each)}"
        if each in (mage for other, mage in enumerate(view.mages) if other != seat):
            return f"the Mage on {board.square_name(each)}"
    return ""


def _distance_text(near: tuple[int, int]) -> str:
    """`5 squares to the top edge ♥ that you need`; to cross it counts as one."""
    return f"{_squares_text(near[0])} to {_edge_text(EDGE_SUITS[near[1]])}, whose banner you lack"


def _squares_text(number: int) -> str:
    return words.pluralize(number, "square")


def _place_reason(view: View, square: int) -> str:
    """To which edges it is a square less, and what the hand has for those."""
    assert view.seat is not None
    near = [
        suit
        for suit in lacking_banners(view, view.seat)
        if steps_to_edge(suit, square) == min(map(_fewest_steps, START_SQUARES))
    ]
    held = [short_card(card) for card in sort_hand(view.hand) if card in NUMBER_CARDS and card // 13 in near]
    edges = words.join_with_and([_edge_text(suit) for suit in near])
    if not near:
        return (
            f"From {board.square_name(square)} the edges that you need are no farther than from any other square left."
        )
    said = f"From {board.square_name(square)} it is a square less to {edges}"
    return f"{said}; you hold {words.join_with_and(list(dict.fromkeys(held))[:4])}." if held else f"{said}."


def _fewest_steps(square: int) -> int:
    """The fewest steps to an edge from a starting square."""
    return min(steps_to_edge(suit, square) for suit in EDGE_SUITS)


def _give_reason(view: View, suit: int) -> str:
    """What the hand has for claiming it again."""
    assert view.seat is not None
    held = [short_card(card) for card in sort_hand(view.hand) if card in NUMBER_CARDS and card // 13 == suit]
    if held:
        leads = "leads" if len(held) == 1 else "lead"
        return (
            f"You hold {words.join_with_and(list(dict.fromkeys(held))[:4])}, which {leads} to {_edge_text(suit)} again."
        )
    rest = [each for each in view.banners[view.seat] if each != suit]
    kept = words.join_with_and([words.SUIT_SHAPES[each] for each in EDGE_SUITS if each in rest])
    return (
        f"You hold no number card for {_edge_text(suit)}; you keep {kept}."
        if kept
        else "It is the only banner you have."
    )


# Phase Two


def _push_reason(view: View, card: int, target: int, context: Context) -> str:
    """How much farther the Mage is from an edge that it needs."""
    name, suit, path = context.short_names[target], card // 13, board.mage_path(view, target, card)
    if path.crosses and suit in lacking_banners(view, target):
        return f"{name} gets the banner {words.SUIT_SHAPES[suit]}, and starts again from the middle."
    (before, edge), (after, _) = (nearest_edge(view, target, square) for square in (path.start, path.end))
    if after > before:
        return (
            f"{name}{_banner_clause(view, target)} is {_squares_text(before)} from {_edge_text(EDGE_SUITS[edge])}, "
            f"whose banner is lacking, and then at least {after}."
        )
    if after == before:
        return f"{name}{_banner_clause(view, target)} comes no nearer to an edge whose banner is lacking."
    fewest = min(len(banners) for seat, banners in enumerate(view.banners) if seat != view.seat)
    if len(view.mages) > 2 and len(view.banners[target]) == fewest:
        return f"It is still {_squares_text(after)} for {name}, who has no more banners than any other rival."
    return f"It is still {_squares_text(after)} for {name} to the nearest edge whose banner is lacking."


def _banner_clause(view: View, seat: int) -> str:
    """`, with 2 of 3 banners,` for who has any."""
    have = len(view.banners[seat])
    return f", with {have} of {view.goal} banners," if have else ""


def other_seats(view: View) -> list[int]:
    """All others."""
    return [seat for seat in range(len(view.mages)) if seat != view.seat]


def _weakest_seat(view: View, seats: Iterable[int]) -> int:
    """Who has the least health, of those with the most banners."""
    return min(seats, key=lambda seat: (view.health[seat], -len(view.banners[seat])))


def _attack_reason(view: View, targets: Sequence[int], context: Context) -> str:
    """What a hit, which comes every other time, "
    "does."""
    weakest = _weakest_seat(view, targets)
    if view.health[weakest] == 1:
        return (
            f"Every other attack hits, and {context.short_names[weakest]} has one health left: "
            f"{_knock_out_text(view, weakest)}."
        )
    leader = max(targets, key=lambda seat: len(view.banners[seat]))
    name, have, health = context.short_names[leader], len(view.banners[leader]), view.health[leader]
    banners = f"{have} of {view.goal} banners" if have else "no banner yet"
    return f"Every other attack hits, and {name} has {banners} and {health} health."


def _knock_out_text(view: View, seat: int) -> str:
    return "a knock-out costs a banner" if view.banners[seat] else "a knock-out puts the Mage back in the middle"


def _strike_reason(view: View, context: Context) -> str:
    """That it needs no "
    "die."""
    others = other_seats(view)
    weakest = _weakest_seat(view, others)
    if view.health[weakest] == 1:
        return (
            f"An ace needs no die, and {context.short_names[weakest]} has one health left: "
            f"{_knock_out_text(view, weakest)}."
        )
    who = "every other Mage loses" if len(others) > 1 else f"{context.short_names[others[0]]} loses"
    return (
        f"An ace needs no die: {who} one health, and {context.short_names[weakest]} then has "
        f"{view.health[weakest] - 1}."
    )


def _heal_reason(view: View) -> str:
    assert view.seat is not None
    return f"Your Mage has {view.health[view.seat]} of {FULL_HEALTH} health, and {_knock_out_text(view, view.seat)}."


def _menhir_reason(view: View, square: int, context: Context) -> str:
    """Whose way it bars to an edge that they need."""
    barred: list[tuple[int, int, int]] = []
    for seat in rivals_on_board(view):
        for suit in lacking_banners(view, seat):
            ray = RAYS[suit][view.mages[seat]]
            if square in ray:
                barred.append((ray.index(square), seat, suit))
    if barred:
        away, seat, suit = min(barred)
        where = "right before" if not away else f"{_squares_text(away + 1)} before"
        mage = f"{context.short_names[seat]}'s Mage"
        return f"It stands {where} {mage}, on the way to {_edge_text(suit)}, a banner still lacking."
    return f"No Mage passes {board.square_name(square)} any more."


def _discard_reason(view: View, card: int, context: Context) -> str:
    """Whom the card would help, and what is kept."""
    if card in NUMBER_CARDS:
        helped = [seat for seat in rivals_on_board(view) if _helps_rival(view, card, seat)]
        if helped:
            names = words.join_with_and([context.short_names[seat] for seat in helped])
            return f"Played, the {short_card(card)} would bring {names} nearer to a banner."
    rest = list(view.hand)
    rest.remove(card)
    assert view.seat is not None
    need = lacking_banners(view, view.seat)
    kept = [short_card(each) for each in sort_hand(set(rest)) if each in NUMBER_CARDS and each // 13 in need]
    if kept:
        leads = "leads to an edge whose banner" if len(kept) == 1 else "lead to edges whose banners"
        return f"You keep {words.join_with_and(kept[:4])}, which {leads} you lack."
    return "Nobody is helped by it, and you draw a new card in its place."


def _helps_rival(view: View, card: int, seat: int) -> bool:
    """Whether it would take a rival nearer to an edge that they need, or over it."""
    path = board.mage_path(view, seat, card)
    if path.crosses:
        return card // 13 in lacking_banners(view, seat)
    return nearest_edge(view, seat, path.end)[0] < nearest_edge(view, seat, path.start)[0]
