"""Reasons for Wizard's moves: one sentence each, based only on what the seat can see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from cogs.screens import words
from cogs.wizard.words import card_with_article, short_card, sort_hand
from engines.kit.cards import SUIT_WORDS
from engines.wizard import deck
from engines.wizard.deck import ELEPHANT, JESTER, MOUSE, STRENGTH, SUIT, TRAPDOOR, WIZARD, pack
from engines.wizard.house_rules import forbidden_bid
from engines.wizard.model import Bid, LowerBid, Move, NameTrump, PassCard, Play, RaiseBid
from engines.wizard.view import View

Fate = Literal["takes", "loses", "open"]
"""What happens to a card in this trick, as far as its seat can tell."""
FEW_CARDS = 6  # up to this many cards that can beat another one count as few
NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def move_reason(view: View, move: Move) -> str:
    """Return why the move may be good."""
    match move:
        case NameTrump(None) if not view.is_hand_hidden:
            return "Without trumps, nobody can trump your cards."
        case NameTrump(suit):
            return _trump_reason(view, suit)
        case Bid() if view.is_hand_hidden:
            return _blind_bid_reason(view)
        case Bid():
            return _bid_reason(view)
        case Play(card):
            return _play_reason(view, card)
        case PassCard(card):
            return _pass_reason(view, card)
        case RaiseBid():
            return _adjustment_reason(view, 1)
        case LowerBid():
            return _adjustment_reason(view, -1)


def _trump_reason(view: View, suit: int | None) -> str:
    """The number of held cards of the suit, and the highest one."""
    if view.is_hand_hidden or suit is None:
        return "You name the trump suit before you see your cards, so all suits are alike to you."
    by_suit = {each: [card for card in view.hand if SUIT[card] == each] for each in range(4)}
    own, word = by_suit[suit], SUIT_WORDS[suit]
    if not own:
        return f"You hold no {word}, so none of your cards would be a trump."
    top = max(own, key=STRENGTH.__getitem__)
    many = NUMBER_WORDS[len(own)] if len(own) < len(NUMBER_WORDS) else str(len(own))
    if len(own) == 1:
        return f"The {short_card(top)} is your only {word[:-1]}, and trump makes it stronger."
    most = all(len(own) > len(other) for each, other in by_suit.items() if each != suit)
    more = ", more than of any other suit" if most else ""
    return f"You hold {many} {word}{more}, the highest of them the {short_card(top)}."


# Bids


def _bid_reason(view: View) -> str:
    """The cards that are likely to take tricks, and the other bids."""
    others = _other_bids_clause(view)
    if len(view.hand) == 1:
        return f"Your only card is {_card_phrase(view, view.hand[0])}{others}."
    return f"You hold {_strong_cards_text(view)}{others}."


def _blind_bid_reason(view: View) -> str:
    """How many tricks a hand takes on average, and the other bids."""
    low, rest = divmod(view.trick_count, view.places)
    share = words.pluralize(low, "trick") if not rest else f"{low} to {words.pluralize(low + 1, 'trick')}"
    return f"A hand that you have not seen takes {share} on average{_other_bids_clause(view)}."


def _other_bids_clause(view: View) -> str:
    """The total of the bids so far, and the bid that the hook forbids."""
    bids_made = [bid for bid in view.bids if bid is not None]
    if not bids_made:
        return ""
    all_others = "the other player has bid" if view.seats == 2 else "the others have bid"
    so_far = all_others if len(bids_made) == view.seats - 1 else "so far the bids add up to"
    hooked = forbidden_bid(view.hook, view.trick_count, view.bids)
    forbidden = "" if hooked is None else f", so you cannot bid {hooked}"
    return f", and {so_far} {sum(bids_made)} of {words.pluralize(view.trick_count, 'trick')}{forbidden}"


def _card_phrase(view: View, card: int) -> str:
    """A card, and whether it is a trump."""
    if SUIT[card] is None:
        return card_with_article(card)
    if view.trump is None:
        return f"the {short_card(card)}"
    return f"the {short_card(card)}, {'a trump' if SUIT[card] == view.trump else 'not a trump'}"


def _strong_cards_text(view: View) -> str:
    """The Elephant, Wizards, trumps, aces and kings in the hand."""
    wizards = view.hand.count(WIZARD)
    trumps = [card for card in view.hand if view.trump is not None and SUIT[card] == view.trump]
    others = [card for card in sort_hand(view.hand) if card < JESTER and card not in trumps]
    parts = ["the Elephant"] if ELEPHANT in view.hand else []
    parts += [_count_phrase(wizards, "Wizard")] if wizards else []
    if trumps:
        top = short_card(max(trumps, key=STRENGTH.__getitem__))
        parts.append(f"the trump {top}" if len(trumps) == 1 else f"{_number_word(len(trumps))} trumps up to the {top}")
    for strength, one in ((13, "ace"), (12, "king")):
        number = sum(STRENGTH[card] == strength for card in others)
        parts += [_count_phrase(number, one)] if number else []
    if parts:
        return words.join_with_and(parts)
    return f"no Wizard, {'' if view.trump is None else 'no trump, '}no ace and no king"


def _count_phrase(number: int, noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}" if number == 1 else f"{_number_word(number)} {noun}s"


def _number_word(number: int) -> str:
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else str(number)


# Special cards


def _pass_reason(view: View, card: int) -> str:
    """The tricks that are still needed, and the card that is kept or given away (W24)."""
    assert view.seat is not None
    need = (view.bids[view.seat] or 0) - view.taken[view.seat]
    text = _need_text(need, len(view.hand)) if need > 0 else _no_need_text(view, need)
    powers = {each: _card_power(view, each) for each in view.hand}
    pick, which = (min, "weakest") if need > 0 else (max, "strongest")
    if powers[card] == pick(powers.values()):
        return f"{text}, and {_the_card(card)} is your {which} card."
    keep = max if need > 0 else min
    best = keep((each for each in view.hand if each != card), key=powers.__getitem__)
    return f"{text}, and this keeps {_the_card(best)}."


def _adjustment_reason(view: View, by: int) -> str:
    """What the changed bid would be, and what speaks for it (W25)."""
    assert view.seat is not None
    bid, taken = view.bids[view.seat] or 0, view.taken[view.seat]
    if bid == 0:
        return "A bid of 0 can only be raised."
    if bid == view.trick_count:
        return "Your bid is the highest possible, so you can only lower it."
    if not view.hand:
        if taken == bid + by:
            return f"You took {words.pluralize(taken, 'trick')}, so a bid of {taken} is met exactly."
        if taken == bid:
            return f"You took {words.pluralize(taken, 'trick')}, so either change makes your bid wrong by one."
        return f"You took {words.pluralize(taken, 'trick')} for a bid of {bid}."
    need, left = bid - taken, len(view.hand)
    if need > left:
        return f"Your bid is out of reach with {words.pluralize(left, 'card')} left."
    text = _need_text(need, left) if need > 0 else _no_need_text(view, need)
    return f"{text}, and you hold {_strong_cards_text(view)}."


# Cards


def _play_reason(view: View, card: int) -> str:
    """The tricks that are still needed, and what the card does for that."""
    assert view.seat is not None
    need, left = (view.bids[view.seat] or 0) - view.taken[view.seat], len(view.hand)
    fates = {each: card_fate(view, each) for each in _legal_cards(view)}
    if need > 0:
        return f"{_need_text(need, left)}{_wanted_clause(view, card, fates)}."
    return f"{_no_need_text(view, need)}{_unwanted_clause(view, card, fates)}."


def _no_need_text(view: View, need: int) -> str:
    assert view.seat is not None
    if need < 0:
        return "You have more tricks than you bid"
    return "You need no more tricks" if view.bids[view.seat] else "You do not need any tricks"


def _need_text(need: int, remaining: int) -> str:
    if need > remaining:
        return "Your bid is out of reach, and each trick still saves 10 points"
    if need == remaining:
        return "You need this trick" if remaining == 1 else "You need every remaining trick"
    return f"You still need {_number_word(need)} trick{'' if need == 1 else 's'}"


def _wanted_clause(view: View, card: int, fates: dict[int, Fate]) -> str:
    """What the card does for a player who still needs tricks."""
    if (clause := _special_clause(view, card)) and fates[card] != "takes":
        return clause
    others = [each for each in view.hand if each != card]
    suit = SUIT[card]
    match fates[card]:
        case "takes":
            return f", and {_sure_clause(view, card)}"
        case "open" if suit is not None and suit == view.trump and deck.suit_to_follow(view.trick) not in (None, suit):
            return f", and {_the_card(card)} trumps the trick"
        case "open" if not others or _is_highest_left(view, card):
            return f", and {_likely_clause(view, card)}"
        case "open" if len(beating_cards(view, card)) <= FEW_CARDS:
            return f", and only {_likely_clause(view, card)}"
    best = max(others, key=lambda each: _card_power(view, each), default=card)
    if all(each == "loses" for each in fates.values()):
        lowest = min(fates, key=lambda each: _card_power(view, each)) == card
        return f", but none of your cards can take this one{f', and {_the_card(card)} is the lowest' if lowest else ''}"
    if _card_power(view, best) > _card_power(view, card):
        trump = "trump " if best < JESTER and SUIT[best] == view.trump else ""
        return f", and this saves your {trump}{short_card(best)} for a later one"
    return f", and {_likely_clause(view, card)}"


def _sure_clause(view: View, card: int) -> str:
    """Why the card takes the trick."""
    if card == WIZARD and not view.specials:
        return "the first Wizard in a trick takes it"
    if len(view.trick) == view.places - 1:
        return f"you play last, so {_the_card(card)} takes this one"
    return f"no remaining card beats {_the_card(card)}"


def _likely_clause(view: View, card: int) -> str:
    """Why the card may well take the trick."""
    suit = SUIT[card]
    if suit is not None and _is_highest_left(view, card):
        return f"{_the_card(card)} is now the highest {SUIT_WORDS[suit][:-1]}"
    return _odds_clause(view, card)


def _odds_clause(view: View, card: int) -> str:
    """How many cards can beat the card."""
    number = len(beating_cards(view, card))
    return f"{_number_word(number)} unseen card{'' if number == 1 else 's'} can beat {_the_card(card)}"


def _unwanted_clause(view: View, card: int, fates: dict[int, Fate]) -> str:
    """What the card does for a player who needs no more tricks."""
    if (clause := _special_clause(view, card)) and fates[card] != "takes":
        return clause
    match fates[card]:
        case "loses":
            if SUIT[card] is None and card not in (WIZARD, ELEPHANT):
                return f", and {card_with_article(card)} does not take this one"
            losing = [each for each, lost in fates.items() if lost == "loses"]
            if len(losing) > 1 and max(losing, key=lambda each: _card_power(view, each)) == card:
                return f", and {_the_card(card)} is the highest card that you can safely get rid of here"
            return f", and {_the_card(card)} cannot take this one"
        case "open":
            if SUIT[card] is None and card not in (WIZARD, ELEPHANT):
                return f", and {'almost any card' if view.specials else 'any card but a Jester'} beats yours"
            return f", and {_odds_clause(view, card)}"
    if all(each == "takes" for each in fates.values()):
        if TRAPDOOR in unseen_cards(view) and len(view.trick) < view.places - 1:
            return ", but no remaining card beats any card that you can play"
        return ", but every card that you can play takes this one"
    return f", and {_the_card(card)} would be hard to get rid of later"


def _special_clause(view: View, card: int) -> str:
    """What special cards make of this trick."""
    if card == TRAPDOOR:
        return ", and with the Trapdoor nobody takes this trick"
    if TRAPDOOR in view.trick:
        return ", and nobody takes this trick, because the Trapdoor lies in it"
    return ", and the Mouse takes a trick only if the Elephant is in it" if card == MOUSE else ""


def card_fate(view: View, card: int) -> Fate:
    """Return what happens to a card that is played to the trick now."""
    trick = (*view.trick, card)
    last = len(trick) == view.places
    if TRAPDOOR in trick:
        return "loses"
    if deck.winning_index(trick, view.trump) != len(trick) - 1:
        return "open" if card == MOUSE and not last and ELEPHANT in unseen_cards(view) else "loses"
    is_sure = card == WIZARD and not view.specials
    return "takes" if last or is_sure or not beating_cards(view, card) else "open"


def beating_cards(view: View, card: int) -> list[int]:
    """Return the unseen cards that would beat the card in this trick."""
    trick = (*view.trick, card)
    would = {each: deck.winning_index((*trick, each), view.trump) == len(trick) for each in set(pack(view.specials))}
    return [each for each in unseen_cards(view) if would[each]]


def unseen_cards(view: View) -> list[int]:
    """Return the cards that another hand may hold, or that were not dealt."""
    visible = Counter([*view.hand, *view.trick, *(card for trick in view.tricks for card in trick.cards)])
    visible += Counter([] if view.turned is None else [view.turned])
    return list((Counter(pack(view.specials)) - visible).elements())


def _is_highest_left(view: View, card: int) -> bool:
    """Whether no higher card of the suit can still be played or is in the trick."""
    suit = SUIT[card]
    rest = [*unseen_cards(view), *view.hand, *view.trick]
    return suit is not None and all(STRENGTH[each] <= STRENGTH[card] for each in rest if SUIT[each] == suit)


def _legal_cards(view: View) -> Sequence[int]:
    """The cards that may be played (W7)."""
    follow = deck.suit_to_follow(view.trick)
    hand = {*view.hand}
    if follow is None or all(SUIT[card] != follow for card in hand):
        return sorted(hand)
    return sorted(card for card in hand if SUIT[card] in (follow, None))


def _card_power(view: View, card: int) -> int:
    """The usual strength of a card: Jesters, suits by rank, trumps, Wizards, the Elephant."""
    suit = SUIT[card]
    is_high = card in (WIZARD, ELEPHANT)
    return STRENGTH[card] + (20 if suit is not None and suit == view.trump else 40 if is_high else 0)


def _the_card(card: int) -> str:
    return f"the {short_card(card)}"
