"""Laws of hints: legal moves, and for each a short sentence or for none, from what their seat knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from cogs.features.hints import hint_pages
from cogs.screens.control_widths import MAX_LABEL
from cogs.screens.screen import MAX_REASON
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.page import Page, Text
from cogs.table.wording.player_names import escape_markdown
from engines.hosting.match import MatchSnapshot
from players import Advice, Budget, advise
from players.review import PastDecision
from tests.contract import shown
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.laws.law import refusal_of
from tests.contract.laws.narration import NO_WORDS_PATTERN
from tests.contract.shown import LONG_NAMES, MATCH_ID, SHORT_NAMES, match_snapshots, page_buttons, screen_context

MOMENT_COUNT = 60  # of a match that are looked at
MOVE_COUNT = 6  # of a decision
HINT_COUNT = 8  # moments of a match in which somebody wants one
TELEGRAM_PATTERN = re.compile(r"[.!?] |[;:·()\n]")
"""What ends a sentence before the reason does, or joins clauses without a word."""
BRIEF_BUDGET = Budget(4, max_candidates=3)


def reasons_are_short_sentences(helper: GameHelper, start: MatchStart) -> None:
    """What speaks for a move is one sentence that a telephone shows; a game has one for every move, or for none."""
    silent: set[bool] = set()
    for names in (SHORT_NAMES, LONG_NAMES):
        for snapshot, seat, move in _some_moves(helper, start, names):
            reason = helper.screen.move_reason(
                snapshot.view(seat), move, screen_context(helper, snapshot, sentences=())
            )
            silent.add(reason is None)
            if reason is not None:
                assert len(reason) <= MAX_REASON, f"too long: {reason}"
                assert reason.endswith("."), f"no sentence: {reason}"
                assert reason[0] == reason[0].upper(), f"no beginning: {reason}"
                assert not NO_WORDS_PATTERN.search(reason), f"no words: {reason}"
                assert "  " not in reason, f"a word is missing: {reason}"
                assert not TELEGRAM_PATTERN.search(reason), f"more than one sentence, or a telegram: {reason}"
    assert len(silent) <= 1, "there are reasons for some moves alone"


def reasons_know_what_their_seat_knows(helper: GameHelper, start: MatchStart) -> None:
    """What speaks for a move is the same in two worlds that its seat cannot tell apart."""
    rng = Random(start.seed)
    for snapshot, seat, move in _some_moves(helper, start, SHORT_NAMES):
        around = screen_context(helper, snapshot, sentences=())
        view = snapshot.game.view(helper.scramble_hidden(snapshot.state, seat, rng), seat)
        reason, other_reason = (helper.screen.move_reason(each, move, around) for each in (snapshot.view(seat), view))
        assert reason == other_reason, f"“{reason}” here and “{other_reason}” there"


def hints_are_legal_moves(helper: GameHelper, start: MatchStart) -> None:
    """A hint says in words a legal move of the decision that is open, and its button makes that move."""
    for snapshot, seat, page in _some_hints(helper, start):
        press = next(press for press in page_buttons(page))
        control = custom_ids.parse_control(press.to)
        assert control is not None
        assert control.kind in "mc", f"{press.to} makes no move"
        assert (control.match, control.decision) == (MATCH_ID, snapshot.decisions()[seat].number)
        own = [
            custom_ids.parse_control(press.to)
            for press in page_buttons(match_pages.hand_page(snapshot, seat, shown.page_setting(helper)))
        ]
        kinds = {each.kind for each in own if each and each.kind in "mc" and each.rest == control.rest}
        assert not kinds or kinds == {control.kind}, "it asks otherwise than the hand does"
        move = snapshot.game.parse_move(control.rest)
        refusal = refusal_of(partial(snapshot.game.check, snapshot.state, seat, move))
        assert refusal is None, f"an illegal hint: {refusal.reason}"
        around = screen_context(helper, snapshot, sentences=())
        choice = helper.screen.choice_label(snapshot.view(seat), move, around)
        assert press.label == choice or len(choice) > MAX_LABEL, f"“{press.label}” for “{choice}”"


def advice_says_the_move_and_then_one_reason(helper: GameHelper, start: MatchStart) -> None:
    """A hint and a review begin with the move in bold and a reason; everything else is small print."""
    for snapshot, seat, page in _some_hints(helper, start):
        control = custom_ids.parse_control(page_buttons(page)[0].to)
        assert control is not None
        move = snapshot.game.parse_move(control.rest)
        _check_advice(helper, snapshot, snapshot.view(seat), move, _page_text(page))
        moves, decision = snapshot.moves(seat), snapshot.decisions()[seat]
        past = PastDecision(1, decision, snapshot.view(seat), "")
        review = hint_pages.Review(((past, Advice(move, moves[-1], 12.4)),), 1, 1)
        texts = hint_pages.review_page(snapshot, helper.screen, review, helper.player_model.unit).blocks
        _check_advice(
            helper, snapshot, past.view, move, next(each.text for each in texts[1:] if isinstance(each, Text))
        )


def _check_advice(helper: GameHelper, snapshot: MatchSnapshot, view: Any, move: Any, text: str) -> None:
    """Check that such a text begins with the move and its reason, and says everything else in small print."""
    around = screen_context(helper, snapshot, sentences=())
    choice, reason = (say(view, move, around) for say in (helper.screen.choice_label, helper.screen.move_reason))
    first, *others = text.split("\n")
    assert first == f"**{escape_markdown(choice or '')}**", f"it does not begin with “{choice}”: {text}"
    plain = [line for line in others if not line.startswith("-# ")]
    assert plain == others[: len(plain)] == ([reason] if reason else []), f"not one reason: {text}"
    assert len(others) > len(plain), f"no small print: {text}"


def hints_know_what_their_seat_knows(helper: GameHelper, start: MatchStart) -> None:
    """A hint is the same to the letter in two worlds that its seat cannot tell apart."""
    rng = Random(start.seed)
    for snapshot, seat, page in _some_hints(helper, start):
        other = replace(snapshot, state=helper.scramble_hidden(snapshot.state, seat, rng))
        assert _hint_page(helper, other, seat) == page, "a hint knows what is hidden"


def _some_hints(helper: GameHelper, start: MatchStart) -> Iterator[tuple[MatchSnapshot, int, Page]]:
    """The hints of some decisions, little thought through."""
    rng, every = Random(f"{start.seed} hints"), match_snapshots(helper, start)
    for snapshot in rng.sample(every, min(HINT_COUNT, len(every))):
        yield from ((snapshot, seat, _hint_page(helper, snapshot, seat)) for seat in snapshot.decisions())


def _hint_page(helper: GameHelper, snapshot: MatchSnapshot, seat: int) -> Page:
    found = advise(helper.player_model, snapshot.view(seat), snapshot.moves(seat), "hint", BRIEF_BUDGET)
    return hint_pages.hint_page(snapshot, seat, helper.screen, found, helper.player_model.unit, was_searched=True)


def _page_text(page: Page) -> str:
    return "\n".join(block.text for block in page.blocks if isinstance(block, Text))


def _some_moves(
    helper: GameHelper, start: MatchStart, names: tuple[str, ...]
) -> Iterator[tuple[MatchSnapshot, int, Any]]:
    """Some moves of some decisions of a match."""
    rng, every = Random(f"{start.seed} reasons"), match_snapshots(helper, start, names)
    for snapshot in rng.sample(every, min(MOMENT_COUNT, len(every))):
        for seat in snapshot.decisions():
            moves = snapshot.moves(seat)
            yield from (
                (snapshot, seat, moves[at]) for at in rng.sample(range(len(moves)), min(MOVE_COUNT, len(moves)))
            )
