"""The commands of `python -m motley` about one person's data: my-data and forget, for people who ask the owner."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import storage
from engines import GAMES
from engines.hosting.inspection import readable_game
from engines.hosting.match_loading import rebuild_match
from engines.store.forgetting import PersonalTrace
from engines.store.match_store import LIVE, DamagedMatch, Status
from motley.owner_requests import parse_id
from storage import OwnerHandle, StorageError
from storage.sqlite.file.files import write_atomically

if TYPE_CHECKING:
    from cogs.table.actions.personal_data_file import PersonalData

Say = Callable[[str], None]
Ask = Callable[[str], str]
NOTHING = "Nothing is stored about the person {user}."
FILE_EXISTS = "{path} already exists. Name another file."
WRITTEN = (
    "{path}: everything that is stored about the person {user}, with {matches}. It is for their eyes alone: of running "
    "matches it has what they see, their hand too."
)
CONSEQUENCES = """The person {user} will be forgotten, as with /motley forget-me:
- They have {matches}, {live} of them not finished.
- In finished matches, "Somebody" replaces their name. The moves stay, for the other players.
- They leave their running matches. The computer plays on in their seat, and anyone can take it.
- Their settings, break, notes, planned moves, reports and the channel of their direct messages are deleted.
- Messages in Discord, backups and a block of theirs stay. Nobody can undo this."""
QUESTION = "Type the number {user} again to forget them: "
NOTHING_DELETED = "Nothing was deleted."
REQUESTED = "It is requested. A running bot begins within two minutes; otherwise the next one does."


def add_parsers(kinds: _SubParsersAction[ArgumentParser]) -> None:
    """Add the commands to the parser of the command line."""
    data = kinds.add_parser("my-data", help="write everything that is stored about a person to a file")
    data.add_argument("user", type=parse_id, help="their Discord ID")
    data.add_argument("file", type=Path, nargs="?", help="a new file; by default `motley-data-<ID>.json` here")
    forget = kinds.add_parser("forget", help="forget a person, after a question, even while the bot runs")
    forget.add_argument("user", type=parse_id, help="their Discord ID")
    forget.add_argument("--yes", action="store_true", help="do not ask")


async def run_command(options: Namespace, location: str | Path, now: float, say: Say, ask: Ask = input) -> bool:
    """Carry out one of the commands at that Unix second, and return whether all is well.

    Raises StorageError, StoreFailure and OSError.
    """
    async with storage.open_owner_storage(location, int(now)) as opened:
        data = await _load_data(opened, options.user)
        if data.is_empty:
            say(NOTHING.format(user=options.user))
            return False
        if options.command == "my-data":
            return _write_file(data, options.file or Path(f"motley-data-{options.user}.json"), int(now), say)
        live = sum(trace.status in LIVE for trace in data.traces)
        say(CONSEQUENCES.format(user=data.user, matches=_match_count(data), live=live))
        if not (options.yes or await asyncio.to_thread(_is_confirmed, options.user, ask)):
            say(NOTHING_DELETED)
            return False
        await opened.matches.request_forgetting(options.user)
    say(REQUESTED)
    return True


async def _load_data(opened: OwnerHandle, user: int) -> PersonalData:
    from cogs.table.actions.personal_data_file import load_personal_data  # the other commands need nothing of the bot

    return await load_personal_data(user, opened.matches, opened.surfaces, partial(_load_hand, opened), limit=None)


async def _load_hand(opened: OwnerHandle, trace: PersonalTrace, user: int) -> list[str]:
    """Return what a person sees of a running match, as lines. Writes nothing, also if the match is damaged."""
    from cogs.table.actions.personal_data_file import visible_hand

    info = await opened.matches.load_info(trace.match) if trace.status in (Status.RUNNING, Status.PAUSED) else None
    game, seat = (None, None) if info is None else (readable_game(info, GAMES), info.seat_of(user))
    if info is None or game is None or seat is None:
        return []
    try:
        saved = await opened.matches.load(trace.match)
        return visible_hand(rebuild_match(game, info, saved).take_snapshot(), seat) if saved else []
    except DamagedMatch:
        return []


def _write_file(data: PersonalData, path: Path, now: int, say: Say) -> bool:
    from cogs.table.actions.personal_data_file import personal_data_json

    if path.exists():
        raise StorageError(FILE_EXISTS.format(path=path))
    with write_atomically(path) as file:
        file.write_text(personal_data_json(data, now), encoding="utf-8")
    say(WRITTEN.format(path=path, user=data.user, matches=_match_count(data)))
    return True


def _is_confirmed(user: int, ask: Ask) -> bool:
    try:
        return ask(QUESTION.format(user=user)).strip() == str(user)
    except EOFError:  # nobody is there to answer
        return False


def _match_count(data: PersonalData) -> str:
    return "1 match" if len(data.traces) == 1 else f"{len(data.traces)} matches"
