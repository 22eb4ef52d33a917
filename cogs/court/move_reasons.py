"""Reasons for the Court's moves: one sentence each, based only on what the seat can see."""

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
    """Return why the move may be good."""
    match move:
        case model.Place(square):
            return _place_reason(view, square)
        case model.Give(suit):
            return _give_reason(view, suit)
        case model.Step(card):
            return _step_reason(view, card)
        case model.Skip():
            cards = [short_card(card) for card in sort_hand(set(view.hand)) if card in COURT_CARDS]
            keeps = (
                f", and keep {words.join_with_and(cards)} to attack with" if cards else " and no jack, queen or king"
            )
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


# Distances


@dataclass(frozen=True, slots=True)
class _BoardWithMage:
    """The board with one Mage on another square."""

    mages: Sequence[int]
    menhirs: Sequence[int]


def lacking_banners(view: View, seat: int) -> list[int]:
    """Return the suits whose banners a seat lacks, clockwise."""
    return [suit for suit in EDGE_SUITS if suit not in view.banners[seat]]


def steps_to_edge(suit: int, square: int) -> int:
    """Return the number of steps from the square over the suit's edge."""
    return len(RAYS[suit][square]) + 1


def nearest_edge(view: View, seat: int, square: int) -> tuple[int, int]:
    """Return the steps to the nearest edge whose banner the seat lacks, and the edge's index in EDGE_SUITS.

    A Mage off the board counts from the best starting square.
    """
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
    """The first card that would move the Mage from the square over an edge whose banner the seat lacks."""
    mages = [square if each == seat else mage for each, mage in enumerate(view.mages)]
    table = _BoardWithMage(mages, view.menhirs)
    able = [card for card in sort_hand(set(hand)) if card in NUMBER_CARDS and card // 13 in lacking_banners(view, seat)]
    return next((card for card in able if board.trace_move(table, square, card)[0] == OFF_BOARD), None)


# Phase One, placing a Mage, and giving back a banner


def _step_reason(view: View, card: int) -> str:
    """The banner that the card claims, the card that could claim one next, or the distance to an edge."""
    assert view.seat is not None
    seat, suit = view.seat, card // 13
    path = board.mage_path(view, seat, card)
    have = len(view.banners[seat])
    if path.crosses and suit in lacking_banners(view, seat):
        if have + 1 >= view.goal:
            return f"Your Mage crosses {_edge_text(suit)} and claims the last banner that you need."
        return f"Your Mage crosses {_edge_text(suit)} and claims banner {have + 1} of {view.goal}."
    before, after = nearest_edge(view, seat, path.start), nearest_edge(view, seat, path.end)
    if path.crosses:
        middle = "Your Mage starts again in the middle, where it is"
        if before[1] == after[1]:
            return f"{middle} {_distance_text(after)}, instead of {before[0]}."
        return f"{middle} {_edge_distance(after)}, instead of {_edge_distance(before)}; you need both banners."
    rest = list(view.hand)
    rest.remove(card)
    onward = _next_crossing_card(view, seat, path.end, rest)
    if onward is not None:
        return (
            f"From {board.square_name(path.end)} your {short_card(onward)} can then cross {_edge_text(onward // 13)}."
        )
    barrier = _barrier_text(view, seat, path.end, EDGE_SUITS[after[1]])
    if barrier:
        return f"Then it is {_distance_text(after)}, but {barrier} is in the way."
    ends = [board.mage_path(view, seat, other).end for other in step_cards(view.hand) if other != card]
    if ends and OFF_BOARD not in ends and all(after[0] < nearest_edge(view, seat, end)[0] for end in ends):
        return f"Then it is {_distance_text(after)}, and no other card brings you that close."
    near = [
        short_card(other)
        for other in sort_hand(set(rest))
        if other in NUMBER_CARDS and other // 13 == EDGE_SUITS[after[1]]
    ]
    if near:
        return f"Then it is {_distance_text(after)}, and you still have {words.join_with_and(near[:3])} for that edge."
    return f"Then it is {_distance_text(after)}."


def _barrier_text(view: View, seat: int, square: int, suit: int) -> str:
    """What blocks the path from a square to the suit's edge, such as `the Menhir on C12`, or an empty text."""
    for each in RAYS[suit][square]:
        if each in view.menhirs:
            return f"the Menhir on {board.square_name(each)}"
        if each in (mage for other, mage in enumerate(view.mages) if other != seat):
            return f"the Mage on {board.square_name(each)}"
    return ""


def _distance_text(near: tuple[int, int]) -> str:
    """`5 squares to the top edge ♥, whose banner you need`. Crossing the edge counts as one square."""
    return f"{_edge_distance(near)}, whose banner you need"


def _edge_distance(near: tuple[int, int]) -> str:
    """`5 squares to the top edge ♥`."""
    return f"{_squares_text(near[0])} to {_edge_text(EDGE_SUITS[near[1]])}"


def _squares_text(number: int) -> str:
    return words.pluralize(number, "square")


def _place_reason(view: View, square: int) -> str:
    """The edges that are one square nearer, and the cards of the hand that lead there."""
    assert view.seat is not None
    near = [
        suit
        for suit in lacking_banners(view, view.seat)
        if steps_to_edge(suit, square) == min(map(_fewest_steps, START_SQUARES))
    ]
    cards = [short_card(card) for card in sort_hand(view.hand) if card in NUMBER_CARDS and card // 13 in near]
    edges = words.join_with_and([_edge_text(suit) for suit in near])
    if not near:
        return (
            f"From {board.square_name(square)}, the edges that you need are just as near as from any other free square."
        )
    reason = f"{board.square_name(square)} is one square nearer to {edges}"
    return f"{reason}, and you hold {words.join_with_and(list(dict.fromkeys(cards))[:4])}." if cards else f"{reason}."


def _fewest_steps(square: int) -> int:
    """The number of steps from a starting square to its nearest edge."""
    return min(steps_to_edge(suit, square) for suit in EDGE_SUITS)


def _give_reason(view: View, suit: int) -> str:
    """The cards of the hand that could claim the banner again."""
    assert view.seat is not None
    cards = [short_card(card) for card in sort_hand(set(view.hand)) if card in NUMBER_CARDS and card // 13 == suit]
    if cards:
        leads = "leads" if len(cards) == 1 else "lead"
        return f"You hold {words.join_with_and(cards[:4])}, which {leads} back to {_edge_text(suit)}."
    rest = [each for each in view.banners[view.seat] if each != suit]
    rest_text = words.join_with_and([words.SUIT_SHAPES[each] for each in EDGE_SUITS if each in rest])
    return (
        f"You hold no number card for {_edge_text(suit)}, and you keep {rest_text}."
        if rest_text
        else "It is the only banner you have."
    )


# Phase Two


def _push_reason(view: View, card: int, target: int, context: Context) -> str:
    """How much farther the Mage is then from an edge that it needs."""
    name, suit, path = context.short_names[target], card // 13, board.mage_path(view, target, card)
    if path.crosses and suit in lacking_banners(view, target):
        return f"{name} gets the banner {words.SUIT_SHAPES[suit]}, but starts again in the middle."
    (before, edge), (after, _) = (nearest_edge(view, target, square) for square in (path.start, path.end))
    if after > before:
        return (
            f"{name}{_banner_clause(view, target)} is {_squares_text(before)} from {_edge_text(EDGE_SUITS[edge])} now, "
            f"and would be at least {after} squares from every edge still needed."
        )
    if after == before:
        return f"{name}{_banner_clause(view, target)} gets no closer to a banner."
    fewest = min(len(banners) for seat, banners in enumerate(view.banners) if seat != view.seat)
    if len(view.mages) > 2 and len(view.banners[target]) == fewest:
        return f"{name} is still {_squares_text(after)} from a banner, and no rival has fewer banners."
    return f"{name} is still {_squares_text(after)} from the nearest edge that they need."


def _banner_clause(view: View, seat: int) -> str:
    """`, with 2 of 3 banners,`, or an empty text without banners."""
    have = len(view.banners[seat])
    return f", with {have} of {view.goal} banners," if have else ""


def other_seats(view: View) -> list[int]:
    """Return all seats but the player's own."""
    return [seat for seat in range(len(view.mages)) if seat != view.seat]


def _weakest_seat(view: View, seats: Iterable[int]) -> int:
    """The seat with the least health. The most banners break ties."""
    return min(seats, key=lambda seat: (view.health[seat], -len(view.banners[seat])))


def _attack_reason(view: View, targets: Sequence[int], context: Context) -> str:
    """What a hit would do. Half of all attacks hit."""
    weakest = _weakest_seat(view, targets)
    if view.health[weakest] == 1:
        return (
            f"Half of all attacks hit, {context.short_names[weakest]} has one health left, "
            f"and {_knock_out_text(view, weakest, context.short_names[weakest])}."
        )
    leader = max(targets, key=lambda seat: len(view.banners[seat]))
    name, have, health = context.short_names[leader], len(view.banners[leader]), view.health[leader]
    banners = f"{have} of {view.goal} banners" if have else "no banner yet"
    return f"Half of all attacks hit, and {name} has {banners} and {health} health."


def _knock_out_text(view: View, seat: int, name: str) -> str:
    """What a knock-out would do to a seat, whose player is called by this name."""
    cost = f"cost {name} a banner" if view.banners[seat] else "put the Mage back in the middle"
    return f"a knock-out would {cost}"


def _strike_reason(view: View, context: Context) -> str:
    """What an ace does. It hits without a roll."""
    others = other_seats(view)
    weakest = _weakest_seat(view, others)
    if view.health[weakest] == 1:
        return (
            f"An ace always hits, {context.short_names[weakest]} has one health left, "
            f"and {_knock_out_text(view, weakest, context.short_names[weakest])}."
        )
    losers = "every other Mage loses" if len(others) > 1 else f"{context.short_names[others[0]]} loses"
    return (
        f"An ace always hits, so {losers} one health, "
        f"and {context.short_names[weakest]} then has {view.health[weakest] - 1}."
    )


def _heal_reason(view: View) -> str:
    assert view.seat is not None
    knock_out = _knock_out_text(view, view.seat, "you")
    return f"Your Mage has {view.health[view.seat]} of {FULL_HEALTH} health, and {knock_out}."


def _menhir_reason(view: View, square: int, context: Context) -> str:
    """The rival whose path to an edge the Menhir blocks."""
    barred: list[tuple[int, int, int]] = []
    for seat in rivals_on_board(view):
        for suit in lacking_banners(view, seat):
            ray = RAYS[suit][view.mages[seat]]
            if square in ray:
                barred.append((ray.index(square), seat, suit))
    if barred:
        away, seat, suit = min(barred)
        place = "right in front of" if not away else f"{_squares_text(away + 1)} in front of"
        name = context.short_names[seat]
        return f"It stands {place} {name}'s Mage, on the way to {_edge_text(suit)}, which {name} still needs."
    return f"No Mage can pass {board.square_name(square)} any more."


def _discard_reason(view: View, card: int, context: Context) -> str:
    """The rivals that the card would help if it were played, or the useful cards that stay in the hand."""
    if card in NUMBER_CARDS:
        helped = [seat for seat in rivals_on_board(view) if _helps_rival(view, card, seat)]
        if helped:
            names = words.join_with_and([context.short_names[seat] for seat in helped])
            return f"If you played it, the {short_card(card)} would bring {names} closer to a banner."
    rest = list(view.hand)
    rest.remove(card)
    assert view.seat is not None
    need = lacking_banners(view, view.seat)
    useful = [short_card(each) for each in sort_hand(set(rest)) if each in NUMBER_CARDS and each // 13 in need]
    if useful:
        leads = "leads to an edge whose banner" if len(useful) == 1 else "lead to edges whose banners"
        return f"You keep {words.join_with_and(useful[:4])}, which {leads} you need."
    return "It helps nobody, and you draw a new card in its place."


def _helps_rival(view: View, card: int, seat: int) -> bool:
    """Whether the card would move a rival closer to an edge that they need, or over it."""
    path = board.mage_path(view, seat, card)
    if path.crosses:
        return card // 13 in lacking_banners(view, seat)
    return nearest_edge(view, seat, path.end)[0] < nearest_edge(view, seat, path.start)[0]
