"""The settings of a server that apply to all its tables, whatever is played."""

from __future__ import annotations

from dataclasses import dataclass

from engines.store.table_options import CLOCK_SECONDS, DEFAULT_TABLE_OPTIONS, Clock


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of a server, with defaults. A limit of None means the bot's own limit.

    They apply to tables opened or started from then on; `calls` applies to running matches too.
    """

    channels: frozenset[int] = frozenset()  # where tables may be opened; empty means everywhere
    threads: bool = True  # whether a match gets its own thread
    calls: bool = True  # whether players who do not act get a turn ping
    computers: bool = True  # whether computers may join tables
    clock: Clock | None = DEFAULT_TABLE_OPTIONS.clock  # the default clock of a table
    own_lobbies: int | None = None  # the most tables one person may host
    lobbies: int | None = None
    own_tables: int | None = None  # lobbies plus running matches
    tables: int | None = None

    @property
    def is_newer(self) -> bool:
        """Whether only a newer version of the bot knows the clock."""
        return self.clock is not None and self.clock not in CLOCK_SECONDS

    def allows_channel(self, *channels: int) -> bool:
        """Whether a table may be opened in a channel, or in a thread of one."""
        return not self.channels or not self.channels.isdisjoint(channels)


DEFAULT_SERVER_SETTINGS = ServerSettings()
