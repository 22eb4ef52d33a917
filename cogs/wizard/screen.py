"""Wizard as a person gets to see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from cogs.screens import words
from cogs.screens.control_widths import LINE, NEWS, breadth
from cogs.screens.screen import Button, Buttons, Context, Control, Option, Plain, Screen, Select, Unwritten
from cogs.wizard.pictures import hand_picture, sheet_picture, table_picture
from cogs.wizard.reasons import reason
from cogs.wizard.words import (
    card,
    hand_lines,
    in_order,
    last_trick,
    plates,
    round_line,
    short,
    trick_lines,
    trump_lines,
    waiting,
)
from engines.kit.cards import SUIT_WORDS
from engines.kit.contract import Decision, Outcome
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

IN_ROW = 5  # buttons
MOST_ROWS = 2  # of cards
MOST_BIDS = 15  # buttons, in three rows
WORTH = "Bid met: 20 + 10 a trick. Else −10 a trick off."


class WizardScreen(Plain):
    """Wizard's face: pure functions from views to screens."""

    def table(self, view: View, context: Context) -> Screen:
        """The public table."""
        above = Unwritten(lambda: (f"## {round_line(view)}\n{waiting(view, context)}", *words.newest(context.news)))

        def below() -> tuple[str, ...]:
            lines = (trump_lines(view, context), plates(view, context), trick_lines(view, context))
            return *map("\n".join, lines), *last_trick(view, context)

        return Screen(above, table_picture(view, context), Unwritten(below), headline=_waiting(view, context))

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """A seat's hand: first what to do, then the cards, then the table in words."""
        asked = decision is not None and bool(moves)

        def above() -> tuple[str, ...]:
            todo = _todo(view, moves) if asked else waiting(view, context)
            return f"{todo}\n-# {round_line(view)}", *words.newest(context.news), "\n".join(hand_lines(view))

        def below() -> tuple[str, ...]:
            lines = (trump_lines(view, context), trick_lines(view, context), plates(view, context))
            return *map("\n".join, lines), *last_trick(view, context)

        return Screen(
            Unwritten(above),
            hand_picture(view, moves if asked else (), context),
            Unwritten(below),
            _controls(moves) if asked else (),
            headline=_asked(view, moves) if asked else _waiting(view, context),
            worth=WORTH,
            rule=_rule(view),
        )

    def sheet(self, view: View, context: Context) -> Screen:
        """Every round's bids, tricks and points, and the totals."""
        totals = [f"{words.seat(context, seat)}: {words.plain(total)}" for seat, total in enumerate(view.scores)]
        return Screen(("\n".join([*_rounds(view, context), "**Total**", *totals]),), sheet_picture(view, context))

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """The end: who won, every place, the whole sheet."""
        above = (f"## {words.headline(outcome, context)}\n{round_line(view)}, the end.", *words.newest(context.news))
        places = "\n".join(words.places(outcome, context))
        below = (places, *last_trick(view, context), "\n".join(_rounds(view, context)))
        return Screen(
            above, sheet_picture(view, context, outcome), below, headline=words.ending(outcome, context), rule="W11"
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

    def brief(self, event: AnyEvent, context: Context) -> str | None:
        """One event as briefly as it goes."""
        names = context.short
        match event:
            case RoundDealt() | BidMade():
                return None  # the plates and the trump in the picture say so
            case HandDealt():
                return None
            case TrumpNamed():
                return f"{names[event.seat]} names {words.suit(event.suit)}"
            case CardPlayed():
                return f"{names[event.seat]} {short(event.card)}"
            case TrickTaken():
                return f"{names[event.seat]} takes it"
            case RoundScored():
                points = [words.signed(score.points) for score in event.scores]
                named = [f"{name} {won}" for name, won in zip(names, points, strict=True)]
                whole, brief = (f"round {event.round}: {', '.join(told)}" for told in (named, points))
                return whole if breadth(whole) < NEWS - LINE / 2 else brief  # beside who took the last trick
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

    def reason(self, view: View, move: Move, context: Context) -> str:
        """What speaks for a move."""
        return reason(view, move)

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


def _waiting(view: View, context: Context) -> str:
    """Whom the match waits for."""
    lead = "play a card" if view.trick else "lead a card"
    wanted = {"trump": "name the trump", "bid": "bid", "play": lead}.get(view.phase)
    return f"Waiting for {context.short[view.turn]} to {wanted}." if wanted else "The match is over."


def _asked(view: View, moves: Sequence[Move]) -> str:
    """What to do, in one sentence."""
    if view.phase == "trump":
        return "Name the trump: a Wizard is turned up."
    if view.phase == "bid":
        return "Bid: will you take the one trick?" if view.round == 1 else f"Bid: how many of the {view.round} tricks?"
    if not view.trick:
        return "Lead a card: any you like."
    suit = deck.suit_to_follow(view.trick)
    if suit is None:
        return f"Play any card: {'only Jesters so far' if deck.open_suit(view.trick) else 'a Wizard was led'}."
    if _follows(moves, suit):
        return f"Play a card: follow {words.suit(suit)}."
    return f"Play any card: you have no {SUIT_WORDS[suit]}."


def _follows(moves: Sequence[Move], suit: int) -> bool:
    """Whether these are the cards of one who has to follow suit."""
    suits = [deck.SUIT[move.card] for move in moves if isinstance(move, Play)]
    return suit in suits and set(suits) <= {suit, None}


def _rule(view: View) -> str:
    """The rule that the present decision is about."""
    if view.phase == "play":
        return "W5" if not view.trick else "W6" if deck.suit_to_follow(view.trick) is None else "W7"
    return {"trump": "W3", "bid": "W4"}.get(view.phase, "W10")


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
    if _follows(moves, suit):
        cards = [move.card for move in moves if isinstance(move, Play)]
        return f"**Play a card**: {words.suit(suit)} must be followed. You may play {_either(in_order(cards))}."
    return f"**Play a card**: {words.suit(suit)} were led and you have none, so any card."


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
    """A button a card where two rows are enough, else a list."""
    rows: list[list[int]] = [[]]
    for one in in_order([move.card for move in moves]):
        rows = [*rows[:-1], [*rows[-1], one]] if _fit([*rows[-1], one]) else [*rows, [one]]
    if len(rows) <= MOST_ROWS:
        return tuple(Buttons(tuple(Button(short(one), WIZARD.write(Play(one))) for one in row)) for row in rows)
    return (Select("Play a card", tuple(Option(short(one), WIZARD.write(Play(one))) for row in rows for one in row)),)


def _fit(row: Sequence[int]) -> bool:
    """Whether a telephone shows these side by side: five cards, or four where the word for one is long."""
    return len(row) <= (IN_ROW if all(one < JESTER for one in row) else IN_ROW - 1)


def _bid_controls(moves: Sequence[Bid]) -> tuple[Control, ...]:
    """A button a number; where they are too many, the first ten, which are the likely ones, and a list of all."""
    shown = moves if len(moves) <= MOST_BIDS else moves[: 2 * IN_ROW]
    row = Buttons(tuple(Button(str(move.tricks), WIZARD.write(move)) for move in shown))
    if shown is moves:
        return (row,)
    options = tuple(Option(f"Bid {move.tricks}", WIZARD.write(move)) for move in moves)
    return (row, Select(f"Any bid from 0 to {moves[-1].tricks}", options))


def _suit_button(move: NameTrump) -> Button:
    return Button(words.suit(move.suit).capitalize(), WIZARD.write(move))


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
        return f"{up}: {words.suit(event.trump)} are trump."
    return f"{up}: no trump." if event.turned == JESTER else f"{up}: {context.names[event.dealer]} names the trump."


def _rounds(view: View, context: Context) -> list[str]:
    """A line a round, as short as it goes: on a telephone there is no room for more."""
    lines = [f"**{number}**: {_row(row, context)}" for number, row in enumerate(view.sheet, 1)]
    if not lines:
        return ["### Score sheet", "No round is scored yet."]
    return ["### Score sheet", "-# By round: tricks bid / taken, points", *lines]


def _row(row: Sequence[tuple[int, int, int]], context: Context) -> str:
    """One round of the sheet."""
    cells = [
        f"{words.brief(context, seat)} {bid}/{taken} {words.signed(points)}"
        for seat, (bid, taken, points) in enumerate(row)
    ]
    return words.dotted(cells)
