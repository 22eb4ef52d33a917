"""Jokers as a person gets to see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from cogs.jokers.pictures import hand_picture, sheet_picture, table_picture
from cogs.jokers.words import (
    declared_lines,
    hand_lines,
    in_order,
    last_lines,
    left_by,
    pile_lines,
    reach,
    round_line,
    round_lines,
    row,
    seat_lines,
    sheet_lines,
    short,
    the,
    turn_lines,
    waiting,
    waits,
)
from cogs.screens import words
from cogs.screens.screen import (
    Button,
    Buttons,
    Context,
    Control,
    Offers,
    Option,
    Pick,
    Picks,
    Plain,
    Screen,
    Select,
    Typed,
)
from engines.game import Decision, Outcome
from engines.jokers import JOKERS, deck
from engines.jokers.melds import best
from engines.jokers.model import (
    AnyEvent,
    CardsDrawn,
    CardTaken,
    Declare,
    Declared,
    Discard,
    Discarded,
    Done,
    HandDealt,
    Keep,
    Move,
    Options,
    RoundDealt,
    RoundScored,
    SafetyKept,
    SafetyTurned,
    Take,
    Trade,
    Traded,
    TurnEnded,
    TurnUp,
    View,
)

FULL_HAND = "full hand: all 8 cards in runs and sets"
RULES = {"turn": "K3", "safety": "K4", "discard": "K4"}


class JokersScreen(Plain):
    """Jokers' face: pure functions from views to screens."""

    def table(self, view: View, context: Context) -> Screen:
        """The public table."""
        above = (f"## {round_line(view)}\n{waiting(view, context)}", *words.newest(context.news))
        return Screen(above, table_picture(view, context), _table(view, context), headline=waits(view, context))

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """A seat's hand: what to do, the piles and its cards; in words its cards and their best split, then the table.

        In words the news stand below the controls, so that these keep their place whatever happens.
        """
        asked = decision is not None and bool(moves)
        todo = _todo(view, moves, context) if asked else waiting(view, context)
        above = (f"{todo}\n-# {round_line(view)}", "\n".join(hand_lines(view)))
        below = (*words.newest(context.news), *_table(view, context))
        return Screen(
            above,
            hand_picture(view, context),
            below,
            _controls(view, moves) if asked else (),
            headline=_asked(view, moves) if asked else waits(view, context),
            worth=_worth(view) if asked else "",
            rule=RULES[view.phase] if asked else "",
        )

    def sheet(self, view: View, context: Context) -> Screen:
        """Every round's scores and what they are made of, the newest round's hands, and the totals."""
        totals = [f"{words.seat(context, seat)}: {words.plain(total)}" for seat, total in enumerate(view.scores)]
        lines = ["### Score sheet", *sheet_lines(view), *last_lines(view, context), "**Total**", *totals]
        return Screen(("\n".join(lines),), sheet_picture(view, context))

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """The end: who won, both places, the last hands, the whole sheet."""
        draw = "A draw: " if len(outcome.winners) > 1 else ""  # C4
        headline = f"{draw}{words.headline(outcome, context)}"
        above = (f"## {headline}\n{round_line(view)}, the end.", *words.newest(context.news))
        below = (
            "\n".join(words.places(outcome, context)),
            "\n".join(last_lines(view, context)),
            "\n".join(["### Score sheet", *sheet_lines(view)]),
        )
        ending = f"{draw}{words.ending(outcome, context)}"
        return Screen(above, sheet_picture(view, context, outcome), below, headline=ending)

    def tell(self, event: AnyEvent, context: Context) -> str | None:
        """One event in a sentence."""
        names = context.names
        match event:
            case RoundDealt():
                return f"Round {event.round} is dealt; {names[event.starter]} has the first turn."
            case HandDealt():
                return f"You are dealt {row(in_order(event.cards))}."
            case Traded():
                top = " (on top)" if len(event.cards) > 1 else ""
                return f"{names[event.seat]} trades {words.counted(len(event.cards), 'card')}: {row(event.cards)}{top}."
            case CardsDrawn():
                return f"You draw {row(in_order(event.cards))}."
            case SafetyTurned():
                return f"{names[event.seat]} turns up safety card {event.number}: {the(event.card)}."
            case CardTaken():
                depth = f"from depth {event.depth} of the discard pile"
                return f"{names[event.seat]} takes {the(event.card)} {depth}; {the(event.safety)} goes on top of it."
            case SafetyKept():
                return f"{names[event.seat]} takes the safety card, {the(event.card)}, into the hand."
            case Discarded():
                return f"{names[event.seat]} discards {the(event.card)}."
            case Declared():
                return f"{names[event.seat]} declares a full hand: {row(in_order(event.cards))}."
            case TurnEnded():
                idle = ", without a trade or a safety card" if event.idle else ""
                return f"{names[event.seat]} is done with the turn{idle}."
            case RoundScored():
                scores = zip(names, event.result.scores, strict=True)
                points = [f"{name} {words.signed(score.points)}" for name, score in scores]
                return f"Round {event.result.round} is scored: {', '.join(points)}."
            case _:
                assert_never(event)

    def brief(self, event: AnyEvent, context: Context) -> str | None:
        """One event as briefly as it goes."""
        names = context.short
        match event:
            case RoundDealt():
                return f"Round {event.round} is dealt"
            case HandDealt() | TurnEnded():
                return None
            case Traded():
                return f"{names[event.seat]} trades {row(event.cards)}"
            case CardsDrawn():
                return f"you draw {row(in_order(event.cards))}"
            case SafetyTurned():
                return f"{names[event.seat]} turns up {short(event.card)}"
            case CardTaken():
                return f"{names[event.seat]} takes {short(event.card)}, lays {short(event.safety)}"
            case SafetyKept():
                return f"{names[event.seat]} keeps {short(event.card)}"
            case Discarded():
                return f"{names[event.seat]} discards {short(event.card)}"
            case Declared():
                return f"{names[event.seat]} declares"
            case RoundScored():
                scores = zip(names, event.result.scores, strict=True)
                points = [f"{name} {words.signed(score.points)}" for name, score in scores]
                return f"Round {event.result.round}: {', '.join(points)}"
            case _:
                assert_never(event)

    def label(self, move: Move) -> str:
        """As its controls have it."""
        return label(move)

    def choice(self, view: View, move: Move, context: Context) -> str:
        """With the card that lies at a depth."""
        return f"Take {the(view.discard[-move.depth])} at depth {move.depth}" if isinstance(move, Take) else label(move)

    def complete(self, view: View, moves: Sequence[Move], typed: Typed, context: Context) -> Offers | None:
        """Trades card by card."""
        return completions(view, moves, typed.text) if typed.verb == "trade" else None

    def turn(self, view: View, decision: Decision) -> str:
        """What the seat is asked for."""
        turn = "trade, or be done" if view.declared is None else "take the last turn"
        asked = {"turn": turn, "safety": "use the safety card turned up", "discard": "discard a card"}
        return f"{asked[decision.kind]} in round {view.round}"

    def options(self, options: Options, seats: int) -> Mapping[str, str]:
        """How many rounds it will be."""
        return {"rounds": str(options.rounds)}


