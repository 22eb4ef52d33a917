"""The settings of a server that apply to all its tables, whatever is played."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engines.kit.contract import AnyGame
from engines.kit.options import known_presets
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
    presets: tuple[tuple[str, str], ...] = ()  # the preset of a game's new tables, by the game's key, sorted

    @property
    def is_newer(self) -> bool:
        """Whether only a newer version of the bot knows the clock."""
        return self.clock is not None and self.clock not in CLOCK_SECONDS

    def fixed_preset(self, game: AnyGame) -> str | None:
        """Return the preset with which new tables of a game must be played; None if their hosts decide.

        A preset that the game does not have, because another version of the bot knew it, does not count.
        """
        preset = dict(self.presets).get(game.key)
        return preset if preset in known_presets(game) else None

    def with_preset(self, game: str, preset: str | None) -> ServerSettings:
        """Return the settings with the preset of that game's tables set; None lets their hosts decide."""
        presets = {**dict(self.presets), game: preset}
        return replace(self, presets=tuple(sorted((key, name) for key, name in presets.items() if name is not None)))

    def allows_channel(self, *channels: int) -> bool:
        """Whether a table may be opened in a channel, or in a thread of one."""
        return not self.channels or not self.channels.isdisjoint(channels)


DEFAULT_SERVER_SETTINGS = ServerSettings()
