"""Wizard as a person gets to see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from cogs.screens import words
from cogs.screens.screen import Button, Buttons, Context, Control, Option, Plain, Screen, Select
from cogs.wizard.pictures import hand_picture, sheet_picture, table_picture
from cogs.wizard.words import (
    card,
    emoji,
    hand_lines,
    in_order,
    last_trick,
    plates,
    round_line,
    trick_lines,
    trump_lines,
    waiting,
)
from engines.game import Decision, Outcome
from engines.wizard import WIZARD, deck
from engines.wizard.deck import JESTER
from engines.wizard.model import (
    AnyEvent,
    Bid,
    BidMade,
    CardPlayed,
    HandDealt,
    Move,
    NameTrump,
    Options,
    Play,
    RoundDealt,
    RoundScored,
    TrickTaken,
    TrumpNamed,
    View,
)
from engines.wizard.turn import length

MOST_BUTTONS = 10


class WizardScreen(Plain):
    """Wizard's face: pure functions from views to screens."""

    def table(self, view: View, context: Context) -> Screen:
        """The public table."""
        above = (f"## {round_line(view)}\n{waiting(view, context)}", *words.newest(context.news))
        below = (
            "\n".join(trump_lines(view, context)),
            "\n".join(plates(view, context)),
            "\n".join(trick_lines(view, context)),
            *last_trick(view, context),
        )
        return Screen(above, table_picture(view), below)

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """A seat's hand: first what to do, then the cards, then the table in words."""
        asked = decision is not None and bool(moves)
        todo = _todo(view, moves) if asked else waiting(view, context)
        above = (f"{todo}\n-# {round_line(view)}", *words.newest(context.news), "\n".join(hand_lines(view)))
        below = (
            "\n".join(trump_lines(view, context)),
            "\n".join(trick_lines(view, context)),
            "\n".join(plates(view, context)),
            *last_trick(view, context),
        )
        return Screen(above, hand_picture(view, moves if asked else ()), below, _controls(moves) if asked else ())

    def sheet(self, view: View, context: Context) -> Screen:
        """Every round's bids, tricks and points, and the totals."""
        totals = [f"{words.seat(context, seat)}: {words.plain(total)}" for seat, total in enumerate(view.scores)]
        return Screen(("\n".join([*_rounds(view), "**Total**", *totals]),))

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """The end: who won, every place, the whole sheet."""
        above = (f"## {words.headline(outcome, context)}\n{round_line(view)}, the end.", *words.newest(context.news))
        places = "\n".join(words.places(outcome, context))
        return Screen(
            above, sheet_picture(view, outcome), (places, *last_trick(view, context), "\n".join(_rounds(view)))
        )

    def tell(self, event: AnyEvent, context: Context) -> str | None:
        """One event in a sentence."""
        names = context.names
        match event:
            case RoundDealt():
                return f"Round {event.round}: {names[event.dealer]} deals. {_turned(event, context)}"
            case HandDealt():
                return f"You are dealt {words.listed([card(one) for one in in_order(event.cards)])}."
            case TrumpNamed():
                return f"{names[event.seat]} names {words.suit(event.suit)} as trump."
            case BidMade():
                return f"{names[event.seat]} bids {event.tricks}."
            case CardPlayed():
                return f"{names[event.seat]} plays {_article(event.card)}."
            case TrickTaken():
                return f"{names[event.seat]} takes the trick."
            case RoundScored():
                points = [
                    f"{name} {words.signed(score.points)}" for name, score in zip(names, event.scores, strict=True)
                ]
                return f"Round {event.round} is scored: {', '.join(points)}."
            case _:
                assert_never(event)

    def label(self, move: Move) -> str:
        """`Play the 10 of hearts ♥`, `Bid 2`, `Name hearts ♥`."""
        match move:
            case Play(which):
                return f"Play {_article(which)}"
            case Bid(tricks):
                return f"Bid {tricks}"
            case NameTrump(suit):
                return f"Name {words.suit(suit)} as trump"

    def turn(self, view: View, decision: Decision) -> str:
        """What the seat is asked for."""
        lead = "play a card" if view.trick else "lead a card"
        asked = {"trump": "name the trump", "bid": "bid", "play": lead}
        return f"{asked[decision.kind]} in round {view.round}"

    def options(self, options: Options, seats: int) -> Mapping[str, str]:
        """How many rounds it will be."""
        full, rounds = length(seats, Options()), length(seats, options)
        if options.rounds is not None and options.rounds > full:
            return {"rounds": f"{full} (the full game; {options.rounds} were asked for, {seats} players have no more)"}
        return {"rounds": f"{full} (the full game)" if rounds == full else f"{rounds} (the full game has {full})"}

    def values(self, option: str, seats: int) -> Sequence[int | None]:
        """The full game, and every shorter one that so many players have cards for."""
        return (None, *range(1, length(seats, Options())))