def label(move: Move) -> str:
    """`Trade 4♣, 9♦`, `Take the card at depth 3`, `End your turn`."""
    match move:
        case Trade(cards):
            return f"Trade {row(cards)}"
        case TurnUp(number):
            return f"Turn up safety card {number}"
        case Take(depth):
            return f"Take the card at depth {depth}"
        case Keep():
            return "Take the safety card into the hand"
        case Discard(card):
            return f"Discard {the(card)}"
        case Declare():
            return "Declare the full hand"
        case Done():
            return "End your turn"


def choice(view: View, move: Move) -> str:
    """A move as it is offered to this seat, for a line of a list: with the card that lies at a depth."""
    if isinstance(move, Take):
        return f"{move.depth}: {short(view.discard[-move.depth])}"
    return short(move.card) if isinstance(move, Discard) else label(move)


def completions(view: View, moves: Sequence[Move], typed: str) -> list[tuple[str, str]]:
    """What a trade may be that begins with the cards typed so far: in words, and as the cards' names.

    The cards typed come first as they are, where that is a trade; then with each card that may follow. The last word
    may be half of a card's name.
    """
    most = _most(moves)
    typed = typed.replace(",", " ")
    *named, last = typed.split(" ")
    chosen = _chosen(view, " ".join(named))
    if chosen is None or not most:
        return []
    whole = _chosen(view, typed)
    found = [whole] if whole and len(whole) <= most else []
    start = [*whole] if whole and last else chosen
    if len(start) < most:
        left = _left(view, start)
        found += [[*start, one] for one in dict.fromkeys(left) if whole or _begins(one, last)]
    return [(_said(cards), " ".join(map(deck.name, cards))) for cards in found]


def _chosen(view: View, typed: str) -> list[int] | None:
    """The cards of the hand that a text names; None where it names others, or none."""
    try:
        chosen = [deck.card(word) for word in typed.split()]
    except ValueError:
        return None
    return chosen if len(_left(view, chosen)) == len(view.hand) - len(chosen) else None


def _left(view: View, chosen: Sequence[int]) -> list[int]:
    """The hand less these cards, in order."""
    left = in_order(view.hand)
    for one in chosen:
        if one in left:
            left.remove(one)
    return left


def _begins(one: int, word: str) -> bool:
    return deck.name(one).lower().startswith(word.lower())


def _said(cards: Sequence[int]) -> str:
    return f"Trade {row(cards)}" + (" (on top)" if len(cards) > 1 else "")


