"""Wizard in clips: what matters, and how the cards of a trick slide to the one that takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cogs.features.clips.steps import ALWAYS, DETAIL, HOLD_MILLISECONDS, MOTION_MILLISECONDS, UNSEEN, ClipStep
from cogs.screens.screen import Context
from cogs.wizard.drawing.spec import WizardPicture
from cogs.wizard.pictures import table_picture
from engines.wizard.model import (
    AnyEvent,
    BidMade,
    BidPlaced,
    CardPlayed,
    HandDealt,
    PassChosen,
    RoundDealt,
    RoundScored,
    TrickTaken,
    TrickVanished,
)
from engines.wizard.view import View

WEIGHTS: Mapping[type[AnyEvent], int] = {
    RoundScored: ALWAYS,
    CardPlayed: DETAIL,
    BidMade: DETAIL,
    BidPlaced: DETAIL,
    RoundDealt: UNSEEN,
    HandDealt: UNSEEN,
    PassChosen: UNSEEN,
}
"""How much the kinds of events matter, if not as usual."""
SLIDE = (30, 65, 100)  # percent of the way of each picture
PILE_MILLISECONDS = 300  # the cards at the end of their way


def clip_steps(before: View, events: Sequence[AnyEvent], after: View, context: Context) -> Sequence[ClipStep]:
    """Return the table after a move. A completed trick is seen whole, and then its cards slide to the taker's."""
    table = ClipStep(_table(after, context))
    if not any(isinstance(event, TrickTaken | TrickVanished) for event in events):
        return (table,)
    whole = _table(_with_completed_trick(before, after), context)
    steps = [ClipStep(whole, HOLD_MILLISECONDS)]
    if not whole.trick.vanishes:
        slid = [replace(whole, trick=replace(whole.trick, gathered=percent)) for percent in SLIDE]
        steps += [ClipStep(spec, MOTION_MILLISECONDS) for spec in slid[:-1]] + [ClipStep(slid[-1], PILE_MILLISECONDS)]
    return steps if after.phase == "play" and after.round == before.round else (*steps, table)


def _table(view: View, context: Context) -> WizardPicture:
    spec = table_picture(view, context).spec
    assert isinstance(spec, WizardPicture)
    return spec


def _with_completed_trick(before: View, after: View) -> View:
    """Return the view in which the newest trick lies on the table. After the last trick of a round, none shows it."""
    trick = after.last
    assert trick is not None
    taken = [number + (place == trick.winner and not trick.has_vanished) for place, number in enumerate(before.taken)]
    turn = trick.winner if trick.winner < before.seats else before.turn
    return replace(before, trick=(), tricks=(*before.tricks, trick), last=trick, taken=tuple(taken), turn=turn)
