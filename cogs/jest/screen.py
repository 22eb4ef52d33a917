"""The screens of Jest: table, hand, score sheet and result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import assert_never

from cogs.features.clips.steps import USUAL
from cogs.jest import clip, special_cards
from cogs.jest.intro import INTRO
from cogs.jest.move_reasons import move_reason
from cogs.jest.pictures import hand_picture, sheet_picture, table_picture
from cogs.jest.result import award_lines, jest_paragraphs
from cogs.jest.words import (
    card_text,
    emoji_of,
    hand_lines,
    jest_lines,
    offer_lines,
    round_line,
    secret_hand_text,
    short_card,
    sort_hand,
    take_lines,
    the_card,
    the_short_card,
    trophy_lines,
    waiting_headline,
    waiting_text,
)
from cogs.screens import words
from cogs.screens.control_widths import estimate_width, fits_narration
from cogs.screens.screen import Button, Buttons, Context, Control, GameScreen, LazyParagraphs, Screen
from cogs.screens.special_cards import HandChange, SpecialCard
from cogs.screens.truncation import truncate
from engines.jest import JEST, deck
from engines.jest.model import (
    AnyEvent,
    CardTaken,
    FaceDownChosen,
    FaceDownTaken,
    HandDealt,
    JestsRevealed,
    JestsScored,
    Move,
    Offer,
    OfferChosen,
    OffersRevealed,
    Options,
    RoundDealt,
    Take,
    TrophyAwarded,
)
from engines.jest.view import View
from engines.kit.contract import Decision, Outcome

WORTH_TEXT = "♠ ♣ add, ♦ subtract, ♥ are 0 without the Joker"
MAX_NAME_WIDTH = 10  # average letters on a button, so that both cards of an offer fit side by side
DECISION_RULES = {"offer": "J4", "take": "J6"}


class JestScreen(GameScreen):
    """Builds the screens of Jest from views, without side effects."""

    intro = INTRO

    def table(self, view: View, context: Context) -> Screen:
        """Return the public table."""
        above = LazyParagraphs(
            lambda: (f"## {round_line(view)}\n{waiting_text(view, context)}", *words.newest_lines(context.narration))
        )
        below = LazyParagraphs(lambda: _table_paragraphs(view, context))
        return Screen(above, table_picture(view, context), below, headline=waiting_headline(view, context))

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """Return a seat's hand: the task, the two cards, the Jest, and the table in words.

        The news is below the controls, so that the controls never move.
        """
        is_asked = decision is not None and bool(moves)

        def above() -> tuple[str, ...]:
            todo = _todo_text(view, moves) if is_asked else waiting_text(view, context)
            return f"{todo}\n-# {round_line(view)}", *_as_paragraph(hand_lines(view, context))

        def below() -> tuple[str, ...]:
            return (
                *words.newest_lines(context.narration),
                *_as_paragraph(jest_lines(view)),
                *_table_paragraphs(view, context),
            )

        return Screen(
            LazyParagraphs(above),
            hand_picture(view, context),
            LazyParagraphs(below),
            _hand_controls(view, moves, context) if is_asked else (),
            headline=_todo_headline(view, moves) if is_asked else waiting_headline(view, context),
            worth_text=_worth_text(view) if is_asked else "",
            rule=DECISION_RULES[decision.kind] if decision is not None else "",
        )

    def sheet(self, view: View, context: Context) -> Screen:
        """Return in words what is public so far; at the end, all trophies and the value of every Jest."""
        if view.final is not None:
            parts = [["### Score sheet"], *([part] for part in jest_paragraphs(view.final, context))]
            lines = [line for part in (*parts, award_lines(view.final, context)) for line in part]
            return Screen(("\n".join(lines),))  # the result has the picture
        sizes = [
            f"**{words.seat_label(context, seat)}**: Jest of {words.pluralize(size, 'card')}"
            for seat, size in enumerate(view.jest_sizes)
        ]
        head = f"### Score sheet\n{round_line(view)}. Jests are scored at the end, together with the trophies they win."
        return Screen(("\n".join([head, *sizes, *trophy_lines(view)]),))  # the table has the picture

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """Return the result: the winners, all places, the trophies, and the value of every Jest."""
        assert view.final is not None
        above = (
            f"## {words.result_headline(outcome, context)}\n{round_line(view)}, the end.",
            *words.newest_lines(context.narration),
        )
        below = (
            "\n".join(words.place_lines(outcome, context)),
            "\n".join(award_lines(view.final, context)),
            *jest_paragraphs(view.final, context),
        )
        picture = sheet_picture(view.final, outcome, context)
        return Screen(above, picture, below, headline=words.result_headline(outcome, context))

    def narrate(self, event: AnyEvent, context: Context) -> str | None:
        """Return an event as a sentence."""
        names = context.names
        match event:
            case RoundDealt():
                return f"Round {event.round} is dealt; {words.pluralize(event.deck, 'card')} left in the draw pile."
            case HandDealt():
                return f"You are dealt {words.join_with_and([the_card(one) for one in sort_hand(event.cards)])}."
            case OfferChosen():
                return f"{names[event.seat]} has chosen."
            case FaceDownChosen():
                return None  # the hand shows it until the offers are revealed
            case OffersRevealed():
                cards = [f"{name} {short_card(one)}" for name, one in zip(names, event.up, strict=True)]
                return f"Everyone has chosen. Face up: {', '.join(cards)}."
            case CardTaken():
                which = "the face-down card" if event.card is None else the_card(event.card)
                source = "their own offer" if event.source == event.seat else f"{names[event.source]}'s offer"
                return f"{names[event.seat]} takes {which} from {source}."
            case FaceDownTaken():
                return f"The face-down card from {names[event.source]}'s offer is {the_card(event.card)}."
            case JestsRevealed():
                return (
                    "The draw pile is empty. Everybody adds their last offer card to their Jest, and all "
                    "Jests are revealed."
                )
            case TrophyAwarded():
                owner = "Nobody" if event.seat is None else names[event.seat]
                return f"{owner} gets the trophy {card_text(event.trophy)}."
            case JestsScored():
                points = [
                    f"{name} {words.plain_number(score)}" for name, score in zip(names, event.points, strict=True)
                ]
                return f"The Jests are worth: {', '.join(points)}."
            case _:
                assert_never(event)

    def narrate_briefly(self, event: AnyEvent, context: Context) -> str | None:
        """Return an event in a few words."""
        names = context.short_names
        match event:
            case RoundDealt():
                return f"Round {event.round} is dealt"
            case HandDealt():
                return f"You are dealt {words.join_with_and([short_card(one) for one in sort_hand(event.cards)])}"
            case OfferChosen():
                return f"{names[event.seat]} has chosen"
            case FaceDownChosen() | JestsRevealed() | JestsScored():
                return None  # the hand, the headline and the picture show it
            case OffersRevealed():
                _, *others = (f"{name} {the_short_card(one)}" for name, one in zip(names, event.up, strict=True))
                first = f"{names[0]} shows {the_short_card(event.up[0])}"
                whole = f"{words.join_with_and([first, *others])}."
                return whole if fits_narration(whole) else "The offers are revealed."
            case CardTaken():
                source = "their own" if event.source == event.seat else f"{names[event.source]}'s"
                which = "face-down card" if event.card is None else short_card(event.card)
                return f"{names[event.seat]} takes {source} {which}"
            case FaceDownTaken():
                return f"{names[event.source]}'s face-down card is {the_short_card(event.card)}."
            case TrophyAwarded():
                owner = "nobody" if event.seat is None else names[event.seat]
                return f"{owner} gets the trophy {short_card(event.trophy)}"
            case _:
                assert_never(event)

    def move_label(self, move: Move) -> str:
        """Return a move's name: `Lay the 3 of spades ♠ face down`, `Take B's face-up card`."""
        match move:
            case Offer(which):
                return f"Lay {the_card(which)} face down"
            case Take(source, up):
                return f"Take {words.letter(source)}'s face-{'up' if up else 'down'} card"

    def choice_label(self, view: View, move: Move, context: Context) -> str:
        """Return a move's name with the owner of the offer and the card."""
        match move:
            case Offer(which):
                return f"Lay the {short_card(which)} face down"
            case Take(source, up) if source == view.seat:
                return f"Take your own {'face-up' if up else 'face-down'} card"
            case Take(source, up):
                name = words.button_name(context, source)
                return (
                    f"Take {name}'s {short_card(view.up[source])} (face up)" if up else f"Take {name}'s face-down card"
                )

    def move_reason(self, view: View, move: Move, context: Context) -> str:
        """Return why a move may be good."""
        return move_reason(view, move)

    def special_cards(self, options: Options, seats: int) -> Sequence[SpecialCard]:
        """Return the Joker."""
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
        """Return the seat's offer and its Jest."""
        return secret_hand_text(view)

    def turn_prompt(self, view: View, decision: Decision) -> str:
        """Return what the seat has to do."""
        prompts = {"offer": "choose your offer", "take": "take a card"}
        return f"{prompts[decision.kind]} in round {view.round}"

    def guess_prompt(self, number: int) -> str:
        """Return the question to spectators."""
        return f"Who takes a face-down card in round {number}?"

    def option_texts(self, options: Options, seats: int) -> Mapping[str, str]:
        """Return no texts: Jest has no options."""
        return {}

    def standings(self, view: View) -> Sequence[float]:
        """Return what the cards are worth that each seat took face up."""
        return clip.standings(view)

    def clip_weight(self, event: AnyEvent) -> int:
        """Return how much an event matters: the end most, then what is taken."""
        return clip.WEIGHTS.get(type(event), USUAL)


def short_choice_label(view: View, move: Move, context: Context) -> str:
    """Return a move's short name for a button or a list: `B Bela: 3♠ (face up)`."""
    match move:
        case Offer(which):
            return f"{short_card(which)} face down"
        case Take(source, up):
            own = source == view.seat
            whose = "Your own offer" if own else words.seat_button_label(context, source)
            down = view.down[source]
            if up:
                return f"{whose}: {short_card(view.up[source])} (face up)"
            return (
                f"{whose}: {short_card(down)} (face down)" if own and down is not None else f"{whose}: face-down card"
            )


def _todo_headline(view: View, moves: Sequence[Move]) -> str:
    """What the player has to do next, as a headline."""
    assert view.seat is not None
    if view.phase == "offer":
        down = view.down[view.seat]
        if down is None:
            return "Which card do you lay face down?"
        return f"{short_card(down)} lies face down. You can still change it."
    if any(isinstance(move, Take) and move.source == view.seat for move in moves):
        return "Take a card: only your own offer is complete."
    return "Take a card for your Jest."


def _worth_text(view: View) -> str:
    """What the cards count, with aces and the Joker if the player sees one."""
    assert view.seat is not None
    visible = {*view.hand, *view.jest, *(view.up if view.phase == "take" else ())}
    ace = (
        "; an ace alone in its suit is 5" if any(deck.SUIT[one] is not None and one % 4 == 0 for one in visible) else ""
    )
    joker = "; the Joker without ♥ is 4" if deck.JOKER in visible else ""
    return f"{WORTH_TEXT}{ace}{joker}"


def _todo_text(view: View, moves: Sequence[Move]) -> str:
    """What the player has to do next."""
    assert view.seat is not None
    if view.phase == "offer":
        down = view.down[view.seat]
        if down is None:
            return "**Make your offer**: lay one of your two cards face down. Everybody sees the other one."
        return f"**Offered**: {short_card(down)} face down. You can change your mind until everybody has chosen."
    if any(isinstance(move, Take) and move.source == view.seat for move in moves):
        return "**Take a card** from your own offer, the only complete one. The other card stays."
    return "**Take a card** for your Jest, from an offer that still has both of its cards."


def _hand_controls(view: View, moves: Sequence[Move], context: Context) -> tuple[Control, ...]:
    """One row with the two cards of the own offer, or a row per offer to take from."""
    offers = {move.card: move for move in moves if isinstance(move, Offer)}
    if offers:
        return (Buttons(tuple(_offer_button(view, offers[one]) for one in sort_hand(list(offers)))),)
    takes = [move for move in moves if isinstance(move, Take)]
    rows = ([move for move in takes if move.source == source] for source in range(view.seats))
    return tuple(Buttons(tuple(_take_button(view, move, context) for move in row)) for row in rows if row)


def _offer_button(view: View, move: Offer) -> Button:
    """The button of a card, marked if it is chosen. Both versions are equally wide, so that nothing moves."""
    chosen = view.seat is not None and view.down[view.seat] == move.card
    emoji = "✅" if chosen else replace(emoji_of(move.card), fallback="🎴")
    return Button(short_choice_label(view, move, Context((), None)), JEST.format_move(move), emoji=emoji)


def _take_button(view: View, move: Take, context: Context) -> Button:
    """The button of a card, short enough that two fit side by side on a phone."""
    up, down = view.up[move.source], view.down[move.source]
    if move.source == view.seat and down is not None:
        label = f"{short_card(up)} (face up)" if move.up else f"{short_card(down)} (face down)"
    else:
        name = truncate(
            words.button_name(context, move.source, is_short=True),
            MAX_NAME_WIDTH,
            lambda text: ceil(estimate_width(text)),
        )
        label = f"{name}: {short_card(up) if move.up else 'face down'}"
    card = up if move.up else down
    return Button(label, JEST.format_move(move), emoji=None if card is None else emoji_of(card))


def _table_paragraphs(view: View, context: Context) -> tuple[str, ...]:
    """The table in words."""
    lines = (offer_lines(view, context), take_lines(view, context), trophy_lines(view))
    return tuple(paragraph for group in lines for paragraph in _as_paragraph(group))


def _as_paragraph(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines as one paragraph, or nothing if there are none."""
    return ("\n".join(lines),) if lines else ()
