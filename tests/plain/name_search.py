"""That nobody is told what they cannot know: two searches over whatever the bot sends, for every game.

Both raise AssertionError. The first looks for the names that a game's helper gives for what is hidden. The second
(`compared_worlds.py`) plays the match in two worlds that one reader cannot tell apart, and holds that all they get is
the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import count
from random import Random

from cogs.features.reports.report_pages import public_lines
from engines.hosting.match import MatchSnapshot
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.secrets import MatchSecrets, find_matches, normalise_spaces, plan_match
from tests.plain.compared_worlds import other_worlds_look_the_same
from tests.plain.fake_discord import SentRequest
from tests.plain.leak_reader import ask_everything, capture_log, press_move, reader_in_seat, start_match
from tests.plain.plain_bot import start_plain_bot

Law = Callable[[GameHelper, MatchStart, int], Awaitable[object]]
REPORT_FILE = "report-"  # in the name of the file of a report
DATA_COMMAND = "my-motley-data"  # in the name of the file of what is kept of somebody


async def nothing_hidden_is_named(helper: GameHelper, start: MatchStart, positions: int) -> None:
    """No message, answer, offer while typing or line of the log names what is hidden from who reads it; nor the seed.

    And the names are those that are used: most hands that hold what is hidden from others name it.
    """
    rng, plan = Random(f"{start.seed} names"), plan_match(helper, start, positions)
    secrets, moves = MatchSecrets(helper, [step.state for step in plan]), [step.move for step in plan]
    with capture_log() as log:
        async with start_plain_bot(start.seed) as plain_bot:
            match, turns = await start_match(plain_bot, helper, start), count()
            found = hand_count = 0
            for step in plan:
                snapshot = await plain_bot.load_snapshot(match)
                if not step.is_searched:
                    await plain_bot.play_undrawn(snapshot, step.seat, step.move)
                    continue
                first_new = len(plain_bot.wire.sent_requests)
                log.clear()
                await plain_bot.show_match(match)
                other = (step.seat + next(turns)) % start.seats
                await ask_everything(plain_bot, snapshot, reader_in_seat(other), moves, snapshot.moves(other), rng)
                await ask_everything(plain_bot, snapshot, reader_in_seat(None), moves, (), rng)
                _search_sent(secrets, start, snapshot, plain_bot.wire.sent_requests[first_new:], log)
                for seat in range(start.seats):
                    own = {*helper.secret_patterns(snapshot.state, None)} - {
                        *helper.secret_patterns(snapshot.state, seat)
                    }
                    hand = await plain_bot.surface_message(match, "hand", seat)
                    hand_count += bool(own)
                    found += bool(own and find_matches(tuple(own), helper.strip_harmless(normalise_spaces(repr(hand)))))
                first_new = len(plain_bot.wire.sent_requests)
                log.clear()
                await press_move(plain_bot, match, step.seat, step.move)
                snapshot = await plain_bot.load_snapshot(match)
                if snapshot.decisions():  # else all is shown: the record tells the seed
                    _search_sent(secrets, start, snapshot, plain_bot.wire.sent_requests[first_new:], log)
    assert found > hand_count / 2, f"of {hand_count} hands, the search finds what is hidden from others on {found}"


def _search_sent(
    secrets: MatchSecrets,
    start: MatchStart,
    snapshot: MatchSnapshot,
    messages: Sequence[SentRequest],
    log: Sequence[str],
) -> None:
    for sent in messages:
        reader = seat_of(start, sent.reader)
        text = sent.text if DATA_COMMAND not in sent.body_text else _without_own_board(snapshot, reader, sent.text)
        text = text if REPORT_FILE not in sent.body_text else _without_public_record(snapshot, text)
        given_away = secrets.find_given_away(snapshot, reader, text, sent.interaction_text)
        assert not given_away, f"{given_away} told to {sent.reader}: {sent.method} {sent.path} {sent.body_text[:600]}"
    given_away = secrets.find_given_away(snapshot, None, _without_public_record(snapshot, "\n".join(log)))
    assert not given_away, f"the log tells {given_away}"
    assert not [text for text in (*log, *(sent.text for sent in messages)) if start.seed in text], "the seed is told"


def _without_public_record(snapshot: MatchSnapshot, text: str) -> str:
    """A report without what everybody can see or saw: it may name what was shown once and is hidden again by now.

    The law `reports_say_nothing_hidden` and the second search look at that.
    """
    for line in sorted(public_lines(snapshot), key=len, reverse=True):
        text = text.replace(line, "") if line else text
    return text


def _without_own_board(snapshot: MatchSnapshot, reader: int | None, text: str) -> str:
    """A file without the board of the reader's own view, and their moves: these name what is hidden again by now."""
    text = re.sub(r'"made": "[^"]*"', "", text)
    lines = [] if reader is None else str(snapshot.view(reader)).splitlines()
    for line in sorted(map(str.rstrip, lines), key=len, reverse=True):
        text = text.replace(json.dumps(line, ensure_ascii=False), "")
    return text


def seat_of(start: MatchStart, user: int | None) -> int | None:
    """The seat of somebody; None for who watches, and for everybody."""
    return user - 1 if user is not None and user <= start.seats else None


LAWS: Mapping[str, Law] = {law.__name__: law for law in (nothing_hidden_is_named, other_worlds_look_the_same)}
