"""Jokers as a person gets to see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from cogs.jokers.controls import completions, controls, label, tradable, untraded
from cogs.jokers.pictures import hand_picture, sheet_picture, table_picture
from cogs.jokers.reasons import reason
from cogs.jokers.words import (
    declared_lines,
    hand_lines,
    in_order,
    last_lines,
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
    Context,
    Offers,
    Plain,
    Screen,
    Typed,
    Unwritten,
)
from engines.jokers.model import (
    AnyEvent,
    CardsDrawn,
    CardTaken,
    Declare,
    Declared,
    Discarded,
    HandDealt,
    Move,
    Options,
    RoundDealt,
    RoundScored,
    SafetyKept,
    SafetyTurned,
    Take,
    Traded,
    TurnEnded,
    TurnUp,
    View,
)
from engines.kit.contract import Decision, Outcome

FULL_HAND = "Full hand: all 8 cards in runs and sets"
_BRIEFLY = {"empty": " (no cards left to draw)", "stall": " (nobody traded any more)"}
RULES = {"turn": "K3", "safety": "K4", "discard": "K4"}


class JokersScreen(Plain):
    """Jokers' face: pure functions from views to screens."""

    def table(self, view: View, context: Context) -> Screen:
        """The public table."""
        above = Unwritten(lambda: (f"## {round_line(view)}\n{waiting(view, context)}", *words.newest(context.news)))
        below = Unwritten(lambda: _table(view, context))
        return Screen(above, table_picture(view, context), below, headline=waits(view, context))

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """A seat's hand: what to do, the piles and its cards; in words its cards and their best split, then the table.

        In words the news stand below the controls, so that these keep their place whatever happens.
        """
        asked = decision is not None and bool(moves)

        def above() -> tuple[str, ...]:
            todo = _todo(view, moves, context) if asked else waiting(view, context)
            return f"{todo}\n-# {round_line(view)}", "\n".join(hand_lines(view))

        return Screen(
            Unwritten(above),
            hand_picture(view, context),
            Unwritten(lambda: (*words.newest(context.news), *_table(view, context))),
            controls(view, moves) if asked else (),
            headline=_asked(view, moves) if asked else waits(view, context),
            worth=_worth(view) if asked else "",
            rule=RULES[view.phase] if asked else "",
        )

    def sheet(self, view: View, context: Context) -> Screen:
        """Every round's scores and what they are made of, the newest round's hands, and the totals."""
        totals = [f"{words.seat(context, seat)}: {words.plain(total)}" for seat, total in enumerate(view.scores)]
        lines = ["### Score sheet", *sheet_lines(view, context), "**Total**", *totals]
        return Screen(("\n".join(lines),), sheet_picture(view, context))

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """The end: who won, both places, the whole sheet with the last hands."""
        draw = "A draw: " if len(outcome.winners) > 1 else ""  # C4
        headline = f"{draw}{words.headline(outcome, context)}"
        above = (f"## {headline}\n{round_line(view)}, the end.", *words.newest(context.news))
        below = (
            "\n".join(words.places(outcome, context)),
            "\n".join(["### Score sheet", *sheet_lines(view, context)]),
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
                return f"You draw {row(in_order(event.cards))}"
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
                return f"Round {event.result.round}{_BRIEFLY.get(event.result.ending, '')}: {', '.join(points)}"
            case _:
                assert_never(event)

    def label(self, move: Move) -> str:
        """As its controls have it."""
        return label(move)

    def choice(self, view: View, move: Move, context: Context) -> str:
        """With the card that lies at a depth."""
        return f"Take {the(view.discard[-move.depth])} at depth {move.depth}" if isinstance(move, Take) else label(move)

    def reason(self, view: View, move: Move, context: Context) -> str:
        """What speaks for a move."""
        return reason(view, move)

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


def _table(view: View, context: Context) -> tuple[str, ...]:
    """The whole table in words."""
    groups = (
        seat_lines(view, context),
        turn_lines(view, context),
        declared_lines(view, context),
        pile_lines(view),
        last_lines(view, context),
        round_lines(view, context),
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
        assert view.turned is not None
        return f"Take a discard, or keep {the(view.turned)}."
    if view.phase == "discard":
        return "Discard a card, to have eight again."
    if view.declared is not None:
        return "Your last turn: better your hand."
    others, most = untraded(moves), tradable(moves)
    if Declare() in others:
        return "A full hand: declare it, or play on."
    if any(isinstance(move, TurnUp) for move in others):
        return f"{'Trade, use' if most else 'Use'} a safety card or be done."
    return (
        f"Trade {'a card' if most == 1 else f'up to {most} cards'} or be done."
        if most
        else "No trade is left: be done."
    )


def _worth(view: View) -> str:
    """What a full hand is, or what a hand scores once one is declared; and what using a safety card costs."""
    if view.phase == "safety":
        return "Either way you then discard a card"
    if view.declared is None:
        return FULL_HAND
    return "run of 3–4: 20, of 5–7: 40 · set of 3: 10, of 4: 30 · each card in no meld: −5"


def _may(view: View, moves: Sequence[Move]) -> list[str]:
    """What may be done in an open moment of a turn."""
    others, most = untraded(moves), tradable(moves)
    said = []
    if most:
        many = "1 card" if most == 1 else f"1 to {most} cards"
        said.append(f"trade {many} ({words.counted(view.trades, 'trade')} left)")
    if any(isinstance(move, TurnUp) for move in others):
        said.append("turn up a safety card")
    if Declare() in others:
        said.append("declare your full hand")
    return [*said, "be done"]
