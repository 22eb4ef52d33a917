"""Moves in words, for `/<game> move`: offered and narrowed while one types, and what is typed read as a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cogs.screens.screen import Context, GameScreen, Offers, Typed, fitting, spelled
from cogs.screens.words import either
from cogs.table.wording import narration
from cogs.table.wording.player_names import plain
from engines.hosting.match import Look, Refused
from engines.kit.contract import AnyGame, BadNotation, IllegalMove

MOST = 25  # lines that Discord shows
MOST_NAMED = 5


def offered(
    screen: GameScreen, game: AnyGame, view: Any, moves: Sequence[Any], typed: Typed, around: Context
) -> Offers:
    """What may stand in an option of a verb's command, as the game's screen has it; else the moves of the verb."""
    own = screen.complete(view, moves, typed, around)
    if own is not None:
        return own
    verb = f"{typed.verb} "
    every = _all(screen, game, view, moves, around)
    offers = [(said, text.removeprefix(verb)) for said, text in every if text.startswith(verb)]
    return fitting(offers, typed.text)


def moves(look: Look, seat: int, screen: GameScreen, typed: str) -> Offers:
    """The legal moves that fit what is typed, in words and in the notation; first the very move that is written."""
    if seat not in look.decisions():
        return []
    view, around = look.view(seat), narration.context(look)
    fit = fitting(_all(screen, look.game, view, look.moves(seat), around), typed)
    written = _written(look, seat, typed)
    if written is not None:
        exact = (screen.choice(view, written, around), look.game.write(written))
        fit = [exact, *(offer for offer in fit if offer != exact)]
    return fit if typed.strip() else spread(fit, MOST)


def spread(offers: Offers, most: int) -> Offers:
    """So many of these, some of every verb where there are more, in the order they had."""
    verbs: dict[str, list[int]] = {}
    for place, (_, value) in enumerate(offers):
        verbs.setdefault(value.partition(" ")[0], []).append(place)
    kept: list[int] = []
    for turn in range(most):
        kept += [places[turn] for places in verbs.values() if turn < len(places)]
    return [offers[place] for place in sorted(kept[:most])]


def meant(look: Look, seat: int, screen: GameScreen, typed: str) -> str:
    """The notation of the move that is typed: in the notation, or in whole words that fit one legal move alone.

    Raises Refused where they fit several or none. A mere verb that wants more is none, even if one move alone has it.
    """
    try:
        return look.game.write(look.game.read(typed))
    except BadNotation as bad:
        wrong = bad
    found = fitting(_all(screen, look.game, look.view(seat), look.moves(seat), narration.context(look)), typed)
    exact = [value for said, value in found if said.casefold() == typed.strip().casefold()]
    whole = [value for said, value in found if spelled((said, value), typed)]
    if exact or (len(whole) == 1 and set(typed.lower().split()) - set(look.game.notation.verbs)):
        return (exact or whole)[0]
    if found and typed.strip():
        some = [f"“{plain(said)}”" for said, _ in found[:MOST_NAMED]]
        more = [f"{len(found) - MOST_NAMED} more"] if len(found) > MOST_NAMED else []
        raise Refused(f"That could be {either([*some, *more])}. Say more of it, or pick what is offered as you type.")
    if typed.split()[:1] and typed.split()[0].lower() in look.game.notation.verbs:
        raise wrong
    raise Refused(
        "Nothing that you may do now is called that. Pick what is offered as you type, "
        "or press **Show my hand** at the table."
    )


def done(look: Look, seat: int, screen: GameScreen, notation: str) -> str:
    """What was done by a move that was made at that moment: `Done: play the queen of clubs ♣.`"""
    said = screen.choice(look.view(seat), look.game.read(notation), narration.context(look))
    return f"Done: {plain(said[:1].lower() + said[1:])}."


def _all(screen: GameScreen, game: AnyGame, view: Any, moves: Sequence[Any], around: Context) -> Offers:
    return [(screen.choice(view, move, around), game.write(move)) for move in moves]


def _written(look: Look, seat: int, typed: str) -> Any:
    """The legal move whose notation is typed, perhaps in another order than it is listed in; None if it is none."""
    try:
        move = look.game.read(typed)
        look.game.check(look.state, seat, move)
    except IllegalMove:
        return None
    return move