def _todo(view: View, moves: Sequence[Move]) -> str:
    """What the reader has to do next."""
    if view.phase == "trump":
        return "**Name the trump**: a Wizard is turned up and you deal. Which suit shall be trump?"
    if view.phase == "bid":
        many = f"how many of the {view.round} tricks will you take?"
        return f"**Bid**: {'will you take the one trick? Say 0 or 1.' if view.round == 1 else many}"
    if not view.trick:
        return "**Lead a card**: any card you like."
    suit = deck.suit_to_follow(view.trick)
    if deck.open_suit(view.trick):
        return "**Play a card**: no suit is to be followed yet, so any card. A card of a suit will set it."
    if suit is None:
        return "**Play a card**: no suit is to be followed, so any card."
    cards = [move.card for move in moves if isinstance(move, Play)]
    if all(deck.SUIT[one] in (suit, None) for one in cards) and any(deck.SUIT[one] == suit for one in cards):
        return f"**Play a card**: {words.suit(suit)} must be followed. You may play {_either(in_order(cards))}."
    return f"**Play a card**: {words.suit(suit)} is led and you have none, so any card."


def _either(cards: Sequence[int]) -> str:
    """`the 3 of hearts ♥ or a Wizard`."""
    return words.either([_article(one) for one in cards])


def _controls(moves: Sequence[Move]) -> tuple[Control, ...]:
    """A control for every move."""
    match moves[0]:
        case Play():
            return _card_controls([move for move in moves if isinstance(move, Play)])
        case Bid():
            return _bid_controls([move for move in moves if isinstance(move, Bid)])
        case NameTrump():
            named = {move.suit: move for move in moves if isinstance(move, NameTrump)}
            return (Buttons(tuple(_suit_button(named[suit]) for suit in words.SUIT_ORDER if suit in named)),)


def _card_controls(moves: Sequence[Play]) -> tuple[Control, ...]:
    cards = in_order([move.card for move in moves])
    if len(cards) <= MOST_BUTTONS:
        return (Buttons(tuple(_card_button(one) for one in cards)),)
    options = tuple(Option(card(one).capitalize(), WIZARD.write(Play(one)), emoji=emoji(one)) for one in cards)
    return (Select("Play a card", options),)


def _bid_controls(moves: Sequence[Bid]) -> tuple[Control, ...]:
    """The first ten numbers as buttons, which are the likely ones; all of them in a list where there are more."""
    row = Buttons(tuple(Button(str(move.tricks), WIZARD.write(move)) for move in moves[:MOST_BUTTONS]))
    if len(moves) <= MOST_BUTTONS:
        return (row,)
    options = tuple(Option(f"Bid {move.tricks}", WIZARD.write(move)) for move in moves)
    return (row, Select(f"Any bid from 0 to {moves[-1].tricks}", options))


def _card_button(one: int) -> Button:
    name = deck.name(one)
    return Button(name if one < JESTER else name.capitalize(), WIZARD.write(Play(one)), emoji=emoji(one))


def _suit_button(move: NameTrump) -> Button:
    word, _ = words.suit(move.suit).split()
    return Button(word.capitalize(), WIZARD.write(move), emoji=words.EMOJI[move.suit])


def _article(one: int) -> str:
    """`the 10 of hearts ♥`, `a Wizard`."""
    return f"{'the' if one < JESTER else 'a'} {card(one)}"


def _turned(event: RoundDealt, context: Context) -> str:
    """The turned card of a deal and what follows from it."""
    if event.turned is None:
        return "Every card is dealt: no trump."
    up = (
        f"{_article(event.turned).capitalize() if event.turned >= JESTER else 'The ' + card(event.turned)} is turned up"
    )
    if event.trump is not None:
        return f"{up}: {words.suit(event.trump)} is trump."
    return f"{up}: no trump." if event.turned == JESTER else f"{up}: {context.names[event.dealer]} names the trump."


def _rounds(view: View) -> list[str]:
    """A line a round, as short as it goes: on a telephone there is no room for more."""
    lines = [f"**{number}**: {_row(row)}" for number, row in enumerate(view.sheet, 1)]
    if not lines:
        return ["### Score sheet", "No round is scored yet."]
    return ["### Score sheet", "-# By round: tricks bid / taken, points", *lines]


def _row(row: Sequence[tuple[int, int, int]]) -> str:
    """One round of the sheet."""
    cells = [
        f"{words.letter(seat)} {bid}/{taken} {words.signed(points)}" for seat, (bid, taken, points) in enumerate(row)
    ]
    return words.dotted(cells)
