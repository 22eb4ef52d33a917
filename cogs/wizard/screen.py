"""Wizard as a person gets to see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from cogs.screens import words
from cogs.screens.control_widths import LINE_WIDTH, NEWS_WIDTH, estimate_width
from cogs.screens.screen import BaseScreen, Button, Buttons, Context, Control, LazyParagraphs, Option, Screen, Select
from cogs.wizard.pictures import hand_picture, sheet_picture, table_picture
from cogs.wizard.reasons import move_reason
from cogs.wizard.words import (
    card_text,
    hand_lines,
    last_trick_paragraph,
    plate_lines,
    round_line,
    short_card,
    sort_hand,
    trick_lines,
    trump_lines,
    waiting_text,
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
)
from engines.wizard.turn import round_count
from engines.wizard.view import View

BUTTONS_PER_ROW = 5  # buttons
MAX_ROWS = 2  # of cards
MAX_BID_BUTTONS = 15  # buttons, in three rows
WORTH_TEXT = "Bid met: 20 + 10 a trick. Else −10 a trick off."


class WizardScreen(BaseScreen):
    """Wizard's face: pure functions from views to screens."""

    def table(self, view: View, context: Context) -> Screen:
        """The public table."""
        above = LazyParagraphs(
            lambda: (f"## {round_line(view)}\n{waiting_text(view, context)}", *words.newest_lines(context.news))
        )

        def below() -> tuple[str, ...]:
            lines = (trump_lines(view, context), plate_lines(view, context), trick_lines(view, context))
            return *map("\n".join, lines), *last_trick_paragraph(view, context)

        return Screen(
            above, table_picture(view, context), LazyParagraphs(below), headline=_waiting_headline(view, context)
        )

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """A seat's hand: first what to do, then the cards, then the table in words."""
        asked = decision is not None and bool(moves)

        def above() -> tuple[str, ...]:
            todo = _todo_text(view, moves) if asked else waiting_text(view, context)
            return f"{todo}\n-# {round_line(view)}", *words.newest_lines(context.news), "\n".join(hand_lines(view))

        def below() -> tuple[str, ...]:
            lines = (trump_lines(view, context), trick_lines(view, context), plate_lines(view, context))
            return *map("\n".join, lines), *last_trick_paragraph(view, context)

        return Screen(
            LazyParagraphs(above),
            hand_picture(view, moves if asked else (), context),
            LazyParagraphs(below),
            _hand_controls(moves) if asked else (),
            headline=_todo_headline(view, moves) if asked else _waiting_headline(view, context),
            worth_text=WORTH_TEXT,
            rule=_decision_rule(view),
        )

    def sheet(self, view: View, context: Context) -> Screen:
        """Every round's bids, tricks and points, and the totals."""
        totals = [
            f"{words.seat_label(context, seat)}: {words.plain_number(total)}" for seat, total in enumerate(view.scores)
        ]
        return Screen(("\n".join([*_round_lines(view, context), "**Total**", *totals]),), sheet_picture(view, context))

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """The end: who won, every place, the whole sheet."""
        above = (
            f"## {words.result_headline(outcome, context)}\n{round_line(view)}, the end.",
            *words.newest_lines(context.news),
        )
        places = "\n".join(words.place_lines(outcome, context))
        below = (places, *last_trick_paragraph(view, context), "\n".join(_round_lines(view, context)))
        return Screen(
            above,
            sheet_picture(view, context, outcome),
            below,
            headline=words.result_sentence(outcome, context),
            rule="W11",
        )

    def narrate(self, event: AnyEvent, context: Context) -> str | None:
        """One event in a sentence."""
        names = context.names
        match event:
            case RoundDealt():
                return f"Round {event.round}: {names[event.dealer]} deals. {_turned_card_text(event, context)}"
            case HandDealt():
                return f"You are dealt {words.join_with_and([card_text(one) for one in sort_hand(event.cards)])}."
            case TrumpNamed():
                return f"{names[event.seat]} names {words.suit_text(event.suit)} as trump."
            case BidMade():
                return f"{names[event.seat]} bids {event.tricks}."
            case CardPlayed():
                return f"{names[event.seat]} plays {_card_with_article(event.card)}."
            case TrickTaken():
                return f"{names[event.seat]} takes the trick."
            case RoundScored():
                points = [
                    f"{name} {words.signed_number(score.points)}"
                    for name, score in zip(names, event.scores, strict=True)
                ]
                return f"Round {event.round} is scored: {', '.join(points)}."
            case _:
                assert_never(event)

    def narrate_briefly(self, event: AnyEvent, context: Context) -> str | None:
        """One event as briefly as it goes."""
        names = context.short_names
        match event:
            case RoundDealt() | BidMade():
                return None  # the plates and the trump in the picture say so
            case HandDealt():
                return None
            case TrumpNamed():
                return f"{names[event.seat]} names {words.suit_text(event.suit)}"
            case CardPlayed():
                return f"{names[event.seat]} {short_card(event.card)}"
            case TrickTaken():
                return f"{names[event.seat]} takes it"
            case RoundScored():
                points = [words.signed_number(score.points) for score in event.scores]
                named = [f"{name} {won}" for name, won in zip(names, points, strict=True)]
                whole, brief = (f"round {event.round}: {', '.join(told)}" for told in (named, points))
                return (
                    whole if estimate_width(whole) < NEWS_WIDTH - LINE_WIDTH / 2 else brief
                )  # beside who took the last trick
            case _:
                assert_never(event)

    def move_label(self, move: Move) -> str:
        """`Play the 10 of hearts ♥`, `Bid 2`, `Name hearts ♥`."""
        match move:
            case Play(which):
                return f"Play {_card_with_article(which)}"
            case Bid(tricks):
                return f"Bid {tricks}"
            case NameTrump(suit):
                return f"Name {words.suit_text(suit)} as trump"

    def move_reason(self, view: View, move: Move, context: Context) -> str:
        """What speaks for a move."""
        return move_reason(view, move)

    def turn_prompt(self, view: View, decision: Decision) -> str:
        """What the seat is asked for."""
        lead = "play a card" if view.trick else "lead a card"
        asked = {"trump": "name the trump", "bid": "bid", "play": lead}
        return f"{asked[decision.kind]} in round {view.round}"

    def option_texts(self, options: Options, seats: int) -> Mapping[str, str]:
        """How many rounds it will be."""
        full, rounds = round_count(seats, Options()), round_count(seats, options)
        if options.rounds is not None and options.rounds > full:
            return {"rounds": f"{full} (the full game; {options.rounds} were asked for, {seats} players have no more)"}
        return {"rounds": f"{full} (the full game)" if rounds == full else f"{rounds} (the full game has {full})"}

    def option_values(self, option: str, seats: int) -> Sequence[int | None]:
        """The full game, and every shorter one that so many players have cards for."""
        return (None, *range(1, round_count(seats, Options())))


