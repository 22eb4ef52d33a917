"""The screens of Jester's Court: table, hand, score sheet and result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from cogs.court import clip, special_cards
from cogs.court.choices import choice_label
from cogs.court.controls import hand_controls
from cogs.court.intro import INTRO
from cogs.court.move_reasons import move_reason
from cogs.court.narration import move_label, narrate, narrate_briefly
from cogs.court.pictures import hand_picture, result_picture, sheet_picture, table_picture
from cogs.court.words import (
    awaited_decision,
    board_line,
    dice_lines,
    join_cards,
    own_move_lines,
    pile_lines,
    push_lines,
    seat_lines,
    sheet_lines,
    sort_hand,
    turn_line,
    waiting_text,
)
from cogs.features.clips.steps import USUAL
from cogs.screens import words
from cogs.screens.screen import Context, GameScreen, LazyParagraphs, LobbyAdvice, OptionSuggestion, Screen
from cogs.screens.special_cards import HandChange, SpecialCard
from engines.court.deck import NUMBER_CARDS
from engines.court.model import AnyEvent, Move, Options
from engines.court.view import View
from engines.kit.contract import Decision, Outcome

_PLACE_CAUSES = {
    "start": "on a starting square",
    "crossed": "on a starting square again: it crossed an edge",
    "knocked out": "on a starting square again: it was knocked out",
    "enclosed": "on a starting square again: Menhirs stood on all four sides",
}
_MINUTES = {4: INTRO.minutes, 3: {2: 10, 3: 15, 4: 30}, 2: {2: 5, 3: 10, 4: 10}}
"""Minutes of a match by the banners that win and the number of players (`bench.players.match_length`)."""
_TURN_MINUTES = 0.42  # of one player's turn, measured in the same way
_TURN_LIMITS = (None, 20, 40, 60, 80, 100, 120, 160, 200, 300, 400, 500)


class CourtScreen(GameScreen):
    """Builds the screens of Jester's Court from views, without side effects."""

    intro = INTRO

    def table(self, view: View, context: Context) -> Screen:
        """Return the public table."""
        above = LazyParagraphs(
            lambda: (f"## {turn_line(view)}\n{waiting_text(view, context)}", *words.newest_lines(context.narration))
        )
        below = LazyParagraphs(lambda: _table_paragraphs(view, context))
        return Screen(above, table_picture(view, context), below, headline=_waiting_headline(view, context))

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """Return a seat's hand: the task, the cards, where they lead, and the table in words.

        The news is below the controls, so that the controls never move.
        """
        due = decision is not None and bool(moves)

        def above() -> tuple[str, ...]:
            todo = _todo_text(view) if due else waiting_text(view, context)
            return f"{todo}\n-# {turn_line(view)}", f"**Your hand**: {join_cards(sort_hand(view.hand))}"

        def below() -> tuple[str, ...]:
            lines = push_lines(view, context) if due and awaited_decision(view)[1] == "hinder" else own_move_lines(view)
            return *words.newest_lines(context.narration), "\n".join(lines), *_table_paragraphs(view, context)

        return Screen(
            LazyParagraphs(above),
            hand_picture(view, moves if due else (), context),
            LazyParagraphs(below),
            hand_controls(view, moves, context) if due else (),
            headline=_todo_headline(view) if due else _waiting_headline(view, context),
            worth_text=_worth_text(view) if due else "",
            rule=_decision_rule(view),
        )

    def sheet(self, view: View, context: Context) -> Screen:
        """Return the banners, health and knock-outs of every seat."""
        text = "\n".join([*sheet_lines(view, context), f"-# {turn_line(view)}"])
        return Screen((text,), sheet_picture(view, context))

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """Return the result: the winners, all places, the score sheet and the last table."""
        above = (f"## {_winners_text(outcome, context)}\n{_ending_text(view)}", *words.newest_lines(context.narration))
        places = words.place_lines(outcome, context, lambda seat: _seat_score_text(view, seat))
        below = ("\n".join(places), "\n".join(sheet_lines(view, context)), "\n".join(dice_lines(view, context)))
        return Screen(above, result_picture(view, outcome, context), below, headline=_winners_text(outcome, context))

    def narrate(self, event: AnyEvent, context: Context) -> str | None:
        """Return an event as a sentence."""
        return narrate(event, context)

    def narrate_briefly(self, event: AnyEvent, context: Context) -> str | None:
        """Return an event in a few words."""
        return narrate_briefly(event, context)

    def move_label(self, move: Move) -> str:
        """Return a move's name, such as `Move your Mage by the 4♥`, `Attack with the K♠` or `Menhir on K9`."""
        return move_label(move)

    def choice_label(self, view: View, move: Move, context: Context) -> str:
        """Return a move's name with its target and destination."""
        return choice_label(view, move, context)

    def move_reason(self, view: View, move: Move, context: Context) -> str:
        """Return why a move may be good."""
        return move_reason(view, move, context)

    def special_cards(self, options: Options, seats: int) -> Sequence[SpecialCard]:
        """Return the Menhir, aces and court cards."""
        return special_cards.special_cards(seats)

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
        """Return the turn."""
        return f"Turn {view.turns}"

    def hand_text(self, view: View) -> str:
        """Return the seat's cards."""
        return join_cards(sort_hand(view.hand))

    def turn_prompt(self, view: View, decision: Decision) -> str:
        """Return what the seat has to do."""
        asks = {
            "place": "place your Mage on a starting square",
            "give": "give back a banner",
            "move": f"move your Mage (turn {view.turns}, Phase One)",
            "hinder": f"hinder the others (turn {view.turns}, Phase Two)",
        }
        return asks[decision.kind]

    def guess_prompt(self, number: int) -> str:
        """Return the question to spectators."""
        return f"Who claims the {words.ordinal(number)} banner of this match?"

    def option_texts(self, options: Options, seats: int) -> Mapping[str, str]:
        """Return how many banners win, and the turn limit."""
        turns = "no limit" if options.turns is None else f"at most {options.turns}, counting all players"
        return {"banners": f"{options.banners} win", "turns": turns}

    def option_phrases(self, options: Options, seats: int) -> Mapping[str, str]:
        """Return how many banners win, and when a match ends without them."""
        turns = "no limit" if options.turns is None else f"{words.pluralize(options.turns, 'turn')} at most"
        return {"banners": f"{options.banners} banners win", "turns": turns}

    def preset_sentences(self) -> Mapping[str, str]:
        """Return what speaks for each preset."""
        return {"as published": "A race to all four edges.", "quick": "Three banners win, so the end comes sooner."}

    def match_minutes(self, options: Options, seats: int) -> int:
        """Return about how many minutes a match takes: to so many banners, or up to the limit of turns."""
        minutes = _MINUTES[options.banners][seats]
        return minutes if options.turns is None else min(minutes, 5 * ceil(_TURN_MINUTES * options.turns / 5))

    def option_values(self, option: str, options: Options, seats: int) -> Sequence[int | None]:
        """Return turn limits for short, long and very long matches."""
        return _TURN_LIMITS if option == "turns" else ()

    def lobby_advice(self, options: Options, seats: int) -> LobbyAdvice | None:
        """Return a warning that four players and four banners make a very long match."""
        if seats < 4 or options.banners < 4 or options.turns is not None:
            return None
        advice = (
            "**A very long match**: four players who fight need 340 to 2,000 or more turns for "
            "four banners, and 55 to 95 "
            "for three."
        )
        return LobbyAdvice(
            advice, (OptionSuggestion("3 banners", "banners", 3), OptionSuggestion("At most 120 turns", "turns", 120))
        )

    def standings(self, view: View) -> Sequence[float]:
        """Return the number of banners."""
        return tuple(map(len, view.banners))

    def clip_weight(self, event: AnyEvent) -> int:
        """Return how much an event matters: banners and knock-outs most."""
        return clip.WEIGHTS.get(type(event), USUAL)


