"""Laws of what is said for a move: short sentences, of every move or of none, from what its seat knows."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from cogs.screens.screen import REASON
from engines.match import Look
from tests.contract.helper import Helper, Start
from tests.contract.laws.news import NO_WORDS
from tests.contract.shown import LONG, SHORT, context, looks

MOMENTS = 60  # of a match that are looked at
MOVES = 6  # of a decision


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


def _some(helper: Helper, start: Start, names: tuple[str, ...]) -> Iterator[tuple[Look, int, Any]]:
    """Some moves of some decisions of a match."""
    rng, every = Random(f"{start.seed} reasons"), looks(helper, start, names)
    for look in rng.sample(every, min(MOMENTS, len(every))):
        for seat in look.decisions():
            moves = look.moves(seat)
            yield from ((look, seat, moves[at]) for at in rng.sample(range(len(moves)), min(MOVES, len(moves))))
