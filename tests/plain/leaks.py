"""That nobody is told what they cannot know: two searches over whatever the bot sends, for every game.

Both raise AssertionError. The first looks for the names that a game's helper gives for what is hidden. The second
(`worlds.py`) plays the match in two worlds that one reader cannot tell apart, and holds that all they get is the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import count
from random import Random

from engines.hosting.match import Look
from tests.contract.helper import Helper, Start
from tests.contract.secrets import Secrets, named, plainly, planned
from tests.plain.asking import ask, begun, logged, press, seated
from tests.plain.inn import plain
from tests.plain.wire import Sent
from tests.plain.worlds import other_worlds_look_the_same

Law = Callable[[Helper, Start, int], Awaitable[object]]
DATA = "my-motley-data"  # in the name of the file of what is kept of somebody


async def nothing_hidden_is_named(helper: Helper, start: Start, positions: int) -> None:
    """No message, answer, offer while typing or line of the log names what is hidden from who reads it; nor the seed.

    And the names are those that are used: most hands that hold what is hidden from others name it.
    """
    rng, plan = Random(f"{start.seed} names"), planned(helper, start, positions)
    secrets, moves = Secrets(helper, [step.state for step in plan]), [step.move for step in plan]
    with logged() as log:
        async with plain(start.seed) as inn:
            match, turns = await begun(inn, helper, start), count()
            found = held = 0
            for step in plan:
                look = await inn.look(match)
                if not step.looked:
                    await inn.play(look, step.seat, step.move)
                    continue
                since = len(inn.wire.sent)
                log.clear()
                await inn.catch_up(match)
                other = (step.seat + next(turns)) % start.seats
                await ask(inn, look, seated(other), moves, look.moves(other), rng)
                await ask(inn, look, seated(None), moves, (), rng)
                _search(secrets, start, look, inn.wire.sent[since:], log)
                for seat in range(start.seats):
                    own = {*helper.secrets(look.state, None)} - {*helper.secrets(look.state, seat)}
                    hand = await inn.surface(match, "hand", seat)
                    held += bool(own)
                    found += bool(own and named(tuple(own), helper.harmless(plainly(repr(hand)))))
                since = len(inn.wire.sent)
                log.clear()
                await press(inn, match, step.seat, step.move)
                look = await inn.look(match)
                if look.decisions():  # else all is shown: the record tells the seed
                    _search(secrets, start, look, inn.wire.sent[since:], log)
    assert found > held / 2, f"of {held} hands, the search finds what is hidden from others on {found}"


def _search(secrets: Secrets, start: Start, look: Look, messages: Sequence[Sent], log: Sequence[str]) -> None:
    """Search all that was sent and logged while the match stood so."""
    for sent in messages:
        reader = seat_of(start, sent.by)
        text = sent.text if DATA not in sent.said else _without_own(look, reader, sent.text)
        said = secrets.given_away(look, reader, text, sent.asked)
        assert not said, f"{said} told to {sent.by}: {sent.method} {sent.path} {sent.said[:600]}"
    said = secrets.given_away(look, None, "\n".join(log))
    assert not said, f"the log tells {said}"
    assert not [text for text in (*log, *(sent.text for sent in messages)) if start.seed in text], "the seed is told"


def _without_own(look: Look, reader: int | None, text: str) -> str:
    """A file without the board of the reader's own view, and their moves: these name what is hidden again by now."""
    text = re.sub(r'"made": "[^"]*"', "", text)
    lines = [] if reader is None else str(look.view(reader)).splitlines()
    for line in sorted(map(str.rstrip, lines), key=len, reverse=True):
        text = text.replace(json.dumps(line, ensure_ascii=False), "")
    return text


def seat_of(start: Start, user: int | None) -> int | None:
    """The seat of somebody; None for who watches, and for everybody."""
    return user - 1 if user is not None and user <= start.seats else None


LAWS: Mapping[str, Law] = {law.__name__: law for law in (nothing_hidden_is_named, other_worlds_look_the_same)}