def _todo_text(view: View) -> str:
    """What the player has to do next."""
    if view.owed:
        owed = view.owed[0]
        if owed.what == "give":
            return "**Your Mage was knocked out**: give back one of your banners."
        return f"**Place your Mage** {_PLACE_CAUSES[owed.cause]}."
    if view.phase == "move":
        if any(card in NUMBER_CARDS for card in view.hand):
            return "**Phase One**: move your Mage by a number card."
        return "**Phase One**: you hold no number card. Move one square by a jack, queen or king, or skip."
    return "**Phase Two**: hinder the others with a card, or discard one. Choose the card first."


def _todo_headline(view: View) -> str:
    """What the player has to do next, as a headline."""
    if view.owed:
        owed = view.owed[0]
        if owed.cause == "start":
            return "Place your Mage on a starting square."
        why = {"crossed": "Over the edge", "knocked out": "Knocked out", "enclosed": "Shut in by Menhirs"}[owed.cause]
        return f"{why}: {'give back a banner' if owed.what == 'give' else 'place your Mage again'}."
    if view.phase == "hinder":
        return "Hinder the others: choose a card."
    if any(card in NUMBER_CARDS for card in view.hand):
        return "Move your Mage: choose a card."
    return "Move one square, or skip."


def _waiting_headline(view: View, context: Context) -> str:
    """The player that the match waits for, and the pending decision."""
    seat, what = awaited_decision(view)
    does = {"place": "place a Mage", "give": "give back a banner", "move": "move", "hinder": "hinder the others"}
    return f"Waiting for {context.short_names[seat]} to {does[what]}." if what in does else "The match is over."


def _worth_text(view: View) -> str:
    """The most useful fact for the current decision."""
    if view.phase == "hinder" and not view.owed:
        return "2–10 move · J Q K attack · A wounds or heals"
    if view.phase == "move" and not view.owed and not any(card in NUMBER_CARDS for card in view.hand):
        return "Without a number card, J, Q and K move one square."
    if view.owed and view.owed[0].what == "give":
        return "Your health is full again."
    return "Cross a suit's edge to get its banner."


def _decision_rule(view: View) -> str:
    """The rule of the current decision."""
    if view.owed:
        return {"start": "T2", "crossed": "T6", "knocked out": "T10", "enclosed": "T11"}[view.owed[0].cause]
    return {"move": "T4", "hinder": "T8"}.get(view.phase, "T13")


def _table_paragraphs(view: View, context: Context) -> tuple[str, ...]:
    """The whole table in words."""
    groups = ([*seat_lines(view, context), board_line()], dice_lines(view, context), pile_lines(view))
    return tuple("\n".join(lines) for lines in groups)


def _winners_text(outcome: Outcome, context: Context) -> str:
    """`Ana wins with 4 banners`, `Ana and Cleo share the win with 2 banners each`."""
    names = words.join_with_and([context.names[seat] for seat in outcome.winners])
    best = words.pluralize(max(outcome.points), "banner")
    return f"{names} wins with {best}" if len(outcome.winners) == 1 else f"{names} share the win with {best} each"


def _seat_score_text(view: View, seat: int) -> str:
    """The banners and health that decide a seat's place (T13)."""
    return f"{words.pluralize(len(view.banners[seat]), 'banner')}, {view.health[seat]} health"


def _ending_text(view: View) -> str:
    if view.ending == "banners":
        return f"The last of {view.goal} banners was claimed in turn {view.turns}."
    return f"The limit of {view.turns} turns is reached. The most banners win; health breaks ties."
