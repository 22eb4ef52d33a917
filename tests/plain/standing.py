"""Whether everything that is shown of a match stands there, once, and is as it would be drawn now."""

from __future__ import annotations

from collections.abc import Iterator

from cogs.table.pages import match_pages
from engines.hosting.match import Look
from engines.store.surface_storage import Surface
from tests.plain.inn import Plain
from tests.processes.tables import MOVING, skeleton, wanted


async def wrong(inn: Plain, match: str) -> list[str]:
    """What is not, as the bot of that inn would draw it."""
    look = await inn.matches.fresh(match)
    surfaces = await inn.bot.shown.of(match)
    there = {(surface.kind, surface.seat) for surface in surfaces}
    needed = {("lobby", -1)} | ({("table", -1)} if look.state is not None else set())
    found = [] if needed <= there else [f"shown is {sorted(there)}"]
    found += [each for surface in surfaces if (each := await _differs(inn, look, surface))]
    return [*found, *_strays(inn, match, {surface.message for surface in surfaces})]


def _strays(inn: Plain, match: str, known: set[int]) -> Iterator[str]:
    """Messages for everybody, or in somebody's inbox, that lead to a move or into the lobby and are not kept."""
    for number, message in ((n, m) for there in inn.wire.channels.values() for n, m in there.items()):
        controls = [str(part[2]) for part in skeleton(message["components"]) if part[2]]
        leads = [each for each in controls if each == f"t:{match}:join" or each[1:].startswith(f":{match}:")]
        if number not in known and any(each[0] in MOVING or each.endswith(":join") for each in leads):
            yield f"nobody knows of message {number}: {leads}"


async def _differs(inn: Plain, look: Look, surface: Surface) -> str:
    showing = inn.bot.keeper.showing
    setting = await showing.setting(look)
    what = f"{look.info.game} {look.info.id}, {look.info.status}: {surface.kind} {surface.seat}"
    stands = inn.wire.channels.get(surface.channel, {}).get(surface.message)
    if surface.kind == "hand":
        page = match_pages.hand(look, surface.seat, setting, await showing.readers.of(look, surface.seat))
    else:
        page = match_pages.table(look, setting) if surface.kind == "table" else match_pages.lobby(look, setting)
    if stands is None:
        return f"{what} does not stand there"
    return "" if skeleton(stands["components"]) == wanted(page) else f"{what} shows something else"
