"""Retries what features could not write with a change of a match: see `engines.hosting.reactions`."""

from __future__ import annotations

from collections.abc import Callable

from cogs.table.channels.table_services import TableServices

PAUSE = 60  # seconds between two looks
GIVEN_UP = (
    "After many tries, something could not be counted for {count} matches: {features}. My log has the error. "
    "What I show about these matches is incomplete."
)


async def retry_late_reactions(services: TableServices, wake: Callable[[str], None], warnings: dict[str, str]) -> None:
    """Retry late reactions for ever, with the pauses that each has stored, and say which have been given up."""
    while True:
        done, given_up = await services.matches.late_reactions.retry_reactions()
        if done:
            await services.surfaces.store.mark_stale(done)
        for match in done:
            wake(match)
        if given_up:
            count, names = len({late.match for late in given_up}), sorted({late.feature for late in given_up})
            warnings["late reactions"] = GIVEN_UP.format(count=count, features=", ".join(names))
        else:
            warnings.pop("late reactions", None)
        await services.clock.sleep(PAUSE)