def _waiting_headline(view: View, context: Context) -> str:
    """Whom the match waits for."""
    lead = "play a card" if view.trick else "lead a card"
    wanted = {"trump": "name the trump", "bid": "bid", "play": lead}.get(view.phase)
    return f"Waiting for {context.short_names[view.turn]} to {wanted}." if wanted else "The match is over."


def _todo_headline(view: View, moves: Sequence[Move]) -> str:
    """What to do, in one sentence."""
    if view.phase == "trump":
        return "Name the trump: a Wizard is turned up."
    if view.phase == "bid":
        return "Bid: will you take the one trick?" if view.round == 1 else f"Bid: how many of the {view.round} tricks?"
    if not view.trick:
        return "Lead a card: any you like."
    suit = deck.suit_to_follow(view.trick)
    if suit is None:
        return f"Play any card: {'only Jesters so far' if deck.is_suit_open(view.trick) else 'a Wizard was led'}."
    if _must_follow_suit(moves, suit):
        return f"Play a card: follow {words.suit_text(suit)}."
    return f"Play any card: you have no {SUIT_WORDS[suit]}."


def _must_follow_suit(moves: Sequence[Move], suit: int) -> bool:
    """Whether these are the cards of one who has to follow suit."""
    suits = [deck.SUIT[move.card] for move in moves if isinstance(move, Play)]
    return suit in suits and set(suits) <= {suit, None}


def _decision_rule(view: View) -> str:
    """The rule that the present decision is about."""
    if view.phase == "play":
        return "W5" if not view.trick else "W6" if deck.suit_to_follow(view.trick) is None else "W7"
    return {"trump": "W3", "bid": "W4"}.get(view.phase, "W10")


