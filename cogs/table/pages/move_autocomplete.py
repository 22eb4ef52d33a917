"""Moves in words, for `/<game> move`: offers moves while the user types, and parses the typed text as a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cogs.screens.screen import Context, GameScreen, Offers, TypedCommand, filter_offers, has_whole_words
from cogs.screens.words import join_with_or
from cogs.table.wording import narration
from cogs.table.wording.player_names import escape_markdown
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.errors import BadNotation, IllegalMove

MAX_LINES = 25  # Discord's limit of choices
MOST_NAMED = 5


def seat_option_offers(snapshot: MatchSnapshot, seat: int, screen: GameScreen, typed: TypedCommand) -> Offers:
    """Return the offers for an option of a verb's command at a seat of a started match."""
    context = narration.screen_context(snapshot)
    return option_offers(screen, snapshot.game, snapshot.view(seat), snapshot.moves(seat), typed, context)


def option_offers(
    screen: GameScreen, game: AnyGame, view: Any, moves: Sequence[Any], typed: TypedCommand, context: Context
) -> Offers:
    """Return the offers for an option of a verb's command: those of the game's screen, or the moves of the verb."""
    own = screen.complete_option(view, moves, typed, context)
    if own is not None:
        return own
    verb = f"{typed.verb} "
    every = _all_offers(screen, game, view, moves, context)
    offers = [(label, text.removeprefix(verb)) for label, text in every if text.startswith(verb)]
    return filter_offers(offers, typed.text)


def move_offers(snapshot: MatchSnapshot, seat: int, screen: GameScreen, typed: str) -> Offers:
    """Return the legal moves that fit the typed text, with an exact match in the notation first."""
    if seat not in snapshot.decisions():
        return []
    view, context = snapshot.view(seat), narration.screen_context(snapshot)
    fit = filter_offers(_all_offers(screen, snapshot.game, view, snapshot.moves(seat), context), typed)
    written = _parse_exact_move(snapshot, seat, typed)
    if written is not None:
        exact = (screen.choice_label(view, written, context), snapshot.game.format_move(written))
        fit = [exact, *(offer for offer in fit if offer != exact)]
    return fit if typed.strip() else spread_verbs(fit, MAX_LINES)


def spread_verbs(offers: Offers, most: int) -> Offers:
    """Return at most `most` offers in their order, with some of every verb."""
    verbs: dict[str, list[int]] = {}
    for place, (_, value) in enumerate(offers):
        verbs.setdefault(value.partition(" ")[0], []).append(place)
    chosen: list[int] = []
    for turn in range(most):
        chosen += [places[turn] for places in verbs.values() if turn < len(places)]
    return [offers[place] for place in sorted(chosen[:most])]


def parse_move(snapshot: MatchSnapshot, seat: int, screen: GameScreen, typed: str) -> str:
    """Return the notation of a typed move: in the notation, or in whole words that fit exactly one legal move.

    Raises RequestRefused if the words fit several moves or none. A verb alone is not enough if its moves need more.
    """
    try:
        return snapshot.game.format_move(snapshot.game.parse_move(typed))
    except BadNotation as bad:
        wrong = bad
    found = filter_offers(
        _all_offers(
            screen, snapshot.game, snapshot.view(seat), snapshot.moves(seat), narration.screen_context(snapshot)
        ),
        typed,
    )
    exact = [value for text, value in found if text.casefold() == typed.strip().casefold()]
    whole = [value for text, value in found if has_whole_words((text, value), typed)]
    if exact or (len(whole) == 1 and set(typed.lower().split()) - set(snapshot.game.notation.verbs)):
        return (exact or whole)[0]
    if found and typed.strip():
        some = [f"“{escape_markdown(text)}”" for text, _ in found[:MOST_NAMED]]
        more = [f"{len(found) - MOST_NAMED} other moves"] if len(found) > MOST_NAMED else []
        raise RequestRefused(
            f"That could be {join_with_or([*some, *more])}. Type more of it, or pick a move from the list."
        )
    if typed.split()[:1] and typed.split()[0].lower() in snapshot.game.notation.verbs:
        raise wrong
    raise RequestRefused(
        "You have no such move now. Pick one from the list while you type, or press **Show my hand** at the table."
    )


def done_text(snapshot: MatchSnapshot, seat: int, screen: GameScreen, notation: str) -> str:
    """Return a sentence on a move that was made in this snapshot: `Done: play the queen of clubs ♣.`"""
    label = screen.choice_label(
        snapshot.view(seat), snapshot.game.parse_move(notation), narration.screen_context(snapshot)
    )
    return f"Done: {escape_markdown(label[:1].lower() + label[1:])}."


def _all_offers(screen: GameScreen, game: AnyGame, view: Any, moves: Sequence[Any], context: Context) -> Offers:
    return [(screen.choice_label(view, move, context), game.format_move(move)) for move in moves]


def _parse_exact_move(snapshot: MatchSnapshot, seat: int, typed: str) -> Any:
    """Return the legal move whose notation is typed, even if its parts are in another order, or None."""
    try:
        move = snapshot.game.parse_move(typed)
        snapshot.game.check(snapshot.state, seat, move)
    except IllegalMove:
        return None
    return move