def _table(view: View, context: Context) -> tuple[str, ...]:
    """The whole table in words."""
    groups = (
        seat_lines(view, context),
        turn_lines(view, context),
        declared_lines(view, context),
        pile_lines(view),
        last_lines(view, context),
        round_lines(view),
    )
    return tuple("\n".join(lines) for lines in groups if lines)


# What to do


def _todo(view: View, moves: Sequence[Move], context: Context) -> str:
    """What the reader has to do next."""
    if view.phase == "safety":
        assert view.turned is not None
        many = reach(view)
        top = "the top card" if many == 1 else f"one of the top {many} cards"
        return f"**Your safety card is {the(view.turned)}**: take {top} of the discard pile for it, or keep it."
    if view.phase == "discard":
        return "**Discard a card**, to have eight again."
    may = words.either(_may(view, moves))
    if view.declared is not None:
        declared = context.names[view.declared]
        return f"**Your last turn of this round**, since {declared} has declared: {may}."
    return f"**Your turn**: {may}."


def _asked(view: View, moves: Sequence[Move]) -> str:
    """The same in a line."""
    if view.phase == "safety":
        return "Take a card, or keep the safety card."
    if view.phase == "discard":
        return "Discard a card, to have eight again."
    if view.declared is not None:
        return "Your last turn: better your hand, or be done."
    if Declare() in moves:
        return "A full hand: declare it, or play on."
    most = _most(moves)
    if not most:
        return "Use a safety card, or be done." if len(moves) > 1 else "No trade is left: be done."
    return f"Trade {'a card' if most == 1 else f'up to {most} cards'}, or be done."


def _worth(view: View) -> str:
    """What a full hand is, or what a hand scores once one is declared."""
    if view.declared is None:
        return FULL_HAND
    return "run of 3–4: 20, of 5–7: 40 · set of 3: 10, of 4: 30 · else −5"


def _may(view: View, moves: Sequence[Move]) -> list[str]:
    """What may be done in an open moment of a turn."""
    most = _most(moves)
    said = []
    if most:
        many = "1 card" if most == 1 else f"1 to {most} cards"
        said.append(f"trade {many} ({words.counted(view.trades, 'trade')} left)")
    if any(isinstance(move, TurnUp) for move in moves):
        said.append("turn up a safety card")
    if Declare() in moves:
        said.append("declare your full hand")
    return [*said, "be done"]


def _most(moves: Sequence[Move]) -> int:
    """How many cards may be traded."""
    return max((len(move.cards) for move in moves if isinstance(move, Trade)), default=0)


def _controls(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    """A control for every move; those for trades are one list of which several cards are picked."""
    if view.phase == "safety":
        return _safety_controls(view, moves)
    if view.phase == "discard":
        return (_discards(view, moves),)
    buttons = Buttons(tuple(_button(view, move, moves) for move in moves if not isinstance(move, Trade)))
    most = _most(moves)
    return (_trades(view, most), buttons) if most else (buttons,)


def _trades(view: View, most: int) -> Picks:
    """The cards of the hand; the last one that is picked comes to lie on top."""
    picks = tuple(Pick(short(one), deck.name(one)) for one in in_order(view.hand))
    title = "Trade in this order"
    return Picks("Trade", "trade", picks, most=most, title=title, done="Trade", ends=("first", "on top"))


def _button(view: View, move: Move, moves: Sequence[Move]) -> Button:
    """A move of an open moment. To be done with a full hand is asked for once more."""
    notation = JOKERS.write(move)
    if isinstance(move, TurnUp):
        return Button(f"Safety {move.number}", notation)
    points = best(deck.hand(view.hand), declared=True).points if Declare() in moves else 0
    if isinstance(move, Declare):
        return Button(f"Declare for {points}", notation)
    confirm = f"**You hold a full hand**: declared now it scores {points} points. Are you done without declaring it?"
    return Button("Done", notation, confirm=confirm if points else None)


def _safety_controls(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    assert view.turned is not None
    takes = [move for move in moves if isinstance(move, Take)]
    options = tuple(Option(choice(view, move), JOKERS.write(move)) for move in takes)
    keep = Button(f"Keep {the(view.turned)}", JOKERS.write(Keep()))
    return (Select("Take from the discard pile, by depth", options), Buttons((keep,)))


def _discards(view: View, moves: Sequence[Move]) -> Select:
    """The cards of the hand, each with what it would leave."""
    discards = {move.card: move for move in moves if isinstance(move, Discard)}
    options = [_discard(view, discards[one]) for one in dict.fromkeys(in_order(view.hand)) if one in discards]
    return Select("Discard a card", tuple(options))


def _discard(view: View, move: Discard) -> Option:
    points = words.signed(left_by(view.hand, move.card).points)
    return Option(short(move.card), JOKERS.write(move), f"leaves a hand worth {points} if lost")