def _todo_text(view: View, moves: Sequence[Move]) -> str:
    """What the reader has to do next."""
    if view.phase == "trump":
        return "**Name the trump**: a Wizard is turned up and you deal. Which suit shall be trump?"
    if view.phase == "bid":
        many = f"how many of the {view.round} tricks will you take?"
        return f"**Bid**: {'will you take the one trick? Say 0 or 1.' if view.round == 1 else many}"
    if not view.trick:
        return "**Lead a card**: any card you like."
    suit = deck.suit_to_follow(view.trick)
    if deck.is_suit_open(view.trick):
        return "**Play a card**: no suit is to be followed yet, so any card. A card of a suit will set it."
    if suit is None:
        return "**Play a card**: no suit is to be followed, so any card."
    if _must_follow_suit(moves, suit):
        cards = [move.card for move in moves if isinstance(move, Play)]
        return (
            f"**Play a card**: {words.suit_text(suit)} must be followed. You may play {_either_card(sort_hand(cards))}."
        )
    return f"**Play a card**: {words.suit_text(suit)} were led and you have none, so any card."


def _either_card(cards: Sequence[int]) -> str:
    """`the 3 of hearts ♥ or a Wizard`."""
    return words.join_with_or([_card_with_article(one) for one in cards])


def _hand_controls(moves: Sequence[Move]) -> tuple[Control, ...]:
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
    for one in sort_hand([move.card for move in moves]):
        rows = [*rows[:-1], [*rows[-1], one]] if _fits_in_row([*rows[-1], one]) else [*rows, [one]]
    if len(rows) <= MAX_ROWS:
        return tuple(
            Buttons(tuple(Button(short_card(one), WIZARD.format_move(Play(one))) for one in row)) for row in rows
        )
    return (
        Select(
            "Play a card", tuple(Option(short_card(one), WIZARD.format_move(Play(one))) for row in rows for one in row)
        ),
    )


def _fits_in_row(row: Sequence[int]) -> bool:
    """Whether a telephone shows these side by side: five cards, or four where the word for one is long."""
    return len(row) <= (BUTTONS_PER_ROW if all(one < JESTER for one in row) else BUTTONS_PER_ROW - 1)


def _bid_controls(moves: Sequence[Bid]) -> tuple[Control, ...]:
    """A button a number; where they are too many, the first ten, which are the likely ones, and a list of all."""
    shown = moves if len(moves) <= MAX_BID_BUTTONS else moves[: 2 * BUTTONS_PER_ROW]
    row = Buttons(tuple(Button(str(move.tricks), WIZARD.format_move(move)) for move in shown))
    if shown is moves:
        return (row,)
    options = tuple(Option(f"Bid {move.tricks}", WIZARD.format_move(move)) for move in moves)
    return (row, Select(f"Any bid from 0 to {moves[-1].tricks}", options))


def _suit_button(move: NameTrump) -> Button:
    return Button(words.suit_text(move.suit).capitalize(), WIZARD.format_move(move))


def _card_with_article(card: int) -> str:
    """`the 10 of hearts ♥`, `a Wizard`."""
    return f"{'the' if card < JESTER else 'a'} {card_text(card)}"


def _turned_card_text(event: RoundDealt, context: Context) -> str:
    """The turned card of a deal and what follows from it."""
    if event.turned is None:
        return "Every card is dealt: no trump."
    special = event.turned >= JESTER
    card = _card_with_article(event.turned).capitalize() if special else f"The {card_text(event.turned)}"
    up = f"{card} is turned up"
    if event.trump is not None:
        return f"{up}: {words.suit_text(event.trump)} are trump."
    return f"{up}: no trump." if event.turned == JESTER else f"{up}: {context.names[event.dealer]} names the trump."


def _round_lines(view: View, context: Context) -> list[str]:
    """A line a round, as short as it goes: on a telephone there is no room for more."""
    lines = [f"**{number}**: {_round_text(row, context)}" for number, row in enumerate(view.sheet, 1)]
    if not lines:
        return ["### Score sheet", "No round is scored yet."]
    return ["### Score sheet", "-# By round: tricks bid / taken, points", *lines]


def _round_text(row: Sequence[tuple[int, int, int]], context: Context) -> str:
    """One round of the sheet."""
    cells = [
        f"{words.short_seat_label(context, seat)} {bid}/{taken} {words.signed_number(points)}"
        for seat, (bid, taken, points) in enumerate(row)
    ]
    return words.join_with_dots(cells)
