"""Reasons for Jest's moves: one sentence each, based only on what the seat can see."""

from __future__ import annotations

from statistics import fmean

from cogs.jest.words import condition_text, short_card
from cogs.screens import words
from engines.jest import deck, scoring
from engines.jest.deck import CARD_BIT, RANKING, SUIT, VALUE
from engines.jest.model import KnownRound, Move, Offer, Take
from engines.jest.scoring import CONDITIONS
from engines.jest.view import View

MIN_DIFFERENCE = 0.25  # the smallest difference in points worth mentioning
OPEN_TESTS = ("highest", "lowest", "majority", "joker")


def move_reason(view: View, move: Move) -> str:
    """Return why the move may be good."""
    match move:
        case Offer(down):
            return _offer_reason(view, down)
        case Take(source, up):
            card = view.up[source] if up else view.down[source]
            return _hidden_card_reason(view, source) if card is None else _open_card_reason(view, card)


def _the_card(card: int) -> str:
    """`the Joker`, `the 3♠`."""
    return f"the {short_card(card)}"


# Offers


def _offer_reason(view: View, down: int) -> str:
    """How early the face-up card lets its owner take, or what the face-down card hides."""
    up = next(card for card in view.hand if card != down)
    if RANKING[up] < RANKING[down]:
        return f"Nobody sees {_card_worth_text(down)}, and the others see {_card_worth_text(up)}."
    if not any(RANKING[card] > RANKING[up] for card in unseen_cards(view)):
        return f"No unseen card is higher than {_the_card(up)}, so you take first."
    return (
        f"{words.capitalize(_the_card(up))} is higher and lets you take sooner, and nobody sees "
        f"{_card_worth_text(down)}."
    )


def _card_worth_text(card: int) -> str:
    """The card, and what it usually does in a Jest."""
    if card == deck.JOKER:
        return _the_card(card)
    points = _card_value(card)
    does = "adds points" if points > 0 else "takes points away" if points < 0 else "is worth nothing without the Joker"
    return f"{_the_card(card)}, which {does}"


def _card_value(card: int) -> int:
    """The card's value in a Jest of its own: black cards add, diamonds subtract, hearts count nothing."""
    return scoring.jest_value(CARD_BIT[card])


# Cards to take


def _open_card_reason(view: View, card: int) -> str:
    """What a face-up card does for the Jest, or for a trophy."""
    change, worth = card_gain(view, card), scoring.jest_value(deck.make_jest(view.jest) | CARD_BIT[card])
    if change > 0:
        text = (
            f"With {_the_card(card)} your Jest is worth {words.plain_number(worth)}, "
            f"{words.pluralize(change, 'point')} more"
        )
    elif change < 0:
        text = f"{words.capitalize(_the_card(card))} costs you {words.pluralize(-change, 'point')}"
    else:
        text = f"{words.capitalize(_the_card(card))} costs you nothing"
    others = [card_gain(view, other) for other in _takable_cards(view) if other != card]
    if wanted := _likely_trophy(view, card):
        return f"{text}, {'but' if change < 0 else 'and'} it may bring the trophy for {wanted}."
    if others and change >= max(others):
        return f"{text}, and no other face-up card is {'as good' if change > max(others) else 'better'}."
    if left := [
        card_gain(view, other)
        for other in view.hand
        if card in view.hand and other != card and card_gain(view, other) < change
    ]:
        return f"{text}, and your other card {_would_text(left[0])}."
    blind = fmean([card_gain(view, other) for other in unseen_cards(view)] or [0])
    if change > blind:
        return f"{text}, while an unseen card {gain_text(blind)} on average."
    return f"{text}."


def _hidden_card_reason(view: View, source: int) -> str:
    """What a face-down card is likely to bring, compared with the face-up cards."""
    blind = fmean([card_gain(view, card) for card in unseen_cards(view)] or [0])
    text = f"An unseen card {gain_text(blind)} on average"
    up = view.up[source]
    if card_gain(view, up) < blind - MIN_DIFFERENCE:
        return f"{text}, while {_the_card(up)} beside it {_would_text(card_gain(view, up))}."
    worse = [card for card in _takable_cards(view) if card_gain(view, card) < blind - MIN_DIFFERENCE]
    if worse:
        least = min(worse, key=lambda card: card_gain(view, card))
        return f"{text}, while {_the_card(least)}, which is face up, {_would_text(card_gain(view, least))}."
    return f"{text}, and only the player who offered it knows which card you have."


def card_gain(view: View, card: int) -> int:
    """Return how much the card adds to the value of the player's Jest so far."""
    jest = deck.make_jest(view.jest)
    return scoring.jest_value(jest | CARD_BIT[card]) - scoring.jest_value(jest)


def gain_text(mean: float) -> str:
    """Return a gain in words: `brings you 1.5 points`, `costs you 0.1 points`."""
    return _gain_clause(mean, "brings", "costs")


def _would_text(gain: int) -> str:
    """`would bring you 2 points`, `would cost you 1 point`."""
    return f"would {_gain_clause(gain, 'bring', 'cost')}"


def _gain_clause(mean: float, bring: str, cost: str) -> str:
    rounded = abs(round(mean, 1))
    if not rounded:
        return f"{bring} you nothing"
    return f"{bring if mean > 0 else cost} you {rounded:g} point{'' if rounded == 1 else 's'}"


def _takable_cards(view: View) -> list[int]:
    """The face-up cards that can be taken."""
    return [view.up[seat] for seat in range(view.seats) if view.complete[seat] and seat != view.seat]


def _likely_trophy(view: View, card: int) -> str:
    """The condition of a trophy that this card would win, or an empty text."""
    for trophy in view.trophies:
        condition = CONDITIONS[trophy]
        if condition.test not in OPEN_TESTS:
            continue
        meets = {"majority": VALUE[card] == condition.subject, "joker": card == deck.JOKER}.get(
            condition.test, SUIT[card] == condition.subject
        )
        better = [each for each in _cards_in_play(view) if _beats_for_trophy(condition.test, each, card)]
        if meets and not better:
            return condition_text(condition)
    return ""


def _beats_for_trophy(test: str, other: int, card: int) -> bool:
    """Whether another card of the suit would win the trophy instead."""
    if test not in ("highest", "lowest") or SUIT[other] != SUIT[card]:
        return False
    return VALUE[other] > VALUE[card] if test == "highest" else VALUE[other] < VALUE[card]


def _cards_in_play(view: View) -> list[int]:
    """All cards that can end up in a Jest, including the player's own."""
    return [card for card in deck.DECK if card not in view.trophies]


def unseen_cards(view: View) -> list[int]:
    """Return the cards whose place the player does not know: they may lie face down."""
    known = {*view.trophies, *view.hand, *view.up, *view.jest}
    now = [KnownRound(view.up, view.down, view.takes)] if view.up else []
    for known_round in (*view.past, *now):
        for take in known_round.takes:
            card = known_round.up[take.source] if take.up else known_round.down[take.source]
            known |= set() if card is None else {card}
    known |= {card for card in view.down if card is not None}
    return [card for card in deck.DECK if card not in known]
