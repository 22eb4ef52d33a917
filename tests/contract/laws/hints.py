"""Laws of hints: legal moves, and for each a short sentence or for none, from what their seat knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from cogs.screens.screen import REASON
from cogs.table.pages import custom_ids, hint_pages, match_pages
from cogs.table.pages.page import Page, Text
from cogs.table.wording.player_names import plain
from engines.hosting.match import Look
from players import Budget, advise
from tests.contract.helper import Helper, Start
from tests.contract.laws.law import refusal_of
from tests.contract.laws.news import NO_WORDS
from tests.contract.shown import LONG, MATCH, SHORT, context, looks, presses, setting

MOMENTS = 60  # of a match that are looked at
MOVES = 6  # of a decision
HINTS = 8  # moments of a match in which somebody wants one
BRIEF = Budget(4, candidates=3)


def reasons_are_short_sentences(helper: Helper, start: Start) -> None:
    """What speaks for a move is a sentence that a telephone shows; a game has one for every move, or for none."""
    silent: set[bool] = set()
    for names in (SHORT, LONG):
        for look, seat, move in _some(helper, start, names):
            said = helper.screen.reason(look.view(seat), move, context(helper, look, news=()))
            silent.add(said is None)
            if said is not None:
                assert len(said) <= REASON, f"too long: {said}"
                assert said.endswith("."), f"no sentence: {said}"
                assert said[0] == said[0].upper(), f"no beginning: {said}"
                assert not NO_WORDS.search(said), f"no words: {said}"
                assert "  " not in said, f"a word is missing: {said}"
    assert len(silent) <= 1, "there are reasons for some moves alone"


def reasons_know_what_their_seat_knows(helper: Helper, start: Start) -> None:
    """What speaks for a move is the same in two worlds that its seat cannot tell apart."""
    rng = Random(start.seed)
    for look, seat, move in _some(helper, start, SHORT):
        around = context(helper, look, news=())
        view = look.game.view(helper.scramble(look.state, seat, rng), seat)
        here, there = (helper.screen.reason(each, move, around) for each in (look.view(seat), view))
        assert here == there, f"“{here}” here and “{there}” there"


def hints_are_legal_moves(helper: Helper, start: Start) -> None:
    """A hint says in words a legal move of the decision that is open, and its button makes that move."""
    for look, seat, page in _hints(helper, start):
        press = next(press for press in presses(page))
        control = custom_ids.read(press.to)
        assert control is not None
        assert control.kind in "mc", f"{press.to} makes no move"
        assert (control.match, control.decision) == (MATCH, look.decisions()[seat].number)
        own = [custom_ids.read(press.to) for press in presses(match_pages.hand(look, seat, setting(helper)))]
        kinds = {each.kind for each in own if each and each.kind in "mc" and each.rest == control.rest}
        assert not kinds or kinds == {control.kind}, "it asks otherwise than the hand does"
        move = look.game.read(control.rest)
        refusal = refusal_of(partial(look.game.check, look.state, seat, move))
        assert refusal is None, f"an illegal hint: {refusal.reason}"
        choice = plain(helper.screen.choice(look.view(seat), move, context(helper, look, news=())))
        assert choice[1:] in _words(page), f"the move is not said: {_words(page)}"


def hints_know_what_their_seat_knows(helper: Helper, start: Start) -> None:
    """A hint is the same to the letter in two worlds that its seat cannot tell apart."""
    rng = Random(start.seed)
    for look, seat, page in _hints(helper, start):
        other = replace(look, state=helper.scramble(look.state, seat, rng))
        assert _hint(helper, other, seat) == page, "a hint knows what is hidden"


def _hints(helper: Helper, start: Start) -> Iterator[tuple[Look, int, Page]]:
    """The hints of some decisions, little thought through."""
    rng, every = Random(f"{start.seed} hints"), looks(helper, start)
    for look in rng.sample(every, min(HINTS, len(every))):
        yield from ((look, seat, _hint(helper, look, seat)) for seat in look.decisions())


def _hint(helper: Helper, look: Look, seat: int) -> Page:
    found = advise(helper.mind, look.view(seat), look.moves(seat), "hint", BRIEF)
    return hint_pages.hint(look, seat, helper.screen, found, helper.mind.unit, thought=True)


def _words(page: Page) -> str:
    return "\n".join(block.text for block in page.blocks if isinstance(block, Text))


def _some(helper: Helper, start: Start, names: tuple[str, ...]) -> Iterator[tuple[Look, int, Any]]:
    """Some moves of some decisions of a match."""
    rng, every = Random(f"{start.seed} reasons"), looks(helper, start, names)
    for look in rng.sample(every, min(MOMENTS, len(every))):
        for seat in look.decisions():
            moves = look.moves(seat)
            yield from ((look, seat, moves[at]) for at in rng.sample(range(len(moves)), min(MOVES, len(moves))))
