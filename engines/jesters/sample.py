"""Samples full states that could lie behind a view of Jesters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engines.jesters.model import FAVORITES, GIFTS, JEST_CARDS, PERFORMANCES, State
from engines.jesters.view import View
from engines.kit.chance import Chance


def sample(view: View, chance: Chance) -> State:
    """Keep what the view shows, and deal the unseen at random. Every possible place of a card is equally likely."""
    hands, draw = _deal_jest_cards(view, chance)
    drawn, gift_pile = _deal_gifts(view, chance)
    own = () if view.seat is None else (view.seat,)
    attempt = view.attempt
    dice = attempt.dice if attempt else ()
    return State(
        chance=chance.fork(),
        first=view.first,
        turn=view.turn,
        round=view.round,
        phase=view.phase,
        dice=[list(owned) for owned in view.dice],
        middle=list(view.middle),
        hands=hands,
        draw=draw,
        discard=list(view.discard),
        packs=list(view.packs),
        refills=view.refills,
        favorites=_shuffle_unseen(FAVORITES, [view.favorite, *view.placed], chance),
        favorite=view.favorite,
        placed=list(view.placed),
        pile=_shuffle_unseen(PERFORMANCES, [*view.board, *sum(view.completed, ())], chance),
        board=list(view.board),
        completed=[list(own) for own in view.completed],
        gift_pile=gift_pile,
        under=[() if gift is None else own for gift in view.under],
        gifts=[list(given) for given in view.gifts],
        used=list(view.used),
        drawn=drawn,
        drawn_known=[() if gift is None or view.seat == view.turn else own for gift in view.drawn],
        failures=list(view.failures),
        fame=list(view.fame),
        passed=list(view.passed),
        done=list(view.done),
        target=attempt.target if attempt else None,
        own=[die.own for die in dice],
        colours=[die.colour for die in dice],
        faces=[die.face for die in dice],
        marking=attempt.marking if attempt else None,
        marked=list(attempt.marked) if attempt else [],
        final=view.final,
        numbers=list(view.numbers),
    )


def _deal_jest_cards(view: View, chance: Chance) -> tuple[list[list[int]], list[int]]:
    """Return the hands and the draw pile, with every card at a place of its pack."""
    known_cards = {*view.hand, *view.discard}
    unseen = chance.shuffle([card for card in JEST_CARDS if card not in known_cards])
    packs: list[list[int]] = [[] for _ in range(view.refills + 1)]
    for card in unseen:
        packs[view.packs[card - 1]].append(card)
    hands = [
        list(view.hand) if seat == view.seat else sorted(packs[pack].pop() for pack in own_packs)
        for seat, own_packs in enumerate(view.hand_packs)
    ]
    return hands, packs[-1]


def _deal_gifts(view: View, chance: Chance) -> tuple[list[int], list[int]]:
    """Return the Gifts that were drawn to choose from, and their pile."""
    left = _shuffle_unseen(GIFTS, [*sum(view.gifts, ()), *_known_gifts(view.under), *_known_gifts(view.drawn)], chance)
    drawn = [left.pop() if gift is None else gift for gift in view.drawn]
    under = [left.pop() if gift is None else gift for gift in view.under]
    return drawn, [*under, *left]


def _known_gifts(gifts: Sequence[int | None]) -> list[int]:
    return [gift for gift in gifts if gift is not None]


def _shuffle_unseen(every: Iterable[int], known_cards: Iterable[int], chance: Chance) -> list[int]:
    """Return what nobody can have seen, in random order."""
    excluded = set(known_cards)
    return chance.shuffle([number for number in every if number not in excluded])
