"""Whether everything that is shown of a match stands there, once, and is as it would be drawn now."""

from __future__ import annotations

from collections.abc import Iterator

from cogs.table.pages import match_pages
from engines.hosting.match import MatchSnapshot
from engines.store.surface_storage import Surface
from tests.plain.inn import PlainBot
from tests.processes.tables import MOVING_KINDS, message_skeleton, page_skeleton


async def find_wrong(inn: PlainBot, match: str) -> list[str]:
    """What is not, as the bot of that inn would draw it."""
    look = await inn.matches.get_fresh_snapshot(match)
    surfaces = await inn.bot.surfaces.surfaces_of(match)
    there = {(surface.kind, surface.seat) for surface in surfaces}
    needed = {("lobby", -1)} | ({("table", -1)} if look.state is not None else set())
    found = [] if needed <= there else [f"shown is {sorted(there)}"]
    found += [each for surface in surfaces if (each := await _surface_difference(inn, look, surface))]
    return [*found, *_find_strays(inn, match, {surface.message for surface in surfaces})]


def _find_strays(inn: PlainBot, match: str, known: set[int]) -> Iterator[str]:
    """Messages for everybody, or in somebody's inbox, that lead to a move or into the lobby and are not kept."""
    for number, message in ((n, m) for there in inn.wire.channels.values() for n, m in there.items()):
        controls = [str(part[2]) for part in message_skeleton(message["components"]) if part[2]]
        leads = [each for each in controls if each == f"t:{match}:join" or each[1:].startswith(f":{match}:")]
        if number not in known and any(each[0] in MOVING_KINDS or each.endswith(":join") for each in leads):
            yield f"nobody knows of message {number}: {leads}"


async def _surface_difference(inn: PlainBot, look: MatchSnapshot, surface: Surface) -> str:
    showing = inn.bot.reconciler.surface_sync
    setting = await showing.page_context_of(look)
    what = f"{look.info.game} {look.info.id}, {look.info.status}: {surface.kind} {surface.seat}"
    stands = inn.wire.channels.get(surface.channel, {}).get(surface.message)
    if surface.kind == "hand":
        page = match_pages.hand_page(look, surface.seat, setting, await showing.readers.reader_of(look, surface.seat))
    else:
        page = (
            match_pages.table_page(look, setting) if surface.kind == "table" else match_pages.lobby_page(look, setting)
        )
    if stands is None:
        return f"{what} does not stand there"
    return "" if message_skeleton(stands["components"]) == page_skeleton(page) else f"{what} shows something else"
