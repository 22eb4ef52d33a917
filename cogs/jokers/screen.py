"""The screens of Jokers: table, hand, score sheet and result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from cogs.features.clips.steps import USUAL
from cogs.jokers import clip, special_cards
from cogs.jokers.controls import hand_controls, max_tradable, move_label, non_trade_moves, trade_offers
from cogs.jokers.intro import INTRO
from cogs.jokers.move_reasons import move_reason
from cogs.jokers.pictures import hand_picture, sheet_picture, table_picture
from cogs.jokers.words import (
    declared_lines,
    hand_lines,
    join_cards,
    last_lines,
    pile_lines,
    round_line,
    round_lines,
    safety_reach,
    seat_lines,
    sheet_lines,
    short_card,
    sort_hand,
    the_card,
    turn_lines,
    waiting_headline,
    waiting_text,
)
from cogs.screens import words
from cogs.screens.control_widths import fits_narration
from cogs.screens.screen import (
    Context,
    GameScreen,
    LazyParagraphs,
    Offers,
    Screen,
    TypedCommand,
)
from cogs.screens.special_cards import HandChange, SpecialCard
from engines.jokers.deck import JOKER
from engines.jokers.model import (
    AnyEvent,
    CardDiscarded,
    CardsDrawn,
    CardsTraded,
    CardTaken,
    Declare,
    HandDealt,
    HandDeclared,
    Move,
    Options,
    RoundDealt,
    RoundScored,
    SafetyKept,
    SafetyTurned,
    Take,
    TurnEnded,
    TurnUp,
)
from engines.jokers.turn import TRADES_PER_TURN
from engines.jokers.view import View
from engines.kit.contract import Decision, Outcome

FULL_HAND_TEXT = "Full hand: all 8 cards in runs and sets"
SAFETY_TEXT = "Safety: turn up a hidden card to swap for a discard"
_BRIEF_ENDINGS = {"empty": " ends because the draw pile is empty, and", "stall": " ends because nobody traded, and"}
MAX_NAMED_CARDS = 2  # traded cards that news name
DECISION_RULES = {"turn": "K3", "safety": "K4", "discard": "K4"}


class JokersScreen(GameScreen):
    """Builds the screens of Jokers from views, without side effects."""

    intro = INTRO

    def table(self, view: View, context: Context) -> Screen:
        """Return the public table."""
        above = LazyParagraphs(
            lambda: (f"## {round_line(view)}\n{waiting_text(view, context)}", *words.newest_lines(context.narration))
        )
        below = LazyParagraphs(lambda: _table_paragraphs(view, context))
        return Screen(above, table_picture(view, context), below, headline=waiting_headline(view, context))

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """Return a seat's hand: the task, the cards with their best split, and the table in words.

        The news is below the controls, so that the controls never move.
        """
        is_asked = decision is not None and bool(moves)

        def above() -> tuple[str, ...]:
            todo = _todo_text(view, moves, context) if is_asked else waiting_text(view, context)
            return f"{todo}\n-# {round_line(view)}", "\n".join(hand_lines(view))

        return Screen(
            LazyParagraphs(above),
            hand_picture(view, context),
            LazyParagraphs(lambda: (*words.newest_lines(context.narration), *_table_paragraphs(view, context))),
            hand_controls(view, moves) if is_asked else (),
            headline=_todo_headline(view, moves) if is_asked else waiting_headline(view, context),
            worth_text=_worth_text(view, moves) if is_asked else "",
            rule=DECISION_RULES[view.phase] if is_asked else "",
        )

    def sheet(self, view: View, context: Context) -> Screen:
        """Return the scores of all rounds with their parts, the hands of the last round, and the totals."""
        totals = [
            f"{words.seat_label(context, seat)}: {words.plain_number(total)}" for seat, total in enumerate(view.scores)
        ]
        lines = ["### Score sheet", *sheet_lines(view, context), "**Total**", *totals]
        return Screen(("\n".join(lines),), sheet_picture(view, context))

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """Return the result: the winner, both places, and the score sheet with the last hands."""
        draw = "A draw: " if len(outcome.winners) > 1 else ""  # C4
        headline = f"{draw}{words.result_headline(outcome, context)}"
        above = (f"## {headline}\n{round_line(view)}, the end.", *words.newest_lines(context.narration))
        below = (
            "\n".join(words.place_lines(outcome, context)),
            "\n".join(["### Score sheet", *sheet_lines(view, context)]),
        )
        return Screen(above, sheet_picture(view, context, outcome), below, headline=headline)

    def narrate(self, event: AnyEvent, context: Context) -> str | None:
        """Return an event as a sentence."""
        names = context.names
        match event:
            case RoundDealt():
                return f"Round {event.round} is dealt; {names[event.starter]} has the first turn."
            case HandDealt():
                return f"You are dealt {join_cards(sort_hand(event.cards))}."
            case CardsTraded():
                top = " (on top)" if len(event.cards) > 1 else ""
                return (
                    f"{names[event.seat]} trades {words.pluralize(len(event.cards), 'card')}: "
                    f"{join_cards(event.cards)}{top}."
                )
            case CardsDrawn():
                return f"You draw {join_cards(sort_hand(event.cards))}."
            case SafetyTurned():
                return f"{names[event.seat]} turns up safety card {event.number}: {the_card(event.card)}."
            case CardTaken():
                depth = f"from depth {event.depth} of the discard pile"
                return (
                    f"{names[event.seat]} takes {the_card(event.card)} {depth}; {the_card(event.safety)} goes "
                    "on top of it."
                )
            case SafetyKept():
                return f"{names[event.seat]} keeps the safety card, {the_card(event.card)}."
            case CardDiscarded():
                return f"{names[event.seat]} discards {the_card(event.card)}."
            case HandDeclared():
                return f"{names[event.seat]} declares a full hand: {join_cards(sort_hand(event.cards))}."
            case TurnEnded():
                idle = ", without a trade or a safety card" if event.idle else ""
                return f"{names[event.seat]} ends the turn{idle}."
            case RoundScored():
                scores = zip(names, event.result.scores, strict=True)
                points = [f"{name} {words.signed_number(score.points)}" for name, score in scores]
                return f"Round {event.result.round} is scored: {', '.join(points)}."
            case _:
                assert_never(event)

    def narrate_briefly(self, event: AnyEvent, context: Context) -> str | None:
        """Return an event in a few words."""
        names = context.short_names
        match event:
            case RoundDealt():
                return f"Round {event.round} is dealt"
            case HandDealt() | TurnEnded():
                return None
            case CardsTraded():
                return f"{names[event.seat]} trades {_traded_cards(event.cards)}"
            case CardsDrawn():
                return f"You draw {words.join_with_and([*map(_card_in_sentence, sort_hand(event.cards))])}"
            case SafetyTurned():
                return f"{names[event.seat]} turns up {_card_in_sentence(event.card)}"
            case CardTaken():
                return (
                    f"{names[event.seat]} takes {_card_in_sentence(event.card)} for {_card_in_sentence(event.safety)}"
                )
            case SafetyKept():
                return f"{names[event.seat]} keeps {_card_in_sentence(event.card)}"
            case CardDiscarded():
                return f"{names[event.seat]} discards {_card_in_sentence(event.card)}"
            case HandDeclared():
                return f"{names[event.seat]} declares a full hand"
            case RoundScored():
                scores = zip(names, event.result.scores, strict=True)
                points = [f"{name} {words.signed_number(score.points)}" for name, score in scores]
                round_name, gives = f"Round {event.result.round}", f" gives {words.join_with_and(points)}."
                whole = f"{round_name}{_BRIEF_ENDINGS.get(event.result.ending, '')}{gives}"
                return whole if fits_narration(whole) else f"{round_name}{gives}"
            case _:
                assert_never(event)

    def move_label(self, move: Move) -> str:
        """Return a move's name, as on its button."""
        return move_label(move)

    def choice_label(self, view: View, move: Move, context: Context) -> str:
        """Return a move's name with the card to take."""
        return (
            f"Take {the_card(view.discard[-move.depth])} at depth {move.depth}"
            if isinstance(move, Take)
            else move_label(move)
        )

    def move_reason(self, view: View, move: Move, context: Context) -> str:
        """Return why a move may be good."""
        return move_reason(view, move)

    def complete_option(
        self, view: View, moves: Sequence[Move], typed: TypedCommand, context: Context
    ) -> Offers | None:
        """Return choices for a typed trade, card by card."""
        return trade_offers(view, moves, typed.text) if typed.verb == "trade" else None

    def special_cards(self, options: Options, seats: int) -> Sequence[SpecialCard]:
        """Return the joker."""
        return (special_cards.JOKER_CARD,)

    def own_special_cards(self, view: View) -> Sequence[SpecialCard]:
        """Return the kinds that the seat has."""
        return special_cards.own_special_cards(view)

    def special_cards_of(self, event: AnyEvent, view: View) -> HandChange:
        """Return the kinds that came to the seat or left it."""
        return special_cards.special_cards_of(event, view)

    def special_card_in(self, move: Move, view: View) -> SpecialCard | None:
        """Return the special card that a move is about."""
        return special_cards.special_card_in(move, view)

    def section_title(self, view: View) -> str:
        """Return the round."""
        return f"Round {view.round}"

    def hand_text(self, view: View) -> str:
        """Return the seat's cards."""
        return join_cards(sort_hand(view.hand))

    def turn_prompt(self, view: View, decision: Decision) -> str:
        """Return what the seat has to do."""
        turn = "trade, or end your turn" if view.declared is None else "take the last turn"
        prompts = {"turn": turn, "safety": "use your safety card", "discard": "discard a card"}
        return f"{prompts[decision.kind]} in round {view.round}"

    def guess_prompt(self, number: int) -> str:
        """Return the question to spectators."""
        return f"Who wins round {number} with a full hand?"

    def option_texts(self, options: Options, seats: int) -> Mapping[str, str]:
        """Return the number of rounds."""
        return {"rounds": str(options.rounds)}

    def option_phrases(self, options: Options, seats: int) -> Mapping[str, str]:
        """Return the number of rounds."""
        return {"rounds": words.pluralize(options.rounds, "round")}

    def preset_sentences(self) -> Mapping[str, str]:
        """Return what speaks for each preset."""
        return {"as published": "Six rounds, as on the scorecard.", "quick": "Half the rounds."}

    def match_minutes(self, options: Options, seats: int) -> int:
        """Return about how many minutes a match takes: five for each round."""
        return 5 * options.rounds

    def standings(self, view: View) -> Sequence[float]:
        """Return the points so far."""
        return view.scores

    def clip_weight(self, event: AnyEvent) -> int:
        """Return how much an event matters: the score and declared hands most, then the safety cards."""
        return clip.WEIGHTS.get(type(event), USUAL)


