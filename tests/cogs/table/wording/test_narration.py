"""Narration on hands: players who have just moved read the result, for example whom an attack hit."""

from __future__ import annotations

import re

import pytest

from cogs.table.wording import narration
from engines.hosting.match import MatchEvent, MatchSnapshot
from engines.kit.chance import Chance
from engines.store.match_store import MatchInfo, Place, Seat, Status
from tests.contract.helpers import HELPERS
from tests.contract.shown import match_snapshots
from tests.games import GAMES


@pytest.mark.parametrize("key", HELPERS)
def test_somebody_who_has_just_moved_reads_all_that_this_brought(key: str) -> None:
    helper, number = HELPERS[key], 0
    every = match_snapshots(helper, helper.starts()[0])
    for snapshot in every:
        if not snapshot.movers:
            continue
        seat, around = snapshot.movers[-1], narration.screen_context(snapshot)
        brought = [match_event.event for match_event in snapshot.events if match_event.move == snapshot.info.moves]
        visible = (event for event in brought if event.is_visible_to(seat))
        sentences = [line for event in visible if (line := helper.screen.narrate(event, around))]
        assert narration.narrate(snapshot, helper.screen, seat) == sentences
        number += len(sentences)
    assert number > len(every) / 2


def played_round(forced: frozenset[int]) -> MatchSnapshot:
    """The first round of Wizard with three people, in which these moves were made automatically; cards are 4 to 6."""
    game, events, movers = GAMES["wizard"], list[MatchEvent](), list[int]()
    state = game.start(3, game.options(rounds=1), Chance("7" * 32))
    while game.outcome(state) is None:
        (seat,) = game.decisions(state)
        movers.append(seat)
        played = game.play(state, seat, game.moves(state, seat)[0])
        events += [MatchEvent(len(movers), event) for event in played]
    seats = tuple(Seat(number + 1, name) for number, name in enumerate(("Ada", "Ben", "Cleo")))
    info = MatchInfo("m1", "wizard", 2, "{}", Status.OVER, 1, Place(1, 2), seats, moves=len(movers))
    return MatchSnapshot(info, game, game.options(rounds=1), state, tuple(events), tuple(movers), forced_moves=forced)


def test_a_move_that_was_made_automatically_was_the_only_one_and_the_news_say_so() -> None:
    screen, cards = HELPERS["wizard"].screen, re.compile(r"plays (?!.*takes)")
    sentences = list(narration.narrate(played_round(frozenset({5, 6})), screen, None))
    assert [line.endswith(" (the only move).") for line in sentences if cards.search(line)] == [False, True, True]
    assert sum("only move" in line for line in sentences) == 2, "what comes of a move is not marked"
    brief = narration.narrate_briefly(played_round(frozenset({5, 6})), screen, None)
    assert [line.endswith("(only moves)") for line in brief[:3]] == [False, False, True], "said once for both"
    brief = narration.narrate_briefly(played_round(frozenset({6})), screen, None)
    assert brief[1].endswith("(only move)")


def test_the_news_go_back_to_the_last_move_that_somebody_chose() -> None:
    screen = HELPERS["wizard"].screen
    snapshot = played_round(frozenset({4, 5, 6}))
    assert narration.narrate(snapshot, screen, None)[0].endswith(" bids 0."), "the last bid, which was chosen"
    assert snapshot.last_move_number(snapshot.movers[3]) == 1, "its bid, not its card"
