"""Practice from a moment of a finished match."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engines.hosting.match import Match, MatchEdit, RequestRefused
from engines.hosting.match_changes import MatchEditor, require_host
from engines.hosting.matches.lobbies import require_lobby
from engines.hosting.matches.practice import end_practice
from engines.store.characters import characters_for
from engines.store.match_store import Change, MatchInfo, Seat, Status

OLDER_PRACTICE = "Its player began another practice match from a replay."


@dataclass(frozen=True, slots=True)
class PracticeStart:
    """The moment at which a practice match begins: a state that is not over, and the seed of its chance.

    The person sits at `seat` of so many `seats`, and computers of that level sit at the others.
    """

    state: Any
    seed: str
    seats: int
    seat: int
    level: str


async def start_practice(
    matches: MatchEditor, match: str, user: int, start: PracticeStart, *, click: int = 0
) -> MatchInfo:
    """Start a practice match from a moment of another one: its only person takes a seat, computers all others."""

    def edit(current: Match) -> MatchEdit:
        info = require_host(require_lobby(current), user)
        if not info.practice or len(info.seats) != 1:
            raise RequestRefused("Only a new practice match can begin in the middle.")
        joining = characters_for(info.id, frozenset({info.seats[0].name}))[: start.seats - 1]
        seats = [Seat(0, character.name, level=start.level) for character in joining]
        seats.insert(start.seat, info.seats[0])
        text = current.game.checkpoint_adapter.dump_json(start.state).decode()
        changed = current.next_info(matches.clock(), status=Status.RUNNING, seats=tuple(seats))
        change = Change(changed, "start", user, checkpoint=text, base=text, seed=start.seed)
        return MatchEdit(change, current.game.copy(start.state))

    return await matches.change_match(match, edit, click)


async def end_older_practice(matches: MatchEditor, user: int) -> list[MatchInfo]:
    """End all practice matches that a person began, except the newest: they have one. Return those that ended."""
    newest_first = [info for info in await matches.store.find(user=user) if await _is_ours(matches, info)]
    ended = []
    for old in newest_first[1:]:
        if old.status is not Status.LOBBY:
            with suppress(RequestRefused):  # it has just ended
                ended.append(await end_practice(matches, old.id, "replace", user, OLDER_PRACTICE))
    return ended


async def _is_ours(matches: MatchEditor, info: MatchInfo) -> bool:
    """Whether a match was practice from the start. Only the deal of any other match has cuts."""
    if not info.practice:
        return False
    saved = await matches.store.load_deal(info.id)
    return saved is None or not saved.cuts