def _table_paragraphs(view: View, context: Context) -> tuple[str, ...]:
    """The table in words."""
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


def _todo_text(view: View, moves: Sequence[Move], context: Context) -> str:
    """What the player has to do next."""
    if view.phase == "safety":
        assert view.turned is not None
        many = safety_reach(view)
        top = "the top card" if many == 1 else f"one of the top {many} cards"
        return f"**Your safety card is {the_card(view.turned)}**. Swap it for {top} of the discard pile, or keep it."
    if view.phase == "discard":
        return "**Discard a card** to get back to eight cards."
    may = words.join_with_or(_allowed_actions(view, moves))
    if view.declared is not None:
        declared = context.names[view.declared]
        return f"**Your last turn of this round**, because {declared} has declared: {may}."
    return f"**Your turn**: {may}."


def _todo_headline(view: View, moves: Sequence[Move]) -> str:
    """What the player has to do next, as a headline."""
    if view.phase == "safety":
        assert view.turned is not None
        return f"Take a discard, or keep {the_card(view.turned)}."
    if view.phase == "discard":
        return "Discard a card to get back to eight."
    if view.declared is not None:
        return "Your last turn: improve your hand."
    others, most = non_trade_moves(moves), max_tradable(moves)
    if Declare() in others:
        return "A full hand: declare it, or play on."
    if any(isinstance(move, TurnUp) for move in others):
        return f"{'Trade, use' if most else 'Use'} a safety card, or finish."
    return (
        f"Trade {'a card' if most == 1 else f'up to {most} cards'} or end your turn."
        if most
        else "No trades left: end your turn."
    )


