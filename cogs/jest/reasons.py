"""Why a move of Jest may be good: what speaks for it, in one sentence, from what its seat knows."""

from __future__ import annotations

from statistics import fmean

from cogs.jest.words import condition, the_short
from cogs.screens import words
from engines.jest import deck, scoring
from engines.jest.deck import ONE, RANKING, SUIT, VALUE
from engines.jest.model import Move, Offer, RoundSeen, Take, View
from engines.jest.scoring import CONDITIONS

NOTICED = 0.25  # points that make a difference worth telling
OPEN_TESTS = ("highest", "lowest", "majority", "joker")


def reason(view: View, move: Move) -> str:
    """What speaks for the move."""
    match move:
        case Offer(down):
            return _offer(view, down)
        case Take(source, up):
            card = view.up[source] if up else view.down[source]
            return _blind(view, source) if card is None else _open(view, card)


# Offers


def _offer(view: View, down: int) -> str:
    """How early the card that is shown lets its owner take, or what is hidden."""
    up = next(card for card in view.hand if card != down)
    if RANKING[up] < RANKING[down]:
        return f"Nobody sees {_worth(down)}; the others see {_worth(up)}."
    if not any(RANKING[card] > RANKING[up] for card in unseen(view)):
        return f"No card that you have not seen is higher than {the_short(up)}, so you take first."
    return f"{words.opening(the_short(up))} is the higher one and lets you take sooner; nobody sees {_worth(down)}."


def _worth(card: int) -> str:
    """The card, and what it does in a Jest as a rule."""
    if card == deck.JOKER:
        return "the Joker"
    points = _alone(card)
    does = "adds points" if points > 0 else "takes points away" if points < 0 else "counts nothing without the Joker"
    return f"{the_short(card)}, which {does}"


def _alone(card: int) -> int:
    """What the card is worth as a rule: black ones add, diamonds take away, hearts are nothing by themselves."""
    return scoring.value(ONE[card])


# Cards to take


def _open(view: View, card: int) -> str:
    """What a known card does to the Jest, or to a trophy."""
    change, worth = gain(view, card), scoring.value(deck.jest(view.jest) | ONE[card])
    if change > 0:
        said = f"With {the_short(card)} your Jest is worth {words.plain(worth)}, {words.counted(change, 'point')} more"
    elif change < 0:
        said = f"{words.opening(the_short(card))} costs you {words.counted(-change, 'point')}"
    else:
        said = f"{words.opening(the_short(card))} costs you nothing"
    others = [gain(view, other) for other in _shown(view) if other != card]
    if wanted := _trophy(view, card):
        return f"{said}, {'but' if change < 0 else 'and'} it may bring the trophy for {wanted}."
    if others and change >= max(others):
        return f"{said}; no other open card does {'as well' if change > max(others) else 'better'}."
    if left := [
        gain(view, other) for other in view.hand if card in view.hand and other != card and gain(view, other) < change
    ]:
        return f"{said}; your other card would bring {_points(left[0])}."
    blind = fmean([gain(view, other) for other in unseen(view)] or [0])
    if change > blind:
        return f"{said}; a card that you have not seen {brings(blind)} on average."
    return f"{said}."


def _blind(view: View, source: int) -> str:
    """What a card that lies face down is likely to bring, beside those that lie open."""
    blind = fmean([gain(view, card) for card in unseen(view)] or [0])
    said = f"A card that you have not seen {brings(blind)} on average"
    up = view.up[source]
    if gain(view, up) < blind - NOTICED:
        return f"{said}, {the_short(up)} beside it {_points(gain(view, up))}."
    worse = [card for card in _shown(view) if gain(view, card) < blind - NOTICED]
    if worse:
        least = min(worse, key=lambda card: gain(view, card))
        return f"{said}; {the_short(least)}, which lies open, {_points(gain(view, least))}."
    return f"{said}, and nobody but its owner learns what you have."


def gain(view: View, card: int) -> int:
    """By how much the card makes the reader's Jest worth more, as far as it goes."""
    jest = deck.jest(view.jest)
    return scoring.value(jest | ONE[card]) - scoring.value(jest)


def brings(mean: float) -> str:
    """`brings you 1.5 points`, `costs you 0.1 points`."""
    rounded = abs(round(mean, 1))
    if not rounded:
        return "brings you nothing"
    return f"{'brings' if mean > 0 else 'costs'} you {rounded:g} point{'' if rounded == 1 else 's'}"


def _points(mean: float) -> str:
    """`+1.5 points`, `−2 points`."""
    rounded = round(mean, 1)
    number = f"{rounded:+g}".replace("-", "−") if rounded else "0"
    return f"{number} point{'' if abs(rounded) == 1 else 's'}"


def _shown(view: View) -> list[int]:
    """The open cards that may be taken."""
    return [view.up[seat] for seat in range(view.seats) if view.complete[seat] and seat != view.seat]


def _trophy(view: View, card: int) -> str:
    """What a trophy asks for that this card meets, if any does."""
    for trophy in view.trophies:
        asked = CONDITIONS[trophy]
        if asked.test not in OPEN_TESTS:
            continue
        meets = {"majority": VALUE[card] == asked.of, "joker": card == deck.JOKER}.get(
            asked.test, SUIT[card] == asked.of
        )
        better = [each for each in _elsewhere(view) if _beats(asked.test, each, card)]
        if meets and not better:
            return condition(asked)
    return ""


def _beats(test: str, other: int, card: int) -> bool:
    """Whether another card of the suit has the trophy rather than this one."""
    if test not in ("highest", "lowest") or SUIT[other] != SUIT[card]:
        return False
    return VALUE[other] > VALUE[card] if test == "highest" else VALUE[other] < VALUE[card]


def _elsewhere(view: View) -> list[int]:
    """All cards that may yet be in a Jest, the reader's own among them."""
    return [card for card in deck.DECK if card not in view.trophies]


def unseen(view: View) -> list[int]:
    """The cards of which the reader does not know where they are: they may lie face down."""
    known = {*view.trophies, *view.hand, *view.up, *view.jest}
    now = [RoundSeen(view.up, view.down, view.takes)] if view.up else []
    for seen in (*view.past, *now):
        for take in seen.takes:
            card = seen.up[take.source] if take.up else seen.down[take.source]
            known |= set() if card is None else {card}
    known |= {card for card in view.down if card is not None}
    return [card for card in deck.DECK if card not in known]
