"""What those who manage a server choose for all its tables, whatever is played: kept by the server's number."""

from __future__ import annotations

from dataclasses import dataclass

from engines.store.table_options import CLOCK_SECONDS, DEFAULT_TABLE_OPTIONS, Clock


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of a server, each as it is where nobody has chosen. None as a limit: as many as the bot allows.

    They hold for what is opened, or starts, from then on; `calls` for every match there.
    """

    channels: frozenset[int] = frozenset()  # in which tables may be opened; none: in all
    threads: bool = True  # whether a match gets a thread of its own
    calls: bool = True  # whether whoever does not act is called
    computers: bool = True  # whether they may sit down at a table
    clock: Clock | None = DEFAULT_TABLE_OPTIONS.clock  # with which a table begins
    own_lobbies: int | None = None  # that one person may be host of
    lobbies: int | None = None
    own_tables: int | None = None  # lobbies, and matches that go on
    tables: int | None = None

    @property
    def is_newer(self) -> bool:
        """Whether the clock is one that only a newer version than this one knows."""
        return self.clock is not None and self.clock not in CLOCK_SECONDS

    def allows_channel(self, *channels: int) -> bool:
        """Whether a table may be opened there: in a channel, or in a thread of one."""
        return not self.channels or not self.channels.isdisjoint(channels)


DEFAULT_SERVER_SETTINGS = ServerSettings()