def _worth_text(view: View, moves: Sequence[Move]) -> str:
    """What a safety card does, what makes a full hand, or what a hand scores after a declaration."""
    if view.phase == "safety":
        return "Either way, you then discard a card"
    if view.declared is None:
        may_turn_up = any(isinstance(move, TurnUp) for move in non_trade_moves(moves))
        return SAFETY_TEXT if may_turn_up and view.trades == TRADES_PER_TURN else FULL_HAND_TEXT
    return "run of 3–4: 20, of 5–7: 40 · set of 3: 10, of 4: 30 · each unmelded card: −5"


def _allowed_actions(view: View, moves: Sequence[Move]) -> list[str]:
    """The possible actions of a turn."""
    others, most = non_trade_moves(moves), max_tradable(moves)
    actions = []
    if most:
        many = "1 card" if most == 1 else f"1 to {most} cards"
        actions.append(f"trade {many} ({words.pluralize(view.trades, 'trade')} left)")
    if any(isinstance(move, TurnUp) for move in others):
        actions.append("turn up a safety card")
    if Declare() in others:
        actions.append("declare your full hand")
    return [*actions, "end your turn"]


def _traded_cards(cards: Sequence[int]) -> str:
    """Return traded cards in a short sentence: `9♣ and 2♦`, `6 cards (2♦ on top)`."""
    if len(cards) > MAX_NAMED_CARDS:
        return f"{len(cards)} cards ({_card_in_sentence(cards[-1])} on top)"
    return words.join_with_and([*map(_card_in_sentence, cards)])


def _card_in_sentence(card: int) -> str:
    """Return a card in a short sentence: `10♥`, `a joker`."""
    return f"a {short_card(card)}" if card == JOKER else short_card(card)
